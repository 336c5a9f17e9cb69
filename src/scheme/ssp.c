#include "code_params.h"
#include "pushes.h"
#include <assert.h>

/* A worker's clock is its pushes that were heard. The clocks of those present lie from the slowest to bound + 1 above it: who
 * is there has just pushed and rests until the slowest has moved. So all who rest may go on as soon as it has. */
enum on_bound { ON_BOUND_WAIT, ON_BOUND_DROP };
static const char *const on_bounds[] = {[ON_BOUND_WAIT] = "wait", [ON_BOUND_DROP] = "drop", NULL};

struct ssp_params {
    struct push_params push;
    uint32_t bound;    /* clocks */
    uint32_t on_bound; /* enum on_bound */
};

static const struct param list[] = {
    {.name = "bound",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct ssp_params, bound),
     .minimum = 0,
     .maximum = 1e6,
     .unit = "clocks",
     .help = "a worker may begin a step while it is at most this many ahead of the slowest"},
    {.name = "on_bound",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct ssp_params, on_bound),
     .fallback = "wait",
     .choices = on_bounds,
     .help =
         "wait: a worker that is further ahead waits; drop: nobody waits, and a gradient whose model is "
         "more than bound whole clocks old, a clock being as many updates as the scenario has workers, is "
         "discarded"},
    PUSH_ON_LEAVE,
};
static const struct param_table table = {PARAM_TABLE(struct ssp_params, list)};

struct ssp {
    struct pushes pushes;
    struct ssp_params params;
    uint32_t *clock;   /* [workers]: of those present */
    uint32_t slowest;  /* the lowest clock of those present */
    uint32_t *at;      /* [bound + 2]: workers present at a clock, by its remainder */
    uint32_t presents; /* workers present */
};

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)code;
    struct ssp *ssp = pushes_new(params, setting, sizeof *ssp, arena);
    ssp->params = *(const struct ssp_params *)params;
    ssp->clock = arena_zeroed(arena, setting->shape.workers, sizeof *ssp->clock);
    ssp->at = arena_zeroed(arena, ssp->params.bound + 2, sizeof *ssp->at);
    return ssp;
}

static uint32_t *at(struct ssp *ssp, uint32_t clock) {
    return &ssp->at[clock % (ssp->params.bound + 2)];
}

/* Somebody has left the clock: it may have been the last of the slowest. */
static void leave(struct ssp *ssp, uint32_t clock) {
    --*at(ssp, clock);
    if (ssp->presents == 0 || *at(ssp, ssp->slowest) > 0)
        return;
    while (*at(ssp, ssp->slowest) == 0)
        ssp->slowest++;
    pushes_wake(&ssp->pushes);
}

static void member(void *state, uint32_t worker, enum membership membership) {
    struct ssp *ssp = state;
    bool present = pushes_present(&ssp->pushes, worker);
    if (ssp->params.on_bound == ON_BOUND_WAIT && membership == MEMBER_JOINED) {
        ssp->presents++;
        ssp->clock[worker] = ssp->slowest;
        ++*at(ssp, ssp->slowest);
    }
    pushes_member(state, worker, membership);
    if (ssp->params.on_bound == ON_BOUND_WAIT && membership == MEMBER_GONE && present) {
        ssp->presents--;
        leave(ssp, ssp->clock[worker]);
    }
}

static void hear(void *state, const struct message *message) {
    struct ssp *ssp = state;
    uint32_t worker = message->worker;
    pushes_recover(&ssp->pushes, worker);
    if (!pushes_present(&ssp->pushes, worker))
        return;
    if (ssp->params.on_bound == ON_BOUND_DROP) {
        pushes_line_up(&ssp->pushes, worker);
        return;
    }
    uint32_t clock = ssp->clock[worker]++;
    assert(clock - ssp->slowest <= ssp->params.bound);
    ++*at(ssp, clock + 1);
    if (clock + 1 - ssp->slowest > ssp->params.bound)
        pushes_rest(&ssp->pushes, worker);
    else
        pushes_line_up(&ssp->pushes, worker);
    leave(ssp, clock);
}

static uint32_t completions(void *state, const struct message *message, uint32_t messages) {
    const struct ssp *ssp = state;
    assert(messages == 1);
    uint32_t clocks = pushes_staleness(&ssp->pushes, message->worker) / ssp->pushes.workers;
    return ssp->params.on_bound == ON_BOUND_WAIT || clocks <= ssp->params.bound;
}

static uint32_t lead(const void *params) {
    const struct ssp_params *ssp = params;
    return ssp->on_bound == ON_BOUND_WAIT ? ssp->bound : NO_LEAD;
}

/* An update by the sum of g_p alone. */
static size_t finish(void *state, const struct computed *computed, struct term *term) {
    size_t terms = pushes_finish(state, computed, term);
    for (size_t e = 0; e < terms; e++)
        term[e].coefficient = 1;
    return terms;
}

const struct scheme scheme_ssp = {
    .head =
        {.name = "ssp",
         .summary =
             "stale synchronous: every gradient is an update, and nobody gets too far ahead of the slowest",
         .source = "Ho et al., NeurIPS 2013",
         .params = &table},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = 1u << LATE_QUEUE,
    .penalty = PENALTY_WITH_TERMS,
    .refuses = pushes_refuses,
    .own_wait = pushes_wait_for_one,
    .takes_no_wait = true,
    .stragglers = pushes_stragglers,
    .fewest = code_any_one,
    .limits = pushes_one_limits,
    .begin = begin,
    .open = pushes_open,
    .assign = pushes_assign,
    .finish = finish,
    .starts = pushes_starts,
    .lead = lead,
    .member = member,
    .hear = hear,
    .completions = completions,
    .choose = pushes_choose,
    .weigh = pushes_weigh,
    .holder = pushes_holder,
};
