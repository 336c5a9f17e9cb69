/* In which order runs are written, what shards hold, and which runs are equal. */
#include "agenda.h"
#include "digest.h"
#include "planned.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

/* Runs of a shard as "contest.replication" or, where it is equal to an earlier run that is held, "=contest". */
static const char *runs_text(const struct plan *plan, struct shard shard) {
    static char text[4096];
    struct agenda *agenda = agenda_new(plan, shard);
    const struct run_list *list;
    size_t length = 0;
    text[0] = '\0';
    while ((list = agenda_next(agenda, NULL)))
        for (size_t r = 0; r < list->runs; r++) {
            struct run_id run = run_list_at(list, r), source = agenda_source(agenda, run);
            bool own = source.contest == run.contest;
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%u.%u", length > 0 ? " " : "",
                                       run.contest, run.replication);
            if (!own)
                length += (size_t)snprintf(text + length, sizeof text - length, "=%u", source.contest);
            cr_expect(eq(u32, source.replication, run.replication));
            cr_expect(own || agenda_repeats(agenda, source), "%s", text);
        }
    agenda_free(agenda);
    return text;
}

struct shard_case {
    struct shard shard;
    const char *runs;
};
/* Contests 0 and 2 are uncoded at the two points, so equal; contest 4 (the third point) equals 0 and 5 equals 1. */
#define SWEPT                                                                                                \
    "replications: 2, sweep: {\"schemes[1]\": [{type: ignore, stragglers: 1}, {type: ignore, stragglers: "   \
    "2}, "                                                                                                   \
    "{type: ignore, stragglers: 1, label: again}]}"
static const struct shard_case parts[] = {
    {{0, 1}, "0.0 0.1 1.0 1.1 2.0=0 2.1=0 3.0 3.1 4.0=0 4.1=0 5.0=1 5.1=1"},
    {{0, 2}, "0.0 0.1 1.0 1.1 2.0=0 2.1=0"},
    {{1, 2}, "3.0 3.1 4.0 4.1 5.0 5.1"},
    {{0, 5}, "0.0 0.1"},
    {{1, 5}, "1.0 1.1"},
    {{2, 5}, "2.0 2.1 3.0"},
    {{3, 5}, "3.1 4.0"},
    {{4, 5}, "4.1 5.0 5.1"},
    {{3, 4}, "4.1 5.0 5.1"},
    {{1, 3}, "2.0 2.1 3.0 3.1"},
    {{5, 24}, "1.0"}, /* more shards than runs: every other one is empty */
    {{4, 24}, ""},
};

Test(agenda, shards_are_contiguous_and_know_their_own_equals) {
    struct plan plan;
    plan_init(&plan, SWEPT);
    cr_expect(eq(sz, plan_runs(&plan), 12));
    cr_expect(eq(sz, plan_distinct_runs(&plan), 6));
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        cr_expect_str_eq(runs_text(&plan, parts[p].shard), parts[p].runs, "shard %u/%u", parts[p].shard.index,
                         parts[p].shard.count);
    plan_fini(&plan);
}

/* A shard that begins inside a contest finds the source of a later one's first replications elsewhere than of the rest. */
Test(agenda, a_source_may_be_cut) {
    struct plan plan;
    plan_init(&plan, "replications: 3, sweep: {schemes.stragglers: [1, 2, 3]}");
    cr_expect_str_eq(runs_text(&plan, (struct shard){1, 18}), "0.1");
    cr_expect_str_eq(runs_text(&plan, (struct shard){1, 2}), "3.0 3.1 3.2 4.0 4.1 4.2 5.0 5.1 5.2");
    plan_fini(&plan);
    plan_init(&plan, "replications: 3, sweep: {\"schemes[1]\": [{type: ignore, stragglers: 1}, {type: "
                     "ignore, stragglers: 2}, "
                     "{type: ignore, stragglers: 3}, {type: ignore, stragglers: 1, label: again}]}");
    /* 24 runs in 3: shard 1 holds runs 8 to 15, from contest 2's replication 2 on. */
    cr_expect_str_eq(runs_text(&plan, (struct shard){1, 3}), "2.2 3.0 3.1 3.2 4.0 4.1 4.2=2 5.0");
    plan_fini(&plan);
}

/* All shards of any number make the whole. */
Test(agenda, shards_make_the_whole) {
    struct plan plan;
    plan_init(&plan, SWEPT);
    for (uint32_t count = 1; count <= 20; count++) {
        struct agenda *whole = agenda_new(&plan, (struct shard){0, 1});
        const struct run_list *all = agenda_next(whole, NULL);
        size_t at = 0;
        cr_assert(eq(sz, all->runs, 12));
        for (uint32_t index = 0; index < count; index++) {
            struct agenda *agenda = agenda_new(&plan, (struct shard){index, count});
            size_t planned = agenda_runs(agenda);
            const struct run_list *own = agenda_next(agenda, NULL);
            size_t runs = own ? own->runs : 0;
            cr_expect(eq(sz, planned, runs));
            for (size_t r = 0; r < runs; r++, at++) {
                struct run_id run = run_list_at(all, at), same = run_list_at(own, r);
                cr_expect(eq(int, memcmp(&run, &same, sizeof run), 0), "%u shards, run %zu", count, at);
            }
            agenda_free(agenda);
        }
        cr_expect(eq(sz, at, 12));
        agenda_free(whole);
    }
    plan_fini(&plan);
}

/* Until a comparison is settled: blocks of ten for both schemes, a smaller last one. The tally is told what makes it so. */
struct deciding {
    const char *more;
    uint32_t quiet_from; /* replications before are spread, from here on all alike */
    const char *blocks;  /* replications per block */
};
static const struct deciding decidings[] = {
    {"replications: {half_width: 0.5, max: 35}", 0, "10 "},
    {"replications: {half_width: 0.1, max: 35}", 10, "10 10 10 5 "},
    {"replications: {half_width: 0.4, max: 95}", 10, "10 10 "},
    {"replications: {half_width: 0.5, max: 7}", 100, "7 "},
};

static void note(struct tally *tally, struct run_id run, uint32_t quiet_from) {
    struct digest digest = {.run = run};
    bool spread = run.contest == 1 && run.replication < quiet_from;
    for (size_t x = 0; x < MEASURES; x++)
        digest.measure[x] = 1 + (spread ? (run.replication % 2) * 1.8 : 0);
    tally_note(tally, &digest);
}

Test(agenda, goes_on_in_blocks_until_it_is_settled) {
    for (size_t d = 0; d < sizeof decidings / sizeof *decidings; d++) {
        struct plan plan;
        const struct run_list *list;
        char blocks[64] = "";
        plan_init(&plan, decidings[d].more);
        cr_expect(plan_decides(&plan));
        struct tally *tally = tally_new(&plan);
        struct agenda *agenda = agenda_new(&plan, (struct shard){0, 1});
        while ((list = agenda_next(agenda, tally))) {
            snprintf(blocks + strlen(blocks), sizeof blocks - strlen(blocks), "%zu ", list->runs / 2);
            for (size_t r = 0; r < list->runs; r++) {
                cr_expect(eq(u32, run_list_at(list, r).contest, r / (list->runs / 2)));
                note(tally, run_list_at(list, r), decidings[d].quiet_from);
            }
        }
        cr_expect_str_eq(blocks, decidings[d].blocks, "%s", decidings[d].more);
        cr_expect(eq(u32, tally_summaries(tally)[1].runs, tally_summaries(tally)[0].runs));
        agenda_free(agenda);
        tally_free(tally);
        plan_fini(&plan);
    }
}
