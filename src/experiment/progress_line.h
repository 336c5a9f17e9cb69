/* progress_line.h: how far a study is, on one line of a terminal that is drawn over itself. */
#ifndef LAGGARD_PROGRESS_LINE_H
#define LAGGARD_PROGRESS_LINE_H
#include <stddef.h>
#include <stdio.h>

struct progress_line {
    FILE *stream;       /* NULL: nothing is told */
    size_t done, known; /* runs; those that an earlier session did, which say nothing of the rate */
    double begin_s, told_s;
};
struct progress_line progress_line_of(FILE *stream);
/* Some of `runs` more are done; told at most ten times a second. */
void progress_line_tell(struct progress_line *progress, size_t runs);
/* Takes the line away. */
void progress_line_end(const struct progress_line *progress);
/* Seconds since the beginning. */
double progress_line_seconds(const struct progress_line *progress);
#endif
