#include "advice.h"
#include "advice_changes.h"
#include "late.h"
#include "yaml_tree.h"
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Replications of those who get to the end: those of the scenario, within these. */
#define REPLICATIONS_FEWEST 20
#define REPLICATIONS_MOST   100
/* Finalists that are run again where something changes. */
#define CHANGE_FINALISTS 4

struct inside {
    struct plan plan;
    struct candidates candidates;
    struct race race;
    const struct racer **standing; /* [advice.standings]: the best finalist of each setting */
};

static uint32_t replications_of(const struct scenario *scenario) {
    uint32_t replications = scenario->replications;
    return replications < REPLICATIONS_FEWEST ? REPLICATIONS_FEWEST
           : replications > REPLICATIONS_MOST ? REPLICATIONS_MOST
                                              : replications;
}

/* One point, and something to be compared by. */
static bool suits(const struct plan *plan, struct diag *diag) {
    const struct scenario *scenario = plan->point[0].scenario;
    if (plan->swept_keys > 0)
        diag_error(diag, plan->tree->place, "sweep",
                   "advice is about one cluster and one problem: leave the sweep out");
    else if (scenario->problem.loss.type && isnan(scenario->stop.loss))
        diag_error(diag, plan->tree->place, "stop.loss",
                   "is the target that is to be reached soonest, so it must be given");
    return diag_errors(diag) == 0;
}

static const struct candidate *candidate_of(const struct inside *inside, const struct racer *racer) {
    return &inside->candidates.candidate[racer->candidate];
}

static size_t list_best_of_each(struct inside *inside) {
    const struct race *race = &inside->race;
    bool *seen = memory_zeroed(inside->candidates.settings, sizeof *seen);
    size_t count = 0;
    inside->standing = arena_zeroed(inside->plan.arena, race->finalists, sizeof *inside->standing);
    for (size_t q = 0; q < race->finalists; q++) {
        bool *own = &seen[candidate_of(inside, &race->racer[q])->setting];
        if (!*own)
            inside->standing[count++] = &race->racer[q];
        *own = true;
    }
    free(seen);
    return count;
}

/* Costs of a racer, and what they are above the best one's; NAN where the target was not reached. */
static void list_costs(const struct racer *racer, const struct racer *best, double *cost, double *behind) {
    for (uint32_t r = 0; r < racer->runs; r++) {
        double own = racer->showing[r].cost, other = best->showing[r].cost;
        cost[r] = isfinite(own) ? own : (double)NAN;
        behind[r] = isfinite(own) && isfinite(other) ? own - other : (double)NAN;
    }
}

static double sure_of(const struct estimate *behind) {
    if (behind->count < 2 || isnan(behind->deviation))
        return (double)NAN;
    if (!(behind->deviation > 0))
        return behind->mean > 0 ? 1 : (double)NAN;
    return gsl_cdf_tdist_P(behind->mean / (behind->deviation / sqrt((double)behind->count)),
                           (double)behind->count - 1);
}

static bool differ(double a, double b) {
    return a < b || a > b;
}

/* The loss at the end counts where the target was not reached. */
static bool same_outcome(const struct racer *a, const struct racer *b) {
    for (uint32_t r = 0; r < a->runs; r++)
        if (differ(a->showing[r].cost, b->showing[r].cost) ||
            (isinf(a->showing[r].cost) && differ(a->showing[r].final_loss, b->showing[r].final_loss)))
            return false;
    return true;
}

