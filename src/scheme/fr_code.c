#include "fr_code.h"
#include "choice.h"

void *fr_code_begin(const struct setting *setting, uint32_t copies, struct arena *arena) {
    uint32_t workers = setting->shape.workers;
    struct fr_code *code = arena_zeroed(arena, 1, sizeof *code);
    whole_begin(&code->whole, placement_fr(workers, copies), setting, arena);
    groups_begin(&code->groups, workers, copies, arena);
    return code;
}

void fr_code_open(void *state, uint32_t step, uint32_t version) {
    struct fr_code *code = state;
    (void)step;
    (void)version;
    groups_open(&code->groups);
}

void fr_code_hear(void *state, const struct message *message) {
    struct fr_code *code = state;
    groups_hear(&code->groups, message);
}

bool fr_code_decodable(const void *state) {
    const struct fr_code *code = state;
    return groups_complete(&code->groups);
}

void fr_code_choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    struct fr_code *code = state;
    groups_choose(&code->groups, message, messages, out);
    out->claim = choice_claim(out, code->whole.placement.workers);
}

void fr_code_weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct fr_code *code = state;
    (void)message;
    choice_rescale(messages, code->whole.placement.workers, out);
}
