#include "sample.h"
#include "stream.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double drawn(uint32_t column, uint32_t row, uint32_t draw) {
    struct draw place = {{17, 0, PURPOSE_SAMPLE}, column, row, draw};
    return 2 * draw_unit(&place) - 1;
}

static double made_value(uint32_t r, uint32_t j) {
    return (r + 2 * j) % 3 == 0 ? 0 : 2 * drawn(j, r, 0);
}

static void fill_dense(struct dataset *data) {
    data->row = memory_zeroed(data->samples * data->stride, sizeof(double));
    for (uint32_t r = 0; r < data->samples; r++)
        for (uint32_t j = 0; j < data->features; j++)
            data->row[r * data->stride + j] = made_value(r, j);
}

static void fill_sparse(struct dataset *data) {
    const size_t most = (size_t)data->samples * data->features;
    data->sparse = true;
    data->start = memory_zeroed(data->samples + 1, sizeof(uint64_t));
    data->column = memory_zeroed(most, sizeof(uint32_t));
    data->value = memory_zeroed(most, sizeof(double));
    uint64_t entries = 0;
    for (uint32_t r = 0; r < data->samples; r++) {
        for (uint32_t j = 0; j < data->features; j++)
            if (made_value(r, j) != 0) {
                data->column[entries] = j;
                data->value[entries++] = made_value(r, j);
            }
        data->start[r + 1] = entries;
    }
}

struct dataset *sample_data(struct shape shape, enum label_kind kind) {
    struct dataset *data = memory_zeroed(1, sizeof *data);
    data->samples = shape.samples;
    data->features = shape.features;
    data->stride = (shape.features + 7) / 8 * 8;
    data->label = memory_zeroed(shape.samples, sizeof(double));
    for (uint32_t r = 0; r < shape.samples; r++) {
        const double label = drawn(0, r, 1);
        data->label[r] = kind == LABEL_REAL ? 3 * label : label < 0 ? -1 : 1;
    }
    if (shape.layout == SPARSE)
        fill_sparse(data);
    else
        fill_dense(data);
    if (shape.layout == SINGLE)
        dataset_narrow(data);
    return data;
}

void sample_free(struct dataset *data) {
    free(data->row);
    free(data->single);
    free(data->start);
    free(data->column);
    free(data->value);
    free(data->label);
    free(data);
}

double *sample_weights(const struct dataset *data, size_t columns) {
    double *w = memory_zeroed(columns * data->stride, sizeof(double));
    for (uint32_t c = 0; c < columns; c++)
        for (uint32_t j = 0; j < data->features; j++)
            w[c * data->stride + j] = drawn(j, c, 2);
    return w;
}

const struct loss *loss_named(const char *name) {
    return (const struct loss *)family_find(&loss_family, name);
}

double sample_value(const struct dataset *data, size_t r, size_t j) {
    if (data->single)
        return data->single[r * data->stride + j];
    if (!data->sparse)
        return data->row[r * data->stride + j];
    for (uint64_t entry = data->start[r]; entry < data->start[r + 1]; entry++)
        if (data->column[entry] == j)
            return data->value[entry];
    return 0;
}

static long double rounding_of(const struct dataset *data) {
    return data->single ? FLT_EPSILON : DBL_EPSILON;
}

/* A dot product of n terms in 8 lanes rounds each term at most n/8 + 4 times, of which two leave room for the rounding of
 * a weight to single precision. */
static struct known twin_score(const struct dataset *data, size_t r, const double *w) {
    long double sum = 0, size = 0;
    for (size_t j = 0; j < data->features; j++) {
        const long double term = (long double)sample_value(data, r, j) * w[j];
        sum += term;
        size += fabsl(term);
    }
    return (struct known){sum, (data->features / 8.0L + 4) * rounding_of(data) * size};
}

/* The slope changes by at most the loss's curvature (1 linear, 1/4 logistic) times the score's error; its own
 * arithmetic, with an exp of 2 ulp, is good to 8 roundings. */
static struct known twin_slope(const struct loss *loss, struct known score, long double y) {
    if (loss->labels == LABEL_REAL) {
        const long double slope = score.value - y;
        return (struct known){slope, score.error + 8 * DBL_EPSILON * fabsl(slope)};
    }
    const long double slope = -y / (1 + expl(y * score.value));
    return (struct known){slope, score.error / 4 + 8 * DBL_EPSILON * fabsl(slope)};
}

static struct known twin_row_loss(const struct loss *loss, struct known score, long double y) {
    const struct known slope = twin_slope(loss, score, y);
    const long double s = y * score.value, residual = score.value - y;
    const long double value =
        loss->labels == LABEL_REAL ? residual * residual / 2 : fmaxl(-s, 0) + log1pl(expl(-fabsl(s)));
    const long double moved = (fabsl(slope.value) + score.error) * score.error;
    return (struct known){value, moved + 8 * DBL_EPSILON * value};
}

struct known twin_gradient(const struct objective *objective, uint32_t p, const double *w, size_t j) {
    const struct dataset *data = objective->data;
    const size_t begin = (size_t)p * data->samples / objective->partitions;
    const size_t end = (size_t)(p + 1) * data->samples / objective->partitions;
    struct known sum = {0, 0};
    for (size_t r = begin; r < end; r++) {
        const long double x = sample_value(data, r, j);
        const struct known slope = twin_slope(objective->loss, twin_score(data, r, w), data->label[r]);
        sum.value += slope.value * x;
        sum.error += (slope.error + (end - begin + 2) * rounding_of(data) * fabsl(slope.value)) * fabsl(x);
    }
    return (struct known){sum.value / data->samples, sum.error / data->samples};
}

struct known twin_loss(const struct objective *objective, uint32_t p, const double *w) {
    const struct dataset *data = objective->data;
    const size_t begin = (size_t)p * data->samples / objective->partitions;
    const size_t end = (size_t)(p + 1) * data->samples / objective->partitions;
    struct known sum = {0, 0};
    for (size_t r = begin; r < end; r++) {
        const struct known row = twin_row_loss(objective->loss, twin_score(data, r, w), data->label[r]);
        sum.value += row.value;
        sum.error += row.error + (end - begin + 2) * DBL_EPSILON * row.value;
    }
    return (struct known){sum.value / data->samples, sum.error / data->samples};
}

uint64_t hash_of(const double *value, size_t length) {
    uint64_t hash = 0xcbf29ce484222325;
    const unsigned char *byte = (const unsigned char *)value;
    for (size_t b = 0; b < length * sizeof *value; b++)
        hash = (hash ^ byte[b]) * 0x100000001b3;
    return hash;
}
