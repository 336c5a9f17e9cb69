/* How the cost of a run grows with workers, steps, samples and features, each over three decades while the others stay.
 * Processor seconds of whole runs on one thread, medians of five; of what grows by no step or row (reading the scenario, making
 * the data) nothing is counted. Prints CSV: what grows, in which work, to which size, and seconds; beside it, for
 * people, the power of the size that seconds follow over the upper two decades: 1 is in proportion. Never fails. */
#include "timed.h"
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>

enum { TURNS = 5, SIZES = 7 };

struct work {
    const char *name;
    uint32_t workers, steps, samples, features; /* samples 0: timing only */
    const char *late, *scheme;
};

struct growth {
    const char *grows;
    uint32_t sizes[SIZES];
    size_t offset; /* in struct work: of what grows */
    struct work work;
};

static struct study *study_of(const struct work *work) {
    char problem[256] = "{loss: none}";
    if (work->samples > 0)
        snprintf(problem, sizeof problem,
                 "{loss: logistic, l2: 1e-4, data: {type: synthetic, samples: %u, features: %u}}\n"
                 "optimizer: {learning_rate: 0.1}",
                 work->samples, work->features);
    return timed_study("name: growth\nrecord: {every: summary}\nproblem: %s\nstop: {steps: %u}\n"
                       "cluster: {late: %s, workers: [{count: %u, compute: {type: constant, value: 1s}, "
                       "delay: {type: exponential, mean: 1s}}]}\nschemes: [{type: %s}]\n",
                       problem, work->steps, work->late, work->workers, work->scheme);
}

static double median_s(const struct work *work) {
    struct study *study = study_of(work);
    double took_s[TURNS];
    timed_run(study);
    for (int turn = 0; turn < TURNS; turn++)
        took_s[turn] = timed_run(study);
    study_free(study);
    return gsl_stats_median(took_s, 1, TURNS);
}

/* The slope of log seconds over log size, leaving out the lowest decade, where what is done once still counts. */
static double power_of(const double *log_size, const double *log_s) {
    enum { LOWEST = 2 };
    double at_0, power, unused;
    gsl_fit_linear(log_size + LOWEST, 1, log_s + LOWEST, 1, SIZES - LOWEST, &at_0, &power, &unused, &unused,
                   &unused, &unused);
    return power;
}

static double bench(const struct growth *growth) {
    double log_size[SIZES], log_s[SIZES];
    for (size_t q = 0; q < SIZES; q++) {
        struct work work = growth->work;
        *(uint32_t *)(void *)((char *)&work + growth->offset) = growth->sizes[q];
        const double took_s = median_s(&work);
        printf("%s,%s,%u,%.9g\n", growth->grows, work.name, growth->sizes[q], took_s);
        fflush(stdout);
        log_size[q] = log(growth->sizes[q]);
        log_s[q] = log(took_s);
    }
    return power_of(log_size, log_s);
}

static const struct growth growths[] = {
    {"workers",
     {100, 300, 1000, 3000, 10000, 30000, 100000},
     offsetof(struct work, workers),
     {"timing by rounds", .steps = 300, .late = "cancel", .scheme = "ignore, stragglers: 10"}},
    {"workers",
     {100, 300, 1000, 3000, 10000, 30000, 100000},
     offsetof(struct work, workers),
     {"timing by events", .steps = 30, .late = "queue", .scheme = "pgc-fr, stragglers: 1"}},
    {"steps",
     {300, 1000, 3000, 10000, 30000, 100000, 300000},
     offsetof(struct work, steps),
     {"timing by rounds", .workers = 100, .late = "cancel", .scheme = "ignore, stragglers: 10"}},
    {"steps",
     {100, 300, 1000, 3000, 10000, 30000, 100000},
     offsetof(struct work, steps),
     {"training", .workers = 12, .samples = 600, .features = 20, .late = "cancel",
      .scheme = "ignore, stragglers: 2"}},
    {"samples",
     {1200, 3000, 12000, 30000, 120000, 300000, 1200000},
     offsetof(struct work, samples),
     {"training", .workers = 12, .steps = 20, .features = 20, .late = "cancel",
      .scheme = "ignore, stragglers: 2"}},
    {"features",
     {10, 30, 100, 300, 1000, 3000, 10000},
     offsetof(struct work, features),
     {"training", .workers = 12, .steps = 20, .samples = 2400, .late = "cancel",
      .scheme = "ignore, stragglers: 2"}},
};

int main(void) {
    enum { GROWTHS = sizeof growths / sizeof *growths };
    double power[GROWTHS];
    printf("grows,work,size,seconds\n");
    for (size_t g = 0; g < GROWTHS; g++)
        power[g] = bench(&growths[g]);
    for (size_t g = 0; g < GROWTHS; g++)
        fprintf(stderr, "%-8s %-24s size^%.2f\n", growths[g].grows, growths[g].work.name, power[g]);
    return 0;
}
