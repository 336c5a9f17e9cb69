/* Why Newton's steps go through the eigenvectors: without l2 the Hessian may be singular, and a step along its range
 * alone is still a step of descent. */
#include "curvature.h"
#include "kernel.h"
#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Quadratic convergence needs about ten; half of a step may be taken a few times in each. */
#define NEWTON_STEPS 100
#define HALVINGS     40
/* Against the gradient at w = 0: F exceeds its minimum by less than the square of this, in that unit. */
#define GRADIENT_TINY 1e-8
/* Eigenvalues below this share of the largest are rounding: d roundings of it, d = 256, and some room. */
#define EIGEN_TINY 1e-12
/* Of a loss, relatively: additions of random signs grow as the root of their number. */
#define ROUNDING 1e-14

struct newton {
    struct objective objective; /* in one piece, all rows */
    struct workspace *workspace;
    size_t features, length;
    double *w, *next, *gradient, *direction;
    double *wide; /* a row */
    float *narrow;
    gsl_matrix *hessian, *vector;
    gsl_vector *value;
    gsl_eigen_symmv_workspace *eigen;
};

static void newton_init(struct newton *newton, const struct objective *objective) {
    size_t features = objective->data->features, length = objective->data->stride;
    *newton = (struct newton){.objective = *objective, .features = features, .length = length};
    newton->objective.partitions = 1;
    newton->objective.cut = NULL;
    newton->objective.batch = 0;
    newton->workspace = workspace_new(&newton->objective);
    newton->w = memory_zeroed(length, sizeof(double));
    newton->next = memory_zeroed(length, sizeof(double));
    newton->gradient = memory_zeroed(length, sizeof(double));
    newton->direction = memory_zeroed(length, sizeof(double));
    newton->wide = memory_zeroed(length, sizeof(double));
    newton->narrow = memory_zeroed(length, sizeof(float));
    newton->hessian = gsl_matrix_calloc(features, features);
    newton->vector = gsl_matrix_calloc(features, features);
    newton->value = gsl_vector_calloc(features);
    newton->eigen = gsl_eigen_symmv_alloc(features);
}

static void newton_fini(struct newton *newton) {
    workspace_free(newton->workspace);
    free(newton->w);
    free(newton->next);
    free(newton->gradient);
    free(newton->direction);
    free(newton->wide);
    free(newton->narrow);
    gsl_matrix_free(newton->hessian);
    gsl_matrix_free(newton->vector);
    gsl_vector_free(newton->value);
    gsl_eigen_symmv_free(newton->eigen);
}

/* hessian += bend x_r x_r', in its lower half. */
static void add_dense_row(gsl_matrix *hessian, const double *row, double bend) {
    for (size_t i = 0; i < hessian->size1; i++) {
        double *restrict sum = hessian->data + i * hessian->tda;
        for (size_t j = 0; j <= i; j++)
            sum[j] += bend * row[i] * row[j];
    }
}

static void add_sparse_row(gsl_matrix *hessian, const struct dataset *data, uint32_t row, double bend) {
    for (uint64_t a = data->start[row]; a < data->start[row + 1]; a++)
        for (uint64_t b = data->start[row]; b <= a; b++)
            hessian->data[data->column[a] * hessian->tda + data->column[b]] +=
                bend * data->value[a] * data->value[b];
}

static void add_row(struct newton *newton, uint32_t row, double bend) {
    const struct dataset *data = newton->objective.data;
    if (data->sparse)
        add_sparse_row(newton->hessian, data, row, bend);
    else
        add_dense_row(newton->hessian, dataset_row(data, row, newton->wide), bend);
}

/* loss'' at the row's score, at weights of the data's precision. */
static double bend_at(const struct newton *newton, const void *w, uint32_t row) {
    const struct dataset *data = newton->objective.data;
    double score;
    kernel_of(data)->scores(data, (struct row_list){&row, 1, 0}, w, &score);
    return newton->objective.loss->bend(score);
}

/* l2 on the diagonal but for the intercept. */
static void add_penalty(struct newton *newton) {
    size_t penalized = newton->features - (newton->objective.data->intercept ? 1 : 0);
    for (size_t j = 0; j < penalized; j++)
        newton->hessian->data[j * newton->hessian->tda + j] += newton->objective.l2;
}

/* The Hessian at w. */
static void take_hessian(struct newton *newton, const double *w) {
    const struct dataset *data = newton->objective.data;
    const void *weights = kernel_weights(data, w, newton->narrow);
    gsl_matrix_set_zero(newton->hessian);
    for (uint32_t r = 0; r < data->samples; r++)
        add_row(newton, r, bend_at(newton, weights, r) / data->samples);
    add_penalty(newton);
}

