/* On clusters of which theory knows the best scheme (known_best.c) advice finds it for SEEDS seeds, 19 of 20 at least, by at most
 * a fifth of the runs of the full grid, and its seconds are those of theory: with data that vary with the seed and, in the long
 * form, with the same data for all. Seeds begin at 101; the environment variable FIRST_SEED says where else. */
#include "advice.h"
#include "known_best.h"
#include "scratch.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum data_kind { DATA_FIXED, DATA_VARYING };

static struct scratch scratch;
static void set_up(void) {
    scratch_init(&scratch);
}
static void tear_down(void) {
    scratch_fini(&scratch);
}
TestSuite(advice, .init = set_up, .fini = tear_down);

static struct advice *advice_of(const struct known_cluster *cluster, uint64_t seed, uint64_t data_seed,
                                unsigned threads) {
    char file[128];
    snprintf(file, sizeof file, "%s/data.csv", scratch.path);
    if (cluster->data) {
        char *csv = known_data_csv(cluster->data, data_seed);
        scratch_write_text(&scratch, "data.csv", csv);
        free(csv);
    }
    char *text = known_scenario(cluster, seed, data_seed, file);
    struct diag *diag = diag_new();
    struct advice *advice = advice_new(
        diag, &(struct advice_request){.file = "cluster", .text = text, .threads = threads, .once = true});
    diag_print(diag, stderr);
    cr_assert_not_null(advice, "%s", cluster->name);
    diag_free(diag);
    free(text);
    return advice;
}

static uint64_t first_seed(void) {
    const char *first = getenv("FIRST_SEED");
    return first ? strtoull(first, NULL, 10) : 101;
}

static void check(const struct known_cluster *cluster, enum data_kind kind) {
    const char *data = !cluster->data ? "no data" : kind == DATA_FIXED ? "data fixed" : "data varying";
    uint64_t first = first_seed();
    unsigned found = 0;
    double largest_share = 0;
    for (uint64_t seed = first; seed < first + SEEDS; seed++) {
        struct advice *advice = advice_of(cluster, seed, kind == DATA_FIXED ? 1 : seed, 2);
        double share = (double)advice->runs / (double)advice->grid_runs;
        bool right = known_right(cluster, advice->standing[0].name);
        found += right;
        largest_share = share > largest_share ? share : largest_share;
        if (!right)
            fprintf(stderr, "%s, %s, seed %llu: %s\n", cluster->name, data, (unsigned long long)seed,
                    advice->standing[0].name);
        double mean = advice->standing[0].cost.mean;
        bool near = fabs(mean / cluster->seconds - 1) <= cluster->room;
        cr_expect(near || !right, "%s, seed %llu: %g s, not %g", cluster->name, (unsigned long long)seed,
                  mean, cluster->seconds);
        cr_expect(advice->runs * 5 <= advice->grid_runs, "%s, seed %llu: %zu runs of %zu", cluster->name,
                  (unsigned long long)seed, advice->runs, advice->grid_runs);
        advice_free(advice);
    }
    fprintf(stderr, "%s, %s: %u of %u, by %.3f of the full grid at most\n", cluster->name, data, found, SEEDS,
            largest_share);
    cr_expect(20 * found >= 19 * SEEDS, "%s, %s: %u of %u", cluster->name, data, found, SEEDS);
}

Test(advice, knows_what_theory_knows) {
    for (size_t q = 0; q < known_cluster_count; q++)
        check(&known_clusters[q], DATA_VARYING);
}

#ifdef DATA_FIXED_TOO
Test(advice, knows_what_theory_knows_of_the_same_data) {
    for (size_t q = 0; q < known_cluster_count; q++)
        if (known_clusters[q].data)
            check(&known_clusters[q], DATA_FIXED);
}
#endif

Test(advice, is_the_same_on_any_number_of_threads) {
    const struct known_cluster *cluster = &known_clusters[known_cluster_count - 1];
    struct advice *one = advice_of(cluster, 7, 7, 1), *three = advice_of(cluster, 7, 7, 3);
    char *text = advice_scenario(one, NULL), *other = advice_scenario(three, NULL);
    cr_expect_str_eq(text, other);
    cr_assert(eq(sz, one->standings, three->standings));
    for (size_t q = 0; q < one->standings; q++) {
        cr_expect_str_eq(one->standing[q].name, three->standing[q].name);
        cr_expect(one->standing[q].cost.mean == three->standing[q].cost.mean, "%s", one->standing[q].name);
    }
    free(text);
    free(other);
    advice_free(one);
    advice_free(three);
}
