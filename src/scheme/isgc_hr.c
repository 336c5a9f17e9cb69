#include "choice.h"
#include "code_params.h"
#include "hr_sets.h"
#include "whole.h"
#include <string.h>

struct isgc_hr_params {
    struct code_params code;
    uint32_t local, groups;
};

static const struct param param_list[] = {
    CODE_STRAGGLERS,
    CODE_COPIES,
    {.name = "copies_local",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct isgc_hr_params, local),
     .fallback = "1",
     .minimum = 0,
     .maximum = 1e6,
     .unit = "partitions",
     .help = "how many of the copies lie before a worker's own partition and wrap round in its group (c1); "
             "0: isgc-cr"},
    {.name = "groups",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct isgc_hr_params, groups),
     .fallback = NULL,
     .minimum = 1,
     .maximum = 1e6,
     .unit = "groups",
     .help = "groups of as many workers each (g); divides workers"},
};

static const struct param_table isgc_hr_params = {PARAM_TABLE(struct isgc_hr_params, param_list)};

/* How the responders can cover all partitions with disjoint windows: c divides n, and either all n / c windows that begin
 * at places of one rest modulo c round the ring are plain and heard; or c divides a group, and in each group all windows
 * that begin at places of one rest were heard which, plain or wrapping, stay in the group. */
struct isgc_hr {
    struct whole whole;
    struct hr_sets sets;
    struct stream code;
    uint32_t step, groups;
    /* Since the step opened. */
    uint32_t *on_ring;  /* [c]: plain windows heard, by the rest of their first place */
    uint32_t *in_group; /* [g * c]: windows heard that stay in their group, where c divides it */
    bool *covered;      /* [g] */
    uint32_t groups_covered;
    bool ring_covered;
};

static uint32_t group_of(const struct isgc_hr_params *hr, struct shape shape) {
    return shape.workers / hr->groups;
}

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    const struct isgc_hr_params *hr = params;
    if (code_refuses_copies(params, shape, why))
        return true;
    if (hr->local > hr->code.copies) {
        sentence_set(why, "copies_local = %u must be at most copies = %u", hr->local, hr->code.copies);
        return true;
    }
    if (shape.workers % hr->groups != 0) {
        sentence_set(why, "groups = %u must divide workers = %u", hr->groups, shape.workers);
        return true;
    }
    if (hr->local > 0 && hr->code.copies > group_of(hr, shape)) {
        sentence_set(why, "copies = %u must be at most the %u worker%s of a group unless copies_local = 0",
                     hr->code.copies, group_of(hr, shape), plural(group_of(hr, shape)));
        return true;
    }
    return false;
}

static struct limits limits(const void *params, const struct setting *setting) {
    (void)setting;
    return whole_limits(((const struct code_params *)params)->copies);
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    const struct isgc_hr_params *hr = params;
    uint32_t copies = hr->code.copies, workers = setting->shape.workers;
    struct placement placement = placement_hr(workers, copies, hr->local, group_of(hr, setting->shape));
    struct isgc_hr *isgc = arena_zeroed(arena, 1, sizeof *isgc);
    whole_begin(&isgc->whole, placement, setting, arena);
    hr_sets_begin(&isgc->sets, placement, arena);
    isgc->code = code;
    isgc->groups = hr->groups;
    isgc->on_ring = arena_zeroed(arena, copies, sizeof *isgc->on_ring);
    if (placement.group % copies == 0)
        isgc->in_group = arena_zeroed(arena, (size_t)hr->groups * copies, sizeof *isgc->in_group);
    isgc->covered = arena_zeroed(arena, hr->groups, sizeof *isgc->covered);
    return isgc;
}

static void open(void *state, uint32_t step, uint32_t version) {
    struct isgc_hr *isgc = state;
    uint32_t copies = isgc->whole.placement.copies;
    (void)version;
    isgc->step = step;
    isgc->ring_covered = false;
    isgc->groups_covered = 0;
    memset(isgc->on_ring, 0, copies * sizeof *isgc->on_ring);
    memset(isgc->covered, 0, isgc->groups * sizeof *isgc->covered);
    if (isgc->in_group)
        memset(isgc->in_group, 0, (size_t)isgc->groups * copies * sizeof *isgc->in_group);
}

/* Of the windows with one rest only the last runs over its group's end. They stay in the group where it does not, or where
 * it wraps. */
static void hear_in_group(struct isgc_hr *isgc, uint32_t first) {
    const struct placement *placement = &isgc->whole.placement;
    uint32_t group = first / placement->group, rest = first % placement->copies;
    if (rest > 0 && rest < placement->copies - placement->local)
        return;
    uint32_t heard = ++isgc->in_group[(size_t)group * placement->copies + rest];
    if (heard == placement->group / placement->copies && !isgc->covered[group]) {
        isgc->covered[group] = true;
        isgc->groups_covered++;
    }
}

static void hear(void *state, const struct message *message) {
    struct isgc_hr *isgc = state;
    uint32_t workers = isgc->whole.placement.workers, copies = isgc->whole.placement.copies;
    uint32_t first = hr_first(&isgc->sets, message->worker);
    if (workers % copies != 0)
        return;
    if (hr_plain(&isgc->sets, message->worker) && ++isgc->on_ring[first % copies] == workers / copies)
        isgc->ring_covered = true;
    if (isgc->in_group)
        hear_in_group(isgc, first);
}

static bool decodable(const void *state) {
    const struct isgc_hr *isgc = state;
    return isgc->ring_covered || isgc->groups_covered == isgc->groups;
}

static uint32_t common_divisor(uint32_t a, uint32_t b) {
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Where c does not divide a group of n0, windows of one rest round the ring begin at places of a group with one rest modulo
 * d = gcd(c, n0). The last of these, n0 - d for the rest 0, must be below n0 - c1, where plain windows end. */
static bool never_exact(const void *params, struct shape shape) {
    const struct isgc_hr_params *hr = params;
    uint32_t copies = hr->code.copies, divisor = common_divisor(copies, group_of(hr, shape));
    return shape.workers % copies != 0 || (divisor < copies && divisor <= hr->local);
}

static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    struct isgc_hr *isgc = state;
    const struct placement *placement = &isgc->whole.placement;
    isgc->sets.draw = (struct draw){.stream = isgc->code, .worker = STREAM_TIE, .step = isgc->step};
    out->recovered = hr_sets_choose(&isgc->sets, message, messages, out->weight) * placement->copies;
    out->claim = choice_claim(out, placement->workers);
}

static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct isgc_hr *isgc = state;
    (void)message;
    choice_rescale(messages, isgc->whole.placement.workers, out);
}

const struct scheme scheme_isgc_hr = {
    .head = {.name = "isgc-hr",
             .summary = "ignore-straggler coding between groups and windows: a largest set of disjoint "
                        "responders, scaled up",
             .source = "Su et al., ICDCS 2023 (IS-GC), hybrid repetition",
             .params = &isgc_hr_params},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = refuses,
    .stragglers = code_stragglers,
    .fewest = code_any_one,
    .limits = limits,
    .begin = begin,
    .open = open,
    .assign = whole_assign,
    .finish = whole_finish,
    .hear = hear,
    .decodable = decodable,
    .never_exact = never_exact,
    .choose = choose,
    .weigh = weigh,
};
