/* sample.h: a small scenario that a test changes line by line, and what reading it gives. */
#ifndef LAGGARD_SAMPLE_H
#define LAGGARD_SAMPLE_H
#include "scenario.h"

/* The lines of the scenario, from 1. */
enum sample_line {
    LINE_NAME = 1,
    LINE_SEED,
    LINE_REPLICATIONS,
    LINE_PROBLEM,
    LINE_OPTIMIZER,
    LINE_STOP,
    LINE_CLUSTER,
    LINE_SCHEMES,
    LINE_RECORD,
    LINES = LINE_RECORD
};

struct sample {
    struct diag *diag;
    struct arena *arena;
    struct shelf *shelf;
    struct scenario *scenario; /* NULL when it was refused */
};

/* Reads the scenario as s.yaml, its line number `line` (0: none) replaced by `text`, which may be several
 * lines. */
void sample_read(struct sample *sample, int line, const char *text);
/* Reads a whole scenario. */
void sample_read_text(struct sample *sample, const char *text);
void sample_fini(struct sample *sample);
/* All messages as they are printed; heap. */
char *sample_messages(const struct sample *sample);
#endif
