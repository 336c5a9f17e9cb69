/* steady.h: what tasks take on a cluster where nothing comes between a worker and its work, of many steps at once: the bits
 * of cluster_task_seconds. Knows no events. */
#ifndef LAGGARD_STEADY_H
#define LAGGARD_STEADY_H
#include "cluster.h"
#include "stream_grid.h"

/* Whether all workers are there from the start to the end, without failures, network, regimes, shocks or gaps in a trace;
 * a task is not a sum of independent draws. */
bool steady_serves(const struct cluster_spec *spec);

struct steady;
/* Of a cluster that it serves, for tasks of `work` partitions. The spec must outlive it. */
struct steady *steady_new(const struct cluster_spec *spec, const struct cluster_run *run, double work);
void steady_free(struct steady *steady);

/* Workers with what fills up a row: an even number. */
uint32_t steady_row(const struct steady *steady);
/* Writes seconds[steps][row] of the steps from `step` on; what fills up a row means nothing. */
void steady_seconds(struct steady *steady, uint32_t step, uint32_t steps, double *seconds);

/* Finds those of a step, [workers], where they stand already, as long as the spec does; false: nowhere, in whatever step. */
bool steady_stored(const struct cluster_spec *spec, const struct cluster_run *run, uint32_t step,
                   struct stored_row *row);

/* Writes seconds[of->runs][DRAW_RUN]: of the runs' workers in the runs' steps, in forms of draws that its laws like. */
void steady_tasks(struct steady *steady, struct draw_runs *of, double *seconds);

/* Whether all workers are alike and do not depend on each other or on earlier steps, so that a step's times are independent
 * draws of one law. */
bool steady_alike(const struct cluster_spec *spec);
#endif
