#include "plain.h"
#include "choice.h"

void *plain_new(const struct setting *setting, size_t size, struct arena *arena) {
    struct whole *whole = arena_zeroed(arena, 1, size);
    whole_begin(whole, placement_cr(setting->shape.workers, 1), setting, arena);
    return whole;
}

struct limits plain_limits(const void *params, const struct setting *setting) {
    (void)params;
    (void)setting;
    return whole_limits(1);
}

void plain_choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct whole *whole = state;
    (void)message;
    choice_use_all(messages, out);
    out->recovered = messages;
    out->claim = choice_claim(out, whole->placement.workers);
}

void plain_weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct whole *whole = state;
    (void)message;
    choice_rescale(messages, whole->placement.workers, out);
}
