#include "advice_changes.h"
#include "late.h"
#include "yaml_tree.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far a target is moved, as a share of the way from the loss at the start to it. */
#define NEARER  0.5
#define FURTHER 0.1
/* What a parameter that says how heavy a tail is is multiplied by. */
#define HEAVIER 1.4

/* What a change needs to know. */
struct ground {
    struct arena *arena;
    const struct scenario *scenario; /* as it is */
    double first_loss;               /* NAN: not known */
};

/* One thing that could be otherwise. */
struct other {
    const char *name;
    double amount; /* a factor, a share of a way, or a rule */
    /* Changes the tree and says what it is now; false: it cannot be here, and why. */
    bool (*apply)(const struct ground *ground, struct node *tree, double amount, struct sentence *what);
};

static void put_number(struct node *mapping, struct arena *arena, const char *key, double value) {
    struct node *node = node_child(mapping, key);
    node->text = arena_format(arena, "%.10g", value);
}

static bool change_workers(const struct ground *ground, struct node *tree, double factor,
                           struct sentence *what) {
    uint32_t before = ground->scenario->cluster.workers, after = 0;
    struct node *groups = node_child(node_child(tree, "cluster"), "workers");
    for (struct node *group = groups->first; group; group = group->next) {
        struct node *count = node_child(group, "count");
        double workers = 1;
        if (count && param_number(count->text, &workers))
            put_number(group, ground->arena, "count", workers = fmax(1, round(workers * factor)));
        after += (uint32_t)workers;
    }
    if (after == before) {
        sentence_set(what, "the groups of workers have no count that could be changed");
        return false;
    }
    sentence_set(what, "%u workers in place of %u", after, before);
    return true;
}

static bool change_target(const struct ground *ground, struct node *tree, double share,
                          struct sentence *what) {
    double target = ground->scenario->stop.loss, other = target + share * (ground->first_loss - target);
    if (isnan(other) || !(other > 0)) {
        sentence_set(what, "%s",
                     isnan(other) ? "without a target there is none that could be nearer or further"
                                  : "a target further away would be below 0");
        return false;
    }
    put_number(node_child(tree, "stop"), ground->arena, "loss", other = round(other * 1e6) / 1e6);
    sentence_set(what, "a target of %.6g in place of %.6g", other, target);
    return true;
}

/* By its name, a parameter of a law whose growth (1) or fall (-1) makes the tail heavier. */
static const struct heaviness {
    const char *law, *key;
    int sense;
} heavinesses[] = {{"pareto", "shape", -1}, {"weibull", "shape", -1},   {"lognormal", "sigma", 1},
                   {"gamma", "scale", 1},   {"exponential", "mean", 1}, {"shifted-exponential", "mean", 1}};

static const char *with_unit(struct arena *arena, const char *text, double factor) {
    char *end;
    double number = strtod(text, &end);
    return arena_format(arena, "%.6g%s", number * factor, end);
}

/* Says which parameter is what now. */
static bool change_law(struct arena *arena, struct node *law, double factor, struct sentence *what) {
    const struct node *type = node_child(law, "type");
    bool changed = false;
    for (size_t q = 0; type && q < sizeof heavinesses / sizeof *heavinesses; q++) {
        struct node *number = node_child(law, heavinesses[q].key);
        if (strcmp(type->text, heavinesses[q].law) != 0 || !number)
            continue;
        const char *before = number->text;
        number->text = with_unit(arena, before, heavinesses[q].sense > 0 ? factor : 1 / factor);
        sentence_set(what, "%s delays: %s of %s %s in place of %s", factor > 1 ? "heavier" : "lighter",
                     heavinesses[q].key, type->text, number->text, before);
        changed = true;
    }
    return changed;
}

/* Every law of a delay, also as a part of another; the sentence is about the last. */
static bool change_laws(struct arena *arena, struct node *node, double factor, struct sentence *what) {
    bool changed = node->kind == NODE_MAPPING && change_law(arena, node, factor, what);
    for (struct node *child = node->first; child; child = child->next)
        changed |= change_laws(arena, child, factor, what);
    return changed;
}

static bool change_tail(const struct ground *ground, struct node *tree, double factor,
                        struct sentence *what) {
    bool changed = false;
    struct node *groups = node_child(node_child(tree, "cluster"), "workers");
    for (struct node *group = groups->first; group; group = group->next)
        if (node_child(group, "delay"))
            changed |= change_laws(ground->arena, node_child(group, "delay"), factor, what);
    if (!changed)
        sentence_set(what, "no worker has a law of delay whose tail has a parameter");
    return changed;
}

static bool change_late(const struct ground *ground, struct node *tree, double rule, struct sentence *what) {
    const char *late = late_names[(size_t)rule];
    const struct node *now = node_child(node_child(tree, "cluster"), "late");
    if (now && strcmp(now->text, late) == 0) {
        sentence_set(what, "it is the rule already");
        return false;
    }
    struct sentence why;
    bool put =
        node_set(ground->arena, tree, "cluster.late", node_scalar(ground->arena, tree->place, late), &why);
    assert(put);
    sentence_set(what, "late: %s %s", late,
                 now ? arena_format(ground->arena, "in place of %s", now->text) : "for every scheme");
    return true;
}

