/* Smoothness, convexity and minimum of objectives whose matrices and minima a hand can find. */
#include "curvature.h"
#include "sample.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 4, FEATURES = 2 };

struct known_curvature {
    const char *name, *loss;
    double row[ROWS][FEATURES], label[ROWS], l2;
    bool intercept; /* the second feature */
    double smoothness, convexity, minimum;
};

/* Linear on rows (2,0), (0,1), twice: X'X/m = diag(2, 1/2). With l2 = h the minimum is sum over features of
 * mean y^2/2 - b^2/(2 (a + h)), b being X'y/m: labels 1, 3 give b = (1, 3/2) and mean y^2/2 = 5/2.
 * Logistic on a feature of ones, three of four labels +1: w* = log 3 and F* = log 4 - (3/4) log 3; the Hessian is at most
 * 1/4. A second feature of zeros has no curvature but that of l2. */
#define LN3 1.0986122886681098
#define LN4 1.3862943611198906
static const struct known_curvature table[] = {
    {"linear",
     "linear",
     {{2, 0}, {0, 1}, {2, 0}, {0, 1}},
     {1, 3, 1, 3},
     0,
     false,
     2,
     0.5,
     2.5 - 1.0 / 4 - 2.25 / 1},
    {"linear, l2",
     "linear",
     {{2, 0}, {0, 1}, {2, 0}, {0, 1}},
     {1, 3, 1, 3},
     0.5,
     false,
     2.5,
     1,
     2.5 - 1.0 / 5 - 2.25 / 2},
    {"linear, l2 beside an intercept",
     "linear",
     {{2, 1}, {-2, 1}, {2, 1}, {-2, 1}},
     {1, 3, 1, 3},
     0.5,
     true,
     4.5,
     1,
     2.5 - 4.0 / 9 - 4.0 / 2},
    {"linear, singular", "linear", {{1, 1}, {1, 1}, {1, 1}, {1, 1}}, {1, 3, 1, 3}, 0, false, 2, 0, 0.5},
    {"logistic",
     "logistic",
     {{1, 0}, {1, 0}, {1, 0}, {1, 0}},
     {1, 1, 1, -1},
     0,
     false,
     0.25,
     0,
     LN4 - 0.75 * LN3},
    {"logistic, l2 beside an intercept",
     "logistic",
     {{0, 1}, {0, 1}, {0, 1}, {0, 1}},
     {1, 1, 1, -1},
     0.1,
     true,
     0.25,
     0,
     LN4 - 0.75 * LN3},
    {"logistic, l2",
     "logistic",
     {{2, 0}, {2, 0}, {-2, 0}, {-2, 0}},
     {1, -1, 1, -1},
     0.1,
     false,
     1.1,
     0.1,
     0.6931471805599453},
};

static void fill(struct dataset *data, const struct known_curvature *one, bool sparse) {
    *data = (struct dataset){
        .samples = ROWS, .features = FEATURES, .stride = 8, .intercept = one->intercept, .sparse = sparse};
    data->label = memory_zeroed(ROWS, sizeof(double));
    memcpy(data->label, one->label, sizeof one->label);
    data->row = memory_zeroed(ROWS * 8, sizeof(double));
    data->start = memory_zeroed(ROWS + 1, sizeof *data->start);
    data->column = memory_zeroed(ROWS * FEATURES, sizeof *data->column);
    data->value = memory_zeroed(ROWS * FEATURES, sizeof(double));
    for (uint32_t r = 0, e = 0; r < ROWS; data->start[++r] = e)
        for (uint32_t j = 0; j < FEATURES; j++) {
            data->row[r * 8 + j] = one->row[r][j];
            data->column[e] = j;
            data->value[e] = one->row[r][j];
            e += one->row[r][j] != 0;
        }
}

/* A few roundings of numbers near 1, and F* to the square of a gradient of 1e-8. */
#define TOLERANCE 1e-14

