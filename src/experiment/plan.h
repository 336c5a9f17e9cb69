/* plan.h: what a study consists of: points of the sweep, the cases (point, scheme) in them, and which cases are equal,
 * so that none is computed twice. Knows no threads and no results. */
#ifndef LAGGARD_PLAN_H
#define LAGGARD_PLAN_H
#include "curvature.h"
#include "scenario.h"

struct point {
    uint32_t index; /* among the points of the sweep */
    struct scenario *scenario;
    const struct curvature *curvature; /* NULL: nobody asks for it; see plan_measure */
    const char **swept;                /* [swept keys]: values as text */
};

/* A scheme at a point. */
struct contest {
    const struct point *point;
    const struct scheme_entry *entry;
    uint32_t
        original; /* index of the first contest with equal settings; its own index when it is the first */
};

struct plan {
    struct arena *arena;
    struct shelf *shelf;
    size_t swept_keys;
    const char **swept_key;
    const char **
        swept_column; /* what their columns are called: as they are, or `sweep.` in front of what is a column's
                                  name already */
    size_t points;
    struct point *point;
    size_t contests;
    struct contest *contest; /* by point, then scheme */
    struct node *tree;       /* the scenario to be written beside the results */
};

/* Reads the file or the text, applies the settings (KEY=VALUE), multiplies the sweep out. False after every mistake was told. */
struct plan_request {
    const char *file;
    const char *const *sets;
    size_t set_count;
    bool images;               /* large files may be read from, and kept in, binary images beside them */
    bool any_size;             /* runs may need more memory than RUN_BYTES_MAX */
    const char *const *sweeps; /* KEY=V1,V2,…: axes of the sweep, in place of the file's of the same key */
    size_t sweep_count;
    const char *text; /* the scenario itself, `file` being only its name; NULL: read the file */
};
bool plan_read(struct plan *plan, struct diag *diag, const struct plan_request *request);
void plan_fini(struct plan *plan);
/* Takes the curvature of the objectives where a run is audited whose scheme has a theorem: before the runs, as it may
 * take seconds. */
void plan_measure(struct plan *plan);
/* Some point of it is audited; some scheme of one that is has a theorem. */
bool plan_audits(const struct plan *plan);
bool plan_has_theorems(const struct plan *plan);
/* Some point tells what workers' seconds were good for. */
bool plan_books(const struct plan *plan);
/* Some scheme of it can use old gradients, and that is told. */
bool plan_ages(const struct plan *plan);
/* Some point of it asks for events. */
bool plan_records_events(const struct plan *plan);
#endif
