/* results.h: a CSV file of a results folder, its rows in blocks of one point and scheme. Knows which column identifies
 * a row, not what is measured. */
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

/* The number in a column; NAN where the field is empty, or where there is no such column of numbers. */
double results_number(const struct results *results, size_t row, const char *name);
/* A column as words, [rows]; NULL when there is none. */
const char **results_words(const struct results *results, size_t column);
/* The block of the same point and scheme as `like`, which may be of another file; NULL when there is none. */
const struct block *results_like(const struct results *results, const struct block *like);
#endif
