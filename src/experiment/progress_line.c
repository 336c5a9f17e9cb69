#include "progress_line.h"
#include <time.h>

#define CLEAR_LINE "\r\033[K"

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct progress_line progress_line_of(FILE *stream) {
    return (struct progress_line){.stream = stream, .begin_s = seconds_now()};
}

double progress_line_seconds(const struct progress_line *progress) {
    return seconds_now() - progress->begin_s;
}

static void tell_duration(FILE *stream, double seconds) {
    if (seconds < 100)
        fprintf(stream, "%.0f s", seconds);
    else if (seconds < 6000)
        fprintf(stream, "%.0f min", seconds / 60);
    else
        fprintf(stream, "%.1f h", seconds / 3600);
}

void progress_line_tell(struct progress_line *progress, size_t runs) {
    double elapsed_s = progress_line_seconds(progress);
    if (!progress->stream || elapsed_s < progress->told_s + 0.1 || progress->done <= progress->known)
        return;
    progress->told_s = elapsed_s;
    double rate = (double)(progress->done - progress->known) / elapsed_s;
    size_t left = runs > progress->done ? runs - progress->done : 0;
    fprintf(progress->stream, CLEAR_LINE "%zu of %zu runs, %.3g per second, ", progress->done, runs, rate);
    tell_duration(progress->stream, (double)left / rate);
    fputs(" left", progress->stream);
    fflush(progress->stream);
}

void progress_line_end(const struct progress_line *progress) {
    if (!progress->stream || progress->told_s <= 0)
        return;
    fputs(CLEAR_LINE, progress->stream);
    fflush(progress->stream);
}
