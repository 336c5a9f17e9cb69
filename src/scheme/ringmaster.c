#include "code_params.h"
#include "pushes.h"
#include <assert.h>

struct ringmaster_params {
    struct push_params push;
    uint32_t oldest; /* R */
};

static const struct param list[] = {
    {.name = "max_age",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct ringmaster_params, oldest),
     .minimum = 0,
     .maximum = 1e9,
     .unit = "updates",
     .help = "a gradient whose model is more updates old is discarded (R); accumulated estimates count as "
             "updates here"},
    PUSH_ON_LEAVE,
};
static const struct param_table table = {PARAM_TABLE(struct ringmaster_params, list)};

struct ringmaster {
    struct pushes pushes;
    uint32_t oldest;
};

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)code;
    struct ringmaster *ringmaster = pushes_new(params, setting, sizeof *ringmaster, arena);
    ringmaster->oldest = ((const struct ringmaster_params *)params)->oldest;
    return ringmaster;
}

static uint32_t completions(void *state, const struct message *message, uint32_t messages) {
    const struct ringmaster *ringmaster = state;
    assert(messages == 1);
    return pushes_staleness(&ringmaster->pushes, message->worker) <= ringmaster->oldest;
}

const struct scheme scheme_ringmaster = {
    .head = {.name = "ringmaster",
             .summary = "async that discards gradients of models that are too old",
             .source = "Maranjyan, Tyurin and Richtarik, arXiv 2501.16168 (Ringmaster ASGD)",
             .params = &table},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = 1u << LATE_QUEUE,
    .refuses = pushes_refuses,
    .own_wait = pushes_wait_for_one,
    .takes_no_wait = true,
    .stragglers = pushes_stragglers,
    .fewest = code_any_one,
    .limits = pushes_one_limits,
    .begin = begin,
    .open = pushes_open,
    .assign = pushes_assign,
    .finish = pushes_finish,
    .starts = pushes_starts,
    .member = pushes_member,
    .hear = pushes_hear,
    .completions = completions,
    .choose = pushes_choose,
    .weigh = pushes_weigh,
    .holder = pushes_holder,
};
