#include "candidates.h"
#include "candidate_texts.h"
#include "run_sizes.h"
#include "sheet.h"
#include "sweep.h"
#include "tuning.h"
#include "tuning_search.h"
#include "yaml_tree.h"
#include <math.h>
#include <string.h>

struct gathering {
    struct plan *plan;
    struct node *base; /* the scenario as it was written */
    struct shelf *seen;
    struct candidates *found;
    size_t capacity;
};

static void drop_implied(struct node *node) {
    if (node->kind == NODE_MAPPING)
        node_drop_implied(node);
    for (struct node *child = node->first; child; child = child->next)
        drop_implied(child);
}

struct node *tree_as_written(struct arena *arena, const struct node *tree) {
    struct node *written = node_clone(arena, tree);
    drop_implied(written);
    return written;
}

/* The tree with the scheme of this mapping alone, read anew; NULL where it is refused. */
static struct scenario *scenario_of_scheme(struct plan *plan, const struct node *tree,
                                           const struct node *scheme) {
    struct sentence why;
    struct node *own = node_clone(plan->arena, tree), *list = node_list(plan->arena, scheme->place);
    node_append(plan->arena, list, NULL, node_clone(plan->arena, scheme));
    struct diag *unheard = diag_new();
    bool put = node_set(plan->arena, own, "schemes", list, &why);
    struct scenario *scenario = put ? scenario_read(unheard, plan->arena, plan->shelf, own) : NULL;
    diag_free(unheard);
    return scenario && run_bytes(scenario, scenario->scheme) <= RUN_BYTES_MAX ? scenario : NULL;
}

/* The values stand in the optimizer, and nothing is tuned any more. */
static bool put_values(struct arena *arena, struct node *tree, const struct candidate *candidate) {
    const struct scenario *scenario = candidate->scenario;
    struct sentence why;
    bool put = node_set(arena, tree, "tune", node_scalar(arena, tree->place, "none"), &why);
    for (size_t a = 0; put && a < scenario->tunes; a++) {
        char number[NUMBER_BYTES];
        number_print(number, candidate->value[a]);
        put = node_set(arena, tree, arena_format(arena, "optimizer.%s", scenario->tuned[a].key),
                       node_scalar(arena, tree->place, number), &why);
    }
    return put;
}

struct scenario *scenario_of_candidate(struct plan *plan, const struct node *tree,
                                       const struct candidate *candidate) {
    struct node *own = tree_as_written(plan->arena, tree);
    if (candidate->value && !put_values(plan->arena, own, candidate))
        return NULL;
    return scenario_of_scheme(plan, own, candidate->scheme);
}

/* Every estimate is the full gradient at the present model, whoever straggles. */
static bool is_exact(const struct scenario *scenario) {
    const struct scheme_entry *entry = scenario->scheme;
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    const struct wait_rule *rule = (const struct wait_rule *)entry->wait->type;
    struct setting setting = scenario_setting(scenario, entry);
    struct limits limits = scheme->limits(entry->scheme.params, &setting);
    uint32_t stragglers = scheme->stragglers(entry->scheme.params), workers = setting.shape.workers;
    if (scheme->exact)
        return true;
    if (scheme->starts || !scheme->decodable || limits_stale(&limits) || limits.local_steps > 0 ||
        (scheme->never_exact && scheme->never_exact(entry->scheme.params, setting.shape)))
        return false;
    return rule->assured(entry->wait->params, workers, stragglers) >= workers; /* or ONLY_DECODABLE */
}

/* How its rounds close: where a count of results does it, that count, whichever rule it is of. */
static const char *closing_of(struct arena *arena, const struct scenario *scenario) {
    const struct scheme_entry *entry = scenario->scheme;
    struct setting setting = scenario_setting(scenario, entry);
    uint32_t results = scheme_closing_results(&entry->scheme, setting.shape, entry->wait);
    const struct node *wait = node_child(node_child(scenario->tree, "schemes")->first, "wait");
    return results > 0 ? arena_format(arena, "%u results", results) : wait ? sweep_text(arena, wait) : "";
}

