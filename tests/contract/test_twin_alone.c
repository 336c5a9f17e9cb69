/* The twin against closed forms and tabulated simulations, so that it is worth comparing with. */
#include "stream.h"
#include "twin.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 4000, RUNS = 8 };

/* Exponential delays of mean 1 s, ROUNDS x workers, the same for the same run. */
static double *exponential_delays(size_t workers, uint32_t run) {
    double *delay_s = malloc(ROUNDS * workers * sizeof *delay_s);
    for (size_t t = 0; t < ROUNDS; t++)
        for (size_t i = 0; i < workers; i++) {
            struct draw draw = {{77, run, PURPOSE_DELAY}, (uint32_t)i, (uint32_t)t, 0};
            delay_s[t * workers + i] = -log(draw_unit(&draw));
        }
    return delay_s;
}

struct known {
    const char *scheme;
    size_t workers, stragglers, copies;
    struct twin_wait wait;
    enum twin_late late;
    double compute_s;
    double step_s, step_error_s; /* the known mean and its standard error; 0: exact */
    double recovered, staleness; /* NAN: not known */
};

/* One run's means. */
struct means {
    double step_s, recovered, staleness;
};

static struct means run_means(const struct known *known, uint32_t run) {
    double *delay_s = exponential_delays(known->workers, run);
    struct twin_spec spec = {.scheme = known->scheme,
                             .workers = known->workers,
                             .stragglers = known->stragglers,
                             .copies = known->copies,
                             .wait = known->wait,
                             .late = known->late,
                             .seed = 5,
                             .compute_s = known->compute_s,
                             .delay_s = delay_s,
                             .rounds = ROUNDS,
                             .steps = ROUNDS};
    struct twin_result *result = twin_run(&spec);
    struct means means = {.step_s = result->step[result->steps].time_s / ROUNDS};
    for (size_t t = 1; t <= result->steps; t++) {
        means.recovered += (double)result->step[t].recovered / ROUNDS;
        means.staleness += result->step[t].staleness_mean / ROUNDS;
    }
    twin_result_free(result);
    free(delay_s);
    return means;
}

/* Four standard errors of the mean of all runs. */
static double four_errors(const double *value, double *mean) {
    double sum = 0, squares = 0;
    for (size_t run = 0; run < RUNS; run++)
        sum += value[run];
    *mean = sum / RUNS;
    for (size_t run = 0; run < RUNS; run++)
        squares += (value[run] - *mean) * (value[run] - *mean);
    return 4 * sqrt(squares / (RUNS - 1) / RUNS);
}

#define COUNT(r)                                                                                             \
    { TWIN_COUNT, (r), 0 }
static const struct known knowns[] = {
    {"ignore", 8, 7, 0, COUNT(1), TWIN_CANCEL, 0, .125, 0, 1, 0},
    {"ignore", 8, 4, 0, COUNT(4), TWIN_CANCEL, 0, .634524, 0, 4, 0},
    {"ignore", 8, 2, 0, COUNT(6), TWIN_CANCEL, 0, 1.217857, 0, 6, 0},
    {"ignore", 8, 0, 0, COUNT(8), TWIN_CANCEL, 0, 2.717857, 0, 8, 0},
    {"gc-cr", 12, 0, 0, COUNT(12), TWIN_CANCEL, 1, 4.103211, 0, 12, 0},
    {"gc-cr", 12, 1, 0, COUNT(11), TWIN_CANCEL, 1, 4.103211, 0, 12, 0},
    {"gc-cr", 12, 2, 0, COUNT(10), TWIN_CANCEL, 1, 4.603211, 0, 12, 0},
    {"gc-cr", 12, 5, 0, COUNT(7), TWIN_CANCEL, 1, 6.819877, 0, 12, 0},
    {"gc-cr", 12, 1, 0, COUNT(11), TWIN_QUEUE, 1, 4.3051, .0041, 12, 0},
    {"gc-cr", 12, 3, 0, COUNT(9), TWIN_QUEUE, 1, 5.7054, .0025, 12, 0},
    {"gc-fr", 12, 1, 0, {TWIN_DECODABLE, 0, 0}, TWIN_CANCEL, 1, 3.225, 0, 12, 0},
    {"gc-fr", 12, 3, 0, {TWIN_DECODABLE, 0, 0}, TWIN_CANCEL, 1, 4.458333, 0, 12, 0},
    {"isgc-fr", 12, 3, 2, COUNT(9), TWIN_CANCEL, 0, NAN, 0, 11.454545, 0},
    {"isgc-fr", 12, 6, 2, COUNT(6), TWIN_CANCEL, 0, NAN, 0, 9.272727, 0},
    {"isgc-cr", 12, 3, 2, COUNT(9), TWIN_CANCEL, 0, NAN, 0, 10.363636, 0},
    {"isgc-cr", 12, 8, 2, COUNT(4), TWIN_CANCEL, 0, NAN, 0, 6.206061, 0},
    {"pgc-cr", 12, 3, 0, COUNT(9), TWIN_QUEUE, .5, 2.20432, .00167, 12, NAN},
    {"pgc-cr", 12, 3, 0, COUNT(9), TWIN_CANCEL, .5, 1.769877, 0, 12, NAN},
    {"pgc-cr", 12, 3, 0, COUNT(9), TWIN_LATEST, .5, 2.10852, .00162, 12, NAN},
    {"ignore", 12, 6, 0, COUNT(6), TWIN_QUEUE, .5, 1.8154, .0016, 6, 0},
    {"ignore", 12, 6, 0, COUNT(6), TWIN_LATEST, .5, 1.5844, .0015, 6, 0},
    {"ignore", 12, 1, 0, COUNT(11), TWIN_LATEST, .5, 2.7813, .0031, 11, 0},
};

