#include "code_params.h"
#include "fr_code.h"

static struct limits limits(const void *params, const struct setting *setting) {
    (void)setting;
    return whole_limits(((const struct code_params *)params)->copies);
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)code;
    return fr_code_begin(setting, ((const struct code_params *)params)->copies, arena);
}

/* Two responders of a group conflict, so a largest conflict-free set is one of each group heard from. They send the same
 * sum; the earliest is taken. */
const struct scheme scheme_isgc_fr = {
    .head = {.name = "isgc-fr",
             .summary = "ignore-straggler coding in groups: what the groups heard from sent, scaled up",
             .source = "Su et al., ICDCS 2023 (IS-GC)",
             .params = &copies_params},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = code_refuses_groups,
    .stragglers = code_stragglers,
    .fewest = code_any_one,
    .limits = limits,
    .begin = begin,
    .open = fr_code_open,
    .assign = whole_assign,
    .finish = whole_finish,
    .hear = fr_code_hear,
    .decodable = fr_code_decodable,
    .choose = fr_code_choose,
    .weigh = fr_code_weigh,
};
