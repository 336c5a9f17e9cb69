#include "outlook.h"
#include "bisection.h"
#include "memory.h"
#include "order_statistic.h"
#include "task_sample.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Mean and variance. INFINITY: there is none; then the variance is INFINITY too. */
struct spread {
    double mean, variance;
};

static struct spread spread_of(const struct picked *law) {
    if (!law)
        return (struct spread){0, 0};
    struct moments moments = law_moments(law);
    return (struct spread){moments.mean_s, moments.deviation_s * moments.deviation_s};
}

/* Nothing of what is infinite is nothing. */
static double times(double factor, double value) {
    return factor == 0 || value == 0 ? 0 : factor * value;
}

static struct spread scaled(struct spread one, double factor) {
    return (struct spread){times(factor, one.mean), times(factor * factor, one.variance)};
}

static struct spread sum_of(struct spread a, struct spread b) {
    return (struct spread){a.mean + b.mean, a.variance + b.variance};
}

/* Of independent factors: E[X]^2 Var Y + E[Y]^2 Var X + Var X Var Y. */
static struct spread product_of(struct spread a, struct spread b) {
    return (struct spread){times(a.mean, b.mean), times(a.mean * a.mean, b.variance) +
                                                      times(b.mean * b.mean, a.variance) +
                                                      times(a.variance, b.variance)};
}

/* Computing and delay, as the load rule adds them up. */
static struct spread drawn_spread(const struct cluster_spec *spec, const struct group_spec *group,
                                  double work) {
    struct spread compute = scaled(spread_of(group->compute), 1 / group->speed);
    struct spread delay = spread_of(group->delay);
    switch (spec->load) {
    case LOAD_MULTIPLICATIVE:
        return scaled(sum_of(compute, delay), work);
    case LOAD_INDEPENDENT: {
        struct spread one = sum_of(compute, delay);
        return (struct spread){times(work, one.mean), times(work, one.variance)};
    }
    case LOAD_ADDITIVE:
        break;
    }
    return sum_of(scaled(compute, work), delay);
}

/* Of a factor that is `value` with a probability, else `otherwise`. */
static struct spread two_valued(double probability, double value, double otherwise) {
    double apart = value - otherwise;
    return (struct spread){otherwise + probability * apart, probability * (1 - probability) * apart * apart};
}

static struct spread regime_spread(const struct regime_spec *regime) {
    return regime ? two_valued(regime->p_slow / (regime->p_slow + regime->p_recover), regime->slowdown, 1)
                  : (struct spread){1, 0};
}

/* A shock is a law times a variable that is 1 with the probability, else 0. */
static struct spread shock_spread(const struct cluster_spec *spec, const struct group_spec *group) {
    if (!spec->shock || group->rack == PARAM_ABSENT)
        return (struct spread){0, 0};
    return product_of(spread_of(&spec->shock->law), two_valued(spec->shock->probability, 1, 0));
}

static struct spread slowness_spread(const struct group_spec *group) {
    return group->slowness ? spread_of(group->slowness) : (struct spread){1, 0};
}

static struct spread task_spread(const struct cluster_spec *spec, const struct group_spec *group,
                                 double work) {
    struct spread factor = product_of(slowness_spread(group), regime_spread(group->regime));
    struct spread seconds = product_of(drawn_spread(spec, group, work), factor);
    return sum_of(seconds, shock_spread(spec, group));
}

/* The probability that a law never ends: what it leaves beyond every number that a double holds. A power tail leaves less
 * than 1e-25 there. */
static double never_share(const struct picked *law) {
    double share = law ? law_survival(law, DBL_MAX) : 0;
    return share > 1e-25 ? share : 0;
}

static double usual(const struct picked *law) {
    double seconds = law ? law_moments(law).mean_s : 0;
    if (isinf(seconds))
        seconds = law_quantile(law, 0.99);
    if (isinf(seconds))
        seconds = law_quantile(law, 0.99 * (1 - never_share(law)));
    return isfinite(seconds) ? seconds : 0;
}

double group_usual_seconds(const struct cluster_spec *spec, const struct group_spec *group, double work) {
    double delays = spec->load == LOAD_ADDITIVE ? 1 : work;
    double seconds = work * usual(group->compute) / group->speed + delays * usual(group->delay);
    seconds *= regime_spread(group->regime).mean;
    if (group->slowness)
        seconds *= usual(group->slowness);
    if (spec->shock && group->rack != PARAM_ABSENT)
        seconds += spec->shock->probability * usual(&spec->shock->law);
    return seconds;
}

