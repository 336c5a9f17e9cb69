#include "source.h"
#include <stdlib.h>
#include <string.h>

/* Moves the rows of one cycle, which the row `first` starts, and marks them as in place. */
static void rotate(struct dataset *dataset, uint32_t *order, uint32_t first, double *scratch) {
    size_t stride = dataset->stride, bytes = stride * sizeof *scratch;
    double label = dataset->label[first];
    memcpy(scratch, dataset->row + first * stride, bytes);
    uint32_t r = first;
    for (uint32_t from = order[r]; from != first; from = order[r]) {
        memcpy(dataset->row + r * stride, dataset->row + from * stride, bytes);
        dataset->label[r] = dataset->label[from];
        order[r] = r;
        r = from;
    }
    memcpy(dataset->row + r * stride, scratch, bytes);
    dataset->label[r] = label;
    order[r] = r;
}

static void permute_dense(struct dataset *dataset, uint32_t *order) {
    double *scratch = memory_zeroed(dataset->stride, sizeof *scratch);
    for (uint32_t r = 0; r < dataset->samples; r++)
        if (order[r] != r)
            rotate(dataset, order, r, scratch);
    free(scratch);
}

/* Rows of different lengths cannot change places: the entries are copied. */
static void permute_sparse(struct dataset *dataset, const uint32_t *order) {
    struct dataset old = *dataset;
    size_t samples = old.samples, entries = old.start[samples];
    dataset->start = memory_zeroed(samples + 1, sizeof *old.start);
    dataset->column = memory_zeroed(entries, sizeof *old.column);
    dataset->value = memory_zeroed_huge(entries, sizeof *old.value);
    dataset->label = memory_zeroed(samples, sizeof *old.label);
    for (size_t r = 0; r < samples; r++) {
        uint64_t to = dataset->start[r], from = old.start[order[r]], length = old.start[order[r] + 1] - from;
        memcpy(dataset->column + to, old.column + from, length * sizeof *old.column);
        memcpy(dataset->value + to, old.value + from, length * sizeof *old.value);
        dataset->start[r + 1] = to + length;
        dataset->label[r] = old.label[order[r]];
    }
    free(old.start);
    free(old.column);
    free(old.value);
    free(old.label);
}

void dataset_permute(struct dataset *dataset, uint32_t *order) {
    if (dataset->sparse)
        permute_sparse(dataset, order);
    else
        permute_dense(dataset, order);
}
