#include "convergence.h"
#include "objective.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* F is a sum of losses: its rounding, relatively. A run is above the bound only beyond that. */
#define ROUNDING 1e-12

__attribute__((format(printf, 2, 3))) static void add_reason(struct convergence *convergence,
                                                             const char *format, ...) {
    struct sentence more = {""}, all;
    va_list list;
    va_start(list, format);
    vsnprintf(more.text, sizeof more.text, format, list);
    va_end(list);
    bool first = convergence->reason.text[0] == '\0';
    sentence_set(&all, "%s%s%s", convergence->reason.text, first ? "" : "; ", more.text);
    convergence->reason = all;
}

static void judge_curvature(struct convergence *convergence, const struct scenario *scenario,
                            const struct curvature *curvature) {
    if (curvature->status == CURVATURE_NOT_CONVEX)
        add_reason(convergence, "the loss is not known to be convex");
    else if (curvature->status == CURVATURE_TOO_LARGE)
        add_reason(convergence, "eigenvalues are found for at most %d features and these are %u",
                   CURVATURE_FEATURES, scenario->objective.data->features);
    else if (!(curvature->convexity > 0) && scenario->objective.l2 > 0 && scenario->objective.data->intercept)
        add_reason(convergence, "F is not strongly convex: l2 does not hold the intercept");
    else if (!(curvature->convexity > 0))
        add_reason(convergence, "F is not strongly convex");
}

static void judge_training(struct convergence *convergence, const struct scenario *scenario) {
    const struct optimizer_spec *optimizer = scenario->optimizer;
    if (strcmp(optimizer->optimizer.type->name, "sgd") != 0)
        add_reason(convergence, "the optimizer is %s instead of sgd", optimizer->optimizer.type->name);
    if (strcmp(optimizer->schedule->type->name, "constant") != 0)
        add_reason(convergence, "the schedule is %s instead of constant", optimizer->schedule->type->name);
    if (scenario->problem.batch > 0)
        add_reason(convergence, "batches are not full");
    if (isfinite(optimizer->clip_norm))
        add_reason(convergence, "gradients are clipped");
    if (optimizer->scale_lr != SCALE_LR_NONE)
        add_reason(convergence, "the learning rate goes by the workers used");
    if (optimizer->accumulate > 1)
        add_reason(convergence, "estimates are accumulated");
    if (compression_acts(optimizer->compression))
        add_reason(convergence, "messages are compressed");
}

static void judge_ratios(struct convergence *convergence) {
    if (!(convergence->xi < 1))
        add_reason(convergence, "xi = %.3g is not below 1", convergence->xi);
    if (!(convergence->gamma < 1))
        add_reason(convergence, "gamma = %.3g is not below 1", convergence->gamma);
    /* A limit that was rounded on its way into the scenario is still the limit. */
    if (convergence->learning_rate > convergence->limit * (1 + ROUNDING))
        add_reason(convergence, "the learning rate %g is above the limit %.3g", convergence->learning_rate,
                   convergence->limit);
}

/* Without convexity, or with gradients too stale, the bound would not fall. */
static void find_rate(struct convergence *convergence, double factor) {
    double fall = convergence->convexity * (1 - convergence->gamma) / (convergence->smoothness * factor);
    convergence->limit = 1 / (convergence->smoothness * factor);
    if (!isfinite(convergence->limit))
        convergence->limit = (double)NAN;
    convergence->rate = fall > 0 ? 1 - fall : (double)NAN;
}

/* F(w_0) is row 0, which every run has unless only summaries are recorded. */
static void find_ends(struct convergence *convergence, const struct curvature *curvature,
                      const struct result *result) {
    convergence->start = convergence->minimum = (double)NAN;
    if (result->steps > 0 && result->step[0].step == 0)
        convergence->start = result->step[0].loss;
    if (isnan(curvature->minimum))
        return;
    convergence->minimum = fmin(curvature->minimum, result->run.final_loss);
    for (size_t s = 0; s < result->steps; s++)
        convergence->minimum = fmin(convergence->minimum, result->step[s].loss);
}

double convergence_excess(const struct convergence *convergence, const struct step_row *row) {
    return row->loss - convergence->minimum;
}

double convergence_bound(const struct convergence *convergence, uint32_t step) {
    double bound = pow(convergence->rate, step) * (convergence->start - convergence->minimum);
    return isfinite(bound) ? bound : (double)NAN;
}

static void find_exceeded(struct convergence *convergence, const struct result *result) {
    convergence->exceeded_step = UINT32_MAX;
    for (size_t s = result->steps; s-- > 0;) {
        const struct step_row *row = &result->step[s];
        double room = ROUNDING * fabs(row->loss);
        if (convergence_excess(convergence, row) > convergence_bound(convergence, row->step) + room)
            convergence->exceeded_step = row->step;
    }
}

struct convergence convergence_of(const struct contest *contest, const struct result *result) {
    struct convergence convergence = {0};
    const struct scenario *scenario = contest->point->scenario;
    const struct curvature *curvature = contest->point->curvature;
    const struct scheme *scheme = (const struct scheme *)contest->entry->scheme.type;
    if (!scheme->theorem || !result->audited || !curvature)
        return convergence;
    struct shape shape = scenario_setting(scenario, contest->entry).shape;
    convergence.theorem = scheme->theorem;
    convergence.smoothness = curvature->smoothness;
    convergence.convexity = curvature->convexity;
    convergence.xi = result->audited->xi;
    convergence.gamma = result->audited->gamma;
    convergence.learning_rate = scenario->optimizer->learning_rate;
    find_rate(&convergence, scheme->theorem->factor(shape, contest->entry->scheme.params, convergence.xi));
    find_ends(&convergence, curvature, result);
    judge_curvature(&convergence, scenario, curvature);
    judge_training(&convergence, scenario);
    judge_ratios(&convergence);
    convergence.holds = convergence.reason.text[0] == '\0';
    find_exceeded(&convergence, result);
    return convergence;
}
