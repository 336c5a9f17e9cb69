#include "past.h"
#include "memory.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct past {
    size_t length, capacity; /* doubles of a model, models */
    uint32_t oldest, next;   /* versions */
    double *w;               /* [capacity * length]: from the oldest on */
};

struct past *past_new(size_t length) {
    struct past *past = memory_zeroed(1, sizeof *past);
    past->length = length;
    return past;
}

void past_free(struct past *past) {
    if (!past)
        return;
    free(past->w);
    free(past);
}

bool past_full(const struct past *past) {
    return past->next - past->oldest == past->capacity;
}

void past_add(struct past *past, const double *w) {
    if (past_full(past)) {
        past->capacity = 2 * past->capacity + 8;
        past->w = memory_resized(past->w, past->capacity * past->length, sizeof *past->w);
    }
    memcpy(past->w + (past->next++ - past->oldest) * past->length, w, past->length * sizeof *w);
}

const double *past_find(const struct past *past, uint32_t version) {
    assert(version >= past->oldest && version < past->next);
    return past->w + (version - past->oldest) * past->length;
}

void past_forget(struct past *past, uint32_t oldest) {
    oldest = oldest < past->next ? oldest : past->next;
    if (oldest <= past->oldest)
        return;
    memmove(past->w, past->w + (oldest - past->oldest) * past->length,
            (past->next - oldest) * past->length * sizeof *past->w);
    past->oldest = oldest;
}
