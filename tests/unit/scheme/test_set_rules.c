/* Set rules against the hooks that hear message by message: random stragglers, round by round. What an update is made of is told
 * by tests/contract/test_rounds.c too, second by second. */
#include "rehearsal.h"
#include "sequential.h"
#include "set_rules.h"
#include "worker_set.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

enum { STEPS = 60, RUNS = 40, MOST_WORKERS = 150, MOST_PARTS = 12 };

static const struct {
    const char *scheme;
    uint32_t workers;
    const char *values;
} cases[] = {
    {"sr-sgc", 4, "B=1 W=2 lambda=2"},
    {"sr-sgc", 6, "B=1 W=3 lambda=5 models=all"},
    {"sr-sgc", 70, "B=2 W=3 lambda=40"},
    {"sr-sgc", 64, "B=2 W=5 lambda=64 models=all"},
    {"sr-sgc", 130, "B=3 W=10 lambda=99"},
    {"sr-sgc", 5, "B=3 W=4 lambda=0"},
    {"m-sgc", 3, "B=1 W=2 lambda=1"},
    {"m-sgc", 1, "B=1 W=2 lambda=0 models=all"},
    {"m-sgc", 1, "B=1 W=2 lambda=1"},
    {"m-sgc", 66, "B=2 W=4 lambda=30 models=all"},
    {"m-sgc", 65, "B=1 W=4 lambda=65"},
    {"m-sgc", 7, "B=3 W=4 lambda=6"},
    {"m-sgc", 128, "B=4 W=9 lambda=128"},
    {"gc-deadline", 70, "stragglers=9"},
    {"gc-deadline", 5, "stragglers=2 tolerance=strict"},
};

/* One scheme twice. */
struct pair {
    const struct scheme *scheme;
    const char *values;
    uint32_t workers, parts, round, updates;
    size_t words;
    void *slow, *fast;
    struct decoding decoding;
    double weight[1];
};

static uint64_t *stragglers_drawn(const struct pair *pair, struct draw *draw, uint64_t *set) {
    double probability = draw_unit(draw) * draw_unit(draw) * draw_unit(draw);
    for (size_t w = 0; w < pair->words; w++)
        set[w] = 0;
    for (uint32_t i = 0; i < pair->workers; i++)
        if (draw_unit(draw) < probability)
            set[i / 64] |= UINT64_C(1) << i % 64;
    return set;
}

static void hear(const struct pair *pair, const uint64_t *set, uint64_t member) {
    for (uint32_t i = 0; i < pair->workers; i++)
        if ((set[i / 64] >> i % 64 & 1) == member)
            pair->scheme->hear(pair->slow, &(struct message){.worker = i, .step = pair->round});
}

/* Tasks are as long as the scheme gives them. */
static void give_tasks(struct pair *pair) {
    double evaluations[64 * ((MOST_WORKERS + 63) / 64)];
    pair->scheme->sets->evaluations(pair->fast, evaluations);
    for (uint32_t i = 0; i < pair->workers; i++) {
        struct task task;
        pair->scheme->assign(pair->slow, i, pair->round, &task);
        cr_assert(evaluations[i] == task.evaluations, "%s, round %u, worker %u: %g, not %u", pair->values,
                  pair->round, i, evaluations[i], task.evaluations);
    }
}

/* What an update is made of has every gradient: all partitions where messages are of several, else as many of everybody. */
static void check_parcels(struct pair *pair) {
    struct parcel parcel[2 * MOST_PARTS];
    size_t parcels = pair->scheme->sets->parcels(pair->fast, parcel);
    bool had[MOST_WORKERS] = {false};
    uint32_t alone = 0, missing = 0;
    cr_assert(parcels <= 2 * pair->parts);
    for (size_t q = 0; q < parcels; q++) {
        const uint32_t many = parcel[q].evaluations;
        cr_assert(parcel[q].round <= pair->round);
        alone += many == 1 ? set_count(parcel[q].workers, pair->words) : 0;
        for (uint32_t p = 0; !parcel[q].rest && p < pair->workers; p++)
            had[p] = false;
        for (uint32_t i = 0; i < pair->workers; i++)
            for (uint32_t l = 0; set_has(parcel[q].workers, i) && l < many; l++)
                had[(i + l) % pair->workers] = true;
        bool all = q + 1 == parcels || !parcel[q + 1].rest;
        for (uint32_t p = 0; many > 1 && all && p < pair->workers; p++)
            missing += !had[p];
    }
    cr_assert(eq(u32, missing, 0), "%s, round %u", pair->values, pair->round);
    cr_assert(eq(u32, alone % pair->workers, 0), "%s, round %u", pair->values, pair->round);
}

static void play_round(struct pair *pair, struct draw *draw) {
    const struct scheme *scheme = pair->scheme;
    uint64_t missing[(MOST_WORKERS + 63) / 64], nobody[(MOST_WORKERS + 63) / 64] = {0};
    scheme->open(pair->slow, pair->round, pair->updates);
    scheme->sets->open(pair->fast, pair->round, pair->updates);
    bool idle = scheme->idle && scheme->idle(pair->slow);
    cr_assert(eq(int, scheme->sets->idle && scheme->sets->idle(pair->fast), idle), "%s", pair->values);
    if (idle)
        return;
    give_tasks(pair);
    hear(pair, stragglers_drawn(pair, draw, missing), 0);
    bool admitted = scheme->admits(pair->slow);
    cr_assert(eq(int, scheme->sets->admits(pair->fast, missing), admitted), "%s, round %u", pair->values,
              pair->round);
    if (!admitted)
        hear(pair, missing, 1);
    uint32_t updates = scheme->completions ? scheme->completions(pair->slow, NULL, 0) : 1;
    uint32_t found = scheme->sets->close(pair->fast, admitted ? missing : nobody);
    cr_assert(eq(u32, found, updates), "%s, round %u", pair->values, pair->round);
    for (uint32_t u = 0; u < updates; u++) {
        scheme->choose(pair->slow, NULL, 0, &pair->decoding);
        scheme->sets->release(pair->fast);
        check_parcels(pair);
    }
    pair->updates += updates;
}

Test(set_rules, random_stragglers, .timeout = 60) {
    for (uint32_t c = 0; c < RUNS * sizeof cases / sizeof *cases; c++) {
        size_t one = c / RUNS;
        struct arena *arena = arena_new();
        struct pair pair = {.scheme = scheme_named(cases[one].scheme),
                            .values = cases[one].values,
                            .workers = cases[one].workers,
                            .words = set_words(cases[one].workers)};
        const void *params = params_bound(arena, pair.scheme, cases[one].values);
        struct setting setting = {.shape = {pair.workers, pair.workers}, .late = LATE_CANCEL, .steps = STEPS};
        struct limits limits = pair.scheme->limits(params, &setting);
        struct draw draw = {.stream = {5, c, PURPOSE_SAMPLE}};
        pair.decoding.weight = pair.weight;
        pair.slow = pair.scheme->begin(params, &setting, (struct stream){1, 0, PURPOSE_CODE}, arena);
        pair.fast = pair.scheme->sets->begin(params, &setting, &limits, arena);
        pair.parts = limits.parts > 0 ? limits.parts : 1;
        if (pair.scheme->sets->keep)
            pair.scheme->sets->keep(pair.fast, arena);
        uint32_t rounds = pair.scheme->rounds ? pair.scheme->rounds(params, STEPS) : STEPS;
        for (; pair.round < rounds; pair.round++)
            play_round(&pair, &draw);
        cr_expect(eq(u32, pair.updates, STEPS), "%s", pair.values);
        arena_free(arena);
    }
}
