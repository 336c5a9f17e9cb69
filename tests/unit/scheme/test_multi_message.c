/* A message for each partition: the orders, what is used, and when all partitions were heard. */
#include "rehearsal.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

static const char *const orders[] = {"cyclic", "staircase", "random"};

static void begin(struct rehearsal *rehearsal, struct arena *arena, uint32_t workers, const char *values) {
    const void *params = params_bound(arena, scheme_named("multi-message"), values);
    cr_assert(ne(ptr, (void *)params, NULL), "%s", values);
    rehearsal_begin(rehearsal, "multi-message", params, plain_setting(workers));
}

static struct task assigned(struct rehearsal *rehearsal, uint32_t worker, uint32_t step) {
    struct task task;
    rehearsal->scheme->assign(rehearsal->state, worker, step, &task);
    return task;
}

/* n = 4, c = 3: a row per worker. The second is the paper's example, counted from 0. */
static const struct {
    const char *values;
    uint32_t partition[4][3];
} tables[] = {
    {"copies=3", {{0, 1, 2}, {1, 2, 3}, {2, 3, 0}, {3, 0, 1}}},
    {"copies=3 order=staircase", {{0, 1, 2}, {1, 0, 3}, {2, 3, 0}, {3, 2, 1}}},
};

Test(multi_message, orders_of_the_paper) {
    struct arena *arena = arena_new();
    for (size_t r = 0; r < sizeof tables / sizeof *tables; r++) {
        struct rehearsal rehearsal;
        begin(&rehearsal, arena, 4, tables[r].values);
        for (uint32_t i = 0; i < 4; i++) {
            struct task task = assigned(&rehearsal, i, 5);
            cr_expect(eq(u32, task.parts, 3), "%s", tables[r].values);
            cr_expect(eq(int, task.sending, SEND_EACH), "%s", tables[r].values);
            cr_expect(eq(int, task.delay_per, DELAY_PER_TASK), "%s", tables[r].values);
            for (uint32_t q = 0; q < 3; q++) {
                cr_expect(eq(u32, task.evaluation[q].partition, tables[r].partition[i][q]),
                          "%s, worker %u, place %u", tables[r].values, i, q);
                cr_expect(eq(u32, task.evaluation[q].version, 5), "%s", tables[r].values);
                cr_expect(eq(dbl, task.part[q].work, q + 1), "%s", tables[r].values);
                cr_expect(eq(u32, task.part[q].evaluations, 1), "%s", tables[r].values);
            }
        }
        rehearsal_end(&rehearsal);
    }
    arena_free(arena);
}

/* Every partition is at every place of a worker's window equally often: of 12 workers x 2000 steps, 1/4 of the times, with
 * a standard error sqrt(3/16 / 24000) = 0.0028 of the share. 16 shares within 5 of them: a chance of 1e-5 of a false
 * alarm. The draws are keyed, so the outcome is fixed. */
Test(multi_message, random_order_is_a_uniform_permutation_of_the_window) {
    struct arena *arena = arena_new();
    struct rehearsal rehearsal;
    uint32_t times[4][4] = {0}, steps = 2000;
    begin(&rehearsal, arena, 12, "copies=4 order=random");
    for (uint32_t step = 0; step < steps; step++)
        for (uint32_t i = 0; i < 12; i++) {
            struct task task = assigned(&rehearsal, i, step);
            uint32_t seen = 0;
            for (uint32_t q = 0; q < 4; q++) {
                uint32_t position = (task.evaluation[q].partition + 12 - i) % 12;
                cr_assert(lt(u32, position, 4), "worker %u, step %u", i, step);
                seen |= 1u << position;
                times[position][q]++;
            }
            cr_assert(eq(u32, seen, 0xf), "worker %u, step %u", i, step);
        }
    for (uint32_t position = 0; position < 4; position++)
        for (uint32_t q = 0; q < 4; q++)
            cr_expect(epsilon_eq(dbl, times[position][q] / (12.0 * steps), 0.25, 0.014),
                      "position %u, place %u", position, q);
    rehearsal_end(&rehearsal);
    arena_free(arena);
}

