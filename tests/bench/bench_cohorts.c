/* Sweeps of many runs on 12,000 x 100 synthetic samples, a thousand logistic steps with the exact loss at every step: beside
 * what one run takes alone, and beside numpy's way (numpy_way.py) where that is installed. Then a step of 100,000 workers of
 * one row each, in its parts and in whole runs. Processor seconds, one thread; the runs of sweeps that learn apart are reckoned
 * from those that are made. */
#include "gradients.h"
#include "run.h"
#include "slopes.h"
#include "timed.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TURNS = 5, STEPS = 1000, SWEEP = 1000, ROWS = 100000, FEATURES = 100, FEW_STEPS = 20 };

static double median(double *value) {
    for (int a = 1; a < TURNS; a++)
        for (int b = a; b > 0 && value[b] < value[b - 1]; b--) {
            double kept = value[b];
            value[b] = value[b - 1];
            value[b - 1] = kept;
        }
    return value[TURNS / 2];
}

/* What numpy's way takes for a run of STEPS steps. NAN: there is no numpy. */
struct numpy_seconds {
    double logistic, with_loss, linear;
};

static struct numpy_seconds ask_numpy(void) {
    struct numpy_seconds s = {(double)NAN, (double)NAN, (double)NAN};
    char command[512];
    snprintf(command, sizeof command,
             "OPENBLAS_NUM_THREADS=1 /usr/bin/python3 %s/tests/bench/numpy_way.py 2>/dev/null",
             getenv("LAGGARD_SOURCE") ? getenv("LAGGARD_SOURCE") : ".");
    FILE *numpy = popen(command, "r");
    if (!numpy)
        return s;
    if (fscanf(numpy, "%lf %lf %lf", &s.logistic, &s.with_loss, &s.linear) != 3)
        s = (struct numpy_seconds){(double)NAN, (double)NAN, (double)NAN};
    pclose(numpy);
    return s;
}

struct sweep {
    const char *scheme;
    int runs, steps; /* that are made */
    const char *loss, *precision;
    double gate; /* the least times numpy's way with its loss, for two cores with two cores; 0: none */
};

static struct study *study_of(const struct sweep *sweep) {
    return timed_study(
        "name: bench\nreplications: %d\nrecord: {every: summary}\n"
        "problem: {loss: %s, l2: 1e-4, precision: %s, data: {type: synthetic, samples: 12000, features: "
        "100}}\noptimizer: {learning_rate: 0.1}\nstop: {steps: %d}\n"
        "cluster: {late: cancel, workers: [{count: 12, compute: {type: constant, value: 1}, delay: {type: "
        "exponential, mean: 1}}]}\nschemes: [{type: %s}]\n",
        sweep->runs, sweep->loss, sweep->precision, sweep->steps, sweep->scheme);
}

/* Runs one by one, each alone. */
static double timed_alone(const struct study *study, uint32_t runs) {
    const struct scenario *scenario = study_scenario(study, 0);
    double begin_s = processor_seconds();
    for (uint32_t r = 0; r < runs; r++)
        result_free(run_whole(
            &(struct trial_spec){.scenario = scenario, .entry = &scenario->scheme[0], .replication = r}));
    return processor_seconds() - begin_s;
}

static double wall_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Whether the ratio is above its gate, which leaves room for noise. */
static bool told_ratio(double ratio, double gate) {
    bool fine = !(ratio < gate);
    printf(" %10.1f%s\n", ratio, fine ? "" : "  below its gate");
    return fine;
}

static bool bench_sweep(const struct sweep *sweep, const struct numpy_seconds *numpy) {
    struct study *study = study_of(sweep);
    const double share = (double)sweep->runs * sweep->steps / ((double)SWEEP * STEPS);
    double together[TURNS], alone[TURNS];
    for (int turn = 0; turn < TURNS; turn++) {
        together[turn] = timed_run(study) / share;
        alone[turn] = timed_alone(study, 1) / sweep->steps * STEPS * SWEEP;
    }
    double sweep_s = median(together), alone_s = median(alone);
    printf("%-24s %9.1f %9.1f %8.1f %10.1f", sweep->scheme, sweep_s, alone_s, alone_s / sweep_s,
           numpy->logistic * SWEEP / sweep_s);
    study_free(study);
    return told_ratio(numpy->with_loss * SWEEP / sweep_s, sweep->gate);
}

