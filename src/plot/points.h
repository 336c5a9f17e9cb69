/* points.h: the points of a sweep that a user asks for: a list of indices and of spans A:B with both ends. Knows no
 * results. */
#ifndef LAGGARD_POINTS_H
#define LAGGARD_POINTS_H
#include "diag.h"
#include "memory.h"

struct span {
    uint32_t first, last; /* both are in it */
};
/* No span: nothing was chosen. */
struct points {
    const struct span *span;
    size_t spans;
};
/* Reads 3, 0:5 or 0,3,7:9 into the arena; false after writing why. */
bool points_read(struct points *points, struct arena *arena, const char *text, struct sentence *why);
/* Whether the point was asked for; every one is where nothing was chosen. */
bool points_hold(const struct points *points, uint32_t point);
#endif
