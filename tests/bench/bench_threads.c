/* How much sooner two threads are done than one: a sweep of 200 runs of 300 steps on 12,000 x 100 samples, and multiplications
 * and additions in registers alone, which tell what two cores of this machine are worth beside each other. Wall time, in
 * turns. */
#include "timed.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SCENARIO                                                                                             \
    "name: threads\nreplications: 50\nstop: {steps: 300}\nrecord: {every: summary}\n"                        \
    "problem: {loss: logistic, l2: 1e-4, data: {type: synthetic, samples: 12000, features: 100}, "           \
    "partitions: 12}\n"                                                                                      \
    "optimizer: {learning_rate: 0.5}\nsweep: {optimizer.learning_rate: [0.1, 0.2, 0.5, 1]}\n"                \
    "cluster: {late: cancel, workers: [{count: 12, compute: {type: constant, value: 500ms}, "                \
    "delay: {type: exponential, mean: 1s}}]}\nschemes: [{type: ignore, stragglers: 2}]\n"
enum { TURNS = 7, LANES = 64, ROUNDS = 20000000 };

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double sweep_s(unsigned threads) {
    struct study *study = timed_study(SCENARIO);
    struct run_request run = {.threads = threads, .version = "bench"};
    struct sentence why;
    double begin_s = now_s();
    if (!study_run(study, &run, &why)) {
        fprintf(stderr, "%s\n", why.text);
        exit(1);
    }
    double took_s = now_s() - begin_s;
    study_free(study);
    return took_s;
}

static void *multiply(void *factor) {
    double lane[LANES] = {1}, by = *(double *)factor;
    for (int r = 0; r < ROUNDS; r++)
        for (int q = 0; q < LANES; q++)
            lane[q] = lane[q] * by + 1e-9;
    *(double *)factor = lane[0];
    return NULL;
}

/* As much in each thread. */
static double registers_s(unsigned threads) {
    pthread_t thread[2];
    double factor[2] = {0.999, 0.998}, begin_s = now_s();
    for (unsigned h = 0; h < threads; h++)
        pthread_create(&thread[h], NULL, multiply, &factor[h]);
    for (unsigned h = 0; h < threads; h++)
        pthread_join(thread[h], NULL);
    return now_s() - begin_s;
}

static int ascending(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static void tell(const char *what, double ratio[TURNS]) {
    qsort(ratio, TURNS, sizeof *ratio, ascending);
    printf("%-28s %.2f (median of %d; %.2f to %.2f)\n", what, ratio[TURNS / 2], TURNS, ratio[0],
           ratio[TURNS - 1]);
}

int main(void) {
    double sweep[TURNS], registers[TURNS], least_s[2] = {1e9, 1e9};
    for (int turn = 0; turn < TURNS; turn++) {
        double s[] = {sweep_s(1), sweep_s(2)};
        sweep[turn] = s[0] / s[1];
        registers[turn] = 2 * registers_s(1) / registers_s(2);
        for (int h = 0; h < 2; h++)
            least_s[h] = s[h] < least_s[h] ? s[h] : least_s[h];
    }
    tell("200 runs on two threads", sweep);
    printf("%-28s %.2f (%.2f s, %.2f s)\n", "the shortest of each", least_s[0] / least_s[1], least_s[0],
           least_s[1]);
    tell("registers alone", registers);
    return 0;
}