/* Over a worker drawn from all: the groups' own variances and that between their means. */
static struct spread pooled_spread(const struct cluster_spec *spec, double work) {
    struct spread pooled = {0, 0};
    for (uint32_t g = 0; g < spec->groups; g++) {
        double share = (double)spec->group[g].count / spec->workers;
        pooled.mean += share * task_spread(spec, &spec->group[g], work).mean;
    }
    if (!isfinite(pooled.mean))
        return (struct spread){pooled.mean, pooled.mean};
    for (uint32_t g = 0; g < spec->groups; g++) {
        struct spread one = task_spread(spec, &spec->group[g], work);
        double share = (double)spec->group[g].count / spec->workers, apart = one.mean - pooled.mean;
        pooled.variance += share * (one.variance + apart * apart);
    }
    return pooled;
}

/* Only the regime remembers: its states are correlated by 1 - p_slow - p_recover from one step to the next. */
static double group_correlation(const struct cluster_spec *spec, const struct group_spec *group,
                                double work) {
    struct spread drawn = drawn_spread(spec, group, work), regime = regime_spread(group->regime);
    struct spread all = sum_of(product_of(drawn, regime), shock_spread(spec, group));
    if (!(all.variance > 0))
        return (double)NAN;
    double memory = group->regime ? 1 - group->regime->p_slow - group->regime->p_recover : 0;
    return memory * drawn.mean * drawn.mean * regime.variance / all.variance;
}

/* Over the workers whose times vary; those of all of them have a variance. */
static double mean_correlation(const struct cluster_spec *spec, double work) {
    double sum = 0, workers = 0;
    for (uint32_t g = 0; g < spec->groups; g++) {
        double one = group_correlation(spec, &spec->group[g], work);
        if (isnan(one))
            continue;
        sum += one * spec->group[g].count;
        workers += spec->group[g].count;
    }
    return sum / workers;
}

/* The law of a task of any worker. */
struct pool {
    const struct cluster_spec *spec;
    struct task_law *law; /* [groups] */
};

static double pooled_cdf(const void *params, double seconds) {
    const struct pool *pool = params;
    double beyond = 0;
    for (uint32_t g = 0; g < pool->spec->groups; g++)
        beyond += task_law_survival(&pool->law[g], seconds) * pool->spec->group[g].count;
    return 1 - beyond / pool->spec->workers;
}

/* NAN: some group's law has no closed form. */
static double pooled_quantile(const struct cluster_spec *spec, double work, double p) {
    struct pool pool = {spec, memory_zeroed(spec->groups, sizeof *pool.law)};
    bool found = true;
    for (uint32_t g = 0; g < spec->groups; g++)
        found &= task_law_find(&pool.law[g], spec, &spec->group[g], work) &&
                 task_law_strike(&pool.law[g], spec, &spec->group[g]);
    double seconds = found ? bisected_quantile(pooled_cdf, &pool, p) : (double)NAN;
    for (uint32_t g = 0; g < spec->groups; g++)
        task_law_fini(&pool.law[g]);
    free(pool.law);
    return seconds;
}

/* What a worker draws depends on what others draw, or on what it drew before. */
static bool dependent(const struct cluster_spec *spec) {
    for (uint32_t g = 0; g < spec->groups; g++)
        if ((spec->group[g].compute && law_dependent(spec->group[g].compute)) ||
            (spec->group[g].delay && law_dependent(spec->group[g].delay)))
            return true;
    return false;
}

/* What is drawn are measurements in their order: neither their law nor their memory has a formula. */
static bool replayed(const struct cluster_spec *spec) {
    for (uint32_t g = 0; g < spec->groups; g++)
        if ((spec->group[g].compute && law_replays(spec->group[g].compute)) ||
            (spec->group[g].delay && law_replays(spec->group[g].delay)))
            return true;
    return false;
}

