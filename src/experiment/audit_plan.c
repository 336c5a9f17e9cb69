#include "plan.h"

static bool has_theorem(const struct scenario *scenario) {
    for (uint32_t e = 0; scenario->record.audit && e < scenario->schemes; e++)
        if (((const struct scheme *)scenario->scheme[e].scheme.type)->theorem)
            return true;
    return false;
}

bool plan_audits(const struct plan *plan) {
    for (size_t q = 0; q < plan->points; q++)
        if (plan->point[q].scenario->record.audit)
            return true;
    return false;
}

bool plan_has_theorems(const struct plan *plan) {
    for (size_t q = 0; q < plan->points; q++)
        if (has_theorem(plan->point[q].scenario))
            return true;
    return false;
}

/* The number of partitions does not matter to F. */
static bool same_objective(const struct objective *a, const struct objective *b) {
    return a->data == b->data && a->loss == b->loss && a->l2 == b->l2;
}

static const struct curvature *known(const struct plan *plan, size_t point) {
    for (size_t q = 0; q < point; q++)
        if (plan->point[q].curvature &&
            same_objective(&plan->point[q].scenario->objective, &plan->point[point].scenario->objective))
            return plan->point[q].curvature;
    return NULL;
}

void plan_measure(struct plan *plan) {
    for (size_t q = 0; q < plan->points; q++) {
        const struct scenario *scenario = plan->point[q].scenario;
        if (!has_theorem(scenario))
            continue;
        plan->point[q].curvature = known(plan, q);
        if (plan->point[q].curvature)
            continue;
        struct curvature *curvature = arena_zeroed(plan->arena, 1, sizeof *curvature);
        *curvature = curvature_of(&scenario->objective);
        plan->point[q].curvature = curvature;
    }
}
