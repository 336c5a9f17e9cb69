#include "plan.h"
#include "axes.h"
#include "event_plan.h"
#include "failure_plan.h"
#include "rows.h"
#include "run_sizes.h"
#include "sweep.h"
#include "written_tree.h"
#include "yaml_tree.h"
#include <stdlib.h>
#include <string.h>

/* An option whose text is KEY=VALUE; the key ends at the first '='. */
struct key_value {
    const char *name; /* of its place in messages */
    const char *key, *value;
};

static bool key_value_read(struct key_value *pair, struct plan *plan, const char *text) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return false;
    pair->key = arena_text(plan->arena, text, (size_t)(equals - text));
    pair->value = equals + 1;
    return true;
}

static bool apply_set(struct plan *plan, struct diag *diag, struct node *root, const char *text) {
    struct key_value set = {.name = arena_format(plan->arena, "--set %s", text)};
    struct place place = {set.name, 0, 0};
    struct sentence why;
    if (!key_value_read(&set, plan, text)) {
        diag_error(diag, place, NULL, "expected KEY=VALUE, such as stop.steps=100");
        return false;
    }
    const struct node *value = yaml_read_text(diag, plan->arena, set.name, set.value);
    if (!value)
        return false;
    if (setting_put(plan->arena, root, set.key, value, &why))
        return true;
    diag_error(diag, place, set.key, "%s", why.text);
    return false;
}

/* The option before the s-th that sweeps the same, or NULL: one would take the other's place. */
static const char *swept_before(struct plan *plan, const struct plan_request *request, size_t s,
                                const char *key) {
    struct key_value earlier;
    for (size_t e = 0; e < s; e++)
        if (key_value_read(&earlier, plan, request->sweeps[e]) && axis_keys_same(earlier.key, key))
            return request->sweeps[e];
    return NULL;
}

static bool apply_sweep(struct plan *plan, struct diag *diag, struct node *root,
                        const struct plan_request *request, size_t s) {
    const char *text = request->sweeps[s], *before;
    struct key_value axis = {.name = arena_format(plan->arena, "--sweep %s", text)};
    struct place place = {axis.name, 0, 0};
    struct sentence why;
    if (!key_value_read(&axis, plan, text)) {
        diag_error(diag, place, NULL, "expected KEY=V1,V2,…, such as schemes.stragglers=1,2,3");
        return false;
    }
    if ((before = swept_before(plan, request, s, axis.key))) {
        diag_error(diag, place, axis.key, "is swept already by '--sweep %s': one option takes all its values",
                   before);
        return false;
    }
    struct node *values =
        yaml_read_text(diag, plan->arena, axis.name, arena_format(plan->arena, "[%s]", axis.value));
    if (!values)
        return false;
    if (sweep_put(plan->arena, root, axis.key, values, &why))
        return true;
    diag_error(diag, place, axis.key, "%s", why.text);
    return false;
}

static struct node *read_root(struct plan *plan, struct diag *diag, const struct plan_request *request) {
    if (!request->text)
        return yaml_read_file(diag, plan->arena, request->file);
    struct node *root = yaml_read_text(diag, plan->arena, request->file, request->text);
    if (!root || root->kind == NODE_MAPPING)
        return root;
    diag_error(diag, root->place, NULL, "expected a mapping of keys such as cluster and schemes");
    return NULL;
}

static struct node *read_tree(struct plan *plan, struct diag *diag, const struct plan_request *request) {
    struct node *root = read_root(plan, diag, request);
    bool good = root != NULL;
    for (size_t s = 0; root && s < request->set_count; s++)
        good &= apply_set(plan, diag, root, request->sets[s]);
    for (size_t s = 0; root && s < request->sweep_count; s++)
        good &= apply_sweep(plan, diag, root, request, s);
    return good ? root : NULL;
}

static bool skips_invalid(const struct node *root) {
    const struct node *skip = node_child(root, "skip_invalid");
    return skip && skip->kind == NODE_SCALAR && strcmp(skip->text, "true") == 0;
}

