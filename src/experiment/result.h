/* result.h: what one run left behind, kept in memory until it is written. */
#ifndef LAGGARD_RESULT_H
#define LAGGARD_RESULT_H
#include "moment.h"
#include "rows.h"

/* How a run ended. */
enum status {
    STATUS_RUNNING,
    STATUS_LOSS,
    STATUS_STEPS,
    STATUS_SECONDS,
    STATUS_STALLED,
    STATUS_DIVERGED,
    STATUS_TRACE_END
};
const char *status_name(enum status status);

/* point, scheme, swept, parameters and replication of the rows are filled in when they are written: equal runs of
 * several points share one result. */
struct result {
    struct step_row *step; /* recorded rows */
    size_t steps, step_capacity;
    struct run_row run;
    struct worker_row *worker;
    uint32_t workers;
    struct moment_log *moments; /* its events; NULL: not asked for */
};
struct result *result_new(uint32_t workers);
void result_free(struct result *result);
/* From now on events are kept. */
void result_keep_moments(struct result *result);
void result_add_step(struct result *result, const struct step_row *row);
#endif
