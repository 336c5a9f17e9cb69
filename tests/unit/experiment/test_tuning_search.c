/* The search finds the least of functions of which it is known, within what golden section leaves of the grid's steps. */
#include "tuning_search.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

/* Cost as a function of the values, least at `best`. */
struct valley {
    const char *name;
    struct scenario scenario;
    double best[TUNED_MAX];
};

#define RATE                                                                                                 \
    { "learning_rate", 0.01, 10 }
#define MOMENTUM                                                                                             \
    { "momentum", 0, 0.99 }
static const struct valley valleys[] = {
    {"between two places", {.tunes = 1, .tuned = {RATE}}, {0.487}},
    {"at the low end", {.tunes = 1, .tuned = {RATE}}, {0.01}},
    {"at the high end", {.tunes = 1, .tuned = {RATE}}, {10}},
    {"beyond the high end", {.tunes = 1, .tuned = {RATE}}, {50}},
    {"of momentum", {.tunes = 1, .tuned = {MOMENTUM}}, {0.8}},
    {"of both", {.tunes = 2, .tuned = {RATE, MOMENTUM}}, {0.2, 0.93}},
};

static double distance(const struct tuned_range *range, double a, double b) {
    return range->key[0] == 'm' ? fabs(log(1 - a) - log(1 - b)) : fabs(log(a) - log(b));
}

static void search_all(struct tuning_search *search, const struct valley *valley) {
    struct attempt *attempt;
    for (size_t attempts; (attempts = tuning_search_next(search, &attempt)) > 0;)
        for (size_t q = 0; q < attempts; q++) {
            double cost = 1;
            for (size_t a = 0; a < valley->scenario.tunes; a++)
                cost += pow(distance(&valley->scenario.tuned[a], attempt[q].value[a], valley->best[a]), 2);
            attempt[q].merit = (struct merit){1, cost, 0};
        }
}

/* The grid's step is the range over 8 places (4 of momentum). Golden section begins with two of those and keeps 0.618 of them with
 * each of the 4 attempts after its first two: 0.292 of a step. The best attempt there is one of the two inner ones, and the least
 * is between its neighbours, the further of which is 0.382 of the interval away: 0.1115 of a step. Rounding to 4 digits adds
 * 0.0005. */
Test(tuning_search, finds_the_least) {
    for (size_t v = 0; v < sizeof valleys / sizeof *valleys; v++) {
        const struct valley *valley = &valleys[v];
        struct tuning_search *search = tuning_search_new(&valley->scenario);
        search_all(search, valley);
        size_t count;
        const struct attempt *tried = tuning_search_tried(search, &count),
                             *best = &tried[tuning_search_best(search)];
        cr_expect(eq(sz, count, tuning_search_attempts(&valley->scenario)), "%s", valley->name);
        for (size_t a = 0; a < valley->scenario.tunes; a++) {
            const struct tuned_range *range = &valley->scenario.tuned[a];
            double places = range->key[0] == 'm' ? 4 : 8, least = fmin(valley->best[a], range->high);
            double step = distance(range, range->low, range->high) / places;
            cr_expect(distance(range, best->value[a], least) <= 0.1115 * step + 0.0005, "%s: %s = %g, not %g",
                      valley->name, range->key, best->value[a], least);
            for (size_t q = 0; q < count; q++)
                cr_expect(tried[q].value[a] >= range->low && tried[q].value[a] <= range->high, "%s",
                          valley->name);
        }
        tuning_search_free(search);
    }
}

/* Who gets there more often is better however long it takes, then who takes less time, then whose loss is smaller; by costs
 * the loss counts where nobody gets there. */
Test(merit, counts_share_then_cost_then_loss) {
    static const struct {
        struct merit merit;
        int rank, by_costs;
    } rows[] = {{{1, 9, 1}, 0, 0},
                {{0.75, 1, 0}, 1, 1},
                {{0.75, 2, 0.1}, 2, 2},
                {{0.75, 2, 0.2}, 3, 2},
                {{0, (double)INFINITY, 1}, 4, 4},
                {{0, (double)INFINITY, 2}, 5, 5}};
    for (size_t a = 0; a < 6; a++)
        for (size_t b = 0; b < 6; b++) {
            int compared = merit_compare(&rows[a].merit, &rows[b].merit);
            int costs = merit_compare_costs(&rows[a].merit, &rows[b].merit);
            int rank = (rows[a].rank > rows[b].rank) - (rows[a].rank < rows[b].rank);
            int by_costs = (rows[a].by_costs > rows[b].by_costs) - (rows[a].by_costs < rows[b].by_costs);
            cr_expect(eq(int, compared, rank), "%zu against %zu", a, b);
            cr_expect(eq(int, costs, by_costs), "%zu against %zu by costs", a, b);
        }
}

Test(merit, averages_only_the_runs_that_got_there) {
    const struct showing showing[] = {{.cost = 2, .final_loss = 1},
                                      {.cost = (double)INFINITY, .final_loss = 4},
                                      {.cost = 4, .final_loss = 4}};
    struct merit merit = merit_of(showing, 3);
    cr_expect(epsilon_eq(dbl, merit.reached, 2.0 / 3, 1e-15));
    cr_expect(eq(dbl, merit.cost, 3));
    cr_expect(eq(dbl, merit.final_loss, 3));
}
