/* Random stragglers of sequential codes: the rounds that they may keep are those of a rule written once more from the
 * definition, and every job is complete in time with each piece once, of its own model, version and batch. */
#include "rehearsal.h"
#include "sequential.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

#define STEPS  40
#define ROUNDS 60
#define RUNS   40

/* What a run is checked against. Workers are bits of a mask. */
struct history {
    struct burst_bounds bounds;
    uint32_t workers, rounds, lacking, redoing; /* lacking: s of sr-sgc; UINT32_MAX: no round is left out */
    uint64_t straggled[ROUNDS];                 /* in rounds that count */
    uint32_t updates[ROUNDS];                   /* made when the round opened */
    const char *values;
};

/* Rules (1) and (2), round by round and worker by worker. */
static bool bearable(const struct history *history, uint64_t stragglers) {
    uint32_t round = history->rounds, distinct = 0;
    for (uint32_t i = 0; i < history->workers; i++) {
        bool now = stragglers >> i & 1, before = false;
        for (uint32_t r = 0; r < round; r++) {
            bool then = history->straggled[r] >> i & 1;
            if (then && r + history->bounds.window > round) {
                before = true;
                if (now && r + history->bounds.length <= round)
                    return false;
            }
        }
        distinct += now || before;
    }
    return distinct <= history->bounds.distinct;
}

static const struct {
    const char *scheme;
    uint32_t workers;
    const char *values;
} cases[] = {
    {"sr-sgc", 4, "B=1 W=2 lambda=2"},  {"sr-sgc", 6, "B=1 W=3 lambda=5 models=all"},
    {"sr-sgc", 7, "B=2 W=3 lambda=4"},  {"sr-sgc", 8, "B=2 W=5 lambda=8 models=all"},
    {"sr-sgc", 5, "B=3 W=10 lambda=4"}, {"sr-sgc", 5, "B=3 W=4 lambda=0"},
    {"m-sgc", 3, "B=1 W=2 lambda=1"},   {"m-sgc", 1, "B=1 W=2 lambda=0 models=all"},
    {"m-sgc", 1, "B=1 W=2 lambda=1"},   {"m-sgc", 6, "B=2 W=4 lambda=3 models=all"},
    {"m-sgc", 6, "B=1 W=4 lambda=6"},   {"m-sgc", 7, "B=3 W=4 lambda=6"},
    {"m-sgc", 5, "B=2 W=3 lambda=0"},
};

/* Job by job: the sum of the terms used gives each piece once, to rounding times the largest weight, since what cancels is
 * at most that large times the entries of B, at most 10 n. */
static void check_update(struct rehearsal *rehearsal) {
    const struct history *history = rehearsal->context;
    uint32_t job = rehearsal->updates - 1, delay = rehearsal->limits.held, models = rehearsal->limits.models;
    uint32_t version = models > 1 ? job / models : history->updates[job];
    double largest = 1;
    for (uint32_t m = 0; m < rehearsal->messages; m++) {
        size_t terms;
        const struct term *term = rehearsed_terms(rehearsal, &rehearsal->message[m], &terms);
        largest = fmax(largest, fabs(rehearsal->decoding.weight[m]));
        for (size_t e = 0; rehearsal->mark[m] != 0 && e < terms; e++) {
            cr_assert(eq(u32, term[e].batch, job), "%s, job %u", history->values, job);
            cr_assert(eq(u32, term[e].version, version), "%s, job %u", history->values, job);
            cr_assert(eq(u32, term[e].model, job % models), "%s, job %u", history->values, job);
        }
    }
    for (uint32_t p = 0; p < history->workers * cut_pieces(&rehearsal->limits.cut); p++)
        cr_assert(epsilon_eq(dbl, estimate_coefficient(rehearsal, p), 1, 1e-9 * largest),
                  "%s, job %u, piece %u", history->values, job, p);
    cr_assert(eq(int, rehearsal->decoding.claim, EXACT));
    cr_assert(eq(u32, rehearsal->decoding.recovered, history->workers));
    cr_assert(le(u32, history->rounds, job + delay), "%s, job %u is late", history->values, job);
    cr_assert(le(dbl, rehearsal->decoding.residual, 1e-9 * largest), "%s, job %u", history->values, job);
}

