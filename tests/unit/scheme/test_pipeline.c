/* Pipelined codes: what workers evaluate, store and send, by hand; n = 6, c = 3. */
#include "rehearsal.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

static const struct code_params params = {.stragglers = 2};

/* What a worker's message holds after its tasks of the listed steps: batch and version by ascending partition. */
static const struct {
    const char *name, *scheme;
    uint32_t worker;
    uint32_t steps[6]; /* ended by 99 */
    struct {
        uint32_t partition, batch, version;
    } term[3];
} rows[] = {
    {"one step", "pgc-fr", 1, {0, 99}, {{0, 1, 0}, {1, 0, 0}, {2, 0, 0}}},
    {"two steps", "pgc-fr", 4, {0, 1, 99}, {{3, 1, 0}, {4, 1, 1}, {5, 0, 0}}},
    {"a round and one", "pgc-fr", 0, {0, 1, 2, 3, 99}, {{0, 2, 3}, {1, 1, 1}, {2, 1, 2}}},
    {"cyclic", "pgc-cr", 1, {0, 1, 2, 99}, {{1, 1, 0}, {2, 1, 1}, {3, 1, 2}}},
    {"cyclic, round the end", "pgc-cr", 5, {0, 1, 2, 99}, {{0, 1, 1}, {1, 1, 2}, {5, 1, 0}}},
    {"cyclic, round the end, on", "pgc-cr", 4, {0, 1, 2, 3, 4, 99}, {{0, 1, 2}, {4, 2, 3}, {5, 2, 4}}},
    {"steps that never happened", "pgc-cr", 0, {0, 7, 99}, {{0, 1, 0}, {1, 3, 7}, {2, 0, 0}}},
    {"a position evaluated for ever", "pgc-cr", 0, {0, 3, 6, 99}, {{0, 3, 6}, {1, 0, 0}, {2, 0, 0}}},
    {"naive", "pgc-cr-naive", 2, {0, 1, 99}, {{2, 1, 0}, {3, 1, 1}, {4, 0, 0}}},
};

/* The terms of the worker's last message. */
static const struct term *part_of(const struct rehearsal *rehearsal, uint32_t worker) {
    size_t terms;
    return rehearsed_terms(rehearsal, &(struct message){.worker = worker}, &terms);
}

static void check_row(size_t r, bool batches) {
    struct rehearsal rehearsal;
    struct setting setting = plain_setting(6);
    struct term kept[3];
    setting.batches = batches;
    rehearsal_begin(&rehearsal, rows[r].scheme, &params, setting);
    for (size_t t = 0; rows[r].steps[t] != 99; t++)
        rehearse_task(&rehearsal, rows[r].worker, rows[r].steps[t]);
    const struct term *term = part_of(&rehearsal, rows[r].worker);
    cr_assert(eq(sz, rehearsal.scheme->kept(rehearsal.state, rows[r].worker, kept), 3), "%s", rows[r].name);
    for (size_t e = 0; e < 3; e++) {
        cr_expect(eq(u32, term[e].partition, rows[r].term[e].partition), "%s, term %zu", rows[r].name, e);
        cr_expect(eq(u32, term[e].batch, batches ? rows[r].term[e].batch : 0), "%s, term %zu", rows[r].name,
                  e);
        cr_expect(eq(u32, term[e].version, rows[r].term[e].version), "%s, term %zu", rows[r].name, e);
        cr_expect(eq(u32, kept[e].version, term[e].version), "%s, term %zu", rows[r].name, e);
        cr_expect(eq(u32, kept[e].batch, term[e].batch), "%s, term %zu", rows[r].name, e);
    }
    rehearsal_end(&rehearsal);
}

Test(pipeline, messages_hold_the_latest_of_each_partition) {
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        check_row(r, true);
        check_row(r, false);
    }
}

Test(pipeline, every_worker_starts_with_the_warm_up) {
    struct rehearsal rehearsal;
    struct term kept[3];
    rehearsal_begin(&rehearsal, "pgc-cr", &params, plain_setting(6));
    cr_assert(eq(sz, rehearsal.scheme->kept(rehearsal.state, 5, kept), 3));
    for (uint32_t e = 0; e < 3; e++) {
        cr_expect(eq(u32, kept[e].version, 0));
        cr_expect(eq(u32, kept[e].batch, 0));
    }
    rehearsal_end(&rehearsal);
}

/* A bound on the age of what is used holds only where no evaluation is ever lost. */
static const struct {
    const char *name;
    enum late_rule late;
    bool skips;
    uint32_t span;
} spans[] = {{"queue", LATE_QUEUE, false, 3},
             {"queue with gaps", LATE_QUEUE, true, 0},
             {"latest", LATE_LATEST, false, 0},
             {"cancel", LATE_CANCEL, false, 0}};

