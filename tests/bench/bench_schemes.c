/* Timing only: 1,000 steps of every scheme on 1,000 workers with s = 19 or c = 20, its own late rule, one thread. Prints
 * processor seconds, the slowest scheme first. */
#include "timed.h"
#include <gsl/gsl_statistics_double.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const schemes[] = {
    "uncoded",
    "ignore, stragglers: 19",
    "gc-fr, stragglers: 19",
    "gc-cr, stragglers: 19",
    "gc-mds, stragglers: 19",
    "gc-mds, stragglers: 19, field: complex",
    "gc-deadline, stragglers: 19, mu: 1",
    "isgc-fr, stragglers: 19, copies: 20",
    "isgc-cr, stragglers: 19, copies: 20",
    "isgc-hr, stragglers: 19, copies: 20, copies_local: 10, groups: 10",
    "pgc-fr, stragglers: 19",
    "pgc-cr, stragglers: 19",
    "pgc-cr-naive, stragglers: 19",
    "sr-sgc, B: 1, W: 2, lambda: 38, mu: 1",
    "m-sgc, B: 1, W: 2, lambda: 19, mu: 1",
    "bgc, density: 20, stragglers: 19",
    "sgc, replication: 20, stragglers: 19",
    "erasurehead, copies: 20, results: 981",
    "multi-message, copies: 20",
    "multi-message, copies: 20, order: staircase",
    "multi-message, copies: 20, order: random",
    "partial-fr, pieces: 40, stragglers: 19",
    "partial-cr, pieces: 40, stragglers: 19",
    "anytime, seconds: 1s",
};
#define SCHEMES (sizeof schemes / sizeof *schemes)

struct figure {
    const char *scheme;
    double seconds;
};

/* The median of three runs; reading the scenario is not counted. */
static double bench(const char *scheme) {
    struct study *study =
        timed_study("name: bench\n"
                    "problem: {loss: none}\n"
                    "stop: {steps: 1000}\n"
                    "cluster: {workers: [{count: 1000, compute: {type: constant, value: 500ms}, "
                    "delay: {type: exponential, mean: 500ms}}]}\n"
                    "schemes: [{type: %s}]\n",
                    scheme);
    double took_s[3];
    for (int turn = 0; turn < 3; turn++)
        took_s[turn] = timed_run(study);
    study_free(study);
    return gsl_stats_median(took_s, 1, 3);
}

static int slower_first(const void *a, const void *b) {
    const struct figure *one = a, *other = b;
    return (one->seconds < other->seconds) - (one->seconds > other->seconds);
}

int main(void) {
    struct figure figure[SCHEMES];
    for (size_t q = 0; q < SCHEMES; q++)
        figure[q] = (struct figure){schemes[q], bench(schemes[q])};
    qsort(figure, SCHEMES, sizeof *figure, slower_first);
    printf("1,000 steps, 1,000 workers, timing only; processor seconds, one thread, median of three\n");
    for (size_t q = 0; q < SCHEMES; q++)
        printf("%-68s %6.2f\n", figure[q].scheme, figure[q].seconds);
    return 0;
}
