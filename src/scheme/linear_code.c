#include "linear_code.h"

const char *const linear_decoders[] = {
    [DECODER_ONE_STEP] = "one-step", [DECODER_LEAST_SQUARES] = "least-squares", NULL};
const char *const all_decoders[] = {[DECODER_ONE_STEP] = "one-step",
                                    [DECODER_LEAST_SQUARES] = "least-squares",
                                    [DECODER_CONSTANT] = "constant",
                                    NULL};

void linear_code_begin(struct linear_code *code, const struct listing *listing, const struct setting *setting,
                       struct arena *arena) {
    listed_begin(&code->listed, listing, setting, arena);
    code->squares = least_squares_begin(listing, arena);
}

static void weigh_one_step(const struct linear_code *code, const struct message *message, uint32_t messages,
                           struct decoding *out) {
    (void)message;
    listed_weigh_equal(code->listed.listing->workers / (messages * code->copies), messages, out);
}

static void weigh_least_squares(const struct linear_code *code, const struct message *message,
                                uint32_t messages, struct decoding *out) {
    least_squares_weigh(code->squares, message, messages, out);
}

static void weigh_constant(const struct linear_code *code, const struct message *message, uint32_t messages,
                           struct decoding *out) {
    uint32_t workers = code->listed.listing->workers;
    (void)message;
    listed_weigh_equal(workers / ((workers - code->stragglers) * code->copies), messages, out);
}

void linear_code_weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    static void (*const weighs[])(const struct linear_code *, const struct message *, uint32_t,
                                  struct decoding *) = {[DECODER_ONE_STEP] = weigh_one_step,
                                                        [DECODER_LEAST_SQUARES] = weigh_least_squares,
                                                        [DECODER_CONSTANT] = weigh_constant};
    const struct linear_code *code = state;
    weighs[code->decoder](code, message, messages, out);
}

bool linear_code_never_exact(const void *params, struct shape shape) {
    (void)params;
    (void)shape;
    return true;
}
