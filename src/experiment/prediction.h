/* prediction.h: what theory says about a run, to be compared with simulation: closed forms, exact values, and values of
 * independent computations. A prediction is a line of a table; a table is one file and one line in predictions.def. */
#ifndef LAGGARD_PREDICTION_H
#define LAGGARD_PREDICTION_H
#include "result.h"
#include "scenario.h"

/* What is measured in one replication. */
struct sight {
    const struct scenario *scenario;
    const struct result *result, *reference; /* of the scheme, and of the reference where there is one */
};

struct prediction {
    const char *name;
    double value, error; /* what theory says; the standard error of that, 0 where it is exact */
    const char *scheme;  /* entry of `schemes` */
    const char *cluster; /* what `cluster` holds; NULL: the table's */
    const char *further; /* further keys of the scenario; NULL: the table's */
};

struct predictions {
    const char *title;
    const char *cluster, *further; /* of the rows that have none of their own */
    const char *reference;         /* a scheme that every row is compared with; NULL: none */
    const char *record;            /* record.every */
    uint32_t steps, replications;
    double (*measure)(const struct sight *sight);
    double tolerance; /* beyond four standard errors: rounding of printed values and of sums */
    const struct prediction *prediction;
    size_t count;
};
#define PREDICTION_LIST(list) .prediction = (list), .count = sizeof(list) / sizeof *(list)

/* Mean seconds per step: what is measured by it is compared with expected_step.h too. */
double measure_step_s(const struct sight *sight);

/* All tables, ended by NULL. */
extern const struct predictions *const all_predictions[];
#endif
