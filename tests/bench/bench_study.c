/* What a study costs beside its simulations: runs of about 5 ms with summaries only, planned, summarised,
 * written and journalled, against the same simulations alone, processor seconds in turns; and how the largest memory
 * grows from few to many runs. */
#include "old_folder.h"
#include "run.h"
#include "timed.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCENARIO                                                                                             \
    "name: bench\nproblem: {loss: none}\nstop: {steps: 120}\nreplications: %d\nrecord: {every: summary}\n"   \
    "cluster: {workers: [{count: 100, compute: {type: constant, value: 1}, delay: {type: exponential, "      \
    "mean: 1}}]}\n"                                                                                          \
    "schemes: [{type: multi-message, copies: 4, order: cyclic}]\n"
/* Runs that take no time, of which many can be made. */
#define SHORT                                                                                                \
    "name: bench\nproblem: {loss: none}\nstop: {steps: 5}\nreplications: %d\nrecord: {every: summary}\n"     \
    "cluster: {workers: [{count: 6, delay: {type: exponential, mean: 1}}]}\n"                                \
    "schemes: [{type: uncoded}, {type: ignore, stragglers: 1}, {type: gc-cr, stragglers: 1}, "               \
    "{type: pgc-cr, stragglers: 1}, {type: isgc-cr, stragglers: 1}]\n"
#define FOLDER "/tmp/laggard-bench-study"
enum { RUNS = 250, TURNS = 9, SCHEMES = 5 };
static const int replications[] = {100, 1000, 10000, 100000};

/* Written into a folder of its own; the study is freed. */
static double whole(struct study *study) {
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

/* Of a process that does nothing else. */
static double largest_bytes(int runs) {
    struct rusage usage;
    int status;
    pid_t child = fork();
    if (child == 0) {
        whole(timed_study(SHORT, runs));
        _exit(0);
    }
    if (wait4(child, &status, 0, &usage) < 0 || status != 0)
        exit(1);
    return 1024 * (double)usage.ru_maxrss;
}

static void tell_memory(void) {
    const double least = largest_bytes(replications[0]);
    for (size_t n = 0; n < sizeof replications / sizeof *replications; n++) {
        double bytes = largest_bytes(replications[n]);
        printf("%6d runs: largest memory %6.2f MiB, %5.1f bytes a run more\n", SCHEMES * replications[n],
               bytes / 1048576,
               n > 0 ? (bytes - least) / (SCHEMES * (double)(replications[n] - replications[0])) : 0.0);
    }
}

static int ascending(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

int main(void) {
    double ratio[TURNS], run_s = 0;
    tell_memory();
    whole(timed_study(SCENARIO, RUNS));
    for (int turn = 0; turn < TURNS; turn++) {
        double simulated_s = alone(RUNS);
        ratio[turn] = whole(timed_study(SCENARIO, RUNS)) / simulated_s;
        run_s = simulated_s / RUNS;
    }
    qsort(ratio, TURNS, sizeof *ratio, ascending);
    printf(
        "runs of %.1f ms; a study takes %.3f times as long as its simulations (median of %d; %.3f to %.3f)\n",
        1e3 * run_s, ratio[TURNS / 2], TURNS, ratio[0], ratio[TURNS - 1]);
    struct sentence why;
    return old_folder_remove(FOLDER, &why) ? 0 : 1;
}
