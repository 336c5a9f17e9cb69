/* Clusters of which theory says what is best there: advice finds it for SEEDS seeds, 19 of 20 at least, by at most a fifth of
 * the runs of the full grid. */
#include "advice.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cluster {
    const char *name;
    const char *scenario; /* but for its seed */
    const char *best[12]; /* how the name of the best begins: any of these is right */
};

static const struct cluster clusters[] = {
    /* Every exact step has all gradients. A worker that holds c partitions takes c seconds, and with c = 1 nobody can be
     * missed: 1 s is the least, and uncoded, which stands first of all that have c = 1, takes it. */
    {"constant times",
     "problem: {loss: none}\nstop: {steps: 50}\n"
     "cluster: {workers: [{count: 12, compute: {type: constant, value: 1s}}]}\n"
     "schemes: [{type: uncoded}]\n",
     {"uncoded"}},
    /* Two workers are out. A partition on the two alone would never come, so with windows of c neighbours, and the two being
     * neighbours, c >= 3: 3 s of computing, which every code of three partitions a worker takes, and no other. */
    {"two slow workers",
     "problem: {loss: none}\nstop: {steps: 50}\n"
     "cluster: {workers: [{count: 10, compute: {type: constant, value: 1s}, delay: {type: exponential, mean: "
     "20ms}},\n"
     "                    {count: 2, speed: 0.0001, compute: {type: constant, value: 1s}}]}\n"
     "schemes: [{type: uncoded}]\n",
     {"gc-fr stragglers=2", "gc-cr stragglers=2", "gc-mds stragglers=2", "multi-message copies=3",
      "sgc stragglers=2 replication=3"}},
    /* Computing costs nothing and delays have no variance: who holds everything can answer alone, and E[min of n] of a
     * Pareto law of shape a is n a / (n a - 1): the least mean of any order statistic. */
    {"heavy tails",
     "problem: {loss: none}\nstop: {steps: 50}\n"
     "cluster: {workers: [{count: 12, compute: {type: constant, value: 1ms},\n"
     "                     delay: {type: pareto, minimum: 1s, shape: 1.5}}]}\n"
     "schemes: [{type: uncoded}]\n",
     {"gc-fr stragglers=11", "gc-cr stragglers=11", "gc-mds stragglers=11"}},
    /* Rows sorted by label, and the last two parts of them on workers that are out: whoever has a partition on one worker
     * alone minimises another function, whose minimum is at F above the target. Only copies reach it. */
    {"two slow workers with data of their own",
     "problem: {loss: logistic, l2: 1e-3, data: {type: synthetic, samples: 240, features: 12, seed: 1, skew: "
     "1}}\n"
     "optimizer: {learning_rate: 1}\nstop: {steps: 200, loss: 0.183}\n"
     "cluster: {workers: [{count: 10, compute: {type: constant, value: 1s}, delay: {type: exponential, mean: "
     "50ms}},\n"
     "                    {count: 2, speed: 0.0001, compute: {type: constant, value: 1s}}]}\n"
     "schemes: [{type: uncoded}]\n",
     {"gc-", "pgc-", "isgc-", "bgc", "sgc", "multi-message", "partial-", "sr-sgc", "m-sgc", "erasurehead"}},
};

static struct advice *advice_of(const struct cluster *cluster, unsigned seed, unsigned threads) {
    char text[2048];
    snprintf(text, sizeof text, "seed: %u\n%s", seed, cluster->scenario);
    struct diag *diag = diag_new();
    struct advice *advice = advice_new(
        diag, &(struct advice_request){.file = "cluster", .text = text, .threads = threads, .once = true});
    diag_print(diag, stderr);
    diag_free(diag);
    cr_assert_not_null(advice, "%s", cluster->name);
    return advice;
}

static bool right(const struct cluster *cluster, const char *name) {
    for (size_t q = 0; q < sizeof cluster->best / sizeof *cluster->best && cluster->best[q]; q++)
        if (strncmp(name, cluster->best[q], strlen(cluster->best[q])) == 0)
            return true;
    return false;
}

static void check(const struct cluster *cluster) {
    unsigned found = 0;
    double largest_share = 0;
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        struct advice *advice = advice_of(cluster, seed, 2);
        double share = (double)advice->runs / (double)advice->grid_runs;
        bool fine = right(cluster, advice->standing[0].name);
        found += fine;
        largest_share = share > largest_share ? share : largest_share;
        if (!fine)
            fprintf(stderr, "%s, seed %u: %s\n", cluster->name, seed, advice->standing[0].name);
        cr_expect(advice->runs * 5 <= advice->grid_runs, "%s, seed %u: %zu runs of %zu", cluster->name, seed,
                  advice->runs, advice->grid_runs);
        advice_free(advice);
    }
    fprintf(stderr, "%s: found %u of %u, by at most %.3f of the full grid\n", cluster->name, found, SEEDS,
            largest_share);
    cr_expect(20 * found >= 19 * SEEDS, "%s: %u of %u", cluster->name, found, SEEDS);
}

Test(advice, constant_times) {
    check(&clusters[0]);
}
Test(advice, two_slow_workers) {
    check(&clusters[1]);
}
Test(advice, heavy_tails) {
    check(&clusters[2]);
}
Test(advice, two_slow_workers_with_data_of_their_own) {
    check(&clusters[3]);
}

Test(advice, is_the_same_on_any_number_of_threads) {
    struct advice *one = advice_of(&clusters[2], 7, 1), *three = advice_of(&clusters[2], 7, 3);
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
