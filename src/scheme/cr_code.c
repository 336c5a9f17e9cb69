#include "cr_code.h"
#include "elementary.h"
#include "placement.h"
#include <assert.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

/* There are as many draws at one place of a stream. The first is mostly enough, whatever n and s. */
#define ATTEMPTS (1u << 16)

/* What one attempt needs: H, and the s x s system of one row of B at a time. */
struct attempt {
    gsl_matrix check;    /* H */
    gsl_matrix rest;     /* the columns of H at positions 1 … s of a window */
    gsl_vector right;    /* minus the column of H at position 0 */
    gsl_vector solution; /* the row of B at positions 1 … s */
    gsl_permutation pivots;
};

static gsl_matrix matrix_in(struct arena *arena, size_t rows, size_t columns) {
    return gsl_matrix_view_array(arena_zeroed(arena, rows * columns, sizeof(double)), rows, columns).matrix;
}

static gsl_vector vector_in(struct arena *arena, size_t length) {
    return gsl_vector_view_array(arena_zeroed(arena, length, sizeof(double)), length).vector;
}

static struct attempt attempt_in(struct arena *arena, const struct cr_code *code) {
    size_t stragglers = code->stragglers;
    return (struct attempt){
        .check = matrix_in(arena, stragglers, code->workers),
        .rest = matrix_in(arena, stragglers, stragglers),
        .right = vector_in(arena, stragglers),
        .solution = vector_in(arena, stragglers),
        .pivots = {.size = stragglers, .data = arena_zeroed(arena, stragglers, sizeof(size_t))}};
}

static void draw_check(gsl_matrix *check, uint64_t seed, uint32_t number) {
    const struct stream stream = {.seed = seed, .replication = 0, .purpose = PURPOSE_CODE};
    uint32_t last = (uint32_t)check->size2 - 1;
    for (uint32_t r = 0; r < check->size1; r++) {
        double sum = 0;
        for (uint32_t column = 0; column < last; column++) {
            struct draw draw = {.stream = stream, .worker = column, .step = r, .draw = number};
            double normal = normal_quantile(draw_unit(&draw));
            gsl_matrix_set(check, r, column, normal);
            sum += normal;
        }
        gsl_matrix_set(check, r, last, -sum);
    }
}

/* Takes the columns of H that the worker's window meets. */
static void pose_row(struct attempt *attempt, uint32_t worker) {
    uint32_t stragglers = (uint32_t)attempt->rest.size1;
    struct placement windows = placement_cr((uint32_t)attempt->check.size2, stragglers + 1);
    for (uint32_t r = 0; r < stragglers; r++) {
        gsl_vector_set(&attempt->right, r, -gsl_matrix_get(&attempt->check, r, worker));
        for (uint32_t l = 1; l <= stragglers; l++) {
            uint32_t column = placement_partition(&windows, worker, l);
            gsl_matrix_set(&attempt->rest, r, l - 1, gsl_matrix_get(&attempt->check, r, column));
        }
    }
}

/* Writes the worker's row of B and returns its largest |entry|; INFINITY where the system is singular. */
static double solve_row(struct attempt *attempt, uint32_t worker, double *entry) {
    pose_row(attempt, worker);
    int sign;
    gsl_linalg_LU_decomp(&attempt->rest, &attempt->pivots, &sign);
    for (size_t r = 0; r < attempt->rest.size1; r++)
        if (gsl_matrix_get(&attempt->rest, r, r) == 0)
            return (double)INFINITY;
    gsl_linalg_LU_solve(&attempt->rest, &attempt->pivots, &attempt->right, &attempt->solution);
    double largest = 1;
    entry[0] = 1;
    for (size_t l = 0; l < attempt->solution.size; l++) {
        entry[l + 1] = gsl_vector_get(&attempt->solution, l);
        largest = fmax(largest, fabs(entry[l + 1]));
    }
    return largest;
}

static bool solve_rows(struct attempt *attempt, struct cr_code *code) {
    for (uint32_t i = 0; i < code->workers; i++)
        if (solve_row(attempt, i, code->entry + (size_t)i * (code->stragglers + 1)) > 10.0 * code->workers)
            return false;
    return true;
}

static void draw_code(struct cr_code *code, uint64_t seed) {
    struct arena *scratch = arena_new();
    struct attempt attempt = attempt_in(scratch, code);
    uint32_t number = 0;
    do {
        assert(number < ATTEMPTS);
        draw_check(&attempt.check, seed, number++);
    } while (!solve_rows(&attempt, code));
    arena_free(scratch);
}

/* Where only time counts nobody looks at a coefficient. */
void cr_code_begin(struct cr_code *code, const struct setting *setting, uint32_t stragglers,
                   struct stream stream, struct arena *arena) {
    struct shape shape = setting->shape;
    bool drawn = stragglers > 0 && setting->rows > 0;
    assert(stragglers < shape.workers && shape.partitions == shape.workers);
    size_t entries = (size_t)shape.workers * (stragglers + 1);
    *code = (struct cr_code){.workers = shape.workers,
                             .stragglers = stragglers,
                             .entry = arena_zeroed(arena, entries, sizeof *code->entry),
                             .arena = arena};
    if (drawn)
        draw_code(code, stream.seed);
    for (size_t e = 0; !drawn && e < entries; e++)
        code->entry[e] = 1;
}
