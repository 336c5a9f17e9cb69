/* The approximate codes against enumeration: means over all sets of results, or over draws of the matrix. */
#include "linear_code.h"
#include "rehearsal.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

/* Parameters as a scenario would give them, bound. */
struct cast {
    struct arena *arena;
    struct rehearsal rehearsal;
};

static void cast_begin(struct cast *cast, const char *scheme, uint32_t workers, const char *values) {
    cast->arena = arena_new();
    void *params = params_bound(cast->arena, scheme_named(scheme), values);
    cr_assert(params != NULL, "%s %s is refused", scheme, values);
    struct setting setting = plain_setting(workers);
    struct picked picked = {&scheme_named(scheme)->head, params};
    setting.shape.partitions = scheme_partitions(&picked, workers);
    rehearsal_begin(&cast->rehearsal, scheme, params, setting);
}

static void cast_end(struct cast *cast) {
    rehearsal_end(&cast->rehearsal);
    arena_free(cast->arena);
}

static uint32_t bits(uint64_t mask) {
    return (uint32_t)__builtin_popcountll(mask);
}

/* Numbers from one file: sums of some thousands of terms of size 1, so an error below 1e-12. */
#define ROUNDING 1e-12

/* sgc: every set of results has its probability; the set of nobody gives 0. */
static const struct {
    uint32_t workers;
    const char *values;
    double p;
} sgc_rows[] = {{5, "stragglers=0 replication=2 p=0.3", 0.3},
                {7, "stragglers=2 replication=3 p=0.75", 0.75},
                {8, "stragglers=2 replication=3", 0.25},
                {4, "stragglers=1 replication=1 p=0.5", 0.5},
                {6, "stragglers=1 replication=6 p=0", 0}};

Test(sgc, unbiased_when_workers_straggle_independently) {
    for (size_t r = 0; r < sizeof sgc_rows / sizeof *sgc_rows; r++) {
        uint32_t workers = sgc_rows[r].workers;
        double mean[16] = {0}, p = sgc_rows[r].p;
        struct cast cast;
        cast_begin(&cast, "sgc", workers, sgc_rows[r].values);
        for (uint64_t mask = 1; mask < 1ULL << workers; mask++) {
            rehearse_mask(&cast.rehearsal, (uint32_t)mask, mask);
            double chance = pow(p, workers - bits(mask)) * pow(1 - p, bits(mask));
            for (uint32_t q = 0; q < workers; q++)
                mean[q] += chance * estimate_coefficient(&cast.rehearsal, q);
        }
        for (uint32_t q = 0; q < workers; q++)
            cr_expect(epsilon_eq(dbl, mean[q], 1, ROUNDING), "n = %u, %s: partition %u", workers,
                      sgc_rows[r].values, q);
        cast_end(&cast);
    }
}

/* The mean coefficient of each partition over all sets of `results` workers, and of what they recover. */
static double mean_over_sets(struct cast *cast, uint32_t results, double *mean) {
    uint32_t workers = cast->rehearsal.setting.shape.workers;
    uint32_t partitions = cast->rehearsal.setting.shape.partitions, sets = 0;
    double recovered = 0;
    for (uint32_t p = 0; p < partitions; p++)
        mean[p] = 0;
    for (uint64_t mask = 1; mask < 1ULL << workers; mask++) {
        if (bits(mask) != results)
            continue;
        rehearse_mask(&cast->rehearsal, sets++, mask);
        recovered += cast->rehearsal.decoding.recovered;
        for (uint32_t p = 0; p < partitions; p++)
            mean[p] += estimate_coefficient(&cast->rehearsal, p);
    }
    for (uint32_t p = 0; p < partitions; p++)
        mean[p] /= sets;
    return recovered / sets;
}

/* Unbiased over uniform sets of results: sgc's default p = s / n among n - s results, and decoders that divide by column
 * sums which are all alike. */
