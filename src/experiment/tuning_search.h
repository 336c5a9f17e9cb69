/* tuning_search.h: the search for the values of some numbers that cost least: a grid, then golden section between the
 * neighbours of its best, one number after the other. It proposes values, is told their merit, and so on; which it proposes
 * depends on nothing else. Knows no run. */
#ifndef LAGGARD_TUNING_SEARCH_H
#define LAGGARD_TUNING_SEARCH_H
#include "heat.h"

struct attempt {
    double value[TUNED_MAX];
    struct merit merit;
};

/* The grid by which a search begins: how many places it has (1 where nothing is tuned), and the values at one of them. */
size_t tuning_grid_places(const struct scenario *scenario);
void tuning_grid_values(const struct scenario *scenario, size_t place, double value[TUNED_MAX]);

struct tuning_search;
/* Over the ranges that the scenario has. */
struct tuning_search *tuning_search_new(const struct scenario *scenario);
void tuning_search_free(struct tuning_search *search);
/* Attempts in all. */
size_t tuning_search_attempts(const struct scenario *scenario);
/* The next attempts, whose merit is to be filled in before the next call; 0: there are none. */
size_t tuning_search_next(struct tuning_search *search, struct attempt **attempt);
/* All so far. */
const struct attempt *tuning_search_tried(const struct tuning_search *search, size_t *count);
/* The best of them; of equal ones the first. */
size_t tuning_search_best(const struct tuning_search *search);
#endif
