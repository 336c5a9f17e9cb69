/* digest.h: what the comparison needs of a run once its rows are written: a few numbers and sentences, as the note of its
 * record in the journal. */
#ifndef LAGGARD_DIGEST_H
#define LAGGARD_DIGEST_H
#include "agenda.h"
#include "plan.h"
#include "result.h"

/* Of a run that was audited; see audit_summary.h. */
struct audit_digest {
    double error_mean, cosine_min, residual_max, largest_max;
    double weight_min, weight_max; /* of any partition in any update */
    uint32_t partitions;           /* 0: no update */
    double *weight_mean;           /* [partitions] */
    bool theorem, holds, exceeded, slower;
    const char *reason; /* the conditions of the theorem that fail */
};

struct digest {
    struct run_id run;
    double measure[MEASURES];
    bool stalled, diverged;
    const struct audit_digest *audit; /* NULL: it was not audited */
    size_t sentences;                 /* of the first replication: see warnings.h */
    const char *const *sentence;
};
/* In the arena. */
struct digest digest_of(struct arena *arena, const struct plan *plan, struct run_id run,
                        const struct result *result);
/* On one line. */
const char *digest_text(struct arena *arena, const struct digest *digest);
/* Reads such a text; false where it is none. */
bool digest_read(struct digest *digest, struct arena *arena, const char *text);
/* Reads only whose it is. */
bool digest_run(const char *text, struct run_id *run);
#endif
