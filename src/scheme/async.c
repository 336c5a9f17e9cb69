#include "code_params.h"
#include "pushes.h"

/* Its state is a struct pushes. The pusher stands in the line as its message is heard, and begins at the new model, since
 * its message closes the round. */

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    (void)params;
    return code_refuses(&(struct code_params){.stragglers = 0}, shape, why);
}

static bool own_wait(const void *params, struct sentence *rule) {
    (void)params;
    sentence_set(rule, "{type: count, results: 1}");
    return true;
}

static struct limits limits(const void *params, const struct setting *setting) {
    (void)params;
    (void)setting;
    return pushes_limits(1);
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)params;
    (void)code;
    struct pushes *pushes = arena_zeroed(arena, 1, sizeof *pushes);
    pushes_begin(pushes, setting, arena);
    return pushes;
}

static void hear(void *state, const struct message *message) {
    pushes_line_up(state, message->worker);
}

const struct scheme scheme_async = {
    .head = {.name = "async",
             .summary = "no barrier: every gradient updates the model as it arrives, however old its model",
             .source = "Agarwal and Duchi, NeurIPS 2011; K = 1 of Dutta et al., arXiv 1803.01113"},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = 1u << LATE_QUEUE,
    .refuses = refuses,
    .own_wait = own_wait,
    .takes_no_wait = true,
    .stragglers = pushes_stragglers,
    .fewest = code_any_one,
    .limits = limits,
    .begin = begin,
    .open = pushes_open,
    .starts = pushes_starts,
    .assign = pushes_assign,
    .finish = pushes_finish,
    .hear = hear,
    .choose = pushes_choose,
    .weigh = pushes_weigh,
};