/* On two threads by the clock on the wall, beside numpy's way on two cores that do twice as much as one. */
static bool bench_two_cores(const struct sweep *sweep, const struct numpy_seconds *numpy) {
    struct run_request run = {.threads = 2, .version = "bench"};
    struct sentence why;
    const double share = (double)sweep->runs * sweep->steps / ((double)SWEEP * STEPS);
    double took[TURNS];
    for (int turn = 0; turn < TURNS; turn++) {
        struct study *study = study_of(sweep);
        double begin_s = wall_seconds();
        study_run(study, &run, &why);
        took[turn] = (wall_seconds() - begin_s) / share;
        study_free(study);
    }
    printf("%-18s %-5s %9.1f %30s", sweep->scheme, sweep->precision, median(took), "");
    return told_ratio(numpy->with_loss / 2 * SWEEP / median(took), sweep->gate);
}

/* One run of STEPS steps, alone. */
static bool bench_one(const struct sweep *sweep, double numpy_s) {
    struct study *study = study_of(sweep);
    double took[TURNS];
    for (int turn = 0; turn < TURNS; turn++)
        took[turn] = timed_alone(study, 1);
    printf("%-18s %-5s %9.3f %30s", sweep->loss, sweep->precision, median(took), "");
    study_free(study);
    return told_ratio(numpy_s / median(took), sweep->gate);
}

/* Milliseconds for each of so many columns. */
static double pass_ms(const struct objective *objective, size_t columns) {
    struct passes *passes = passes_new();
    struct wanted_gradients *wanted = memory_zeroed(columns, sizeof *wanted);
    double *w = memory_zeroed(objective->data->stride, sizeof *w), took[TURNS];
    for (size_t c = 0; c < columns; c++)
        wanted[c] = (struct wanted_gradients){gradients_new(objective), w};
    for (int turn = 0; turn < TURNS; turn++) {
        double begin_s = processor_seconds();
        gradients_take_all(passes, wanted, columns);
        took[turn] = processor_seconds() - begin_s;
    }
    for (size_t c = 0; c < columns; c++)
        gradients_free(wanted[c].gradients);
    passes_free(passes);
    free(wanted);
    free(w);
    return 1e3 * median(took) / (double)columns;
}

static double estimate_ms(const struct objective *objective, uint32_t every) {
    struct gradients *gradients = gradients_new(objective);
    double *vector = memory_zeroed(objective->data->stride, sizeof *vector), took[TURNS];
    double *coefficient = memory_zeroed(objective->partitions, sizeof *coefficient);
    gradients_take(gradients, vector);
    for (int turn = 0; turn < TURNS; turn++) {
        for (uint32_t p = 0; p < objective->partitions; p++)
            coefficient[p] = p % every == 3 ? 0 : 1.25;
        double begin_s = processor_seconds();
        gradients_add_weighted(gradients, coefficient, vector);
        took[turn] = processor_seconds() - begin_s;
    }
    gradients_free(gradients);
    free(vector);
    free(coefficient);
    return 1e3 * median(took);
}

static void bench_rows(void) {
    struct study *study = timed_study(
        "name: bench\nproblem: {loss: logistic, data: {type: synthetic, samples: %d, features: %d}}\n"
        "optimizer: {learning_rate: 0.5}\nstop: {steps: 1}\ncluster: {workers: [{count: 12, compute: {type: "
        "constant, value: 1}}]}\nschemes: [{type: uncoded}]\n",
        ROWS, FEATURES);
    struct objective objective = study_scenario(study, 0)->objective, few = objective;
    objective.partitions = ROWS;
    printf("\n100,000 x 100, milliseconds of a step\n");
    printf("%-40s %8.2f\n", "pass, 12 partitions", pass_ms(&few, 1));
    printf("%-40s %8.2f\n", "pass, 100,000 partitions", pass_ms(&objective, 1));
    printf("%-40s %8.2f\n", "the same beside 15 others, each", pass_ms(&objective, 16));
    printf("%-40s %8.2f\n", "estimate without a tenth of them", estimate_ms(&objective, 10));
    study_free(study);
}