/* The tree of one point, its axes set; NULL after telling why not. */
static struct node *point_tree(struct plan *plan, struct diag *diag, const struct sweep *sweep,
                               const struct node *root, size_t index) {
    struct node *tree = node_clone(plan->arena, root);
    bool good = true;
    for (size_t a = 0; a < sweep->axes; a++) {
        const struct node *value = sweep_value(sweep, index, a);
        struct sentence why;
        if (setting_put(plan->arena, tree, sweep->axis[a].key, value, &why))
            continue;
        diag_error(diag, sweep->axis[a].values->key_place, sweep->axis[a].key, "%s", why.text);
        good = false;
    }
    return good ? tree : NULL;
}

static void add_point(struct plan *plan, const struct sweep *sweep, struct scenario *scenario, size_t index) {
    struct point *point = &plan->point[plan->points++];
    point->index = (uint32_t)(plan->points - 1);
    point->scenario = scenario;
    point->swept = arena_zeroed(plan->arena, sweep->axes + 1, sizeof *point->swept);
    for (size_t a = 0; a < sweep->axes; a++)
        point->swept[a] = sweep_text(plan->arena, sweep_value(sweep, index, a));
    if (!plan->tree)
        plan->tree = scenario->tree;
}

/* "skipped KEY = VALUE, …: " */
static const char *skipped_text(struct plan *plan, const struct sweep *sweep, size_t index) {
    const char *text = "skipped";
    for (size_t a = 0; a < sweep->axes; a++)
        text = arena_format(plan->arena, "%s%s %s = %s", text, a > 0 ? "," : "", sweep->axis[a].key,
                            sweep_text(plan->arena, sweep_value(sweep, index, a)));
    return arena_format(plan->arena, "%s: ", text);
}

/* Where invalid points may be skipped, their mistakes are weighed apart from those of the whole. */
static void read_point(struct plan *plan, struct diag *diag, const struct sweep *sweep,
                       const struct node *root, size_t index) {
    bool skip = skips_invalid(root);
    struct diag *own = skip ? diag_new() : diag;
    struct node *tree = point_tree(plan, own, sweep, root, index);
    struct scenario *scenario = tree ? scenario_read(own, plan->arena, plan->shelf, tree) : NULL;
    for (size_t a = 0; scenario && a < sweep->axes; a++)
        written_tree_resolve(sweep_value(sweep, index, a), tree);
    if (scenario)
        add_point(plan, sweep, scenario, index);
    else if (skip)
        diag_excuse(diag, own, skipped_text(plan, sweep, index));
    if (skip)
        diag_free(own);
}

/* seed, of the sweep, beside the seed of a run. */
static const char *column_of_key(struct arena *arena, const char *key) {
    bool met = columns_have(&run_columns, key) || columns_have(&summary_columns, key);
    return met ? arena_format(arena, "sweep.%s", key) : key;
}

static void name_swept(struct plan *plan, const struct sweep *sweep) {
    plan->swept_keys = sweep->axes;
    plan->swept_key = arena_zeroed(plan->arena, sweep->axes + 1, sizeof *plan->swept_key);
    plan->swept_column = arena_zeroed(plan->arena, sweep->axes + 1, sizeof *plan->swept_column);
    for (size_t a = 0; a < sweep->axes; a++) {
        plan->swept_key[a] = sweep->axis[a].key;
        plan->swept_column[a] = column_of_key(plan->arena, sweep->axis[a].key);
    }
}

static void read_points(struct plan *plan, struct diag *diag, const struct sweep *sweep,
                        const struct node *root) {
    plan->point = arena_zeroed(plan->arena, sweep->points, sizeof *plan->point);
    name_swept(plan, sweep);
    for (size_t index = 0; index < sweep->points; index++)
        read_point(plan, diag, sweep, root, index);
    if (plan->points == 0 && diag_errors(diag) == 0)
        diag_error(diag, root->place, "sweep", "every combination is invalid");
}

