/* tally.h: collects the measures of runs as they come, point after point, and makes the summaries of a plan's contests. A mean
 * takes its deviation and its differences in a second pass, so that numbers of single runs are kept: of the first contest
 * of one point, and of those beside it that still want runs; of what is measured, no more than varies: some 40 bytes a run. */
#ifndef LAGGARD_TALLY_H
#define LAGGARD_TALLY_H
#include "plan.h"

struct tally;
struct digest;
struct tally *tally_new(const struct plan *plan);
void tally_free(struct tally *tally);
/* In the order of points and, in a contest, of replications. */
void tally_note(struct tally *tally, const struct digest *digest);
/* Of the point that was noted last: the paired difference of every scheme to the first, in what they are compared by, has a
 * 95 % interval whose half width is at most this share of the first scheme's mean. A scheme that has no pair with the first,
 * as one of them never reached the target, is not waited for; a scheme alone is compared with itself: its mean has. */
bool tally_settled(const struct tally *tally, double half_width);
/* [contests], valid as long as the tally; runs are 0 where none was noted. No run is noted after it. */
const struct summary *tally_summaries(struct tally *tally);
#endif
