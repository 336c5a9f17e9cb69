#include "choice.h"
#include "code_params.h"
#include "plain.h"

/* Its state is a struct whole: who was heard matters only at the close. */

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)params;
    (void)code;
    return plain_new(setting, sizeof(struct whole), arena);
}

const struct scheme scheme_ignore = {
    .head = {.name = "ignore",
             .summary = "each worker sends its own partition's gradient; the sum of those heard, scaled up",
             .source = "Chen et al., arXiv 1604.00981 (backup workers); also known as fastest-k, K-sync",
             .params = &straggler_params},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = code_refuses,
    .stragglers = code_stragglers,
    .fewest = code_any_one,
    .limits = plain_limits,
    .begin = begin,
    .open = whole_open,
    .assign = whole_assign,
    .finish = whole_finish,
    .choose = plain_choose,
    .weigh = plain_weigh,
    .recovers = choice_one_each,
};