/* bend X'X/m + l2 I'. */
static void take_bound(struct newton *newton, double bend) {
    const struct dataset *data = newton->objective.data;
    gsl_matrix_set_zero(newton->hessian);
    for (uint32_t r = 0; r < data->samples; r++)
        add_row(newton, r, bend / data->samples);
    add_penalty(newton);
}

/* Of the matrix taken, which it uses up. */
static void find_eigenvalues(struct newton *newton) {
    gsl_eigen_symmv(newton->hessian, newton->value, newton->vector, newton->eigen);
}

/* F and its gradient at w. */
static double value_at(struct newton *newton, const double *w) {
    double loss;
    objective_gradients(&newton->objective, newton->workspace, 1, w, newton->gradient, &loss);
    objective_add_penalty_gradient(&newton->objective, w, newton->gradient);
    return loss + objective_penalty(&newton->objective, w);
}

static double gradient_norm(const struct newton *newton) {
    double square = 0;
    for (size_t j = 0; j < newton->features; j++)
        square += newton->gradient[j] * newton->gradient[j];
    return sqrt(square);
}

/* -H^+ gradient at w, H^+ without what is rounding. */
static void take_direction(struct newton *newton) {
    double floor = EIGEN_TINY * gsl_vector_max(newton->value);
    memset(newton->direction, 0, newton->length * sizeof(double));
    for (size_t v = 0; v < newton->features; v++) {
        double along = 0, eigenvalue = gsl_vector_get(newton->value, v);
        if (!(eigenvalue > floor))
            continue;
        for (size_t j = 0; j < newton->features; j++)
            along += gsl_matrix_get(newton->vector, j, v) * newton->gradient[j];
        for (size_t j = 0; j < newton->features; j++)
            newton->direction[j] -= along / eigenvalue * gsl_matrix_get(newton->vector, j, v);
    }
}

/* Where a descent has come to. */
struct height {
    double value, norm; /* F, |grad F| */
};

/* Near the minimum F falls by less than its rounding, and the gradient tells. */
static bool lower(struct height to, struct height from) {
    return to.value < from.value ||
           (to.value <= from.value + ROUNDING * fabs(from.value) && to.norm < from.norm);
}

/* Goes along the direction as far as it leads down; false: it does not. */
static bool step_down(struct newton *newton, struct height *from) {
    double share = 1;
    for (int h = 0; h < HALVINGS; h++, share /= 2) {
        memcpy(newton->next, newton->w, newton->length * sizeof(double));
        vector_add_scaled(newton->next, share, newton->direction, newton->length);
        struct height to = {.value = value_at(newton, newton->next)};
        to.norm = gradient_norm(newton);
        if (!lower(to, *from))
            continue;
        memcpy(newton->w, newton->next, newton->length * sizeof(double));
        *from = to;
        return true;
    }
    return false;
}

/* Until F falls no more. */
static double minimum_of(struct newton *newton) {
    struct height height = {.value = value_at(newton, newton->w)};
    double first = height.norm = gradient_norm(newton);
    for (int s = 0; s < NEWTON_STEPS; s++) {
        take_hessian(newton, newton->w);
        find_eigenvalues(newton);
        value_at(newton, newton->w);
        take_direction(newton);
        if (!step_down(newton, &height))
            break;
    }
    return height.norm <= GRADIENT_TINY * first ? height.value : (double)NAN;
}

struct curvature curvature_of(const struct objective *objective) {
    const struct loss *loss = objective->loss;
    struct curvature curvature = {CURVATURE_KNOWN, (double)NAN, (double)NAN, (double)NAN};
    struct newton newton;
    if (!loss->bend)
        curvature.status = CURVATURE_NOT_CONVEX;
    else if (objective->data->features > CURVATURE_FEATURES)
        curvature.status = CURVATURE_TOO_LARGE;
    if (curvature.status != CURVATURE_KNOWN)
        return curvature;
    newton_init(&newton, objective);
    take_bound(&newton, loss->bend_most);
    find_eigenvalues(&newton);
    curvature.smoothness = gsl_vector_max(newton.value);
    take_bound(&newton, loss->bend_least);
    find_eigenvalues(&newton);
    double least = gsl_vector_min(newton.value);
    curvature.convexity = least > EIGEN_TINY * curvature.smoothness ? least : 0;
    curvature.minimum = minimum_of(&newton);
    newton_fini(&newton);
    return curvature;
}
