/* A whole run as users make it: a thousand logistic steps on 12,000 x 100 synthetic samples with the exact loss at every step,
 * one scheme, one thread. Prints seconds and the largest memory of the process as a multiple of the data. */
#include "timed.h"
#include <stdio.h>
#include <sys/resource.h>

static const char *const schemes[] = {"uncoded", "ignore, stragglers: 2", "gc-cr, stragglers: 2",
                                      "gc-cr, stragglers: 2, decode: real", "pgc-cr, stragglers: 2"};

/* Five runs of the scheme on data that is read once. */
static void bench(const char *scheme) {
    double begin_s = processor_seconds();
    struct study *study = timed_study(
        "name: bench\n"
        "problem: {loss: logistic, l2: 1e-4, data: {type: synthetic, samples: 12000, features: 100}}\n"
        "optimizer: {learning_rate: 0.5}\n"
        "stop: {steps: 1000}\n"
        "cluster: {workers: [{count: 12, compute: {type: constant, value: 1}, delay: {type: exponential, "
        "mean: 1}}]}\n"
        "schemes: [{type: %s}]\n",
        scheme);
    double read_s = processor_seconds() - begin_s, least_s = 1e9, most_s = 0;
    for (int turn = 0; turn < 5; turn++) {
        double took_s = timed_run(study);
        least_s = took_s < least_s ? took_s : least_s;
        most_s = took_s > most_s ? took_s : most_s;
    }
    printf("%-36s %8.3f %8.3f %8.3f\n", scheme, read_s, least_s, most_s);
    study_free(study);
}

int main(void) {
    printf("1,000 logistic steps, 12,000 x 100, exact loss every step; processor seconds, one thread\n");
    printf("%-36s %8s %8s %8s\n", "scheme", "data", "least", "most");
    bench(schemes[0]);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    for (size_t s = 1; s < sizeof schemes / sizeof *schemes; s++)
        bench(schemes[s]);
    printf("largest memory of the first: %.2f times the data\n",
           (double)usage.ru_maxrss * 1024 / (12000.0 * 100 * 8));
    return 0;
}
