/* runner.h: computes a list of runs of a plan in several threads and hands them on in the order of the list, whatever the
 * number of threads. Knows no file. */
#ifndef LAGGARD_RUNNER_H
#define LAGGARD_RUNNER_H
#include "agenda.h"
#include "render.h"

/* What becomes of a run; called from one thread, in the order of the list. False stops the runner. */
struct receiver {
    bool (*receive)(void *context, size_t contest, uint32_t replication, const struct result *result,
                    const struct rendering *rendering);
    void *context;
};

/* False when the receiver stopped it. */
bool runner_run(const struct plan *plan, const struct run_list *list, unsigned threads,
                struct receiver receiver);
#endif
