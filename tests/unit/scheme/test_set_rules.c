/* Set rules against the hooks that hear message by message: random stragglers, round by round. */
#include "rehearsal.h"
#include "sequential.h"
#include "set_rules.h"
#include "worker_set.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

enum { STEPS = 60, RUNS = 40, MOST_WORKERS = 150 };

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
    uint32_t workers, round, updates;
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

static void play_round(struct pair *pair, struct draw *draw) {
    const struct scheme *scheme = pair->scheme;
    uint64_t missing[(MOST_WORKERS + 63) / 64], nobody[(MOST_WORKERS + 63) / 64] = {0};
    struct task task;
    scheme->open(pair->slow, pair->round, pair->updates);
    scheme->sets->open(pair->fast, pair->round, pair->updates);
    bool idle = scheme->idle && scheme->idle(pair->slow);
    cr_assert(eq(int, scheme->sets->idle && scheme->sets->idle(pair->fast), idle), "%s", pair->values);
    if (idle)
        return;
    for (uint32_t i = 0; i < pair->workers; i++)
        scheme->assign(pair->slow, i, pair->round, &task);
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
        uint32_t rounds = pair.scheme->rounds ? pair.scheme->rounds(params, STEPS) : STEPS;
        for (; pair.round < rounds; pair.round++)
            play_round(&pair, &draw);
        cr_expect(eq(u32, pair.updates, STEPS), "%s", pair.values);
        arena_free(arena);
    }
}
