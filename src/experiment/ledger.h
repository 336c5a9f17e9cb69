/* ledger.h: where every worker's seconds went. Each evaluation of a partition is booked once, by its best use over the
 * run: useful (the first of its partition in an estimate, at the present version), redundant (other fresh ones in used
 * messages), stale (used at age > 0 only), discarded (never used, or unfinished). A message's seconds are split by
 * its work. First means first to arrive.
 * Knows no clock: it is told seconds. */
#ifndef LAGGARD_LEDGER_H
#define LAGGARD_LEDGER_H
#include "scheme.h"

enum use { USE_DISCARDED, USE_STALE, USE_REDUNDANT, USE_USEFUL, USES }; /* worst to best */

struct ledger;
/* Evaluations of one worker that can still be used: at most `slots`, of different partitions. */
struct ledger *ledger_new(struct shape shape, uint32_t slots);
void ledger_free(struct ledger *ledger);

/* A task's computing ended: its evaluations, of `version`, await their use in place of the worker's earlier ones of the
 * same partitions. */
void ledger_finished(struct ledger *ledger, const struct task *task, uint32_t worker, double seconds);
/* Seconds of uploading it, split likewise. */
void ledger_extend(struct ledger *ledger, const struct task *task, uint32_t worker, double seconds);
/* Seconds whose use is known at once: of unfinished work, of a warm-up. */
void ledger_book(struct ledger *ledger, uint32_t worker, double seconds, enum use use);
/* The worker's message of these terms is used in the estimate of `version`; call in the order of arrival. */
void ledger_use(struct ledger *ledger, uint32_t worker, const struct term *term, size_t terms,
                uint32_t version);
/* Whether the term is of an evaluation of the worker's tasks that awaits its use, so not of its warm-up. */
bool ledger_holds(struct ledger *ledger, uint32_t worker, const struct term *term);
/* Books what still awaits its use. */
void ledger_settle(struct ledger *ledger);

/* Seconds of all workers by use; complete after ledger_settle. */
double ledger_seconds(const struct ledger *ledger, enum use use);
/* Seconds in which the worker was not idle and not down. */
double ledger_busy(const struct ledger *ledger, uint32_t worker);
#endif
