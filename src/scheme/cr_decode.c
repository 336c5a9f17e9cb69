#include "cr_code.h"
#include "cr_measure.h"
#include "placement.h"
#include <assert.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

struct cr_solver {
    double *shortest; /* a0 [n] */
    double *basis;    /* N [n * s], row-major */
    /* Of one decoding. */
    uint32_t *silent; /* S, ascending [s] */
    double *equation; /* N_S^T [s * |S|], then its QR */
    double *tau, *z;  /* [s] each */
    double *sum;      /* a B [n] */
};

/* B as a full n x n matrix. */
static gsl_matrix dense_code(const struct cr_code *code, struct arena *arena) {
    uint32_t workers = code->workers, copies = code->stragglers + 1;
    struct placement windows = placement_cr(workers, copies);
    double *entry = arena_zeroed(arena, (size_t)workers * workers, sizeof *entry);
    for (uint32_t i = 0; i < workers; i++)
        for (uint32_t l = 0; l < copies; l++)
            entry[(size_t)i * workers + placement_partition(&windows, i, l)] =
                code->entry[(size_t)i * copies + l];
    return gsl_matrix_view_array(entry, workers, workers).matrix;
}

/* B = Q R P^T with rank n - s: N is the last s columns of Q, and a0 = Q y where R11^T y = P^T 1 = 1. */
static void factorise(const struct cr_code *code, struct cr_solver *solver) {
    size_t workers = code->workers, stragglers = code->stragglers, rank = workers - stragglers;
    struct arena *scratch = arena_new();
    gsl_matrix factors = dense_code(code, scratch);
    gsl_vector tau = gsl_vector_view_array(arena_zeroed(scratch, workers, sizeof(double)), workers).vector;
    gsl_vector norms = gsl_vector_view_array(arena_zeroed(scratch, workers, sizeof(double)), workers).vector;
    gsl_permutation order = {.size = workers, .data = arena_zeroed(scratch, workers, sizeof(size_t))};
    int sign;
    gsl_linalg_QRPT_decomp(&factors, &tau, &order, &sign, &norms);

    gsl_vector shortest = gsl_vector_view_array(solver->shortest, workers).vector;
    gsl_vector leading = gsl_vector_subvector(&shortest, 0, rank).vector;
    gsl_matrix triangle = gsl_matrix_submatrix(&factors, 0, 0, rank, rank).matrix;
    gsl_vector_set_all(&leading, 1);
    gsl_blas_dtrsv(CblasUpper, CblasTrans, CblasNonUnit, &triangle, &leading);
    gsl_linalg_QR_Qvec(&factors, &tau, &shortest);

    for (size_t column = 0; column < stragglers; column++) {
        gsl_vector direction =
            gsl_vector_view_array_with_stride(solver->basis + column, stragglers, workers).vector;
        gsl_vector_set_basis(&direction, rank + column);
        gsl_linalg_QR_Qvec(&factors, &tau, &direction);
    }
    arena_free(scratch);
}

/* Runs whose steps all use the common gradient never decode, so what is large waits for the first decoding. */
static struct cr_solver *solver_in(const struct cr_code *code) {
    size_t workers = code->workers, stragglers = code->stragglers;
    struct cr_solver *solver = arena_zeroed(code->arena, 1, sizeof *solver);
    solver->shortest = arena_zeroed(code->arena, workers, sizeof(double));
    solver->basis = arena_zeroed(code->arena, workers * stragglers, sizeof(double));
    solver->silent = arena_zeroed(code->arena, stragglers, sizeof(uint32_t));
    solver->equation = arena_zeroed(code->arena, stragglers * stragglers, sizeof(double));
    solver->tau = arena_zeroed(code->arena, stragglers, sizeof(double));
    solver->z = arena_zeroed(code->arena, stragglers, sizeof(double));
    solver->sum = arena_zeroed(code->arena, workers, sizeof(double));
    factorise(code, solver);
    return solver;
}

/* Lists the workers that sent none of the messages, returns how many. */
static uint32_t list_silent(const struct cr_code *code, const struct message *message, uint32_t messages) {
    assert(messages <= code->workers && code->workers - messages <= code->stragglers);
    uint32_t silent = 0, m = 0;
    for (uint32_t i = 0; i < code->workers; i++)
        if (m < messages && message[m].worker == i)
            m++;
        else
            code->solver->silent[silent++] = i;
    assert(m == messages);
    return silent;
}

/* z: the shortest solution of N_S z = -(a0)_S. With N_S^T = Q R it is Q (R^-T (-(a0)_S), 0). */
static void solve_silence(const struct cr_code *code, uint32_t silent) {
    struct cr_solver *solver = code->solver;
    size_t stragglers = code->stragglers;
    gsl_matrix equation = gsl_matrix_view_array(solver->equation, stragglers, silent).matrix;
    gsl_vector tau = gsl_vector_view_array(solver->tau, silent).vector;
    gsl_vector z = gsl_vector_view_array(solver->z, stragglers).vector;
    gsl_vector_set_zero(&z);
    for (size_t j = 0; j < silent; j++) {
        size_t worker = solver->silent[j];
        for (size_t column = 0; column < stragglers; column++)
            gsl_matrix_set(&equation, column, j, solver->basis[worker * stragglers + column]);
        gsl_vector_set(&z, j, -solver->shortest[worker]);
    }
    gsl_linalg_QR_decomp(&equation, &tau);
    gsl_matrix triangle = gsl_matrix_submatrix(&equation, 0, 0, silent, silent).matrix;
    gsl_vector leading = gsl_vector_subvector(&z, 0, silent).vector;
    gsl_blas_dtrsv(CblasUpper, CblasTrans, CblasNonUnit, &triangle, &leading);
    gsl_linalg_QR_Qvec(&equation, &tau, &z);
}

/* a_i = (a0)_i + N_i z. */
static double weight_of(const struct cr_code *code, uint32_t worker, uint32_t silent) {
    const struct cr_solver *solver = code->solver;
    double weight = solver->shortest[worker];
    for (size_t column = 0; silent > 0 && column < code->stragglers; column++)
        weight += solver->basis[(size_t)worker * code->stragglers + column] * solver->z[column];
    return weight;
}

void cr_code_weigh(struct cr_code *code, const struct message *message, uint32_t messages,
                   struct decoding *out) {
    if (!code->solver)
        code->solver = solver_in(code);
    uint32_t silent = list_silent(code, message, messages);
    if (silent > 0)
        solve_silence(code, silent);
    for (uint32_t m = 0; m < messages; m++)
        out->weight[m] = weight_of(code, message[m].worker, silent);
    const struct cr_rows rows = {.workers = code->workers,
                                 .copies = code->stragglers + 1,
                                 .entry = code->entry,
                                 .per_worker = code->stragglers + 1,
                                 .sum = code->solver->sum};
    cr_measure(&rows, message, messages, out);
}
