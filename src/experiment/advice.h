/* advice.h: which scheme, with which parameters, reaches the target soonest on a cluster, how sure that is, and what would
 * change it. Knows no argument vector. */
#ifndef LAGGARD_ADVICE_H
#define LAGGARD_ADVICE_H
#include "diag.h"
#include "summary.h"

struct advice_request {
    const char *file;
    const char *text; /* the scenario itself, `file` being only its name; NULL: read the file */
    const char *const *sets;
    size_t set_count;
    bool images;
    unsigned threads;
    FILE *progress; /* NULL: none */
    bool once;      /* what would change the answer is left out */
};

/* A setting that came through to the end of the race. */
struct standing {
    const char *name;
    uint32_t runs;
    double reached;       /* share of the runs */
    struct estimate cost; /* seconds to the target, or per step */
    struct estimate
        behind; /* paired difference to the best, over the replications in which both reached the target */
    double
        sure; /* probability that its mean is above the best one's, by the t distribution of the difference; NAN: no pairs */
    const char *late; /* its late rule, the scheme's own where the scenario sets none */
    bool equal;       /* it came to the same as the one before it in every run */
};

/* What becomes of the standings when something else were so. */
struct change {
    const char *what;  /* "half of the workers (6)" */
    const char *first; /* who is first then; NULL: it could not be tried, see `why` */
    bool same;         /* it is the one who is first now */
    double first_cost,
        now_cost; /* of who is first then, and of who is first now; NAN: it cannot be used, or never gets there */
    const char *why;
};

struct advice {
    struct standing *standing; /* the best first */
    size_t standings;
    size_t runner_up; /* place of the first that is not equal to the best; 0: there is none */
    size_t candidates, inexact;
    size_t runs, grid_runs; /* taken by the race; what all candidates would take in all replications */
    uint32_t replications;
    bool exact_only; /* there is no loss: seconds per step of exact schemes are compared */
    size_t places;   /* values of what is tuned that every setting ran with; 1: nothing is */
    struct change *change;
    size_t changes, change_runs;
    void *inside;
};
/* NULL after telling why there is none. */
struct advice *advice_new(struct diag *diag, const struct advice_request *request);
void advice_free(struct advice *advice);
/* The scenario of the best as it is to be written into a file of this folder; heap. */
char *advice_scenario(const struct advice *advice, const char *folder);
#endif
