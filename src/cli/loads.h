/* loads.h: what a scheme gives its workers to hold and to compute. */
#ifndef LAGGARD_LOADS_H
#define LAGGARD_LOADS_H
#include "scenario.h"

/* In partitions; a partition cut into pieces counts by its rows. Over the workers, of their first tasks. */
struct loads {
    double held_least, held_most;
    double computed_least, computed_most;
};
struct loads loads_of(const struct scenario *scenario, const struct scheme_entry *entry);
#endif