/* All that tells its runs from those of another. */
static const char *settings_of(struct arena *arena, const struct scenario *scenario) {
    static const char *const kept[] = {"late", "decode", "staleness", NULL};
    const struct node *entry = node_child(scenario->tree, "schemes")->first;
    const char *text = arena_format(arena, "%s;%s;%s", scenario->scheme->scheme.type->name,
                                    scenario->scheme->parameters, closing_of(arena, scenario));
    for (size_t q = 0; kept[q]; q++) {
        const struct node *node = node_child(entry, kept[q]);
        text = arena_format(arena, "%s;%s", text, node ? sweep_text(arena, node) : "");
    }
    return text;
}

static struct candidate *next_candidate(struct gathering *gathering) {
    struct candidates *found = gathering->found;
    if (found->count == gathering->capacity) {
        struct candidate *before = found->candidate;
        gathering->capacity = gathering->capacity * 2 + 64;
        found->candidate =
            arena_zeroed(gathering->plan->arena, gathering->capacity, sizeof *found->candidate);
        if (before)
            memcpy(found->candidate, before, found->count * sizeof *before);
    }
    return &found->candidate[found->count++];
}

static const char *name_with_values(struct arena *arena, const char *name,
                                    const struct candidate *candidate) {
    const struct scenario *scenario = candidate->scenario;
    for (size_t a = 0; candidate->value && a < scenario->tunes; a++) {
        char number[NUMBER_BYTES];
        number_print(number, candidate->value[a]);
        name = arena_format(arena, "%s, %s=%s", name, scenario->tuned[a].key, number);
    }
    return name;
}

/* A setting with the values of a place of the grid. */
static void add_tuned(struct gathering *gathering, const struct candidate *setting, size_t place) {
    struct arena *arena = gathering->plan->arena;
    double *value = arena_zeroed(arena, TUNED_MAX, sizeof *value);
    struct candidate candidate = *setting;
    tuning_grid_values(setting->scenario, place, value);
    candidate.value = value;
    candidate.name = name_with_values(arena, setting->name, &candidate);
    candidate.scenario = scenario_with_values(arena, setting->scenario, value);
    *next_candidate(gathering) = candidate;
}

static void add(struct gathering *gathering, const struct node *scheme, const char *name) {
    struct candidates *found = gathering->found;
    struct scenario *scenario = scenario_of_scheme(gathering->plan, gathering->base, scheme);
    if (!scenario)
        return;
    const char *settings = settings_of(gathering->plan->arena, scenario);
    if (shelf_find(gathering->seen, settings))
        return;
    shelf_put(gathering->seen, settings, scenario, NULL);
    if (!scenario->problem.loss.type && !is_exact(scenario)) {
        found->inexact++;
        return;
    }
    scenario->record = (struct record_spec){.mode = RECORD_LOG};
    struct candidate setting = {
        .scenario = scenario, .scheme = scheme, .name = name, .setting = found->settings++};
    if (scenario->tunes == 0)
        *next_candidate(gathering) = setting;
    for (size_t place = 0; scenario->tunes > 0 && place < found->places; place++)
        add_tuned(gathering, &setting, place);
}

static void add_text(void *context, const char *text, const char *name) {
    struct gathering *gathering = context;
    struct diag *unheard = diag_new();
    const struct node *scheme = yaml_read_text(unheard, gathering->plan->arena, "a candidate", text);
    diag_free(unheard);
    if (scheme)
        add(gathering, scheme, name);
}

struct candidates candidates_of(struct plan *plan) {
    const struct scenario *first = plan->point[0].scenario;
    struct candidates found = {.places = tuning_grid_places(first)};
    struct gathering gathering = {.plan = plan,
                                  .base = tree_as_written(plan->arena, first->tree),
                                  .seen = shelf_new(),
                                  .found = &found};
    const struct node *own = node_child(gathering.base, "schemes")->first;
    for (uint32_t e = 0; own; own = own->next, e++)
        add(&gathering, own, first->scheme[e].label);
    candidate_texts(plan->arena, first->cluster.workers, (struct candidate_listener){add_text, &gathering});
    shelf_free(gathering.seen);
    return found;
}

struct candidate candidate_scaled(struct arena *arena, const struct candidate *candidate, uint32_t workers) {
    struct candidate scaled = *candidate;
    struct node *scheme = node_clone(arena, candidate->scheme);
    const char *name = candidate_rescale(arena, scheme, candidate->scenario->cluster.workers, workers);
    scaled.scheme = scheme;
    scaled.name = name_with_values(arena, name, candidate);
    return scaled;
}
