#include "choice.h"
#include <assert.h>
#include <math.h>

void choice_use_all(uint32_t messages, struct decoding *out) {
    for (uint32_t m = 0; m < messages; m++)
        out->weight[m] = 1;
}

uint32_t choice_cr_union(const struct message *message, uint32_t messages, uint32_t workers,
                         uint32_t copies) {
    uint32_t covered = 0;
    for (uint32_t m = 0; m < messages; m++) {
        uint32_t next = m + 1 < messages ? message[m + 1].worker : message[0].worker + workers;
        uint32_t gap = next - message[m].worker;
        covered += gap < copies ? gap : copies;
    }
    return covered;
}

uint32_t choice_all_workers(const void *params, struct shape shape) {
    (void)params;
    return shape.workers;
}

uint32_t choice_one_each(const void *params, struct shape shape, uint32_t messages) {
    (void)params;
    (void)shape;
    return messages;
}

enum claim choice_claim(const struct decoding *out, uint32_t partitions) {
    return out->recovered == partitions ? EXACT : INEXACT;
}

void choice_rescale(uint32_t messages, uint32_t partitions, struct decoding *out) {
    assert(out->recovered > 0);
    double scale = (double)partitions / out->recovered;
    for (uint32_t m = 0; m < messages; m++)
        out->weight[m] *= scale;
    out->residual = (double)NAN;
    out->largest_weight = (double)NAN;
}
