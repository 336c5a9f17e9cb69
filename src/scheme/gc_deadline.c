#include "gc_cr.h"
#include "sequential.h"

/* gc-cr's state comes first, so that its calls serve. */
struct gc_deadline {
    struct gc_cr gc;
    uint32_t needed; /* results that keep a deadline */
};

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    const struct sequential_params *deadline = params;
    if (code_refuses_windows(params, shape, why))
        return true;
    if (deadline->tolerance != TOLERANCE_STRICT || deadline->code.stragglers > 0)
        return false;
    sentence_set(why,
                 "stragglers = 0 can never keep a deadline under tolerance: strict, which asks for fewer");
    return true;
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    bool strict = ((const struct sequential_params *)params)->tolerance == TOLERANCE_STRICT;
    struct gc_deadline *deadline = arena_zeroed(arena, 1, sizeof *deadline);
    deadline->gc = *(struct gc_cr *)gc_cr_begin(params, setting, code, arena);
    deadline->needed = code_all_but_stragglers(params, setting->shape) + strict;
    return deadline;
}

static bool admits(const void *state) {
    const struct gc_deadline *deadline = state;
    return deadline->gc.heard >= deadline->needed;
}

extern const struct set_rules gc_deadline_sets;
const struct scheme scheme_gc_deadline = {
    .head = {.name = "gc-deadline",
             .summary =
                 "gc-cr that closes a step at 1 + mu times its fastest result, else waits for all; exact",
             .source = "Krishnan, Ebrahimi and Khisti, arXiv 2211.13802, section 4 (GC under a deadline)",
             .params = &deadline_params},
    .wait = "deadline",
    .late = LATE_CANCEL,
    .lates = 1u << LATE_CANCEL,
    .refuses = refuses,
    .own_wait = sequential_own_wait,
    .takes_no_wait = true,
    .stragglers = code_stragglers,
    .fewest = code_all_but_stragglers,
    .limits = gc_cr_limits,
    .begin = begin,
    .open = gc_cr_open,
    .assign = whole_assign,
    .finish = whole_finish,
    .hear = gc_cr_hear,
    .decodable = gc_cr_decodable,
    .admits = admits,
    .choose = gc_cr_choose,
    .weigh = gc_cr_weigh,
    .sets = &gc_deadline_sets,
    .exact = true,
};