/* Means lie within four standard errors, the program's and the table's; eight runs estimate their own error, so the
 * bound is a t quantile: 4 errors at 7 degrees of freedom are left in 0.5 % of cases, the seed is fixed. */
Test(twin_alone, agrees_with_known_means, .timeout = 300) {
    for (size_t q = 0; q < sizeof knowns / sizeof *knowns; q++) {
        const struct known *known = &knowns[q];
        double step_s[RUNS], recovered[RUNS], mean;
        for (uint32_t run = 0; run < RUNS; run++) {
            struct means means = run_means(known, run);
            step_s[run] = means.step_s;
            recovered[run] = means.recovered;
        }
        double bound = four_errors(step_s, &mean) + 4 * known->step_error_s;
        if (!isnan(known->step_s))
            cr_expect(le(dbl, fabs(mean - known->step_s), bound),
                      "%s s=%zu row %zu: step %g s, known %g +- %g", known->scheme, known->stragglers, q,
                      mean, known->step_s, bound);
        bound = four_errors(recovered, &mean) + 1e-6;
        cr_expect(le(dbl, fabs(mean - known->recovered), bound),
                  "%s s=%zu row %zu: recovered %g, known %g +- %g", known->scheme, known->stragglers, q, mean,
                  known->recovered, bound);
    }
}

/* pgc-cr, c = 4, n = 12, count 9: 1.5, 2.5 and 1.57770 in the long run; the first c steps, clamped to w_0, and a
 * statistical error of about 0.003 are below 0.01 together. */
Test(twin_alone, ages_of_a_pipelined_code, .timeout = 300) {
    static const double known[] = {[TWIN_QUEUE] = 1.5, [TWIN_LATEST] = 1.5777, [TWIN_CANCEL] = 2.5};
    for (enum twin_late late = TWIN_QUEUE; late <= TWIN_CANCEL; late++) {
        double staleness = 0;
        for (uint32_t run = 0; run < RUNS; run++)
            staleness +=
                run_means(&(struct known){"pgc-cr", 12, 3, 0, COUNT(9), late, .5, 0, 0, 0, 0}, run).staleness;
        cr_expect(epsilon_eq(dbl, staleness / RUNS, known[late], .01), "late rule %d", (int)late);
    }
}

/* A quadratic F = (w - 1)^2 / 2 of n equal samples, so that w - 1 is the error and every partition agrees. */
static struct twin_problem quadratic(size_t samples, double *x, double *y) {
    for (size_t r = 0; r < samples; r++)
        x[r] = y[r] = 1;
    return (struct twin_problem){.loss = TWIN_LINEAR, .samples = samples, .features = 1, .x = x, .y = y};
}

/* With wait all the error of pgc-cr decays as the largest root of z^c - z^(c-1) + (eta h/c)(z^(c-1) + … + 1): for
 * c = 2 and eta h = 0.2 that is z^2 - 0.9 z + 0.1, root 0.770156. The second root, 0.13, is gone after 30 steps. */
