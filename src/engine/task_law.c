#include "composed_law.h"
#include <float.h>
#include <math.h>

bool law_is_constant(const struct picked *law, double *seconds) {
    *seconds = 0;
    if (!law)
        return true;
    if (law_replays(law))
        return false;
    struct moments moments = law_moments(law);
    bool never = law_survival(law, DBL_MAX) >= 1;
    *seconds = never ? (double)INFINITY : moments.mean_s;
    return never || moments.deviation_s == 0;
}

static struct task_law alone(const struct picked *law, double scale) {
    return (struct task_law){.law = law, .scale = scale, .slowdown = 1};
}

/* False: there is no such law. */
static bool becomes(struct task_law *task, struct composed_law *composed) {
    if (!composed)
        return false;
    *task = alone(composed_picked(composed), 1);
    task->composed = composed;
    return true;
}

/* Adds `factor` times the law; false when it depends on other workers or steps. */
static bool add_law(struct task_law *task, const struct picked *law, double factor) {
    double seconds;
    if (law_is_constant(law, &seconds)) {
        task->shift_s += factor > 0 ? factor * seconds : 0;
        return true;
    }
    if (law_replays(law))
        return false;
    if (factor <= 0)
        return true;
    if (!task->law) {
        task->law = law;
        task->scale = factor;
        return true;
    }
    struct task_law other = alone(law, factor);
    return becomes(task, composed_sum(task, &other, 1));
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
    if (law_replays(slowness))
        return false;
    if (task->law) {
        struct task_law other = alone(slowness, 1);
        return becomes(task, composed_product(task, &other));
    }
    task->law = slowness;
    task->scale = task->shift_s;
    task->shift_s = 0;
    return true;
}

bool group_struck(const struct cluster_spec *spec, const struct group_spec *group) {
    return spec->shock && spec->shock->probability > 0 && group->rack != PARAM_ABSENT;
}

bool task_law_find(struct task_law *task, const struct cluster_spec *spec, const struct group_spec *group,
                   double work) {
    *task = (struct task_law){.slowdown = 1};
    double delays = spec->load == LOAD_ADDITIVE ? 1 : work, seconds;
    bool constant = law_is_constant(group->compute, &seconds) && law_is_constant(group->delay, &seconds);
    if (spec->load == LOAD_INDEPENDENT && work > 1 && !constant)
        return false;
    if (!add_law(task, group->compute, work / group->speed) || !add_law(task, group->delay, delays) ||
        !multiply(task, group->slowness) || isnan(task->shift_s))
        return false;
    if (group->regime) {
        task->slow_share = group->regime->p_slow / (group->regime->p_slow + group->regime->p_recover);
        task->slowdown = group->regime->slowdown;
    }
    return true;
}

bool task_law_strike(struct task_law *task, const struct cluster_spec *spec, const struct group_spec *group) {
    if (!group_struck(spec, group))
        return true;
    struct task_law shock = alone(&spec->shock->law, 1);
    double seconds;
    if (law_is_constant(shock.law, &seconds))
        shock = (struct task_law){.shift_s = seconds, .slowdown = 1};
    else if (law_replays(shock.law))
        return false;
    return becomes(task, composed_sum(task, &shock, spec->shock->probability));
}

void task_law_fini(struct task_law *task) {
    composed_law_free(task->composed);
    *task = (struct task_law){.slowdown = 1};
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
