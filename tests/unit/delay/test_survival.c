/* The other side of distribution functions: tails, jumps, and which laws tie workers or steps together. */
#include "given_law.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

struct tail {
    const char *law;
    double far_s, beyond; /* P(T > far_s) in closed form, far below 1 */
    double jump_s;        /* the first time with a probability of its own; INFINITY: none */
    int dependent;
};

static const struct tail tails[] = {
    {"{type: constant, value: 2s}", 3, 0, 2, 0},
    {"{type: uniform, low: 1s, high: 3s}", 4, 0, INFINITY, 0},
    {"{type: exponential, mean: 2s}", 100, 1.9287498479639178e-22, INFINITY, 0},
    {"{type: shifted-exponential, shift: 20s, mean: 2s}", 120, 1.9287498479639178e-22, INFINITY, 0},
    /* (1 + x) e^-x at 50 */
    {"{type: gamma, shape: 2, scale: 1s}", 50, 51 * 1.9287498479639178e-22, INFINITY, 0},
    {"{type: weibull, shape: 0.5, scale: 1s}", 2500, 1.9287498479639178e-22, INFINITY, 0},
    {"{type: lognormal, mu: 0, sigma: 1}", 22026.465794806718, 7.61985302416047e-24, INFINITY, 0},
    {"{type: pareto, minimum: 1s, shape: 2}", 1e10, 1e-20, INFINITY, 0},
    {"{type: never}", 1e300, 1, INFINITY, 0},
    {"{type: mixture, parts: [{weight: 3, type: constant, value: 5s}, {weight: 1, type: pareto, minimum: 1s, "
     "shape: 2}]}",
     1e10, 0.25e-20, 5, 0},
    {"{type: exactly, stragglers: 2, law: {type: pareto, minimum: 1s, shape: 2}}", 1e10, 0.5e-20, 0, 1},
    {"{type: exactly, stragglers: 4, law: {type: pareto, minimum: 1s, shape: 2}}", 1e10, 1e-20, 0, 0},
    {"{type: mixture, parts: [{weight: 1, type: constant, value: 5s}, {weight: 1, type: exactly, stragglers: "
     "2, law: {type: constant, value: 3s}}]}",
     9, 0, 0, 1},
};

/* 1e-9 of the tail: rounding of exponents near 50. */
Test(survival, tails_and_jumps) {
    for (size_t c = 0; c < sizeof tails / sizeof *tails; c++) {
        const struct tail *tail = &tails[c];
        struct given_law given = given_law(tail->law, 4, NULL);
        cr_assert(given.accepted, "%s", tail->law);
        double beyond = law_survival(&given.law, tail->far_s), jump_s = law_jump(&given.law, -1);
        cr_expect(le(dbl, fabs(beyond - tail->beyond), 1e-9 * tail->beyond), "%s: %.15g", tail->law, beyond);
        cr_expect(eq(int, jump_s == tail->jump_s, 1), "%s: %g", tail->law, jump_s);
        cr_expect(eq(int, law_dependent(&given.law), tail->dependent), "%s", tail->law);
        given_law_fini(&given);
    }
}

/* Both sides add up to 1, and a jump lies above where it was looked for. */
Test(survival, complements_the_distribution_function) {
    static const double times[] = {-1, 0, 1e-6, 0.5, 1, 2, 3, 5, 20, 200};
    for (size_t c = 0; c < sizeof tails / sizeof *tails; c++) {
        struct given_law given = given_law(tails[c].law, 4, NULL);
        for (size_t q = 0; q < sizeof times / sizeof *times; q++) {
            double both = law_survival(&given.law, times[q]) + law_cdf(&given.law, times[q]);
            cr_expect(epsilon_eq(dbl, both, 1, 1e-14), "%s at %g", tails[c].law, times[q]);
            cr_expect(lt(dbl, times[q], law_jump(&given.law, times[q])), "%s at %g", tails[c].law, times[q]);
        }
        given_law_fini(&given);
    }
}
