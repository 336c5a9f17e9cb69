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

/* What the estimates of a run were worth. */
struct audited {
    uint32_t updates, partitions;
    struct partition_row *partition; /* [partitions] */
    /* Over the updates where grad F is neither 0, nor rounding, nor without bound; NAN: none. */
    double error_mean, cosine_mean, cosine_min;
    double residual_max, largest_max; /* of a decode, over the updates */
    /* The largest ratios over the run, but for gradients that are rounding, that struct theorem asks for; NAN where the scheme has no theorem. */
    double xi, gamma;
};

/* What became of a partition. */
struct partition_fate {
    uint32_t last_step; /* the last whose estimate got a new gradient of it; 0: none did */
    uint32_t uses;      /* new gradients of it, or of its pieces, that estimates got */
    uint32_t
        holder; /* the worker that computes it from now on; UINT32_MAX: nobody, or it is no single worker's affair */
};

/* point, scheme, swept, parameters and replication of the rows are filled in when they are written: equal runs of
 * several points share one result. */
struct result {
    struct step_row *step; /* recorded rows */
    size_t steps, step_capacity;
    struct run_row run;
    struct worker_row *worker;
    uint32_t workers;
    struct moment_log *moments;                 /* its events; NULL: not asked for */
    struct audited *audited;                    /* NULL: not asked for */
    double diverged_residual, diverged_largest; /* of the decode that a run diverged by; NAN: none was */
    uint64_t *aged; /* [ages]: terms of used messages by their staleness; NULL where none can be stale */
    size_t ages;
    double stalest_end;          /* age of the oldest gradient in the last estimate; NAN: none */
    struct partition_fate *fate; /* [partitions]; NULL: nobody was ever away */
    uint32_t partitions;
};
struct result *result_new(uint32_t workers);
void result_free(struct result *result);
/* From now on events are kept. */
void result_keep_moments(struct result *result);
/* From now on there is room for an audit of so many partitions. */
void result_keep_audit(struct result *result, uint32_t partitions);
/* From now on there is room for the fates of so many partitions. */
void result_keep_fates(struct result *result, uint32_t partitions);
/* What workers' seconds and the terms of messages were good for is not told. */
void result_forget_bookings(struct result *result);
/* Terms of that staleness were used: one; so many; one of each. */
void result_note_age(struct result *result, uint32_t staleness);
void result_note_ages(struct result *result, uint32_t staleness, uint64_t count);
void result_note_each_age(struct result *result, const uint32_t *staleness, size_t count);
void result_add_step(struct result *result, const struct step_row *row);
/* Row 0, and what a row says of which nothing is known: no field applies. */
struct step_row blank_step(void);
#endif
