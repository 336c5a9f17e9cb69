#include "csv_file.h"
#include "gram.h"
#include "source.h"
#include <stdlib.h>

enum { LANES = 8 };

static struct dataset *dataset_new(uint32_t samples, uint32_t features, bool intercept) {
    struct dataset *dataset = memory_zeroed(1, sizeof *dataset);
    dataset->samples = samples;
    dataset->intercept = intercept;
    dataset->features = features + (intercept ? 1 : 0);
    dataset->stride = ((size_t)dataset->features + LANES - 1) / LANES * LANES;
    return dataset;
}

struct dataset *dataset_dense_new(uint32_t samples, uint32_t features, bool intercept) {
    struct dataset *dataset = dataset_new(samples, features, intercept);
    dataset->row = memory_zeroed_huge(samples, dataset->stride * sizeof *dataset->row);
    dataset->label = memory_zeroed(samples, sizeof *dataset->label);
    dataset->grams = gram_store_new();
    for (size_t r = 0; intercept && r < samples; r++)
        dataset->row[r * dataset->stride + features] = 1;
    return dataset;
}

struct dataset *dataset_sparse_new(uint32_t samples, uint32_t features, bool intercept) {
    struct dataset *dataset = dataset_new(samples, features, intercept);
    dataset->sparse = true;
    return dataset;
}

void dataset_set_file(struct dataset *dataset, const char *file) {
    dataset->file = memory_text(file);
}

void dataset_free(void *item) {
    struct dataset *dataset = item;
    if (!dataset)
        return;
    free(dataset->row);
    free(dataset->single);
    free(dataset->start);
    free(dataset->column);
    free(dataset->value);
    free(dataset->label);
    gram_store_free(dataset->grams);
    free(dataset->class_name[0]);
    free(dataset->class_name[1]);
    dataset_drop_words(dataset);
    free((char *)dataset->file);
    free(dataset);
}

void dataset_narrow(struct dataset *dataset) {
    const size_t numbers = dataset->samples * dataset->stride;
    dataset->single = memory_zeroed_huge(numbers, sizeof *dataset->single);
    for (size_t n = 0; n < numbers; n++)
        dataset->single[n] = (float)dataset->row[n];
    free(dataset->row);
    dataset->row = NULL;
}

const double *dataset_row(const struct dataset *dataset, size_t r, double *wide) {
    if (!dataset->single)
        return dataset->row + r * dataset->stride;
    for (size_t j = 0; j < dataset->stride; j++)
        wide[j] = (double)dataset->single[r * dataset->stride + j];
    return wide;
}

size_t dataset_bytes(const struct dataset *dataset) {
    size_t samples = dataset->samples, bytes = samples * sizeof *dataset->label;
    if (!dataset->sparse)
        return bytes + samples * dataset->stride * (dataset->single ? sizeof(float) : sizeof(double));
    size_t entries = dataset->start[samples];
    return bytes + (samples + 1) * sizeof *dataset->start +
           entries * (sizeof *dataset->column + sizeof *dataset->value);
}

const struct node *source_node(const struct data_request *request, const char *key) {
    const struct node *child = node_child(request->node, key);
    return child && !child->implied ? child : request->node;
}

/* Fisher-Yates from the last position down; the key of a draw is the position. */
static void shuffle(struct dataset *dataset, uint64_t seed) {
    uint32_t *order = memory_zeroed(dataset->samples, sizeof *order);
    for (uint32_t r = 0; r < dataset->samples; r++)
        order[r] = r;
    for (uint32_t r = dataset->samples - 1; r > 0; r--) {
        struct draw draw = {.stream = {.seed = seed, .purpose = PURPOSE_SHUFFLE}, .step = r};
        uint32_t other = draw_index(&draw, r + 1), moved = order[r];
        order[r] = order[other];
        order[other] = moved;
    }
    dataset_permute(dataset, order);
    free(order);
}

struct dataset *dataset_read(const struct picked *source, const struct data_request *request) {
    /* A source's descriptor starts with its variant. */
    const struct source *type = (const struct source *)source->type;
    struct dataset *dataset = type->read(source->params, request);
    if (!dataset)
        return NULL;
    if (request->labels == LABEL_CLASSES && !dataset_set_classes(dataset, request)) {
        dataset_free(dataset);
        return NULL;
    }
    dataset_drop_words(dataset);
    if (request->shuffle)
        shuffle(dataset, request->seed);
    if (request->precision == PRECISION_SINGLE && !dataset->sparse)
        dataset_narrow(dataset);
    return dataset;
}
