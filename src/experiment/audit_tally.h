/* audit_tally.h: adds up audited runs as they come, contest by contest. */
#ifndef LAGGARD_AUDIT_TALLY_H
#define LAGGARD_AUDIT_TALLY_H
#include "audit_summary.h"
#include "digest.h"

struct audit_tally;
struct audit_tally *audit_tally_new(const struct plan *plan);
void audit_tally_free(struct audit_tally *tally);
/* A run that was audited. */
void audit_tally_note(struct audit_tally *tally, size_t contest, const struct audit_digest *audit);
/* [contests], valid as long as the tally. */
const struct audit_summary *audit_tally_summaries(struct audit_tally *tally);
#endif
