/* results.h: a CSV file of a results folder, its rows in blocks of one point and scheme; and the points of a sweep that
 * a figure shows. Knows which column identifies a row, not what is measured. */
#ifndef LAGGARD_RESULTS_H
#define LAGGARD_RESULTS_H
#include "csv_file.h"
#include "diag.h"
#include "memory.h"

/* Consecutive rows of one point and scheme. */
struct block {
    uint32_t point;
    const char *scheme;
    size_t first, rows;
};

struct results {
    struct arena *arena; /* the caller's: all below but `csv` lives in it */
    struct csv *csv;
    size_t blocks;
    struct block *block;
};

struct results_request {
    const char *folder, *file;
    const char *const *numbers; /* columns that must be there and hold numbers or nothing, ended by NULL */
};
/* 1: read; 0: there is no such file, or it has no rows; -1: cannot be read; the last two after writing why.
 * Closed with results_close when 1. */
int results_read(struct results *results, struct arena *arena, const struct results_request *request,
                 struct sentence *why);
void results_close(struct results *results);

/* The number in a column that was asked for; NAN where the field is empty. */
double results_number(const struct results *results, size_t row, const char *column);
/* A column as words, [rows]; NULL when there is none. */
const char **results_words(const struct results *results, size_t column);

/* The points that a figure shows, at most PANELS: the first ones. */
enum { PANELS = 6 };
struct panels {
    size_t count, points; /* shown; in all */
    uint32_t point[PANELS];
    const char *label[PANELS]; /* stragglers = 2, learning_rate = 0.5; empty without a sweep */
};
/* From runs.csv or summary.csv, whose swept columns stand between `point` and `scheme`. */
struct panels panels_of(const struct results *results);
/* Index of the panel of `point`, or panels->count. */
size_t panels_find(const struct panels *panels, uint32_t point);
#endif
