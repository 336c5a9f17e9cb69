/* walk_inside.h: what a walk looks at, in two files: the rows of a run (walk.c) and its events (walk_moments.c). */
#ifndef LAGGARD_TESTS_WALK_INSIDE_H
#define LAGGARD_TESTS_WALK_INSIDE_H
#include "result.h"
#include "scheme.h"

/* The scenario that is being walked, for messages and for the handler of signals. */
enum { WALKED_BYTES = 65536 };
extern char walked_text[WALKED_BYTES];

/* Tells that a condition does not hold in the scenario that is being walked. */
void walk_tell(const char *condition, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define HOLDS(condition, ...)                                                                                \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            walk_tell(#condition, __VA_ARGS__);                                                              \
    } while (0)

/* After every event of the run: the clock never went back, no result is told, heard or used twice, and none is used that
 * was not heard before. */
void walk_moments(const struct result *result, const struct limits *limits);
#endif