static const struct {
    const char *scheme;
    uint32_t workers;
    const char *values;
    uint32_t results;
    double mean;
} uniform_rows[] = {
    {"sgc", 9, "stragglers=3 replication=3", 6, 1},
    {"erasurehead", 12, "copies=2 results=4", 4, 1 - 210.0 / 495}, /* 1 - C(10, 4) / C(12, 4) */
    {"erasurehead", 12, "copies=2 results=6", 6, 1 - 210.0 / 924}, /* 1 - C(10, 6) / C(12, 6) */
    {"erasurehead", 12, "copies=2 results=8", 8, 1 - 45.0 / 495},  /* 1 - C(10, 8) / C(12, 8) */
    {"erasurehead", 6, "copies=3 results=2", 2, 1 - 3.0 / 15},     /* 1 - C(3, 2) / C(6, 2) */
    {"bibd", 7, "stragglers=2 blocks=scenarios/data/fano-plane.csv", 5, 3 * 5.0 / 7 / (1 + 2 * 4 / 6.0)},
    {"bibd", 12, "stragglers=3 blocks=scenarios/data/affine-plane-3.csv", 9,
     4 * 9 / 12.0 / (1 + 3 * 8 / 11.0)},
    {"bibd", 10, "stragglers=3 blocks=scenarios/data/pairs-of-six.csv", 10, 1},
    {"code", 7, "stragglers=2 matrix=tests/unit/scheme/fano.csv decoder=one-step", 4, 1},
    {"code", 7, "stragglers=2 matrix=tests/unit/scheme/fano.csv decoder=constant", 5, 1},
    {"code", 7, "stragglers=2 matrix=tests/unit/scheme/fano.csv decoder=constant", 4, 0.8},
};

Test(approximate, mean_over_uniform_sets_of_results, .timeout = 120) {
    for (size_t r = 0; r < sizeof uniform_rows / sizeof *uniform_rows; r++) {
        double mean[16];
        struct cast cast;
        cast_begin(&cast, uniform_rows[r].scheme, uniform_rows[r].workers, uniform_rows[r].values);
        mean_over_sets(&cast, uniform_rows[r].results, mean);
        for (uint32_t p = 0; p < cast.rehearsal.setting.shape.partitions; p++)
            cr_expect(epsilon_eq(dbl, mean[p], uniform_rows[r].mean, ROUNDING), "%s %s: partition %u",
                      uniform_rows[r].scheme, uniform_rows[r].values, p);
        cast_end(&cast);
    }
}

/* Known to six decimals. */
Test(erasurehead, mean_recovered_of_twelve) {
    static const struct {
        const char *values;
        uint32_t results;
        double recovered;
    } rows[] = {{"copies=2 results=4", 4, 6.909091},
                {"copies=2 results=6", 6, 9.272727},
                {"copies=2 results=8", 8, 10.909091}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        double mean[16];
        struct cast cast;
        cast_begin(&cast, "erasurehead", 12, rows[r].values);
        cr_expect(epsilon_eq(dbl, mean_over_sets(&cast, rows[r].results, mean), rows[r].recovered, 5e-7),
                  "%s", rows[r].values);
        cast_end(&cast);
    }
}

/* Of all weights that are the same for every set of r results, bibd's has the least squared error summed over the sets:
 * the quotient of the sums of (1 B_R) and of (1 B_R)^2. */
static const struct {
    uint32_t workers;
    const char *values;
} designs[] = {{7, "stragglers=2 blocks=scenarios/data/fano-plane.csv"},
               {10, "stragglers=3 blocks=scenarios/data/pairs-of-six.csv"},
               {12, "stragglers=4 blocks=scenarios/data/affine-plane-3.csv"}};

static void check_equal_weight(struct cast *cast, uint32_t results, const char *values) {
    uint32_t workers = cast->rehearsal.setting.shape.workers, step = 0;
    double sum = 0, squares = 0, weight = 0;
    for (uint64_t mask = 1; mask < 1ULL << workers; mask++) {
        if (bits(mask) != results)
            continue;
        rehearse_mask(&cast->rehearsal, step++, mask);
        weight = cast->rehearsal.decoding.weight[0];
        for (uint32_t p = 0; p < cast->rehearsal.setting.shape.partitions; p++) {
            double heard = estimate_coefficient(&cast->rehearsal, p) / weight;
            sum += heard;
            squares += heard * heard;
        }
    }
    cr_expect(epsilon_eq(dbl, weight, sum / squares, ROUNDING), "%s, %u results", values, results);
}

Test(bibd, weight_has_least_mean_squared_error) {
    for (size_t d = 0; d < sizeof designs / sizeof *designs; d++) {
        struct cast cast;
        cast_begin(&cast, "bibd", designs[d].workers, designs[d].values);
        for (uint32_t results = 1; results <= designs[d].workers; results++)
            check_equal_weight(&cast, results, designs[d].values);
        cast_end(&cast);
    }
}

/* bgc is drawn entry by entry: over many seeds an entry is 1 with probability d / n, and two entries of a row or of a
 * column are 1 together with its square. The estimate is linear in B, so this makes it unbiased. Five standard errors
 * each way: of the 6 + 36 + 36 comparisons of a row one fails by chance once in 20,000 sets of seeds, and these are
 * fixed. */
#define SEEDS 4000
static const struct {
    uint32_t workers;
    const char *values;
    double chance;
} bernoulli_rows[] = {{6, "stragglers=1 density=1.5", 0.25},
                      {6, "stragglers=1 density=4.5", 0.75},
                      {6, "stragglers=1 density=6", 1}};