Test(twin_alone, decay_on_a_quadratic) {
    double x[12], y[12], delay_s[12] = {0};
    struct twin_problem problem = quadratic(12, x, y);
    struct twin_spec spec = {.problem = &problem,
                             .scheme = "pgc-cr",
                             .workers = 12,
                             .stragglers = 1,
                             .wait = {TWIN_ALL, 0, 0},
                             .delay_s = delay_s,
                             .rounds = 1,
                             .steps = 31,
                             .learning_rate = .2};
    struct twin_result *result = twin_run(&spec);
    double ratio = sqrt(result->step[31].loss / result->step[30].loss);
    cr_expect(epsilon_eq(dbl, ratio, (.9 + sqrt(.41)) / 2, 1e-9), "ratio %.12g", ratio);
    twin_result_free(result);
}

/* Schemes that are exact, or have no straggler, follow plain gradient descent: equal to rounding, which the largest
 * decode weight multiplies. */
Test(twin_alone, exact_schemes_agree) {
    static const struct {
        const char *scheme;
        size_t stragglers, copies, results;
    } same[] = {{"gc-fr", 2, 0, 10},        {"gc-cr", 2, 0, 10},   {"gc-cr", 3, 0, 12},
                {"ignore", 0, 0, 12},       {"isgc-fr", 0, 3, 12}, {"isgc-cr", 0, 3, 12},
                {"pgc-cr-naive", 0, 0, 12}, {"pgc-cr", 0, 0, 12},  {"pgc-fr", 0, 0, 12}};
    double x[60 * 3], y[60], *delay_s = exponential_delays(12, 0);
    for (size_t r = 0; r < 60; r++) {
        for (size_t j = 0; j < 3; j++)
            x[r * 3 + j] = sin((double)(r * 3 + j));
        y[r] = r % 3 == 0;
    }
    struct twin_problem problem = {TWIN_LOGISTIC, .01, true, 60, 3, x, y};
    struct twin_spec spec = {.problem = &problem,
                             .scheme = "uncoded",
                             .workers = 12,
                             .wait = COUNT(12),
                             .seed = 3,
                             .delay_s = delay_s,
                             .rounds = ROUNDS,
                             .steps = 20,
                             .learning_rate = .5};
    struct twin_result *plain = twin_run(&spec);
    for (size_t q = 0; q < sizeof same / sizeof *same; q++) {
        spec.scheme = same[q].scheme;
        spec.stragglers = same[q].stragglers;
        spec.copies = same[q].copies;
        spec.wait.results = same[q].results;
        struct twin_result *result = twin_run(&spec);
        for (size_t t = 0; t <= 20; t++)
            cr_expect(epsilon_eq(dbl, result->step[t].loss, plain->step[t].loss,
                                 1e-14 * (1e2 + result->largest_weight)),
                      "%s s=%zu step %zu", spec.scheme, spec.stragglers, t);
        twin_result_free(result);
    }
    twin_result_free(plain);
    free(delay_s);
}

/* Every second of every worker is booked once. */
Test(twin_alone, seconds_add_up) {
    static const char *const schemes[] = {"gc-fr", "gc-cr", "isgc-cr", "pgc-fr", "pgc-cr"};
    double *delay_s = exponential_delays(12, 1);
    for (size_t q = 0; q < 15; q++) {
        struct twin_spec spec = {.scheme = schemes[q / 3],
                                 .late = (enum twin_late)(q % 3),
                                 .workers = 12,
                                 .stragglers = 2,
                                 .copies = 2,
                                 .wait = COUNT(10),
                                 .compute_s = .5,
                                 .master_s = .125,
                                 .delay_s = delay_s,
                                 .rounds = ROUNDS,
                                 .steps = 50};
        struct twin_result *result = twin_run(&spec);
        for (size_t i = 0; i < 12; i++) {
            const struct twin_worker *worker = &result->worker[i];
            double booked_s = worker->useful_s + worker->redundant_s + worker->stale_s + worker->discarded_s;
            cr_expect(epsilon_eq(dbl, booked_s, worker->busy_s, 1e-9), "%s late %zu", spec.scheme, q % 3);
            cr_expect(le(dbl, -1e-9, worker->idle_s), "%s late %zu", spec.scheme, q % 3);
            cr_expect(eq(sz, worker->evaluated > 0, 1));
        }
        twin_result_free(result);
    }
    free(delay_s);
}
