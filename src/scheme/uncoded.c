#include "choice.h"
#include "whole.h"

/* Nothing is coded: every worker sends the gradient of its own partition, and all are needed. */
struct uncoded {
    struct whole whole;
    uint32_t heard; /* since the step opened */
};

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    (void)params;
    if (shape.partitions == shape.workers)
        return false;
    sentence_set(why, "partitions = %u must equal workers = %u", shape.partitions, shape.workers);
    return true;
}

static uint32_t stragglers(const void *params) {
    (void)params;
    return 0;
}

static uint32_t fewest(const void *params, struct shape shape) {
    (void)params;
    return shape.workers;
}

static struct limits limits(const void *params, const struct setting *setting) {
    (void)params;
    (void)setting;
    return whole_limits(1);
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)params;
    (void)code;
    struct uncoded *uncoded = arena_zeroed(arena, 1, sizeof *uncoded);
    whole_begin(&uncoded->whole, placement_cr(setting->shape.workers, 1), setting, arena);
    return uncoded;
}

static void open(void *state, uint32_t step, uint32_t version) {
    struct uncoded *uncoded = state;
    (void)step;
    (void)version;
    uncoded->heard = 0;
}

static void hear(void *state, const struct message *message) {
    struct uncoded *uncoded = state;
    (void)message;
    uncoded->heard++;
}

static bool decodable(const void *state) {
    const struct uncoded *uncoded = state;
    return uncoded->heard == uncoded->whole.placement.workers;
}

static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct uncoded *uncoded = state;
    (void)message;
    choice_use_all(messages, out);
    out->recovered = messages;
    out->claim = choice_claim(out, uncoded->whole.placement.workers);
}

static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct uncoded *uncoded = state;
    (void)message;
    choice_rescale(messages, uncoded->whole.placement.workers, out);
}

const struct scheme scheme_uncoded = {
    .head = {.name = "uncoded",
             .summary = "each worker sends its own partition's gradient; the estimate is their sum",
             .source = "distributed gradient descent; Chen et al., arXiv 1604.00981: synchronous without "
                       "backup workers"},
    .all_reduces = true,
    .wait = "all",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = refuses,
    .stragglers = stragglers,
    .fewest = fewest,
    .limits = limits,
    .begin = begin,
    .open = open,
    .assign = whole_assign,
    .finish = whole_finish,
    .hear = hear,
    .decodable = decodable,
    .choose = choose,
    .weigh = weigh,
    .exact_from = choice_all_workers,
    .recovers = choice_one_each,
};
