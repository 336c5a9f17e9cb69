#include "code_params.h"
#include "pushes.h"

const struct scheme scheme_k_batch_async = {
    .head = {.name = "k-batch-async",
             .summary = "no barrier: updates by any K gradients, of whichever workers; nobody ever waits",
             .source = "Dutta et al., arXiv 1803.01113 (K-batch-async SGD)",
             .params = &push_count_params},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = 1u << LATE_QUEUE,
    .refuses = pushes_refuses,
    .own_wait = pushes_wait_for_count,
    .takes_no_wait = true,
    .stragglers = pushes_stragglers,
    .fewest = code_any_one,
    .limits = pushes_count_limits,
    .begin = pushes_alone,
    .open = pushes_open,
    .assign = pushes_assign,
    .finish = pushes_finish,
    .starts = pushes_starts,
    .member = pushes_member,
    .hear = pushes_hear,
    .choose = pushes_choose,
    .weigh = pushes_weigh,
    .holder = pushes_holder,
};
