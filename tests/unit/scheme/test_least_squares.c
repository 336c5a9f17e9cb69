/* Least-squares decoding against a singular value decomposition, for every set of results. */
#include "linear_code.h"
#include "rehearsal.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

enum { SIDE = 12 };

/* The shortest a of least |a B_R - 1|, one weight per message: a = sum over singular values that are not rounding of
 * v (u . 1) / sigma, where B_R^T = U diag(sigma) V^T, padded with zeros to a square. */
static void svd_weights(const struct rehearsal *rehearsal, double *weight) {
    double entry[SIDE * SIDE] = {0}, turn[SIDE * SIDE], sigma[SIDE], work[SIDE];
    for (uint32_t m = 0; m < rehearsal->messages; m++) {
        size_t terms;
        const struct term *term = rehearsed_terms(rehearsal, &rehearsal->message[m], &terms);
        for (size_t e = 0; e < terms; e++)
            entry[term[e].partition * SIDE + m] = term[e].coefficient;
        weight[m] = 0;
    }
    gsl_matrix left = gsl_matrix_view_array(entry, SIDE, SIDE).matrix;
    gsl_matrix right = gsl_matrix_view_array(turn, SIDE, SIDE).matrix;
    gsl_vector values = gsl_vector_view_array(sigma, SIDE).vector,
               spare = gsl_vector_view_array(work, SIDE).vector;
    gsl_linalg_SV_decomp(&left, &right, &values, &spare);
    for (size_t v = 0; v < SIDE && sigma[v] > 1e-10 * sigma[0]; v++) {
        double ones = 0;
        for (uint32_t p = 0; p < rehearsal->setting.shape.partitions; p++)
            ones += entry[p * SIDE + v];
        for (uint32_t m = 0; m < rehearsal->messages; m++)
            weight[m] += turn[m * SIDE + v] * ones / sigma[v];
    }
}

static const struct {
    const char *scheme;
    uint32_t workers;
    const char *values;
} rows[] = {
    {"bgc", 8, "stragglers=2 density=2 decoder=least-squares"},
    {"bgc", 10, "stragglers=2 density=4 decoder=least-squares"},
    {"bgc", 6, "stragglers=2 density=6 decoder=least-squares"}, /* all rows are equal */
    {"bgc", 9, "stragglers=2 density=0.5 decoder=least-squares"},
    {"code", 6,
     "stragglers=2 matrix=tests/unit/scheme/matrix.csv decoder=least-squares"}, /* more workers than partitions */
    {"code", 7, "stragglers=2 matrix=tests/unit/scheme/fano.csv decoder=least-squares"},
    {"bibd", 7,
     "stragglers=2 blocks=scenarios/data/fano-plane.csv"}, /* its one weight is the least-squares one */
};

/* Matrices of small whole numbers and halves have singular values that are 0 or above 1e-3 of the largest, so both ways
 * agree to rounding times 1e3 squared. */
static void check_weights(const struct rehearsal *rehearsal, const char *values) {
    double wanted[SIDE], residual = 0;
    bool nothing = true;
    svd_weights(rehearsal, wanted);
    for (uint32_t m = 0; m < rehearsal->messages; m++) {
        nothing &= wanted[m] == 0;
        cr_assert(epsilon_eq(dbl, rehearsal->decoding.weight[m], wanted[m], 1e-9), "%s %s: message %u of %u",
                  rehearsal->scheme->head.name, values, m, rehearsal->messages);
    }
    for (uint32_t p = 0; p < rehearsal->setting.shape.partitions; p++)
        residual = fmax(residual, fabs(estimate_coefficient(rehearsal, p) - 1));
    if (!isnan(rehearsal->decoding.residual))
        cr_assert(epsilon_eq(dbl, rehearsal->decoding.residual, residual, 1e-9), "%s %s: residual",
                  rehearsal->scheme->head.name, values);
    else
        cr_assert(nothing || rehearsal->scheme == scheme_named("bibd"), "%s %s: no residual",
                  rehearsal->scheme->head.name, values);
}

Test(least_squares, equals_svd_for_all_sets_of_results, .timeout = 120) {
    struct arena *arena = arena_new();
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct scheme *scheme = scheme_named(rows[r].scheme);
        struct picked picked = {&scheme->head, params_bound(arena, scheme, rows[r].values)};
        cr_assert(picked.params != NULL, "%s %s is refused", rows[r].scheme, rows[r].values);
        struct setting setting = plain_setting(rows[r].workers);
        setting.shape.partitions = scheme_partitions(&picked, rows[r].workers);
        struct rehearsal rehearsal;
        rehearsal_begin(&rehearsal, rows[r].scheme, picked.params, setting);
        for (uint64_t mask = 1; mask < 1ULL << rows[r].workers; mask++) {
            rehearse_mask(&rehearsal, (uint32_t)mask, mask);
            check_weights(&rehearsal, rows[r].values);
        }
        rehearsal_end(&rehearsal);
    }
    arena_free(arena);
}
