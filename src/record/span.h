/* span.h: the moments of a run as stretches of time: what every worker was busy with and when it was down, and the
 * master's steps. Without overlap the stretches of a worker do not overlap, and their sums are its booked seconds.
 * Knows events, not who drew them. */
#ifndef LAGGARD_SPAN_H
#define LAGGARD_SPAN_H
#include "moment.h"

enum span_kind {
    SPAN_COMPUTE,
    SPAN_UPLOAD, /* where it takes time; of overlapping uploads of a worker: from the arrival of the one before */
    SPAN_DOWN,   /* also before it joins, and once it is gone */
    SPAN_WARMUP,
    SPAN_STEP,   /* the master's: from opening to close */
    SPAN_UPDATE, /* the master's: from the close to the next model */
};

/* A task that is interrupted by a failure has several spans of a kind. */
struct span {
    double begin_s, end_s;
    uint32_t worker; /* UINT32_MAX: the master's */
    uint32_t step;   /* UINT32_MAX: of none */
    enum span_kind kind;
    bool
        discarded; /* computing or uploading of a task that was in no estimate, up to the end of the moments */
};

struct spans {
    struct span *span; /* by their ends */
    size_t count, capacity;
    bool overlap; /* some worker computes while it uploads */
};
/* Of settled moments; frees with spans_fini. What has not ended ends with the last moment. */
void spans_init(struct spans *spans, const struct moment_log *moments, uint32_t workers);
void spans_fini(struct spans *spans);

/* What a timeline calls a span: compute, upload, discarded, down, warm-up, step, update. */
const char *span_name(const struct span *span);
#endif