/* That a task of the group never ends. Its laws are drawn apart from each other. */
static double task_never_share(const struct cluster_spec *spec, const struct group_spec *group, double work) {
    double draws = spec->load == LOAD_INDEPENDENT ? work : 1;
    double ends = pow((1 - never_share(group->compute)) * (1 - never_share(group->delay)), draws);
    if (group->slowness && drawn_spread(spec, group, work).mean > 0)
        ends *= 1 - never_share(group->slowness);
    if (spec->shock && group->rack != PARAM_ABSENT)
        ends *= 1 - spec->shock->probability * never_share(&spec->shock->law);
    return 1 - ends;
}

/* The p-quantile is infinite where the tasks that never end are 1 - p of all, up to rounding, or more. */
static bool quantile_infinite(const struct cluster_spec *spec, double work, double p) {
    double never = 0;
    for (uint32_t g = 0; g < spec->groups; g++)
        never += task_never_share(spec, &spec->group[g], work) * spec->group[g].count / spec->workers;
    return never > (1 - p) * (1 - 1e-12);
}

static struct prospect formula(double value) {
    return (struct prospect){.value = value};
}

static void sample_rest(struct outlook *outlook, const struct cluster_spec *spec,
                        const struct outlook_request *request) {
    struct task_sample sample = task_sample_draw(spec, request);
    outlook->cut = sample.cut;
    if (isnan(outlook->mean_s.value))
        outlook->mean_s = (struct prospect){sample.mean_s, sample.errors.mean_s, sample.tasks};
    if (isnan(outlook->deviation_s.value))
        outlook->deviation_s = (struct prospect){sample.deviation_s, sample.errors.deviation_s, sample.tasks};
    if (isnan(outlook->p99_s.value))
        outlook->p99_s = (struct prospect){sample.p99_s, sample.errors.p99_s, sample.tasks};
    if (isnan(outlook->largest_s.value))
        outlook->largest_s = (struct prospect){sample.largest_s, sample.errors.largest_s, sample.tasks};
}

/* What is known of dependent times too. A worker's time is below the maximum, which is below the sum of all. A sum or product
 * has a variance when all its parts have. Without a variance nothing is known of a correlation; with none, all times are
 * equal. */
static void settle_limits(struct outlook *outlook, const struct cluster_spec *spec, struct spread spread,
                          double work) {
    if (isinf(spread.mean))
        outlook->largest_s = formula((double)INFINITY);
    if (isinf(spread.variance))
        outlook->deviation_s = formula((double)INFINITY);
    if (quantile_infinite(spec, work, 0.99))
        outlook->p99_s = formula((double)INFINITY);
    if (spread.variance <= 0) {
        outlook->deviation_s = formula(0);
        outlook->p99_s = outlook->largest_s = formula(spread.mean);
    }
}

static bool any_sampled(const struct outlook *outlook) {
    return isnan(outlook->mean_s.value) || isnan(outlook->deviation_s.value) || isnan(outlook->p99_s.value) ||
           isnan(outlook->largest_s.value);
}

/* No standard error is claimed: the memory of a trace or a regime may be as long as the sample. */
static void sample_correlation(struct prospect *correlation, const struct cluster_spec *spec,
                               const struct outlook_request *request) {
    correlation->error = (double)NAN;
    correlation->value = task_sample_correlation(spec, request, &correlation->sampled);
}

struct outlook cluster_outlook(const struct cluster_spec *spec, const struct outlook_request *request) {
    struct spread spread = pooled_spread(spec, request->work);
    bool alone = !replayed(spec), varies = spread.variance > 0 && isfinite(spread.variance);
    struct outlook outlook = {
        .mean_s = formula(spread.mean),
        .deviation_s = formula(alone ? sqrt(spread.variance) : (double)NAN),
        .p99_s = formula(pooled_quantile(spec, request->work, 0.99)),
        .largest_s = formula(cluster_order_mean(spec, request->work, spec->workers)),
        .correlation = formula(alone && varies ? mean_correlation(spec, request->work) : (double)NAN),
    };
    settle_limits(&outlook, spec, spread, request->work);
    if (any_sampled(&outlook))
        sample_rest(&outlook, spec, request);
    if (!alone && varies)
        sample_correlation(&outlook.correlation, spec, request);
    return outlook;
}

const char *cluster_outlook_obstacle(const struct cluster_spec *spec) {
    if (dependent(spec))
        return "what a law draws depends on other workers or steps";
    return spec->shock ? "some workers share the shocks of their rack"
                       : "the law of a sum is too long for a table";
}
