#include "task_law.h"
#include <float.h>
#include <math.h>

bool law_is_constant(const struct picked *law, double *seconds) {
    *seconds = 0;
    if (!law)
        return true;
    if (law_dependent(law))
        return false;
    struct moments moments = law_moments(law);
    bool never = law_survival(law, DBL_MAX) >= 1;
    *seconds = never ? (double)INFINITY : moments.mean_s;
    return never || moments.deviation_s == 0;
}

/* Adds `factor` times the law; false when two would be random, or the law depends on other workers or steps. */
static bool add_law(struct task_law *task, const struct picked *law, double factor) {
    double seconds;
    if (law_is_constant(law, &seconds)) {
        task->shift_s += factor > 0 ? factor * seconds : 0;
        return true;
    }
    if (task->law || law_dependent(law))
        return false;
    task->law = law;
    task->scale = factor;
    return true;
}

/* A constant factor scales; a random one is the law itself where all else is constant. */
static bool multiply(struct task_law *task, const struct picked *slowness) {
    double factor;
    if (!slowness)
        return true;
    if (law_is_constant(slowness, &factor)) {
        task->scale *= factor;
        task->shift_s *= factor;
        return true;
    }
    if (task->law || law_dependent(slowness))
        return false;
    task->law = slowness;
    task->scale = task->shift_s;
    task->shift_s = 0;
    return true;
}

static bool struck(const struct cluster_spec *spec, const struct group_spec *group) {
    return spec->shock && spec->shock->probability > 0 && group->rack != PARAM_ABSENT;
}

bool task_law_find(struct task_law *task, const struct cluster_spec *spec, const struct group_spec *group,
                   double work) {
    *task = (struct task_law){.slowdown = 1};
    double delays = spec->load == LOAD_ADDITIVE ? 1 : work;
    if (struck(spec, group) || !add_law(task, group->compute, work / group->speed) ||
        !add_law(task, group->delay, delays))
        return false;
    if (spec->load == LOAD_INDEPENDENT && work > 1 && task->law)
        return false;
    if (group->regime) {
        task->slow_share = group->regime->p_slow / (group->regime->p_slow + group->regime->p_recover);
        task->slowdown = group->regime->slowdown;
    }
    return multiply(task, group->slowness) && !isnan(task->shift_s);
}

static double fast_survival(const struct task_law *task, double seconds) {
    if (!task->law || task->scale <= 0)
        return seconds < task->shift_s;
    return law_survival(task->law, (seconds - task->shift_s) / task->scale);
}

double task_law_survival(const struct task_law *task, double seconds) {
    double fast = fast_survival(task, seconds);
    if (task->slow_share <= 0)
        return fast;
    return (1 - task->slow_share) * fast + task->slow_share * fast_survival(task, seconds / task->slowdown);
}

/* Rounding may lead from a time back to the same jump, so it goes on to the first that is above. */
static double fast_jump(const struct task_law *task, double after_s, double factor) {
    double shift_s = task->shift_s * factor, scale = task->scale * factor;
    if (!task->law || scale <= 0)
        return shift_s > after_s ? shift_s : (double)INFINITY;
    double place = (after_s - shift_s) / scale, seconds;
    do {
        place = law_jump(task->law, place);
        seconds = shift_s + scale * place;
    } while (seconds <= after_s);
    return seconds;
}

double task_law_jump(const struct task_law *task, double after_s) {
    double fast = fast_jump(task, after_s, 1);
    return task->slow_share > 0 ? fmin(fast, fast_jump(task, after_s, task->slowdown)) : fast;
}

double task_law_quantile(const struct task_law *task, double p) {
    if (!task->law || task->scale <= 0)
        return task->shift_s;
    return task->shift_s + task->scale * law_quantile(task->law, p);
}
