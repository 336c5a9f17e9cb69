/* When a comparison counts as settled, against intervals worked out by hand. */
#include "digest.h"
#include "planned.h"
#include "tally.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

#define RUNS 4
/* t of 0.975 with 3 degrees of freedom. */
#define T3 3.182446305284263

struct settling {
    const char *name, *more;
    double first[RUNS], second[RUNS]; /* what is compared by */
    double
        half_width; /* at which it is settled, as a share of the first's mean; NAN: at any; INFINITY: at none */
};
/* Differences of 1, -1, 1, -1 have the deviation sqrt(4/3), so a half width of T3 sqrt(4/3) / 2. */
#define HALF (T3 * 1.1547005383792515 / 2)
static const struct settling settlings[] = {
    {"steps", "replications: 4", {10, 10, 10, 10}, {11, 9, 11, 9}, HALF / 10},
    {"paired: what both have in common does not count",
     "replications: 4",
     {5, 15, 8, 12},
     {6, 14, 9, 11},
     HALF / 10},
    {"all differences equal", "replications: 4", {5, 15, 8, 12}, {6, 16, 9, 13}, (double)NAN},
    {"a scheme that never reaches the target",
     "replications: 4",
     {10, 10, 10, 10},
     {(double)NAN, (double)NAN, (double)NAN, (double)NAN},
     (double)NAN},
    {"one pair tells no spread",
     "replications: 4",
     {10, 10, 10, 10},
     {(double)NAN, 11, (double)NAN, (double)NAN},
     (double)INFINITY},
};

static void note_all(struct tally *tally, const struct settling *settling) {
    for (uint32_t c = 0; c < 2; c++)
        for (uint32_t r = 0; r < RUNS; r++) {
            struct digest digest = {.run = {c, r}};
            for (size_t x = 0; x < MEASURES; x++)
                digest.measure[x] = 1e6 * r * c; /* nothing else is looked at */
            digest.measure[MEASURE_STEP_MEAN] = (c == 0 ? settling->first : settling->second)[r];
            tally_note(tally, &digest);
        }
}

Test(tally, settled_by_the_paired_difference) {
    for (size_t s = 0; s < sizeof settlings / sizeof *settlings; s++) {
        struct plan plan;
        double half = settlings[s].half_width;
        plan_init(&plan, settlings[s].more);
        struct tally *tally = tally_new(&plan);
        note_all(tally, &settlings[s]);
        cr_expect(eq(int, tally_settled(tally, isfinite(half) ? half * 1.000001 : 1e-9), !isinf(half)), "%s",
                  settlings[s].name);
        cr_expect(eq(int, tally_settled(tally, isfinite(half) ? half * 0.999999 : 1), isnan(half)), "%s",
                  settlings[s].name);
        tally_free(tally);
        plan_fini(&plan);
    }
}

/* A point's runs are let go with the next, what they made stays. */
Test(tally, keeps_summaries_of_earlier_points) {
    struct plan plan;
    plan_init(&plan, "replications: 2, sweep: {seed: [1, 2]}");
    struct tally *tally = tally_new(&plan);
    for (uint32_t c = 0; c < 3; c++) /* the last contest is not noted, as in a shard */
        for (uint32_t r = 0; r < 2; r++) {
            struct digest digest = {.run = {c, r}};
            for (size_t x = 0; x < MEASURES; x++)
                digest.measure[x] = 10 * c + r;
            tally_note(tally, &digest);
        }
    const struct summary *summary = tally_summaries(tally);
    for (size_t c = 0; c < 3; c++) {
        cr_expect(eq(dbl, summary[c].measure[MEASURE_TIME].mean, 10.0 * c + 0.5), "contest %zu", c);
        cr_expect(eq(dbl, summary[c].difference[MEASURE_STEPS].mean, c == 1 ? 10 : 0), "contest %zu", c);
        cr_expect(eq(u32, summary[c].runs, 2));
    }
    cr_expect(eq(u32, summary[3].runs, 0));
    cr_expect(isnan(summary[3].measure[MEASURE_TIME].mean));
    tally_free(tally);
    plan_fini(&plan);
}
