#include "code_params.h"
#include "pushes.h"

/* Who has pushed rests until the update, so the K gradients are of different workers. */
static void hear(void *state, const struct message *message) {
    pushes_recover(state, message->worker);
    pushes_rest(state, message->worker);
}

static void open(void *state, uint32_t step, uint32_t version) {
    pushes_open(state, step, version);
    pushes_wake(state);
}

const struct scheme scheme_k_async = {
    .head = {.name = "k-async",
             .summary =
                 "no barrier: updates by K workers at a time, who then take the new model; the others go on",
             .source = "Dutta et al., arXiv 1803.01113 (K-async SGD)",
             .params = &push_count_params},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = 1u << LATE_QUEUE,
    .refuses = pushes_refuses_count,
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
    .hear = hear,
    .choose = pushes_choose,
    .weigh = pushes_weigh,
    .holder = pushes_holder,
};
