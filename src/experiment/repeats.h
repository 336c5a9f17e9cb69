/* repeats.h: runs that equal an earlier one and are not computed again: where that one stands in the journal, and its rows
 * under the names of another contest. Keeps a place for each contest, not for each run. */
#ifndef LAGGARD_REPEATS_H
#define LAGGARD_REPEATS_H
#include "digest.h"
#include "render.h"

struct repeats;
/* Of the folder that is being filled. */
struct repeats *repeats_new(const struct plan *plan, const char *folder);
void repeats_free(struct repeats *repeats);
/* A run that later ones equal begins at this place of the journal. In the order of the agenda. */
void repeats_note(struct repeats *repeats, struct run_id run, const struct journal_place *place);
/* What `run` leaves behind, from its source, which was noted: its rows are appended to `rendering`, its digest is in the
 * arena. False where the source cannot be read as it was written. */
bool repeats_copy(struct repeats *repeats, struct run_id run, struct run_id source,
                  struct rendering *rendering, struct digest *digest, struct arena *arena);
#endif
