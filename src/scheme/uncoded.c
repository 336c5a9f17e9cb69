#include "choice.h"
#include "plain.h"

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

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)params;
    (void)code;
    return plain_new(setting, sizeof(struct uncoded), arena);
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
    .limits = plain_limits,
    .begin = begin,
    .open = open,
    .assign = whole_assign,
    .finish = whole_finish,
    .hear = hear,
    .decodable = decodable,
    .choose = plain_choose,
    .weigh = plain_weigh,
    .exact_from = choice_all_workers,
    .recovers = choice_one_each,
    .exact = true,
};