static struct standing standing_of(const struct inside *inside, size_t place) {
    const struct racer *racer = inside->standing[place], *best = inside->standing[0];
    double *cost = memory_zeroed(racer->runs, sizeof *cost),
           *behind = memory_zeroed(racer->runs, sizeof *behind);
    list_costs(racer, best, cost, behind);
    const struct candidate *candidate = candidate_of(inside, racer);
    struct standing standing = {.name = candidate->name,
                                .late = late_names[candidate->scenario->scheme[0].late],
                                .runs = racer->runs,
                                .reached = racer->merit.reached,
                                .cost = estimate_of(cost, racer->runs),
                                .behind = estimate_of(behind, racer->runs)};
    standing.sure = sure_of(&standing.behind);
    standing.equal = place > 0 && same_outcome(racer, inside->standing[place - 1]);
    free(cost);
    free(behind);
    return standing;
}

static void list_standings(struct advice *advice, struct inside *inside) {
    advice->standings = list_best_of_each(inside);
    advice->standing = arena_zeroed(inside->plan.arena, advice->standings, sizeof *advice->standing);
    for (size_t q = 0; q < advice->standings; q++) {
        advice->standing[q] = standing_of(inside, q);
        if (q > 0 && advice->runner_up == 0 && !same_outcome(inside->standing[q], inside->standing[0]))
            advice->runner_up = q;
    }
}

static void race(struct advice *advice, struct inside *inside, const struct advice_request *request) {
    struct race_request race = {.candidates = &inside->candidates,
                                .replications = advice->replications,
                                .threads = request->threads,
                                .progress = request->progress};
    inside->race = race_run(&race);
    advice->candidates = inside->candidates.count;
    advice->inexact = inside->candidates.inexact;
    advice->runs = inside->race.runs;
    advice->grid_runs = inside->candidates.count * advice->replications;
    list_standings(advice, inside);
}

/* The first of those that did not come to the same as the one before. */
static void change(struct advice *advice, struct inside *inside, const struct advice_request *request) {
    const struct racer *racer[CHANGE_FINALISTS];
    struct changes_request changes = {.plan = &inside->plan,
                                      .candidates = &inside->candidates,
                                      .racer = racer,
                                      .replications = advice->replications / 2,
                                      .threads = request->threads,
                                      .progress = request->progress};
    for (size_t q = 0; q < advice->standings && changes.racers < CHANGE_FINALISTS; q++)
        if (!advice->standing[q].equal)
            racer[changes.racers++] = inside->standing[q];
    advice_changes(advice, &changes);
}

char *advice_scenario(const struct advice *advice, const char *folder) {
    struct inside *inside = advice->inside;
    const struct candidate *best = candidate_of(inside, inside->standing[0]);
    const struct scenario *scenario =
        scenario_of_candidate(&inside->plan, inside->plan.point[0].scenario->tree, best);
    return yaml_text(tree_as_written(inside->plan.arena, scenario->tree), folder);
}

struct advice *advice_new(struct diag *diag, const struct advice_request *request) {
    struct advice *advice = memory_zeroed(1, sizeof *advice);
    struct inside *inside = memory_zeroed(1, sizeof *inside);
    struct plan_request plan_request = {.file = request->file,
                                        .text = request->text,
                                        .sets = request->sets,
                                        .set_count = request->set_count,
                                        .images = request->images};
    advice->inside = inside;
    if (!plan_read(&inside->plan, diag, &plan_request) || !suits(&inside->plan, diag)) {
        advice_free(advice);
        return NULL;
    }
    const struct scenario *scenario = inside->plan.point[0].scenario;
    advice->replications = replications_of(scenario);
    advice->exact_only = !scenario->problem.loss.type;
    inside->candidates = candidates_of(&inside->plan);
    advice->places = inside->candidates.places;
    if (inside->candidates.count == 0) {
        diag_error(diag, inside->plan.tree->place, "schemes", "no scheme that there is can be used here");
        advice_free(advice);
        return NULL;
    }
    race(advice, inside, request);
    if (!request->once)
        change(advice, inside, request);
    return advice;
}

void advice_free(struct advice *advice) {
    if (!advice)
        return;
    struct inside *inside = advice->inside;
    race_fini(&inside->race);
    plan_fini(&inside->plan);
    free(inside);
    free(advice);
}
