/* given_law.h: a law out of a line of a scenario, for tests. */
#ifndef LAGGARD_GIVEN_LAW_H
#define LAGGARD_GIVEN_LAW_H
#include "law.h"

struct given_law {
    struct diag *diag;
    struct arena *arena;
    struct shelf *shelf;
    struct picked law;
    bool accepted; /* read and loaded without an error */
};

/* Reads `text`, such as {type: exponential, mean: 1s}, in the notation of sketch.h, for a group of `members` workers.
 * Paths are relative to `folder`; NULL: to the working folder. Freed with given_law_fini. */
struct given_law given_law(const char *text, uint32_t members, const char *folder);
/* Reads one more law, with the same shelf and messages. */
void given_law_again(struct given_law *given, const char *text, uint32_t members, const char *folder);
void given_law_fini(struct given_law *given);

/* Worker and member `worker` of a group, step `step`, of the delays of seed 1 and replication 0. */
struct occasion occasion_at(uint32_t worker, uint32_t step);
double given_sample(const struct given_law *given, uint32_t worker, uint32_t step);
#endif
