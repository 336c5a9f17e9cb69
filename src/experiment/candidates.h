/* candidates.h: the settings of schemes that can be used in a scenario: its own, and of every scheme that there is, its counts
 * on a logarithmic grid, with every kind of wait rule that it takes. What is varied follows from the tables of parameters.
 * Knows no run. */
#ifndef LAGGARD_CANDIDATES_H
#define LAGGARD_CANDIDATES_H
#include "plan.h"

struct candidate {
    const struct scenario *scenario; /* has this scheme alone */
    const struct node *scheme;       /* its mapping, as it would be written */
    const char *name;                /* the scheme and what is not by default */
    uint32_t setting;                /* candidates of one setting differ in what is tuned */
    const double *value;             /* of what is tuned, as scenario.tuned; NULL: nothing is */
};
struct candidates {
    struct candidate *candidate;
    size_t count;
    uint32_t settings;
    size_t places; /* candidates of each setting: the grid of what is tuned */
    size_t
        inexact; /* settings left out, as some of their steps may be no exact gradient: without a loss only time counts */
};
/* In the plan's arena, of its first point; no two with the same settings. Where the scenario tunes, each setting is there
 * with the values of every place of the grid. */
struct candidates candidates_of(struct plan *plan);

/* A tree without all that its reader has added to it; in the arena. */
struct node *tree_as_written(struct arena *arena, const struct node *tree);
/* The tree with the candidate's scheme alone and its values of what is tuned, read anew; NULL where it is refused. In the plan's
 * arena. */
struct scenario *scenario_of_candidate(struct plan *plan, const struct node *tree,
                                       const struct candidate *candidate);
/* For `workers` in place of those of its scenario: its counts of workers, partitions and results grow as these. The scenario is the
 * same. In the arena. */
struct candidate candidate_scaled(struct arena *arena, const struct candidate *candidate, uint32_t workers);
#endif
