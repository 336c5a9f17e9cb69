#include "cr_subset.h"
#include <assert.h>
#include <math.h>

void cr_subset_begin(struct cr_subset *subset, uint32_t workers, struct arena *arena) {
    *subset = (struct cr_subset){.message = arena_zeroed(arena, workers, sizeof *subset->message),
                                 .place = arena_zeroed(arena, workers, sizeof *subset->place),
                                 .weight = arena_zeroed(arena, workers, sizeof *subset->weight)};
}

void cr_subset_clear(struct cr_subset *subset) {
    subset->messages = 0;
}

void cr_subset_add(struct cr_subset *subset, const struct message *message, uint32_t place) {
    assert(subset->messages == 0 || subset->message[subset->messages - 1].worker < message->worker);
    subset->message[subset->messages] = *message;
    subset->place[subset->messages++] = place;
}

void cr_subset_weigh(struct cr_subset *subset, struct cr_code *code, struct decoding *out) {
    struct decoding own = {.weight = subset->weight};
    cr_code_weigh(code, subset->message, subset->messages, &own);
    for (uint32_t m = 0; m < subset->messages; m++)
        out->weight[subset->place[m]] = own.weight[m];
    out->residual = fmax(out->residual, own.residual);
    out->largest_weight = fmax(out->largest_weight, own.largest_weight);
}
