#include "gradients.h"
#include "slopes.h"
#include <stdlib.h>
#include <string.h>

struct gradients {
    struct objective objective;
    size_t length;
    struct workspace *workspace; /* of a pass of its own; NULL before the first */
    double loss;
    /* Few partitions. */
    double *gradient;       /* [partitions * length]; NULL: there are many */
    double *partition_loss; /* [partitions] */
    /* Many. */
    double *slope;     /* [samples] */
    double *sum, *one; /* [length]: sum_p g_p, and the g_p that was asked for last */
};

struct gradients *gradients_new(const struct objective *objective) {
    struct gradients *gradients = memory_zeroed(1, sizeof *gradients);
    const size_t length = objective->data->stride;
    gradients->objective = *objective;
    gradients->objective.batch = 0; /* all rows, so no orders of rows are kept */
    gradients->length = length;
    if (slopes_serve(objective)) {
        gradients->slope = memory_zeroed(objective->data->samples, sizeof(double));
        gradients->sum = memory_zeroed(length, sizeof(double));
        gradients->one = memory_zeroed(length, sizeof(double));
    } else {
        gradients->gradient = memory_zeroed(objective->partitions * length, sizeof(double));
        gradients->partition_loss = memory_zeroed(objective->partitions, sizeof(double));
    }
    return gradients;
}

void gradients_free(struct gradients *gradients) {
    if (!gradients)
        return;
    workspace_free(gradients->workspace);
    free(gradients->gradient);
    free(gradients->partition_loss);
    free(gradients->slope);
    free(gradients->sum);
    free(gradients->one);
    free(gradients);
}

double gradients_bytes(const struct objective *objective) {
    double length = (double)objective->data->stride;
    double doubles = slopes_serve(objective) ? objective->data->samples + 2 * length
                                             : objective->partitions * (length + 1);
    return doubles * sizeof(double);
}

static void copy(double *to, const double *from, size_t length) {
    memcpy(to, from, length * sizeof *to);
}

void gradients_copy(struct gradients *gradients, const struct gradients *other) {
    gradients->loss = other->loss;
    if (gradients->gradient) {
        copy(gradients->gradient, other->gradient, gradients->objective.partitions * gradients->length);
        return;
    }
    copy(gradients->slope, other->slope, gradients->objective.data->samples);
    copy(gradients->sum, other->sum, gradients->length);
}

static bool same_cut(const struct objective *a, const struct objective *b) {
    if (!a->cut || !b->cut)
        return a->cut == b->cut;
    return a->pieces == b->pieces && memcmp(a->cut, b->cut, (a->pieces + 1) * sizeof *a->cut) == 0;
}

bool objectives_alike(const struct objective *a, const struct objective *b) {
    return a->data == b->data && a->loss == b->loss && a->partitions == b->partitions && same_cut(a, b);
}

struct passes {
    struct objective objective;  /* of the last one */
    struct workspace *workspace; /* NULL before the first */
    size_t columns;              /* that there is room for */
    double *w, *gradient, *loss;
    struct slopes *slopes; /* [columns] */
};

struct passes *passes_new(void) {
    return memory_zeroed(1, sizeof(struct passes));
}

static void release(struct passes *passes) {
    workspace_free(passes->workspace);
    free(passes->w);
    free(passes->gradient);
    free(passes->loss);
    free(passes->slopes);
}

void passes_free(struct passes *passes) {
    if (!passes)
        return;
    release(passes);
    free(passes);
}

/* There is room for a pass of the objective; a cut is a run's own, and gone with it. */
static bool has_room(const struct passes *passes, const struct objective *objective, size_t columns) {
    return passes->workspace && columns <= passes->columns && !passes->objective.cut && !objective->cut &&
           objectives_alike(&passes->objective, objective);
}

static void make_room(struct passes *passes, const struct objective *objective, size_t columns) {
    if (has_room(passes, objective, columns))
        return;
    const size_t length = objective->data->stride, cells = columns * objective->partitions;
    release(passes);
    *passes = (struct passes){.objective = *objective, .columns = columns};
    passes->workspace = workspace_new(objective);
    passes->slopes = memory_zeroed(columns, sizeof *passes->slopes);
    if (slopes_serve(objective))
        return;
    passes->w = memory_zeroed(columns * length, sizeof(double));
    passes->gradient = memory_zeroed(cells * length, sizeof(double));
    passes->loss = memory_zeroed(cells, sizeof(double));
}

static void note_loss(struct gradients *gradients) {
    gradients->loss = 0;
    for (uint32_t p = 0; p < gradients->objective.partitions; p++)
        gradients->loss += gradients->partition_loss[p];
}

