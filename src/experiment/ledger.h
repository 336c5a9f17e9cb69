/* ledger.h: where every worker's seconds went. Each evaluation of a partition is booked once, by its best use over the
 * run: useful (the first of its partition in an estimate, at the present version), redundant (other fresh ones in used
 * messages), stale (used at age > 0 only), discarded (never used, or unfinished). A message's seconds are split by
 * its work. First means first to arrive.
 * Knows no clock: it is told seconds. */
#ifndef LAGGARD_LEDGER_H
#define LAGGARD_LEDGER_H
#include "scheme.h"

enum use { USE_DISCARDED, USE_STALE, USE_REDUNDANT, USE_USEFUL, USES }; /* worst to best */

/* A worker's seconds by use. Sums are kept worker by worker, each in the order of its tasks, so that they do not depend on
 * whose task ended first. */
struct spending {
    double evaluated_s[USES]; /* of evaluations, as their use becomes certain */
    double booked_s[USES];    /* whose use was known at once */
};
static inline double spending_seconds(const struct spending *spending, enum use use) {
    return spending->evaluated_s[use] + spending->booked_s[use];
}
static inline double spending_busy(const struct spending *spending) {
    double busy_s = 0;
    for (unsigned use = 0; use < USES; use++)
        busy_s += spending_seconds(spending, (enum use)use);
    return busy_s;
}
/* Of all workers, one after another. */
double spendings_seconds(const struct spending *spending, uint32_t workers, enum use use);

struct ledger;
struct ledger_spec {
    uint32_t workers;
    uint32_t partitions; /* or pieces */
    uint32_t
        slots; /* evaluations of one worker, of different partitions, that can still be used: of a round */
    uint32_t rounds; /* for which an evaluation can be used; 0: until its partition's next one */
};
struct ledger *ledger_new(const struct ledger_spec *spec);
void ledger_free(struct ledger *ledger);

/* What a worker computed in one go. */
struct booking {
    uint32_t worker, step;
    uint32_t first, evaluations; /* of the task's */
    const struct evaluation *evaluation;
};
/* Computing it ended: its evaluations await their use in place of the worker's earlier ones of the same partitions, or
 * of the round that falls out of those kept. */
void ledger_finished(struct ledger *ledger, const struct booking *booking, double seconds);
/* Seconds of uploading it, split likewise. */
void ledger_extend(struct ledger *ledger, const struct booking *booking, double seconds);
/* Seconds whose use is known at once: of unfinished work, of a warm-up. */
void ledger_book(struct ledger *ledger, uint32_t worker, double seconds, enum use use);

/* Seconds of that use, of workers that are told apart elsewhere. */
void ledger_add(struct ledger *ledger, enum use use, double seconds);

/* A message: of the worker's task of `step`. */
struct used_message {
    uint32_t worker, step;
    uint32_t first; /* of the task's evaluations: where those behind the terms are likely to begin */
    size_t terms;
    const struct term *term;
};
/* It is used in an estimate of `version`, the `update`-th of the run; call in the order of arrival. */
void ledger_use(struct ledger *ledger, const struct used_message *message, uint32_t version, uint32_t update);
struct used_in {
    uint32_t version, update;
};
/* Without a barrier a message is used in one update or never. The worker spends seconds on it… */
void ledger_spend(struct ledger *ledger, uint32_t worker, double seconds);
/* …which are booked, split over its terms, when it is used in an estimate of `version`, the `update`-th of the run… */
void ledger_used(struct ledger *ledger, const struct used_message *message, double seconds,
                 const struct used_in *in);
/* …or when that can no more be. */
void ledger_unused(struct ledger *ledger, double seconds);
/* Whether a term of it is of an evaluation of the worker's tasks that awaits its use, so not of its warm-up. */
bool ledger_holds(struct ledger *ledger, const struct used_message *message, size_t term);
/* Books what still awaits its use. */
void ledger_settle(struct ledger *ledger);

/* Seconds of all workers by use; complete after ledger_settle. */
double ledger_seconds(const struct ledger *ledger, enum use use);
/* Seconds in which the worker was not idle and not down; complete after ledger_settle. */
double ledger_busy(const struct ledger *ledger, uint32_t worker);
#endif
