/* Timing only: 1,000 steps of every scheme on 1,000 workers with s = 19 or c = 20, its own late rule, one thread. Prints
 * processor seconds, the slowest scheme first. */
#include "study.h"
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

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

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void write_scenario(int file, const char *scheme) {
    dprintf(file,
            "name: bench\n"
            "problem: {loss: none}\n"
            "stop: {steps: 1000}\n"
            "cluster: {workers: [{count: 1000, compute: {type: constant, value: 500ms}, "
            "delay: {type: exponential, mean: 500ms}}]}\n"
            "schemes: [{type: %s}]\n",
            scheme);
}

/* The median of three runs; reading the scenario is not counted. */
static double bench(const char *scheme) {
    char path[] = "/tmp/laggard-bench-XXXXXX";
    int file = mkstemp(path);
    write_scenario(file, scheme);
    close(file);
    struct diag *diag = diag_new();
    struct study *study = study_read(diag, &(struct study_request){.file = path});
    struct run_request run = {.threads = 1, .version = "bench"};
    struct sentence why;
    double took_s[3];
    for (int turn = 0; turn < 3; turn++) {
        double begin_s = processor_seconds();
        study_run(study, &run, &why);
        double now_s = processor_seconds() - begin_s;
        int place = turn;
        for (; place > 0 && took_s[place - 1] > now_s; place--)
            took_s[place] = took_s[place - 1];
        took_s[place] = now_s;
    }
    unlink(path);
    study_free(study);
    diag_free(diag);
    return took_s[1];
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