Test(pipeline, limits) {
    for (size_t r = 0; r < sizeof spans / sizeof *spans; r++) {
        struct setting setting = {.shape = {6, 6}, .late = spans[r].late, .skips = spans[r].skips};
        struct code_params timed = {.stragglers = 2, .warmup = WARMUP_TIMED};
        struct limits limits = scheme_named("pgc-cr")->limits(&timed, &setting);
        cr_expect(eq(u32, limits.span, spans[r].span), "%s", spans[r].name);
        cr_expect(eq(u32, limits.kept, 3), "%s", spans[r].name);
        cr_expect(eq(dbl, limits.warmup_work, 3), "%s", spans[r].name);
        cr_expect(limits.warmup_timed, "%s", spans[r].name);
        cr_expect(not(scheme_named("pgc-cr")->limits(&params, &setting).warmup_timed), "%s", spans[r].name);
    }
}

/* Responders as bits, then the weight of each partition in the estimate, whatever its version. */
static const struct {
    const char *name, *scheme;
    uint64_t heard;
    double coefficient[6];
    uint32_t recovered;
} estimates[] = {
    {"a group's first", "pgc-fr", 0x1e, {1, 1, 1, 1, 1, 1}, 6},
    {"all heard", "pgc-cr", 0x3f, {1, 1, 1, 1, 1, 1}, 6},
    {"two opposite", "pgc-cr", 0x09, {1, 1, 1, 1, 1, 1}, 6},
    {"two that overlap", "pgc-cr", 0x03, {1, 2, 2, 1, 0, 0}, 4},
    {"four", "pgc-cr", 0x0f, {.5, 1, 1.5, 1.5, 1, .5}, 6},
    {"one round the end", "pgc-cr", 0x20, {2, 2, 0, 0, 0, 2}, 3},
};

Test(pipeline, weights) {
    for (size_t r = 0; r < sizeof estimates / sizeof *estimates; r++) {
        struct rehearsal rehearsal;
        rehearsal_begin(&rehearsal, estimates[r].scheme, &params, plain_setting(6));
        rehearse_mask(&rehearsal, 4, estimates[r].heard);
        /* Thirds and quarters are rounded once each, in sums of at most three. */
        for (uint32_t p = 0; p < 6; p++)
            cr_expect(
                epsilon_eq(dbl, estimate_coefficient(&rehearsal, p), estimates[r].coefficient[p], 1e-15),
                "%s, partition %u", estimates[r].name, p);
        cr_expect(eq(u32, rehearsal.decoding.recovered, estimates[r].recovered), "%s", estimates[r].name);
        cr_expect(eq(int, rehearsal.decoding.claim, INEXACT), "%s", estimates[r].name);
        cr_expect(isnan(rehearsal.decoding.residual), "%s", estimates[r].name);
        rehearsal_end(&rehearsal);
    }
}

/* With c = 1 nothing is ever stale. */
static const struct {
    const char *scheme;
    uint64_t heard;
    enum claim claim;
} singles[] = {{"pgc-fr", 0x3f, EXACT},
               {"pgc-cr", 0x3f, EXACT},
               {"pgc-cr", 0x1f, INEXACT},
               {"pgc-cr-naive", 0x3f, EXACT}};

Test(pipeline, is_exact_only_without_copies) {
    for (size_t r = 0; r < sizeof singles / sizeof *singles; r++) {
        struct rehearsal rehearsal;
        rehearsal_begin(&rehearsal, singles[r].scheme, &(struct code_params){.stragglers = 0},
                        plain_setting(6));
        rehearse_mask(&rehearsal, 3, singles[r].heard);
        cr_expect(eq(int, rehearsal.decoding.claim, singles[r].claim), "%s, heard %#lx", singles[r].scheme,
                  (unsigned long)singles[r].heard);
        rehearsal_end(&rehearsal);
    }
}

/* pgc-cr-naive's coefficients are gc-cr's, so with equal versions it would decode. */
Test(pipeline, naive_carries_the_code_of_gc_cr) {
    struct rehearsal naive, coded;
    rehearsal_begin(&naive, "pgc-cr-naive", &params, plain_setting(6));
    rehearsal_begin(&coded, "gc-cr", &params, plain_setting(6));
    rehearse_mask(&naive, 0, 0x2d);
    rehearse_mask(&coded, 0, 0x2d);
    for (uint32_t i = 0; i < 6; i++)
        for (uint32_t e = 0; e < 3; e++)
            cr_expect(eq(dbl, part_of(&naive, i)[e].coefficient, part_of(&coded, i)[e].coefficient),
                      "worker %u", i);
    for (uint32_t m = 0; m < 4; m++)
        cr_expect(eq(dbl, naive.decoding.weight[m], coded.decoding.weight[m]), "message %u", m);
    cr_expect(lt(dbl, naive.decoding.residual, 1e-9 * fmax(1, naive.decoding.largest_weight)));
    rehearsal_end(&naive);
    rehearsal_end(&coded);
}

/* Sequential tasks of the other schemes take the batch of their step. */
Test(pipeline, whole_tasks_take_the_batch_of_their_step) {
    for (int batches = 0; batches < 2; batches++) {
        struct rehearsal rehearsal;
        struct setting setting = plain_setting(6);
        setting.batches = batches;
        rehearsal_begin(&rehearsal, "gc-cr", &params, setting);
        rehearse_task(&rehearsal, 4, 9);
        for (uint32_t e = 0; e < 3; e++)
            cr_expect(eq(u32, part_of(&rehearsal, 4)[e].batch, batches ? 9 : 0));
        rehearsal_end(&rehearsal);
    }
}
