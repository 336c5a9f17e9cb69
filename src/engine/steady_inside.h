/* steady_inside.h: the inside of struct steady, shared by steady.c (all workers, step by step) and steady_tasks.c (some workers'
 * next tasks). */
#ifndef LAGGARD_STEADY_INSIDE_H
#define LAGGARD_STEADY_INSIDE_H
#include "steady.h"
#include <math.h>

/* The workers of a group. */
struct crew {
    const struct group_spec *group;
    uint32_t *worker; /* [group->count], by member */
    bool together;    /* they follow each other */
};

struct steady {
    const struct cluster_spec *spec;
    struct cluster_run run;
    double work;
    uint32_t row;
    struct crew *crew;       /* [spec->groups] */
    uint32_t *group, *place; /* [workers]: its crew, and its index there */
    double *speed;           /* [row] */
    double *factor;          /* [row]: slowness; NULL: nobody is slow */
    double *compute_s; /* [row]: seconds of a partition where they are always the same; NULL: they are not */
    bool even;         /* …and the same for all workers */
    double *drawn_s;   /* [capacity]: where they are not */
    size_t capacity;
    double *member; /* [row]: a crew's draws of one step, apart from the others' */
};

/* One of the two laws of every group: `law` finds it. */
struct role {
    enum purpose purpose;
    const struct picked *(*law)(const struct group_spec *group);
};

extern const struct role steady_computing, steady_delaying;

/* Of the groups' laws whose samples are quantiles: the form of draw that suits them all; false: there are none. */
bool steady_form(const struct steady *steady, const struct role *role, enum draw_form *form);
/* Its samples are quantiles of draws, not all the same. */
bool steady_inverted(const struct picked *law);
/* One sample of the worker's law. */
double steady_sampled(const struct steady *steady, const struct role *role, uint32_t worker, uint32_t step);
/* From now on drawn_s has room for so many numbers. */
void steady_make_room(struct steady *steady, size_t count);

/* Nothing of what never ends is nothing, and so is endlessly much of nothing. */
static inline double steady_slowed(double seconds, double factor) {
    bool nothing = isinf(seconds + factor) && (seconds == 0 || factor == 0);
    return nothing ? 0 : seconds * factor;
}
#endif
