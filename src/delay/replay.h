/* replay.h: the part of a trace that one group of workers replays, its missing cells settled.
 * Knows no step: which round is replayed when is the law's. */
#ifndef LAGGARD_REPLAY_H
#define LAGGARD_REPLAY_H
#include "ecdf.h"
#include "trace_table.h"

enum missing_rule {
    MISSING_ERROR,  /* a missing cell is a mistake */
    MISSING_SKIP,   /* it stays missing */
    MISSING_MEDIAN, /* it takes the median of its worker's values */
};

/* Values as in the file, unscaled. */
struct replay {
    uint32_t rounds, members;
    double *value;        /* [rounds * members], a row per round; NAN: skip */
    double *least, *most; /* [rounds]: of what there is in a row */
    struct ecdf *ecdf;    /* of the values that are there */
};

struct replay_spec {
    const struct trace_source *source;
    uint32_t first; /* the group's first worker in the trace; its size is files->members */
    enum missing_rule missing;
};

/* From the shelf, or cut out of the table and put on it; NULL after telling why not: no table, too few workers in
 * it, missing cells under MISSING_ERROR, workers without any value under MISSING_MEDIAN, no value at all. */
const struct replay *replay_read(const struct replay_spec *spec, const struct law_files *files);
#endif
