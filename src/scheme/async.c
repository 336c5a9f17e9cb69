#include "code_params.h"
#include "pushes.h"

/* The pusher stands in the line as its message is heard, and begins at the new model, since its message closes the round. */

static uint32_t lead(const void *params) {
    (void)params;
    return ANY_LEAD;
}

const struct scheme scheme_async = {
    .head = {.name = "async",
             .summary = "no barrier: every gradient updates the model as it arrives, however old its model",
             .source = "Agarwal and Duchi, NeurIPS 2011; K = 1 of Dutta et al., arXiv 1803.01113",
             .params = &push_params},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = 1u << LATE_QUEUE,
    .refuses = pushes_refuses,
    .own_wait = pushes_wait_for_one,
    .takes_no_wait = true,
    .stragglers = pushes_stragglers,
    .fewest = code_any_one,
    .limits = pushes_one_limits,
    .begin = pushes_alone,
    .open = pushes_open,
    .assign = pushes_assign,
    .finish = pushes_finish,
    .starts = pushes_starts,
    .lead = lead,
    .member = pushes_member,
    .hear = pushes_hear,
    .choose = pushes_choose,
    .weigh = pushes_weigh,
    .holder = pushes_holder,
};
