/* What a study costs beside its simulations: runs of about 5 ms with summaries only, planned, summarised,
 * written and journalled, against the same simulations alone, processor seconds in turns; and the largest memory after
 * few and after many. */
#include "old_folder.h"
#include "run.h"
#include "timed.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define SCENARIO                                                                                             \
    "name: bench\nproblem: {loss: none}\nstop: {steps: 120}\nreplications: %d\nrecord: {every: summary}\n"   \
    "cluster: {workers: [{count: 100, compute: {type: constant, value: 1}, delay: {type: exponential, "      \
    "mean: 1}}]}\n"                                                                                          \
    "schemes: [{type: multi-message, copies: 4, order: cyclic}]\n"
#define FOLDER "/tmp/laggard-bench-study"
enum { RUNS = 2000, FEWER = 250, TURNS = 9 };

/* Written into a folder of its own. */
static double whole(int runs) {
    struct study *study = timed_study(SCENARIO, runs);
    struct run_request request = {
        .folder = FOLDER, .replacing = REPLACE_EXISTING, .threads = 1, .version = "bench"};
    struct sentence why;
    double begin_s = processor_seconds();
    if (!study_run(study, &request, &why)) {
        fprintf(stderr, "%s\n", why.text);
        exit(1);
    }
    double took_s = processor_seconds() - begin_s;
    study_free(study);
    return took_s;
}

static double alone(int runs) {
    struct study *study = timed_study(SCENARIO, runs);
    const struct scenario *scenario = study_scenario(study, 0);
    double begin_s = processor_seconds();
    for (int r = 0; r < runs; r++) {
        struct trial_spec spec = {scenario, &scenario->scheme[0], (uint32_t)r};
        result_free(run_whole(&spec));
    }
    double took_s = processor_seconds() - begin_s;
    study_free(study);
    return took_s;
}

static double largest_bytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024 * (double)usage.ru_maxrss;
}

static int ascending(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

int main(void) {
    double ratio[TURNS], run_s = 0, bytes[2];
    whole(FEWER);
    bytes[0] = largest_bytes();
    whole(RUNS);
    bytes[1] = largest_bytes();
    for (int turn = 0; turn < TURNS; turn++) {
        double simulated_s = alone(FEWER);
        ratio[turn] = whole(FEWER) / simulated_s;
        run_s = simulated_s / FEWER;
    }
    qsort(ratio, TURNS, sizeof *ratio, ascending);
    printf(
        "runs of %.1f ms; a study takes %.3f times as long as its simulations (median of %d; %.3f to %.3f)\n",
        1e3 * run_s, ratio[TURNS / 2], TURNS, ratio[0], ratio[TURNS - 1]);
    printf("largest memory after %d runs %.2f MiB, after %d %.2f MiB\n", FEWER, bytes[0] / 1048576, RUNS,
           bytes[1] / 1048576);
    struct sentence why;
    return old_folder_remove(FOLDER, &why) ? 0 : 1;
}