/* Milliseconds of a step, whatever comes before the first. */
static void bench_workers(const char *scheme) {
    double took[2][TURNS];
    for (int turn = 0; turn < TURNS; turn++)
        for (int half = 0; half < 2; half++) {
            struct study *study = timed_study(
                "name: bench\nrecord: {every: summary}\n"
                "problem: {loss: logistic, data: {type: synthetic, samples: %d, features: %d}}\n"
                "optimizer: {learning_rate: 0.5}\nstop: {steps: %d}\ncluster: {late: cancel, workers: "
                "[{count: "
                "%d, compute: {type: constant, value: 1}, delay: {type: exponential, mean: 1}}]}\n"
                "schemes: [{type: %s}]\n",
                ROWS, FEATURES, half ? FEW_STEPS + 1 : 1, ROWS, scheme);
            took[half][turn] = timed_alone(study, 1);
            study_free(study);
        }
    printf("%-40s %8.2f\n", scheme, 1e3 * (median(took[1]) - median(took[0])) / FEW_STEPS);
}

static void bench_runs(void) {
    printf("\n100,000 workers, 100,000 x 100, milliseconds of a step of a run\n");
    bench_workers("uncoded");
    bench_workers("gc-fr, stragglers: 1");
    bench_workers("ignore, stragglers: 10000");
}

static const struct sweep sweeps[] = {
    {"uncoded", SWEEP, STEPS, "logistic", "f64", 270},
    {"gc-cr, stragglers: 2", SWEEP, STEPS, "logistic", "f64", 270},
    {"gc-fr, stragglers: 2", SWEEP, STEPS, "logistic", "f64", 270},
    {"gc-mds, stragglers: 3", SWEEP, STEPS, "logistic", "f64", 270},
    {"ignore, stragglers: 2", 32, 50, "logistic", "f64", 7},
    {"pgc-cr, stragglers: 2", 32, 50, "logistic", "f64", 7},
};
static const struct sweep on_two_cores[] = {
    {"ignore, stragglers: 2", 64, 50, "logistic", "f64", 7},
    {"ignore, stragglers: 2", 128, 50, "logistic", "f32", 9},
};
static const struct sweep with_loss = {"ignore, stragglers: 2", 1, STEPS, "logistic", "f64", 2};
static const struct sweep with_loss_single = {"ignore, stragglers: 2", 1, STEPS, "logistic", "f32", 3};
static const struct sweep linear = {"ignore, stragglers: 2", 1, STEPS, "linear", "f64", 16};

static bool bench_numpy(void) {
    const struct numpy_seconds numpy = ask_numpy();
    bool fine = true;
    printf("a run of numpy: %.3f s, with loss %.3f s; linear regression %.3f s\n", numpy.logistic,
           numpy.with_loss, numpy.linear);
    printf("%-24s %9s %9s %8s %10s %10s\n", "1,000 runs, 1,000 steps", "seconds", "alone", "times", "x numpy",
           "and loss");
    for (size_t s = 0; s < sizeof sweeps / sizeof *sweeps; s++)
        fine &= bench_sweep(&sweeps[s], &numpy);
    printf("\non two cores\n");
    for (size_t s = 0; s < sizeof on_two_cores / sizeof *on_two_cores; s++)
        fine &= bench_two_cores(&on_two_cores[s], &numpy);
    printf("\none run, 1,000 steps with loss; linear regression beside numpy without\n");
    fine &= bench_one(&with_loss, numpy.with_loss);
    fine &= bench_one(&with_loss_single, numpy.with_loss);
    return bench_one(&linear, numpy.linear) && fine;
}

/* `rows` makes the second half alone; `--gate` fails where a ratio is below its gate. */
int main(int count, char **argument) {
    const bool gate = count > 1 && strcmp(argument[1], "--gate") == 0;
    const bool rows = count > 1 && strcmp(argument[1], "rows") == 0;
    const bool fine = rows || bench_numpy();
    bench_rows();
    bench_runs();
    return gate && !fine;
}
