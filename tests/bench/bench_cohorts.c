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

/* Seconds of numpy for a run without and with its loss; NAN: there is no numpy. */
static void ask_numpy(double seconds[2]) {
    char command[512];
    snprintf(command, sizeof command,
             "OPENBLAS_NUM_THREADS=1 /usr/bin/python3 %s/tests/bench/numpy_way.py 2>/dev/null",
             getenv("LAGGARD_SOURCE") ? getenv("LAGGARD_SOURCE") : ".");
    FILE *numpy = popen(command, "r");
    seconds[0] = seconds[1] = (double)NAN;
    if (!numpy)
        return;
    if (fscanf(numpy, "%lf %lf", &seconds[0], &seconds[1]) != 2)
        seconds[0] = seconds[1] = (double)NAN;
    pclose(numpy);
}

static struct study *sweep_of(const char *scheme, int runs, int steps) {
    return timed_study(
        "name: bench\nreplications: %d\nrecord: {every: summary}\n"
        "problem: {loss: logistic, l2: 1e-4, data: {type: synthetic, samples: 12000, features: 100}}\n"
        "optimizer: {learning_rate: 0.5}\nstop: {steps: %d}\n"
        "cluster: {late: cancel, workers: [{count: 12, compute: {type: constant, value: 1}, delay: {type: "
        "exponential, mean: 1}}]}\nschemes: [{type: %s}]\n",
        runs, steps, scheme);
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

static void bench_sweep(const char *scheme, int runs, int steps, const double numpy[2]) {
    struct study *study = sweep_of(scheme, runs, steps);
    const double share = (double)runs * steps / ((double)SWEEP * STEPS);
    double together[TURNS], alone[TURNS];
    for (int turn = 0; turn < TURNS; turn++) {
        together[turn] = timed_run(study) / share;
        alone[turn] = timed_alone(study, 1) / steps * STEPS * SWEEP;
    }
    double sweep_s = median(together), alone_s = median(alone);
    printf("%-24s %9.1f %9.1f %8.1f %10.1f %10.1f\n", scheme, sweep_s, alone_s, alone_s / sweep_s,
           numpy[0] * SWEEP / sweep_s, numpy[1] * SWEEP / sweep_s);
    study_free(study);
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

int main(int count, char **argument) {
    (void)argument;
    if (count > 1) {
        bench_rows();
        bench_runs();
        return 0;
    }
    double numpy[2];
    ask_numpy(numpy);
    printf("a run of numpy: %.3f s, with loss %.3f s\n", numpy[0], numpy[1]);
    printf("%-24s %9s %9s %8s %10s %10s\n", "1,000 runs, 1,000 steps", "seconds", "alone", "times", "x numpy",
           "and loss");
    bench_sweep("uncoded", SWEEP, STEPS, numpy);
    bench_sweep("gc-cr, stragglers: 2", SWEEP, STEPS, numpy);
    bench_sweep("gc-fr, stragglers: 2", SWEEP, STEPS, numpy);
    bench_sweep("gc-mds, stragglers: 3", SWEEP, STEPS, numpy);
    bench_sweep("ignore, stragglers: 2", 32, 50, numpy);
    bench_sweep("pgc-cr, stragglers: 2", 32, 50, numpy);
    bench_rows();
    bench_runs();
    return 0;
}
