/* runner.h: runs the distinct runs of a plan in several threads and hands them on in the order of the plan, whatever
 * the number of threads. Knows no file. */
#ifndef LAGGARD_RUNNER_H
#define LAGGARD_RUNNER_H
#include "render.h"

/* What becomes of a run; called from one thread, in the order (point, scheme, replication). False stops the runner. */
struct receiver {
    bool (*receive)(void *context, size_t contest, uint32_t replication, const struct result *result,
                    const struct rendering *rendering);
    void *context;
};
/* False when the receiver stopped it. */
bool runner_run(const struct plan *plan, unsigned threads, struct receiver receiver);
size_t runner_jobs(const struct plan *plan); /* distinct runs */
#endif
