/* pushes_twin_inside.h: the inside of the twin, shared by its clock and its updates. */
#ifndef LAGGARD_PUSHES_TWIN_INSIDE_H
#define LAGGARD_PUSHES_TWIN_INSIDE_H
#include "pushes_twin.h"

/* What a worker does. Its events of an instant come in the order of the enum. */
enum happening { PUSHED, LEFT, FAILED, CAME };
enum activity { ABSENT, FREE, WORKING, AWAITING /* its push is to be heard */, RESTING, GONE };

struct event {
    double time_s; /* INFINITY: there is none */
    enum happening happening;
    size_t worker;
};

struct one {
    enum activity activity;
    bool down;
    size_t tasks, failures, clock;
    size_t version; /* of the model it works with */
    double *w;      /* that model */
    double begun_s, spent_s,
        end_s;              /* of the present stretch of work; before it; of the task unless it is paused */
    double seconds;         /* of its task */
    bool has[TWIN_WORKERS]; /* partitions of its task */
    size_t sharing;         /* workers among whom all were shared out as it began */
};

/* A push at the master. */
struct push {
    size_t worker, version;
    double *gradient; /* [n * d]: of each of its partitions, lambda w included where terms have it */
    double seconds;
    bool used, has[TWIN_WORKERS];
    size_t sharing;
};

struct play {
    const struct pushes_spec *spec;
    struct pushes_result *result;
    size_t n, d, t;
    struct one one[TWIN_WORKERS];
    struct event event[4 * TWIN_WORKERS]; /* one place for each kind and worker */
    struct push *inbox;                   /* of the whole run, in order of arrival */
    size_t arrived, heard, opened;        /* of the inbox */
    size_t fresh;                         /* heard since the opening */
    double now_s, opened_s, first_s;
    double *w, *table;                                            /* [d], [n * d] */
    size_t table_version[TWIN_WORKERS], table_push[TWIN_WORKERS]; /* the latter: its place in the inbox */
    bool filled[TWIN_WORKERS];
    size_t holder[TWIN_WORKERS]; /* of each partition; NONE */
};

#define NONE SIZE_MAX

double *zeroed(size_t count);
/* Partitions of a task. */
size_t partitions_of(const struct play *play, const bool *has);
/* Marks and books what is used of the round; false: nothing is. */
bool choose_pushes(struct play *play, struct pushes_step *row);
/* What is used of the round, or the table, becomes an update. */
void update_model(struct play *play, struct pushes_step *row);
#endif