Test(multi_message, random_order_depends_on_worker_and_step_alone) {
    struct arena *arena = arena_new();
    struct rehearsal rehearsal;
    struct evaluation first[8];
    bool moved = false;
    begin(&rehearsal, arena, 8, "copies=8 order=random");
    memcpy(first, assigned(&rehearsal, 3, 7).evaluation, sizeof first);
    for (uint32_t step = 0; step < 7; step++)
        moved |= memcmp(first, assigned(&rehearsal, 3, step).evaluation, sizeof first) != 0;
    cr_expect(moved, "8 shuffles all came out alike");
    const struct evaluation *again = assigned(&rehearsal, 3, 7).evaluation;
    for (uint32_t q = 0; q < 8; q++)
        cr_expect(eq(u32, again[q].partition, first[q].partition), "place %u", q);
    rehearsal_end(&rehearsal);
    arena_free(arena);
}

/* Marks by brute force: of the messages that hold the partition, the earliest and of those the lower worker's. */
static uint32_t earliest_holder(const struct rehearsal *rehearsal, uint32_t partition) {
    uint32_t best = rehearsal->messages;
    for (uint32_t m = rehearsal->messages; m-- > 0;) {
        size_t terms;
        const struct term *term = rehearsed_terms(rehearsal, &rehearsal->message[m], &terms);
        if (term->partition == partition &&
            (best == rehearsal->messages ||
             rehearsal->message[m].arrived_s <= rehearsal->message[best].arrived_s))
            best = m;
    }
    return best;
}

static void check_used(const struct rehearsal *rehearsal, const char *values, uint32_t round) {
    uint32_t workers = rehearsal->setting.shape.workers, covered = 0;
    double scale[64] = {0};
    for (uint32_t p = 0; p < workers; p++) {
        uint32_t m = earliest_holder(rehearsal, p);
        covered += m < rehearsal->messages;
        if (m < rehearsal->messages)
            scale[m] = 1;
    }
    const struct decoding *decoding = &rehearsal->decoding;
    cr_assert(eq(u32, decoding->recovered, covered), "%s, round %u", values, round);
    cr_assert(eq(int, decoding->claim == EXACT, covered == workers), "%s, round %u", values, round);
    cr_assert(eq(int, rehearsal->scheme->decodable(rehearsal->state), covered == workers), "%s, round %u",
              values, round);
    cr_assert(eq(int, rehearsal->scheme->admits(rehearsal->state), covered == workers), "%s, round %u",
              values, round);
    for (uint32_t m = 0; m < rehearsal->messages; m++)
        cr_assert(eq(dbl, decoding->weight[m], scale[m] * ((double)workers / covered)),
                  "%s, round %u, message %u", values, round, m);
}

/* Every worker has sent its first 0 … c messages, at times of a few values so that ties are met. */
static void rehearse_prefixes(struct rehearsal *rehearsal, uint32_t prefixes, uint32_t round) {
    double arrived_s[64];
    uint32_t parts = rehearsal->parts;
    struct draw draw = {.stream = {1, 0, PURPOSE_DELAY}, .step = round};
    for (uint32_t i = 0; i < rehearsal->setting.shape.workers; i++, prefixes /= parts + 1) {
        double at_s = draw_index(&draw, 3);
        for (uint32_t q = 0; q < parts; q++)
            arrived_s[i * parts + q] = q < prefixes % (parts + 1) ? at_s + q : INFINITY;
    }
    rehearse(rehearsal, round, arrived_s);
}

Test(multi_message, first_of_each_partition_for_all_prefixes, .timeout = 120) {
    struct arena *arena = arena_new();
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++)
        for (uint32_t workers = 3; workers <= 5; workers++) {
            struct rehearsal rehearsal;
            const char *values = arena_format(arena, "copies=3 order=%s", orders[o]);
            begin(&rehearsal, arena, workers, values);
            for (uint32_t prefixes = 1; prefixes < 1u << 2 * workers; prefixes++) {
                rehearse_prefixes(&rehearsal, prefixes, prefixes);
                check_used(&rehearsal, values, prefixes);
            }
            rehearsal_end(&rehearsal);
        }
    arena_free(arena);
}