static void draw_matrix(uint32_t workers, const void *params, uint64_t seed, bool matrix[6][6]) {
    struct arena *arena = arena_new();
    struct setting setting = plain_setting(workers);
    const struct scheme *bgc = scheme_named("bgc");
    struct listed *listed = bgc->begin(params, &setting, (struct stream){seed, 5, PURPOSE_CODE}, arena);
    for (uint32_t i = 0; i < workers; i++) {
        for (uint32_t p = 0; p < workers; p++)
            matrix[i][p] = false;
        for (size_t e = listed->listing->first[i]; e < listed->listing->first[i + 1]; e++)
            matrix[i][listed->listing->partition[e]] = true;
    }
    arena_free(arena);
}

static bool near_chance(double hits, double chance) {
    return fabs(hits / SEEDS - chance) <= 5 * sqrt(chance * (1 - chance) / SEEDS) + ROUNDING;
}

Test(bgc, entries_are_drawn_independently, .timeout = 120) {
    for (size_t r = 0; r < sizeof bernoulli_rows / sizeof *bernoulli_rows; r++) {
        struct arena *arena = arena_new();
        double single[6][6] = {{0}}, row[6][6] = {{0}}, column[6][6] = {{0}};
        double chance = bernoulli_rows[r].chance;
        const void *params = params_bound(arena, scheme_named("bgc"), bernoulli_rows[r].values);
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            bool matrix[6][6];
            draw_matrix(6, params, seed, matrix);
            for (uint32_t i = 0; i < 6; i++)
                for (uint32_t p = 0; p < 6; p++) {
                    single[i][p] += matrix[i][p];
                    row[i][p] += matrix[i][p] && matrix[i][(p + 1) % 6];
                    column[i][p] += matrix[i][p] && matrix[(i + 1) % 6][p];
                }
        }
        for (uint32_t i = 0; i < 6; i++)
            for (uint32_t p = 0; p < 6; p++) {
                cr_expect(near_chance(single[i][p], chance), "%s: entry %u, %u", bernoulli_rows[r].values, i,
                          p);
                cr_expect(near_chance(row[i][p], chance * chance), "%s: row %u from %u",
                          bernoulli_rows[r].values, i, p);
                cr_expect(near_chance(column[i][p], chance * chance), "%s: column %u from %u",
                          bernoulli_rows[r].values, p, i);
            }
        arena_free(arena);
    }
}

Test(bgc, matrix_is_the_same_in_every_replication) {
    struct arena *arena = arena_new();
    struct setting setting = plain_setting(40);
    const struct scheme *bgc = scheme_named("bgc");
    const void *params = params_bound(arena, bgc, "stragglers=1 density=3");
    struct listed *one = bgc->begin(params, &setting, (struct stream){9, 0, PURPOSE_CODE}, arena);
    struct listed *other = bgc->begin(params, &setting, (struct stream){9, 1, PURPOSE_CODE}, arena);
    struct listed *reseeded = bgc->begin(params, &setting, (struct stream){10, 0, PURPOSE_CODE}, arena);
    uint32_t changed = 0;
    for (uint32_t i = 0; i < 40; i++) {
        cr_assert(eq(sz, one->listing->first[i + 1], other->listing->first[i + 1]), "worker %u", i);
        changed += one->listing->first[i + 1] != reseeded->listing->first[i + 1];
    }
    for (size_t e = 0; e < one->listing->first[40]; e++)
        cr_assert(eq(u32, one->listing->partition[e], other->listing->partition[e]), "entry %zu", e);
    cr_expect(lt(u32, 0, changed));
    arena_free(arena);
}

/* |R| counts all that were heard; those that hold nothing are heard and not used. */
Test(bgc, one_step_divides_by_results_and_density) {
    struct cast cast;
    cast_begin(&cast, "bgc", 12, "stragglers=3 density=1.5");
    uint32_t idle = 0;
    for (uint32_t results = 1; results <= 12; results++) {
        rehearse_mask(&cast.rehearsal, results, (1ULL << results) - 1);
        for (uint32_t m = 0; m < results; m++) {
            size_t terms;
            rehearsed_terms(&cast.rehearsal, &cast.rehearsal.message[m], &terms);
            idle += terms == 0;
            cr_expect(epsilon_eq(dbl, cast.rehearsal.decoding.weight[m], terms ? 12 / (results * 1.5) : 0,
                                 ROUNDING),
                      "%u results, message %u", results, m);
        }
    }
    cr_expect(lt(u32, 0, idle), "nobody holds nothing: the case was not met");
    cast_end(&cast);
}
