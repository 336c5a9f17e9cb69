/* candidates.h: the settings of schemes that can be used in a scenario: its own, and of every scheme that there is, its counts
 * on a logarithmic grid, with every kind of wait rule that it takes. What is varied follows from the tables of parameters.
 * Knows no run. */
#ifndef LAGGARD_CANDIDATES_H
#define LAGGARD_CANDIDATES_H
#include "plan.h"

struct candidate {
    struct scenario *scenario; /* has this scheme alone */
    const char *name;          /* the scheme and what is not by default */
};
struct candidates {
    struct candidate *candidate;
    size_t count;
    size_t
        inexact; /* left out, as some of their steps may be no exact gradient: without a loss only time counts */
};
/* In the plan's arena, of its first point; no two with the same settings. */
struct candidates candidates_of(struct plan *plan);

/* A tree without all that its reader has added to it; in the arena. */
struct node *tree_as_written(struct arena *arena, const struct node *tree);
/* The tree with the scheme of this mapping alone, read anew; NULL where it is refused. In the plan's arena. */
struct scenario *scenario_of_scheme(struct plan *plan, const struct node *tree, const struct node *scheme);
#endif
