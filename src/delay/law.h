/* law.h: laws of seconds. A law says how long a unit of work or a delay takes on one occasion.
 * Knows no rounds, schemes or clock: an occasion is a worker, a step and a stream. One file per law. */
#ifndef LAGGARD_LAW_H
#define LAGGARD_LAW_H
#include "param.h"
#include "shelf.h"
#include "stream_grid.h"

/* When and for whom a law is sampled. */
struct occasion {
    struct draw draw; /* keyed (seed, replication, purpose, worker, step); draw: the first that may be used */
    uint32_t member;  /* the worker's index within its group */
};

/* Draws a law may use on one occasion; the next part of a task starts this much further on. */
#define LAW_DRAWS 64

struct moments {
    double mean_s, deviation_s; /* INFINITY where they do not exist; NAN where unknown */
};

/* Samples of all of a group, which were there before anybody asked. */
struct stored_row {
    const double *seconds;
    double least_s, most_s; /* of them all */
};

/* What a law needs to read its files. */
struct law_files {
    struct diag *diag;
    struct shelf *shelf;     /* files already read, shared over groups and sweep points */
    const struct node *node; /* the law's mapping, for places */
    uint32_t members;        /* workers in the group it serves */
};

struct law {
    struct variant head;
    /* Seconds, >= 0. INFINITY: never. NAN: no measurement here, the worker takes no task on this occasion.
     * NULL: by inversion, quantile(u) of one draw, so that a larger u is a larger time. */
    double (*sample)(const void *params, struct occasion occasion);
    /* With `sample`: samples of all of a group of so many at once, in their order, whoever's the draw is. NULL: one by one. */
    void (*sample_all)(const void *params, const struct draw *draw, uint32_t members, double *seconds);
    /* With `sample_all`: finds those samples where they stand already, as long as the law does, unless that is nowhere, on
     * whatever occasion. NULL: nowhere. */
    bool (*stored)(const void *params, const struct draw *draw, uint32_t members, struct stored_row *row);
    struct moments (*moments)(const void *params);
    /* The p-quantile in seconds, 0 < p < 1: the smallest time that the law stays within with probability p. */
    double (*quantile)(const void *params, double p);
    /* Without `sample`: turns `count` numbers in (0, 1) into the quantile of each, bit for bit. NULL: one by one. */
    void (*fill)(const void *params, double *value, size_t count);
    /* With `fill`: the same of log(1 - u) instead of u, where that is what the quantile begins with. NULL: it is not. */
    void (*fill_logs)(const void *params, double *value, size_t count);
    bool fixed; /* every sample is the same, whatever the occasion: quantile(1/2) */
    /* The probability of at most `seconds`. */
    double (*cdf)(const void *params, double seconds);
    /* The probability of more than `seconds`, accurate where it is far below 1. NULL: 1 - cdf is. */
    double (*survival)(const void *params, double seconds);
    /* The smallest time above `after_s` that has a probability of its own; INFINITY: none. NULL: there is none at all. */
    double (*jump)(const void *params, double after_s);
    bool replays; /* one measurement per worker and step: there is no second, independent draw */
    /* Whether a law that it is made of replays. NULL: it is made of none. */
    bool (*replays_within)(const void *params);
    /* Whether draws of several workers or steps depend on each other. NULL: never, unless it replays. */
    bool (*dependent)(const void *params);
    /* Whether a sample may be NAN. NULL: never. */
    bool (*skips)(const void *params);
    /* Rounds there are, from step 0; NULL: endless. */
    uint32_t (*rounds)(const void *params);
    /* Reads the files the parameters name; false after telling why. NULL: none. */
    bool (*load)(void *params, const struct law_files *files);
};

/* All laws; variants are struct law. */
extern const struct family law_family;

/* A mapping that is a law: {type: exponential, mean: 1s}; fills a struct picked. */
extern const struct param_table law_table;

double law_sample(const struct picked *law, struct occasion occasion);
/* Of a whole group at once, with the bits of law_sample; false, and nothing is done, where the law has no such way. */
bool law_sample_all(const struct picked *law, const struct draw *draw, uint32_t members, double *seconds);
/* Finds them where they stand already; false: nowhere, on whatever occasion. */
bool law_stored(const struct picked *law, const struct draw *draw, uint32_t members, struct stored_row *row);
bool law_fixed(const struct picked *law);   /* every sample is the same */
bool law_inverts(const struct picked *law); /* a sample is the quantile of the occasion's first draw */
/* Of a law that inverts: the form in which such draws are best made. */
enum draw_form law_form(const struct picked *law);
/* Turns `count` draws of that form, or of DRAW_UNIT, into samples, in place, with the bits of law_sample. */
void law_fill(const struct picked *law, enum draw_form form, double *value, size_t count);
struct moments law_moments(const struct picked *law);
double law_quantile(const struct picked *law, double p);
double law_cdf(const struct picked *law, double seconds);
double law_survival(const struct picked *law, double seconds);
double law_jump(const struct picked *law, double after_s);
bool law_dependent(const struct picked *law);
bool law_replays(const struct picked *law); /* itself or within */
bool law_skips(const struct picked *law);
uint32_t law_rounds(const struct picked *law); /* UINT32_MAX: endless */
bool law_load(const struct picked *law, const struct law_files *files);
#endif
