/* hr_sets.h: largest sets of responders with disjoint windows in the HR placement, exactly, at any n.
 * Knows no times and no gradients.
 *
 * Every window is c places in a row. Where its first place is at least 0 it is *plain*: it may run on into the next
 * group, round the ring. Else it *wraps*: it takes its group's first and last places, so that nothing enters or leaves
 * that group. So disjoint windows are read off going once round the ring from place to place: a place is left empty, or
 * a plain window begins there; at a group's first place a wrapping one may be taken instead, and then others lie within
 * it. What is best from a place on is a table, filled from the end: the largest number of windows, and how many sets
 * reach it. The ring is closed by a table for each number of places that the last window takes of the first group.
 *
 * Notation: n workers, c copies, n0 = n / g workers in a group, c1 of the copies are local (see placement.h). */
#ifndef LAGGARD_HR_SETS_H
#define LAGGARD_HR_SETS_H
#include "placement.h"
#include "scheme.h"

/* The sets of the largest `size` among some, of which there are ways * 2^(512 shifts); ways and size 0: none. */
struct tally {
    double ways;
    uint32_t size, shifts;
};

struct hr_move;
struct hr_sets {
    struct placement placement;
    uint32_t plain;        /* windows with offsets in their group below this are plain, the others wrap */
    uint32_t *beginning;   /* [n]: 1 + the message whose window begins at the partition; 0: none */
    struct tally *ahead;   /* [n + c]: the best from a place on, while the ring is closed in one way */
    struct tally *inside;  /* [n + c]: the same within a wrapping window */
    struct tally *wrapped; /* [n]: the best within the window that begins there and wraps */
    double *weight;        /* while choosing: what the caller wants marked */
    struct draw draw;      /* the place that ties are drawn from: set by the caller before each choice */
    struct hr_move *move;  /* [c + 2] */
};

void hr_sets_begin(struct hr_sets *sets, struct placement placement, struct arena *arena);

/* Where the worker's window begins, and whether it is plain. */
uint32_t hr_first(const struct hr_sets *sets, uint32_t worker);
bool hr_plain(const struct hr_sets *sets, uint32_t worker);

/* Marks with 1 in `weight` the messages of one of the largest sets, drawn uniformly among all of them from `draw` on, and
 * returns how many they are. Messages come by worker, one from each. O(n c). */
uint32_t hr_sets_choose(struct hr_sets *sets, const struct message *message, uint32_t messages,
                        double *weight);
#endif