static void take_slopes(struct passes *passes, const struct wanted_gradients *wanted, size_t count) {
    for (size_t c = 0; c < count; c++)
        passes->slopes[c] = (struct slopes){
            .w = wanted[c].w, .slope = wanted[c].gradients->slope, .sum = wanted[c].gradients->sum};
    slopes_take(&passes->objective, passes->slopes, count);
    for (size_t c = 0; c < count; c++)
        wanted[c].gradients->loss = passes->slopes[c].loss;
}

static void take_columns(struct passes *passes, const struct wanted_gradients *wanted, size_t count) {
    const struct objective *objective = &passes->objective;
    const size_t length = objective->data->stride, partitions = objective->partitions;
    for (size_t c = 0; c < count; c++)
        copy(passes->w + c * length, wanted[c].w, length);
    objective_gradients(objective, passes->workspace, count, passes->w, passes->gradient, passes->loss);
    for (size_t c = 0; c < count; c++) {
        struct gradients *gradients = wanted[c].gradients;
        copy(gradients->gradient, passes->gradient + c * partitions * length, partitions * length);
        copy(gradients->partition_loss, passes->loss + c * partitions, partitions);
        note_loss(gradients);
    }
}

/* Of one kind. */
static void take_pass(struct passes *passes, const struct wanted_gradients *wanted, size_t count) {
    struct gradients *first = wanted->gradients;
    if (count == 1) {
        gradients_take(first, wanted->w);
        return;
    }
    make_room(passes, &first->objective, count);
    if (gradients_are_many(first))
        take_slopes(passes, wanted, count);
    else
        take_columns(passes, wanted, count);
}

/* Brings those that one pass serves with the first one to the front; returns how many. */
static size_t gather_alike(struct wanted_gradients *wanted, size_t count) {
    size_t alike = 1;
    for (size_t c = 1; c < count; c++) {
        if (!objectives_alike(&wanted[0].gradients->objective, &wanted[c].gradients->objective))
            continue;
        struct wanted_gradients moved = wanted[c];
        wanted[c] = wanted[alike];
        wanted[alike++] = moved;
    }
    return alike;
}

void gradients_take_all(struct passes *passes, struct wanted_gradients *wanted, size_t count) {
    for (size_t begin = 0, alike; begin < count; begin += alike) {
        alike = gather_alike(wanted + begin, count - begin);
        take_pass(passes, wanted + begin, alike);
    }
}

void gradients_take(struct gradients *gradients, const double *w) {
    if (gradients_are_many(gradients)) {
        struct slopes slopes = {.w = w, .slope = gradients->slope, .sum = gradients->sum};
        slopes_take(&gradients->objective, &slopes, 1);
        gradients->loss = slopes.loss;
        return;
    }
    if (!gradients->workspace)
        gradients->workspace = workspace_new(&gradients->objective);
    objective_gradients(&gradients->objective, gradients->workspace, 1, w, gradients->gradient,
                        gradients->partition_loss);
    note_loss(gradients);
}

double gradients_loss(const struct gradients *gradients) {
    return gradients->loss;
}

const double *gradients_partition(struct gradients *gradients, uint32_t partition) {
    if (gradients->gradient)
        return gradients->gradient + partition * gradients->length;
    slopes_gradient(&gradients->objective, gradients->slope, partition, gradients->one);
    return gradients->one;
}

void gradients_add_all(const struct gradients *gradients, double *sum) {
    const uint32_t partitions = gradients->gradient ? gradients->objective.partitions : 1;
    const double *gradient = gradients->gradient ? gradients->gradient : gradients->sum;
    for (uint32_t p = 0; p < partitions; p++)
        vector_add_scaled(sum, 1, gradient + p * gradients->length, gradients->length);
}

bool gradients_are_many(const struct gradients *gradients) {
    return !gradients->gradient;
}

/* The one number that the coefficients are where they are not 0, if that is most of them; else 0. */
static double common_coefficient(const double *coefficient, uint32_t partitions) {
    double common = 0;
    uint32_t used = 0;
    for (uint32_t p = 0; p < partitions; p++) {
        if (coefficient[p] == 0)
            continue;
        if (used > 0 && coefficient[p] != common)
            return 0;
        common = coefficient[p];
        used++;
    }
    return used > partitions / 2 ? common : 0;
}

void gradients_add_weighted(struct gradients *gradients, double *coefficient, double *sum) {
    const uint32_t partitions = gradients->objective.partitions;
    const double common = common_coefficient(coefficient, partitions);
    if (common != 0) {
        vector_add_scaled(sum, common, gradients->sum, gradients->length);
        for (uint32_t p = 0; p < partitions; p++)
            coefficient[p] -= common;
    }
    slopes_add(&gradients->objective, gradients->slope, coefficient, sum);
}
