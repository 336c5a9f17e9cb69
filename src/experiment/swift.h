/* swift.h: runs that go faster without the event queue and leave the same rows, byte for byte. Each says whether it serves the
 * run and then takes it from the opening of its first round to its end; what else there is goes event by event. */
#ifndef LAGGARD_SWIFT_H
#define LAGGARD_SWIFT_H
#include "trial_state.h"

/* Workers that push at their own pace, or up to a lead over the slowest (struct scheme, `lead`), where only time counts and
 * nothing comes between a worker and its work. False: it is not such a run, and nothing was done. */
bool swift_pushes(struct trial *trial);
#endif
