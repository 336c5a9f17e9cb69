#include "code_params.h"
#include "fr_code.h"
#include <math.h>

struct erasurehead {
    struct code_params code; /* copies */
    uint32_t results;        /* r */
};

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    uint32_t results = ((const struct erasurehead *)params)->results;
    if (code_refuses_groups(params, shape, why))
        return true;
    if (results <= shape.workers)
        return false;
    sentence_set(why, "results = %u must be in [1, %u], the number of workers", results, shape.workers);
    return true;
}

static bool own_wait(const void *params, struct sentence *rule) {
    sentence_set(rule, "{type: count-or-decodable, results: %u}",
                 ((const struct erasurehead *)params)->results);
    return true;
}

static struct limits limits(const void *params, const struct setting *setting) {
    (void)setting;
    return whole_limits(((const struct code_params *)params)->copies);
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)code;
    return fr_code_begin(setting, ((const struct code_params *)params)->copies, arena);
}

/* What was chosen weighs 1: the groups that did not answer are left out, and nothing makes up for them. */
static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    (void)state;
    (void)message;
    (void)messages;
    out->residual = out->largest_weight = (double)NAN;
}

static const struct param list[] = {
    CODE_COPIES,
    {.name = "results",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct erasurehead, results),
     .minimum = 1,
     .maximum = 1e6,
     .unit = "results",
     .help = "the earliest results that close a step (r), unless every group answered before"},
};
static const struct param_table table = {PARAM_TABLE(struct erasurehead, list)};

/* Its own wait rule knows how many results may be missing, so `stragglers` is left at 0. */
const struct scheme scheme_erasurehead = {
    .head = {.name = "erasurehead",
             .summary =
                 "coding in groups that stops at r results: what the groups heard from sent, not scaled",
             .source = "Wang, Charles and Papailiopoulos, arXiv 1901.09671 (ErasureHead)",
             .params = &table},
    .wait = "count-or-decodable",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = refuses,
    .own_wait = own_wait,
    .takes_no_wait = true,
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
    .weigh = weigh,
};
