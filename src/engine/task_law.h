/* task_law.h: the law of the seconds that a task takes, composed of a group's laws as a cluster composes them: in closed form
 * where one of them at most is not a constant, else as a table. Nothing is drawn.
 *
 * Seconds = (scale * X + shift) * Z: X of `law`, Z the regime in its stationary law. Networks and failures are left out. */
#ifndef LAGGARD_TASK_LAW_H
#define LAGGARD_TASK_LAW_H
#include "cluster_spec.h"

struct task_law {
    const struct picked *law; /* NULL: no part of it is random */
    double scale, shift_s;
    double slow_share, slowdown; /* Z is `slowdown` with probability `slow_share`, else 1 */
    struct composed_law
        *composed; /* NULL: it has a closed form; else `law` is a table's, good to about 3e-4 */
};

/* The law of tasks of `work` partitions of a worker of `group`, over steps and replications, without rack shocks; of one
 * worker by itself, also where what others draw depends on it. False: a law is a trace, several partitions have draws of
 * their own, or a table would be too long. Freed with task_law_fini in any case. */
bool task_law_find(struct task_law *task, const struct cluster_spec *spec, const struct group_spec *group,
                   double work);
void task_law_fini(struct task_law *task);
/* Adds the shock of the group's rack, if there may be one; false as above. */
bool task_law_strike(struct task_law *task, const struct cluster_spec *spec, const struct group_spec *group);
/* Whether shocks can strike the group. */
bool group_struck(const struct cluster_spec *spec, const struct group_spec *group);

/* The probability of more than `seconds`, accurate where it is small. */
double task_law_survival(const struct task_law *task, double seconds);
/* The smallest time above `after_s` that has a probability of its own; INFINITY: none. */
double task_law_jump(const struct task_law *task, double after_s);
/* The p-quantile, 0 < p < 1, of the fast state. */
double task_law_quantile(const struct task_law *task, double p);

/* The law gives one time only, which may be INFINITY: writes it. NULL is 0 s. */
bool law_is_constant(const struct picked *law, double *seconds);
#endif
