/* A whole run as users make it: a thousand logistic steps on 12,000 x 100 synthetic samples with the exact loss at every step,
 * one scheme, one thread. Prints seconds and the largest memory of the process as a multiple of the data. */
#include "study.h"
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const char *const schemes[] = {"uncoded", "ignore, stragglers: 2", "gc-cr, stragglers: 2",
                                      "gc-cr, stragglers: 2, decode: real", "pgc-cr, stragglers: 2"};

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void write_scenario(int file, const char *scheme) {
    dprintf(file,
            "name: bench\n"
            "problem: {loss: logistic, l2: 1e-4, data: {type: synthetic, samples: 12000, features: 100}}\n"
            "optimizer: {learning_rate: 0.5}\n"
            "stop: {steps: 1000}\n"
            "cluster: {workers: [{count: 12, compute: {type: constant, value: 1}, delay: {type: exponential, "
            "mean: 1}}]}\n"
            "schemes: [{type: %s}]\n",
            scheme);
}

/* Five runs of the scheme on data that is read once. */
static void bench(const char *scheme) {
    char path[] = "/tmp/laggard-bench-XXXXXX";
    int file = mkstemp(path);
    write_scenario(file, scheme);
    close(file);
    struct diag *diag = diag_new();
    struct study_request request = {.file = path};
    struct run_request run = {.threads = 1, .version = "bench"};
    struct sentence why;
    double begin_s = processor_seconds();
    struct study *study = study_read(diag, &request);
    double read_s = processor_seconds() - begin_s, least_s = 1e9, most_s = 0;
    for (int turn = 0; study && turn < 5; turn++) {
        begin_s = processor_seconds();
        study_run(study, &run, &why);
        double took_s = processor_seconds() - begin_s;
        least_s = took_s < least_s ? took_s : least_s;
        most_s = took_s > most_s ? took_s : most_s;
    }
    printf("%-36s %8.3f %8.3f %8.3f\n", scheme, read_s, least_s, most_s);
    unlink(path);
    study_free(study);
    diag_free(diag);
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