static const struct other others[] = {
    {"half of the workers", 0.5, change_workers}, {"twice the workers", 2, change_workers},
    {"a nearer target", NEARER, change_target},   {"a further target", -FURTHER, change_target},
    {"a heavier tail", HEAVIER, change_tail},     {"a lighter tail", 1 / HEAVIER, change_tail},
    {"late: queue", LATE_QUEUE, change_late},     {"late: cancel", LATE_CANCEL, change_late},
};
#define OTHERS (sizeof others / sizeof *others)

/* Who can be used in a changed scenario. */
struct field {
    size_t count;
    struct candidate *candidate;
    struct entrant *entrant;
    bool has_best; /* the first is who is best now, as it is */
};

static bool enter(struct field *field, const struct changes_request *request, const struct node *tree,
                  const struct candidate *candidate) {
    struct scenario *scenario = scenario_of_candidate(request->plan, tree, candidate);
    for (size_t q = 0; q < field->count; q++)
        if (strcmp(field->candidate[q].name, candidate->name) == 0)
            return false;
    if (!scenario)
        return false;
    scenario->record = (struct record_spec){.mode = RECORD_LOG};
    field->candidate[field->count] = *candidate;
    field->entrant[field->count++] = (struct entrant){scenario, scenario->scheme};
    return true;
}

static uint32_t workers_in(const struct node *tree) {
    const struct node *groups = node_child(node_child(tree, "cluster"), "workers");
    double workers = 0;
    for (const struct node *group = groups->first; group; group = group->next) {
        const struct node *count = node_child(group, "count");
        double own = 1;
        workers += !count || param_number(count->text, &own) ? own : 1;
    }
    return (uint32_t)workers;
}

/* The finalists as they are; where there are more or fewer workers, then with counts that go with these. */
static void enter_all(struct field *field, const struct changes_request *request, const struct node *tree) {
    const struct candidate *candidate = request->candidates->candidate;
    uint32_t before = request->plan->point[0].scenario->cluster.workers, workers = workers_in(tree);
    for (size_t q = 0; q < request->racers; q++) {
        bool entered = enter(field, request, tree, &candidate[request->racer[q]->candidate]);
        field->has_best |= q == 0 && entered;
    }
    for (size_t q = 0; workers != before && q < request->racers; q++) {
        struct candidate scaled =
            candidate_scaled(request->plan->arena, &candidate[request->racer[q]->candidate], workers);
        enter(field, request, tree, &scaled);
    }
}

static void compare(struct change *change, const struct changes_request *request, const struct field *field,
                    struct progress_line *line) {
    size_t runs = field->count * request->replications, best = 0;
    struct run_id *run = memory_zeroed(runs, sizeof *run);
    struct showing *showing = memory_zeroed(runs, sizeof *showing);
    struct merit *merit = memory_zeroed(field->count, sizeof *merit);
    for (size_t r = 0; r < runs; r++)
        run[r] =
            (struct run_id){(uint32_t)(r / request->replications), (uint32_t)(r % request->replications)};
    heat_run(&(struct heat){.entrant = field->entrant,
                            .entrants = field->count,
                            .run = run,
                            .runs = runs,
                            .threads = request->threads,
                            .progress = line,
                            .runs_in_all = (OTHERS + 2) * request->racers * request->replications},
             showing);
    for (size_t e = 0; e < field->count; e++) {
        merit[e] = merit_of(&showing[e * request->replications], request->replications);
        best = merit_compare_costs(&merit[e], &merit[best]) < 0 ? e : best;
    }
    change->first = field->candidate[best].name;
    change->same = field->has_best && best == 0;
    change->first_cost = merit[best].cost;
    change->now_cost = field->has_best ? merit[0].cost : (double)NAN;
    free(merit);
    free(showing);
    free(run);
}

static void try(struct change *change, const struct changes_request *request, struct node *tree,
                struct progress_line *line) {
    struct field field = {.candidate = memory_zeroed(2 * request->racers, sizeof *field.candidate),
                          .entrant = memory_zeroed(2 * request->racers, sizeof *field.entrant)};
    enter_all(&field, request, tree);
    if (field.count > 0)
        compare(change, request, &field, line);
    else
        change->why = "none of the finalists can be used there";
    free(field.candidate);
    free(field.entrant);
}

void advice_changes(struct advice *advice, const struct changes_request *request) {
    struct arena *arena = request->plan->arena;
    struct progress_line line = progress_line_of(request->progress);
    struct ground ground = {.arena = arena,
                            .scenario = request->plan->point[0].scenario,
                            .first_loss = request->racer[0]->showing[0].first_loss};
    advice->changes = OTHERS;
    advice->change = arena_zeroed(arena, OTHERS, sizeof *advice->change);
    for (size_t q = 0; q < OTHERS; q++) {
        struct change *change = &advice->change[q];
        struct node *tree = tree_as_written(arena, ground.scenario->tree);
        struct sentence what;
        bool applied = others[q].apply(&ground, tree, others[q].amount, &what);
        change->what = applied ? arena_format(arena, "%s", what.text) : others[q].name;
        change->why = applied ? NULL : arena_format(arena, "%s", what.text);
        if (applied)
            try(change, request, tree, &line);
    }
    advice->change_runs = line.done;
    progress_line_end(&line);
}