/* Each worker straggles with a probability that itself changes from round to round; the fastest, drawn too, never does. */
static uint64_t drawn_stragglers(const struct history *history, struct draw *draw) {
    uint64_t stragglers = 0;
    double probability = draw_unit(draw) * draw_unit(draw);
    for (uint32_t i = 0; i < history->workers; i++)
        if (draw_unit(draw) < probability)
            stragglers |= 1ULL << i;
    return stragglers & ~(1ULL << draw_index(draw, history->workers));
}

/* The senders of the round, those waited for included; none in a round with nothing to do. */
static uint64_t heard_in(const struct rehearsal *rehearsal, uint32_t round) {
    uint64_t heard = 0;
    for (uint32_t m = 0; m < rehearsal->messages; m++)
        if (rehearsal->message[m].step == round)
            heard |= 1ULL << rehearsal->message[m].worker;
    return heard;
}

/* Whether some worker was on an older job than the round's, in sr-sgc. */
static bool redone(const struct rehearsal *rehearsal, uint32_t round) {
    for (uint32_t i = 0; i < rehearsal->setting.shape.workers; i++) {
        size_t terms;
        const struct term *term =
            rehearsed_terms(rehearsal, &(struct message){.worker = i, .step = round}, &terms);
        if (terms > 0 && term->batch < round)
            return true;
    }
    return false;
}

static void play_round(struct rehearsal *rehearsal, struct history *history, struct draw *draw) {
    uint32_t round = history->rounds;
    uint64_t all = (1ULL << history->workers) - 1, stragglers = drawn_stragglers(history, draw);
    history->updates[round] = rehearsal->updates;
    rehearse_mask(rehearsal, round, all & ~stragglers);
    uint64_t heard = heard_in(rehearsal, round), lost = heard == 0 ? 0 : all & ~heard;
    if (heard != 0)
        cr_assert(eq(u64, lost, bearable(history, stragglers) ? stragglers : 0), "%s, round %u",
                  history->values, round);
    bool counts = history->lacking == UINT32_MAX || redone(rehearsal, round) ||
                  (uint32_t)__builtin_popcountll(lost) > history->lacking;
    history->straggled[round] = counts ? lost : 0;
    history->rounds++;
}

static uint32_t lacking(const char *scheme, struct burst_bounds bounds) {
    double jobs = (double)bounds.length * bounds.distinct / (bounds.window - 1 + bounds.length);
    return strcmp(scheme, "sr-sgc") == 0 ? (uint32_t)ceil(jobs) : UINT32_MAX;
}

static void play_run(struct rehearsal *rehearsal, struct history *history, uint32_t replication) {
    struct draw draw = {.stream = {5, replication, PURPOSE_SAMPLE}};
    uint32_t rounds = rehearsal->scheme->rounds(rehearsal->params, STEPS);
    rehearsal->updated = check_update;
    rehearsal->context = history;
    while (history->rounds < rounds)
        play_round(rehearsal, history, &draw);
    cr_expect(eq(u32, rehearsal->updates, STEPS), "%s", history->values);
}

Test(sequential, random_stragglers, .timeout = 120) {
    for (uint32_t c = 0; c < RUNS * sizeof cases / sizeof *cases; c++) {
        size_t one = c / RUNS;
        struct arena *arena = arena_new();
        uint32_t workers = cases[one].workers;
        const struct sequential_params *params =
            params_bound(arena, scheme_named(cases[one].scheme), cases[one].values);
        struct setting setting = {
            .shape = {workers, workers}, .late = LATE_CANCEL, .batches = true, .steps = STEPS, .rows = 1000};
        struct history history = {.bounds = params->bounds,
                                  .workers = workers,
                                  .lacking = lacking(cases[one].scheme, params->bounds),
                                  .values = cases[one].values};
        struct rehearsal rehearsal;
        rehearsal_begin(&rehearsal, cases[one].scheme, params, setting);
        play_run(&rehearsal, &history, c);
        rehearsal_end(&rehearsal);
        arena_free(arena);
    }
}
