#include "loads.h"
#include <math.h>

/* Every worker holds and computes as much. */
static struct loads even(double held, double computed) {
    return (struct loads){held, held, computed, computed};
}

/* A worker holds what its first task takes, when all are there: schemes in whose tasks that is not so have equal ones. */
static struct loads first_tasks(const struct scenario *scenario, const struct scheme_entry *entry,
                                bool pieces) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    struct setting setting = scenario_setting(scenario, entry);
    struct arena *arena = arena_new();
    struct stream code = {scenario->seed, 0, PURPOSE_CODE};
    void *state = scheme->begin(entry->scheme.params, &setting, code, arena);
    double least = (double)INFINITY, most = 0;
    scheme->open(state, 0, 0);
    for (uint32_t i = 0; scheme->member && i < setting.shape.workers; i++)
        scheme->member(state, i, MEMBER_JOINED);
    for (uint32_t i = 0; i < setting.shape.workers; i++) {
        struct task task;
        scheme->assign(state, i, 0, &task);
        double load = pieces ? task.work : task.evaluations;
        least = fmin(least, load);
        most = fmax(most, load);
    }
    arena_free(arena);
    return (struct loads){least, most, least, most};
}

struct loads loads_of(const struct scenario *scenario, const struct scheme_entry *entry) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    struct setting setting = scenario_setting(scenario, entry);
    struct limits limits = scheme->limits(entry->scheme.params, &setting);
    bool pieces = cut_pieces(&limits.cut) > 1;
    if (pieces && limits.work > 0)
        return even(limits.work, limits.work);
    double distinct =
        limits.local_steps > 0 ? (double)limits.evaluations / limits.local_steps : (double)limits.evaluations;
    if (!pieces && (limits.work > 0 || limits.kept > 0))
        return even(fmax(limits.kept, distinct), limits.evaluations);
    return first_tasks(scenario, entry, pieces);
}