/* All that a run's numbers depend on, as text. */
static const char *settings_text(struct arena *arena, const struct contest *contest,
                                 const struct node *entry) {
    static const char *const kept[] = {"seed",    "replications", "problem", "optimizer", "stop",
                                       "cluster", "record",       "tune",    NULL};
    const char *text = "";
    for (size_t k = 0; kept[k]; k++) {
        const struct node *node = node_child(contest->point->scenario->tree, kept[k]);
        text = arena_format(arena, "%s%s=%s\n", text, kept[k], node ? sweep_text(arena, node) : "");
    }
    for (const struct node *child = entry->first; child; child = child->next)
        if (strcmp(child->key, "label") != 0)
            text = arena_format(arena, "%s%s=%s\n", text, child->key, sweep_text(arena, child));
    return text;
}

static void find_repeats(struct plan *plan) {
    struct shelf *seen = shelf_new();
    struct arena *scratch = arena_new();
    const struct node *entry = NULL;
    for (size_t c = 0; c < plan->contests; c++) {
        struct contest *contest = &plan->contest[c];
        bool first = contest->entry == contest->point->scenario->scheme;
        entry = first ? node_child(contest->point->scenario->tree, "schemes")->first : entry->next;
        const char *settings = settings_text(scratch, contest, entry);
        struct contest *original = shelf_find(seen, settings);
        contest->original = (uint32_t)(original ? original - plan->contest : (ptrdiff_t)c);
        if (!original)
            shelf_put(seen, settings, contest, NULL);
    }
    arena_free(scratch);
    shelf_free(seen);
}

static void list_contests(struct plan *plan) {
    size_t contests = 0;
    for (size_t q = 0; q < plan->points; q++)
        contests += plan->point[q].scenario->schemes;
    plan->contest = arena_zeroed(plan->arena, contests, sizeof *plan->contest);
    for (size_t q = 0; q < plan->points; q++)
        for (uint32_t e = 0; e < plan->point[q].scenario->schemes; e++)
            plan->contest[plan->contests++] =
                (struct contest){.point = &plan->point[q], .entry = &plan->point[q].scenario->scheme[e]};
    find_repeats(plan);
}

bool plan_read(struct plan *plan, struct diag *diag, const struct plan_request *request) {
    struct sweep sweep;
    *plan = (struct plan){.arena = arena_new(), .shelf = shelf_new()};
    if (request->images)
        shelf_keep_images(plan->shelf);
    struct node *root = read_tree(plan, diag, request);
    if (!root || !sweep_read(&sweep, diag, plan->arena, root))
        return false;
    read_points(plan, diag, &sweep, root);
    if (diag_errors(diag) > 0 || !event_plan_check(plan, diag) || !failure_plan_check(plan, diag) ||
        (!request->any_size && !run_sizes_check(plan, diag)))
        return false;
    list_contests(plan);
    written_tree_prepare(plan->tree, root, &sweep, plan->arena);
    return true;
}

void plan_fini(struct plan *plan) {
    shelf_free(plan->shelf);
    arena_free(plan->arena);
    *plan = (struct plan){0};
}

static bool ages(const struct contest *contest) {
    const struct scheme *scheme = (const struct scheme *)contest->entry->scheme.type;
    struct setting setting = scenario_setting(contest->point->scenario, contest->entry);
    struct limits limits = scheme->limits(contest->entry->scheme.params, &setting);
    return contest->point->scenario->record.bookings && limits_stale(&limits);
}

bool plan_books(const struct plan *plan) {
    for (size_t q = 0; q < plan->points; q++)
        if (plan->point[q].scenario->record.bookings)
            return true;
    return false;
}

bool plan_ages(const struct plan *plan) {
    for (size_t c = 0; c < plan->contests; c++)
        if (ages(&plan->contest[c]))
            return true;
    return false;
}
