/* way.h: the ways in which a run can go. All that serve it leave the same bytes; the one by events serves every run. */
#ifndef LAGGARD_WAY_H
#define LAGGARD_WAY_H
#include "trial.h"

/* Where a run stands: a model has moved and is not evaluated; it is at its end; it is of no use, as it turned out that it needs
 * events. */
enum stand { STAND_WAITING, STAND_ENDED, STAND_UNSUITED };

struct way {
    /* A run on its way, at its beginning; NULL: it does not serve such a run. */
    void *(*begin)(const struct trial_spec *spec);
    /* The models that it trains. NULL: none, ever. */
    struct learner *const *(*learners)(const void *course, size_t *count);
    /* Goes on to where it stops next. */
    enum stand (*go_on)(void *course);
    /* Frees it, wherever it stands, and returns the result, which is whole at its end. */
    struct result *(*end)(void *course);
};

extern const struct way way_by_rounds, way_by_late_rounds, way_by_events;
#endif
