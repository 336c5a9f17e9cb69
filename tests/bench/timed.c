#include "timed.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct study *timed_study(const char *format, ...) {
    char path[] = "/tmp/laggard-bench-XXXXXX";
    int file = mkstemp(path);
    va_list values;
    va_start(values, format);
    vdprintf(file, format, values);
    va_end(values);
    close(file);
    struct diag *diag = diag_new();
    struct study *study = study_read(diag, &(struct study_request){.file = path});
    unlink(path);
    if (!study) {
        diag_print(diag, stderr);
        exit(EXIT_FAILURE);
    }
    diag_free(diag);
    return study;
}

double timed_run(struct study *study) {
    struct run_request run = {.threads = 1, .version = "bench"};
    struct sentence why;
    double begin_s = processor_seconds();
    study_run(study, &run, &why);
    return processor_seconds() - begin_s;
}
