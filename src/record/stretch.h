/* stretch.h: the moments of a run as stretches of time: what every worker was busy with and when it was down, and the
 * master's steps. Without overlap the stretches of a worker do not overlap, and their sums are its booked seconds.
 * Knows events, not who drew them. */
#ifndef LAGGARD_STRETCH_H
#define LAGGARD_STRETCH_H
#include "moment.h"

enum stretch_kind {
    STRETCH_COMPUTE,
    STRETCH_DELAY, /* of a task that finished; where a failure interrupts it, from the repair on */
    STRETCH_UPLOAD, /* where it takes time; of overlapping uploads of a worker: from the arrival of the one before */
    STRETCH_DOWN, /* also before it joins, and once it is gone */
    STRETCH_WARMUP,
    STRETCH_STEP,   /* the master's: from opening to close */
    STRETCH_UPDATE, /* the master's: from the close to the next model */
};

/* A task that is interrupted by a failure has several stretches of a kind. */
struct stretch {
    double begin_s, end_s;
    uint32_t worker; /* UINT32_MAX: the master's */
    uint32_t step;   /* UINT32_MAX: of none */
    enum stretch_kind kind;
    bool
        discarded; /* computing or uploading of a task that was in no estimate, up to the end of the moments */
};

struct stretches {
    struct stretch *stretch; /* by their ends */
    size_t count, capacity;
    bool overlap; /* some worker computes while it uploads */
};
/* Of settled moments; frees with stretches_fini. What has not ended ends with the last moment. */
void stretches_init(struct stretches *stretches, const struct moment_log *moments, uint32_t workers);
void stretches_fini(struct stretches *stretches);

/* What a timeline calls a stretch: compute, delay, upload, discarded, down, warm-up, step, update. */
const char *stretch_name(const struct stretch *stretch);
#endif
