/* walk.h: one combination of everything that a scenario may ask for, run in the test's own process: either it is refused,
 * each mistake in one located sentence, or it runs to a stated status and its numbers agree with each other.
 * What does not hold is told by name; so is the combination in which an assertion failed or that did not end. */
#ifndef LAGGARD_TESTS_WALK_H
#define LAGGARD_TESTS_WALK_H
#include <stddef.h>
#include <stdint.h>

/* Texts of a scenario. */
struct combination {
    const char *problem; /* and what else stands at the top level, each key on a line of its own */
    const char *cluster; /* inside of the mapping `cluster` */
    const char *scheme;  /* a mapping's inside: type: gc-fr, stragglers: 2 */
    const char *wait;    /* a mapping; "": the scheme's own */
    const char *late;    /* "": the scheme's own */
    uint32_t mistakes;   /* at most, told when it is refused: one for each text that may be wrong */
};

enum walked { WALKED_REFUSED, WALKED_RUN };
/* Runs it, with its events kept and again without them. */
enum walked walk(const struct combination *combination);

/* Draw one, see draws.h, and run it: of keys that go together often enough for most of what is special of a scheme to be
 * met; and of all that the tables of parameters list. */
enum walked walk_freely(void);
enum walked walk_tables(void);

/* Runs all of these that are not refused as one study, in one thread and in four: the same bytes. */
void walk_together(const struct combination *combination, size_t combinations);
#endif
