#include "code_params.h"
#include "fr_code.h"

static struct limits limits(const void *params, const struct setting *setting) {
    (void)setting;
    return whole_limits(code_copies(params));
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)code;
    return fr_code_begin(setting, code_copies(params), arena);
}

const struct scheme scheme_gc_fr = {
    .head = {.name = "gc-fr",
             .summary = "gradient coding by groups of s + 1 workers with equal partitions; exact",
             .source = "Tandon et al., arXiv 1612.03301, section 4.1",
             .params = &straggler_params},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = code_refuses_fr,
    .stragglers = code_stragglers,
    .fewest = code_all_but_stragglers,
    .limits = limits,
    .begin = begin,
    .open = fr_code_open,
    .assign = whole_assign,
    .finish = whole_finish,
    .hear = fr_code_hear,
    .decodable = fr_code_decodable,
    .choose = fr_code_choose,
    .weigh = fr_code_weigh,
    .exact = true,
};
