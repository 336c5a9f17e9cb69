/* stage.h: small clusters and expected events, for the tests of the engine. */
#ifndef LAGGARD_TESTS_STAGE_H
#define LAGGARD_TESTS_STAGE_H
#include "cluster.h"

/* A group's other fields: full speed, in no rack, always there. */
#define ALWAYS .speed = 1, .rack = PARAM_ABSENT, .leaves_s = (double)INFINITY

/* Takes the next event; ends the test when there is none. */
struct event cluster_next(struct cluster *cluster);

struct wanted {
    enum event_kind kind;
    double time_s;
    uint32_t worker;
};
/* Takes as many events and compares them in order. */
void expect_events(struct cluster *cluster, const struct wanted *wanted, size_t count);
#define EXPECT_EVENTS(cluster, list) expect_events(cluster, list, sizeof(list) / sizeof *(list))

/* Three workers without any time of their own. */
extern const struct cluster_spec stage_three;
/* Seed 1, messages without size. */
struct cluster *cluster_of(const struct cluster_spec *spec);

/* A task of one part and one result. */
struct doing {
    uint32_t step;
    double start_s, seconds;
};
void start_task(struct cluster *cluster, uint32_t worker, struct doing doing);
#endif