static void swap(uint32_t *a, uint32_t *b) {
    uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

/* The next arrangement of `count` numbers in lexicographic order; false after the last. */
static bool permute(uint32_t *number, uint32_t count) {
    uint32_t tail = count - 1, larger = count - 1;
    while (tail > 0 && number[tail - 1] >= number[tail])
        tail--;
    if (tail == 0)
        return false;
    while (number[larger] <= number[tail - 1])
        larger--;
    swap(&number[tail - 1], &number[larger]);
    for (uint32_t end = count - 1; tail < end; tail++, end--)
        swap(&number[tail], &number[end]);
    return true;
}

/* Delays of which a step's messages are sums with whole seconds of work; the step closes with the `results`-th worker that
 * has sent all. */
static void rehearse_delays(struct rehearsal *rehearsal, const uint32_t *rank, uint32_t results) {
    static const double delay_s[] = {0.1, 0.45, 1.7, 2.05, 4.3, 7.2};
    double arrived_s[64], close_s = delay_s[results - 1] + rehearsal->parts;
    for (uint32_t i = 0; i < rehearsal->setting.shape.workers; i++)
        for (uint32_t q = 0; q < rehearsal->parts; q++) {
            double at_s = delay_s[rank[i]] + q + 1;
            arrived_s[i * rehearsal->parts + q] = at_s <= close_s ? at_s : INFINITY;
        }
    rehearse(rehearsal, 0, arrived_s);
}

/* When each assignment of delays to workers is as likely, every partition weighs 1 in the mean: turning the ring by one
 * worker (by two under staircase, which a reflection joins) maps the placement on itself. 720 sums of a few weights round
 * to far below 1e-12. */
static const struct {
    const char *values;
    uint32_t results;
} means[] = {{"copies=2", 1},
             {"copies=2", 3},
             {"copies=3", 2},
             {"copies=2 order=staircase", 1},
             {"copies=3 order=staircase", 1},
             {"copies=3 order=staircase", 2}};

Test(multi_message, unbiased_when_a_count_closes_the_step) {
    struct arena *arena = arena_new();
    for (size_t r = 0; r < sizeof means / sizeof *means; r++) {
        struct rehearsal rehearsal;
        uint32_t rank[] = {0, 1, 2, 3, 4, 5}, arrangements = 0, inexact = 0;
        double sum[6] = {0};
        begin(&rehearsal, arena, 6, means[r].values);
        do {
            rehearse_delays(&rehearsal, rank, means[r].results);
            for (uint32_t p = 0; p < 6; p++)
                sum[p] += estimate_coefficient(&rehearsal, p);
            inexact += rehearsal.decoding.claim == INEXACT;
            arrangements++;
        } while (permute(rank, 6));
        cr_expect(eq(u32, arrangements, 720));
        cr_expect(lt(u32, 0, inexact), "%s, %u results: every step was exact", means[r].values,
                  means[r].results);
        for (uint32_t p = 0; p < 6; p++)
            cr_expect(epsilon_eq(dbl, sum[p] / arrangements, 1, 1e-12), "%s, %u results, partition %u",
                      means[r].values, means[r].results, p);
        rehearsal_end(&rehearsal);
    }
    arena_free(arena);
}

static const struct {
    const char *values;
    uint32_t workers, partitions;
    const char *why; /* "": accepted */
} refusals[] = {
    {"copies=12", 12, 12, ""},
    {"copies=13", 12, 12, "copies = 13 must be at most workers = 12"},
    {"copies=2", 12, 6, "partitions = 6 must equal workers = 12"},
    {"copies=200000", 1000000, 1000000,
     "200000 partitions on each of workers = 1000000 are more than the 100000000 in all that fit in memory"},
};

Test(multi_message, refuses_what_does_not_fit) {
    struct arena *arena = arena_new();
    const struct scheme *scheme = scheme_named("multi-message");
    for (size_t r = 0; r < sizeof refusals / sizeof *refusals; r++) {
        struct sentence why = {""};
        bool refused = scheme->refuses(params_bound(arena, scheme, refusals[r].values),
                                       (struct shape){refusals[r].workers, refusals[r].partitions}, &why);
        cr_expect(eq(int, refused, refusals[r].why[0] != '\0'), "%s", refusals[r].values);
        cr_expect(eq(str, why.text, (char *)refusals[r].why), "%s", refusals[r].values);
    }
    arena_free(arena);
}