Test(curvature, known_matrices_and_minima) {
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        for (int sparse = 0; sparse < 2; sparse++) {
            const struct known_curvature *one = &table[k];
            struct dataset data;
            fill(&data, one, sparse == 1);
            struct curvature found = curvature_of(&(struct objective){
                .data = &data, .loss = loss_named(one->loss), .l2 = one->l2, .partitions = 2, .batch = 1});
            cr_expect(eq(int, found.status, CURVATURE_KNOWN), "%s", one->name);
            cr_expect(epsilon_eq(dbl, found.smoothness, one->smoothness, TOLERANCE), "%s", one->name);
            cr_expect(epsilon_eq(dbl, found.convexity, one->convexity, TOLERANCE), "%s", one->name);
            cr_expect(epsilon_eq(dbl, found.minimum, one->minimum, TOLERANCE), "%s: %.17g", one->name,
                      found.minimum);
            free(data.label), free(data.row), free(data.start), free(data.column), free(data.value);
        }
}

/* At the minimum the gradient vanishes, so that no step of any length along any feature leads lower. */
Test(curvature, nothing_lies_below_the_minimum) {
    struct dataset *data = sample_data((struct shape){"tall", 90, 5, 1, DENSE}, LABEL_CLASSES);
    struct objective objective = {.data = data, .loss = loss_named("logistic"), .l2 = 0.01, .partitions = 1};
    struct workspace *workspace = workspace_new(&objective);
    double *w = sample_weights(data, 1), gradient[8], loss;
    double minimum = curvature_of(&objective).minimum, least = INFINITY;
    for (int step = 0; step < 4000; step++) {
        objective_gradients(&objective, workspace, 1, w, gradient, &loss);
        least = fmin(least, loss + objective_penalty(&objective, w));
        objective_add_penalty_gradient(&objective, w, gradient);
        vector_add_scaled(w, -1, gradient, 8);
    }
    /* Descent at a step below 1/L comes within (1 - l2)^4000 < 1e-17 of the minimum; 90 additions round. */
    cr_expect(epsilon_eq(dbl, least, minimum, 1e-14));
    workspace_free(workspace);
    free(w);
    sample_free(data);
}

Test(curvature, says_where_it_knows_nothing) {
    struct dataset *data =
        sample_data((struct shape){"wide", 3, CURVATURE_FEATURES + 1, 1, SPARSE}, LABEL_REAL);
    struct objective objective = {.data = data, .loss = loss_named("linear"), .partitions = 1};
    struct loss bent = {.slopes = objective.loss->slopes};
    struct curvature wide = curvature_of(&objective);
    cr_expect(eq(int, wide.status, CURVATURE_TOO_LARGE));
    cr_expect(isnan(wide.smoothness));
    objective.loss = &bent;
    cr_expect(eq(int, curvature_of(&objective).status, CURVATURE_NOT_CONVEX));
    sample_free(data);
}

/* Between the differences of the slopes around it: e''' <= 0.1 and steps of 1e-4 err by less than 1e-9. */
Test(curvature, bends_are_derivatives_of_slopes) {
    static const char *const names[] = {"logistic", "linear"};
    for (size_t n = 0; n < 2; n++)
        for (double score = -30; score <= 30; score += 0.75) {
            const struct loss *loss = loss_named(names[n]);
            double slope[2] = {score - 1e-4, score + 1e-4}, unused[2], label[2] = {1, 1};
            loss->slopes(slope, unused, label, 2);
            double bend = loss->bend(score);
            cr_expect(epsilon_eq(dbl, bend, (slope[1] - slope[0]) / 2e-4, 1e-9), "%s at %g", names[n], score);
            cr_expect(le(dbl, loss->bend_least, bend), "%s at %g", names[n], score);
            cr_expect(le(dbl, bend, loss->bend_most), "%s at %g", names[n], score);
        }
}
