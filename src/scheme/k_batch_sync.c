#include "code_params.h"
#include "pushes.h"

/* All begin anew at an update, whatever they are doing. */
static void open(void *state, uint32_t step, uint32_t version) {
    struct pushes *pushes = state;
    pushes_open(state, step, version);
    pushes->first = pushes->waiting = 0;
    for (uint32_t i = 0; i < pushes->workers; i++)
        pushes_line_up(pushes, i);
}

const struct scheme scheme_k_batch_sync = {
    .head = {.name = "k-batch-sync",
             .summary =
                 "the first K gradients at the present model, of whichever workers; the rest are cancelled",
             .source = "Dutta et al., arXiv 1803.01113 (K-batch-sync SGD)",
             .params = &push_count_params},
    .wait = "count",
    .late = LATE_CANCEL,
    .lates = 1u << LATE_CANCEL,
    .refuses = pushes_refuses,
    .own_wait = pushes_wait_for_count,
    .takes_no_wait = true,
    .stragglers = pushes_stragglers,
    .fewest = code_any_one,
    .limits = pushes_count_limits,
    .begin = pushes_alone,
    .open = open,
    .assign = pushes_assign,
    .finish = pushes_finish,
    .starts = pushes_starts,
    .member = pushes_member,
    .hear = pushes_hear,
    .choose = pushes_choose,
    .weigh = pushes_weigh,
    .holder = pushes_holder,
};
