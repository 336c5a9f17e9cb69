/* Puts the sections together and checks them against each other. Every section is read whatever became of
 * the others, so that all mistakes of a file are told at once; a check runs when what it looks at was
 * read. */
#include "section.h"
#include <math.h>
#include <string.h>

/* Replications until the comparison is settled. */
struct replications_until {
    double half_width;
    uint32_t max;
};

#define UNTIL(member) offsetof(struct replications_until, member)
static const struct param until_params[] = {
    {"half_width", PARAM_NUMBER, UNTIL(half_width), .above_minimum = true, .maximum = 1,
     .help = "half width of the 95 % intervals of paired differences, as a share of the first scheme's mean"},
    {"max", PARAM_COUNT, UNTIL(max), "200", .minimum = 2, .maximum = 1000000,
     .help = "replications that are not exceeded"},
};
static const struct param_table until_table = {PARAM_TABLE(struct replications_until, until_params)};

struct scenario_values {
    const char *name;
    uint64_t seed;
    uint32_t replications;
    const struct replications_until *until; /* in place of a number */
    struct node *problem, *optimizer, *stop, *cluster, *schemes, *record, *sweep, *tune;
    bool skip_invalid;
    uint32_t method;
};

const char *const method_names[] = {"events", "beta", NULL};

#define AT(member) offsetof(struct scenario_values, member)
static const struct param scenario_params[] = {
    {"name", PARAM_TEXT, AT(name), "", .help = "name of the results folder; the file's"},
    {"seed", PARAM_SEED, AT(seed), "1", .help = "key of every random draw"},
    {"replications", PARAM_COUNT, AT(replications), "1", .minimum = 1, .maximum = 1000000,
     .help = "runs of each scheme that differ in their draws"},
    {"problem", PARAM_ANY, AT(problem), .help = "loss, data, partitions"},
    {"optimizer", PARAM_ANY, AT(optimizer), "", .help = "how a gradient becomes an update"},
    {"stop", PARAM_ANY, AT(stop), .help = "when a run ends"},
    {"cluster", PARAM_ANY, AT(cluster), .help = "workers and master"},
    {"schemes", PARAM_ANY, AT(schemes), .help = "what is compared"},
    {"record", PARAM_ANY, AT(record), "{}", .help = "what is written"},
    {"sweep", PARAM_ANY, AT(sweep), "",
     .help = "keys and the values they take; every combination is a point"},
    {"skip_invalid", PARAM_FLAG, AT(skip_invalid), "false", .help = "leave out invalid points of the sweep"},
    {"tune", PARAM_ANY, AT(tune), "",
     .help = "none, or numbers of the optimizer that every scheme gets at its own best before the "
             "comparison, and the "
             "intervals they are searched in"},
    {"method", PARAM_CHOICE, AT(method), "events", .choices = method_names,
     .help = "how times are drawn: of all workers, or, in a time that does not depend on their number, of "
             "the result that "
             "closes a step alone"},
};
#define SCENARIO_PARAMS (sizeof scenario_params / sizeof *scenario_params)

/* `replications` is a number or a mapping: the table that fits what is written. `room` holds SCENARIO_PARAMS. */
static struct param_table scenario_table(const struct node *tree, struct param *room) {
    const struct node *replications = node_child(tree, "replications");
    bool until = replications && replications->kind == NODE_MAPPING;
    for (size_t p = 0; p < SCENARIO_PARAMS; p++) {
        room[p] = scenario_params[p];
        if (until && strcmp(room[p].name, "replications") == 0)
            room[p] = (struct param){"replications",        PARAM_STRUCT,        AT(until), "",
                                     .table = &until_table, .help = room[p].help};
    }
    return (struct param_table){
        .size = sizeof(struct scenario_values), .param = room, .count = SCENARIO_PARAMS};
}

/* The file's name without its folder and ending. */
static const char *file_stem(struct arena *arena, const char *file) {
    const char *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');
    return arena_text(arena, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

static const char *file_folder(struct arena *arena, const char *file) {
    const char *slash = strrchr(file, '/');
    if (!slash)
        return NULL;
    return slash == file ? "/" : arena_text(arena, file, (size_t)(slash - file));
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* The name becomes the name of the results folder. */
static bool name_settle(struct reading *reading, struct scenario *scenario) {
    bool own = scenario->name != NULL;
    if (!own)
        scenario->name = file_stem(reading->binder.arena, reading->tree->place.file);
    if (!text_check(reading, reading->tree, "name", scenario->name))
        return false;
    bool dots = strcmp(scenario->name, ".") == 0 || strcmp(scenario->name, "..") == 0;
    if (dots || strchr(scenario->name, '/'))
        return key_error(reading, reading->tree, "name",
                         "must be usable as the name of a folder: without '/', and neither '.' nor '..'");
    if (ends_with(scenario->name, ".partial") || ends_with(scenario->name, ".replaced"))
        return key_error(reading, reading->tree, "name",
                         "must not end in .partial or .replaced, which mark results folders on their way");
    if (!own) {
        struct node *name = node_scalar(reading->binder.arena, reading->tree->place, scenario->name);
        name->implied = name->quoted = true;
        node_append(reading->binder.arena, reading->tree, "name", name);
    }
    return true;
}

static bool schemes_listed(struct reading *reading, const struct node *list) {
    if (list->kind == NODE_LIST && list->children > 0)
        return true;
    node_error(reading->binder.diag, list, "expected a list of schemes such as [{type: uncoded}], found %s",
               list->kind == NODE_MAPPING  ? "a mapping"
               : list->kind == NODE_SCALAR ? "a single value"
                                           : "an empty list");
    return false;
}

/* Checks of each scheme that was read against the cluster. */
static bool schemes_settle(struct reading *reading, struct node *list, struct scenario *scenario,
                           const struct surroundings *around, const bool *bound) {
    bool fine = true;
    size_t e = 0;
    for (struct node *node = list->first; node; node = node->next, e++) {
        if (!bound[e])
            continue;
        struct scheme_entry *entry = &scenario->scheme[e];
        struct surroundings own = *around;
        own.shape.partitions = entry->partitions = scheme_partitions(&entry->scheme, own.shape.workers);
        fine &= scheme_settle(reading, node, entry, &own);
    }
    return fine;
}

/* `learning`: the loss and the optimizer were read. */
static struct surroundings surroundings_of(const struct scenario *scenario, uint32_t cluster_late,
                                           bool learning) {
    uint32_t workers = scenario->cluster.workers;
    return (struct surroundings){
        .shape = {workers, workers},
        .load = scenario->cluster.load,
        .late = cluster_late,
        .batches = scenario->problem.batch > 0,
        .endless = scenario->stop.steps == PARAM_ABSENT && !isnan(scenario->stop.seconds_s),
        .accumulate = scenario_accumulated(scenario),
        .topology = scenario->cluster.topology,
        .overlap = scenario->cluster.overlap,
        .optimizer = learning ? scenario->optimizer : NULL,
        .learns = scenario->optimizer || !learning,
    };
}

static bool schemes_section(struct reading *reading, struct node *list, struct scenario *scenario,
                            const struct surroundings *around) {
    if (!schemes_listed(reading, list))
        return false;
    struct arena *arena = reading->binder.arena;
    scenario->schemes = (uint32_t)list->children;
    scenario->scheme = arena_zeroed(arena, list->children, sizeof *scenario->scheme);
    bool *bound = arena_zeroed(arena, list->children, sizeof *bound);
    bool all = schemes_read(reading, list, scenario, bound);
    bool settled = around->shape.workers == 0 || schemes_settle(reading, list, scenario, around, bound);
    return all && settled && labels_settle(reading, list, scenario);
}

/* The optimizer, and what else needs a loss. */
static bool learning_read(struct reading *reading, const struct scenario_values *values,
                          struct scenario *scenario) {
    bool fine = true;
    if (scenario->problem.loss.type) {
        if (!values->optimizer)
            return key_error(reading, reading->tree, "optimizer", "is required with problem.loss: %s",
                             scenario->problem.loss.type->name);
        struct optimizer_spec *optimizer = arena_zeroed(reading->binder.arena, 1, sizeof *optimizer);
        scenario->optimizer = optimizer;
        return param_bind(&reading->binder, values->optimizer, &optimizer_table, optimizer);
    }
    if (values->optimizer)
        fine = key_error(reading, reading->tree, "optimizer",
                         "has no meaning with problem.loss: none, which updates no model");
    if (!isnan(scenario->stop.loss))
        fine = key_error(reading, values->stop, "loss", "has no meaning with problem.loss: none");
    if (scenario->record.audit)
        fine = key_error(reading, values->record, "audit",
                         "has no meaning with problem.loss: none, which computes no gradient");
    return fine;
}

/* The optimizer's own mistakes, where the loss is in doubt. */
static bool optimizer_alone(struct reading *reading, struct node *mapping) {
    struct optimizer_spec spec;
    return !mapping || param_bind(&reading->binder, mapping, &optimizer_table, &spec);
}

static void count_bytes(struct scenario *scenario) {
    const struct problem_spec *problem = &scenario->problem;
    if (scenario->objective.data) {
        uint32_t features = scenario->objective.data->features;
        scenario->model_bytes = 8.0 * features;
        scenario->result_bytes = compression_bytes(scenario->optimizer->compression, features);
        return;
    }
    scenario->model_bytes = isnan(problem->message_bytes) ? 0 : problem->message_bytes;
    scenario->result_bytes = isnan(problem->result_bytes) ? scenario->model_bytes : problem->result_bytes;
}

/* What compression has to agree with: the data, and who adds up messages. */
static bool compression_settle(struct reading *reading, const struct node *optimizer,
                               const struct scenario *scenario) {
    const struct compression_spec *spec = scenario->optimizer->compression;
    const struct node *mapping = node_child(optimizer, "compression");
    struct sentence why;
    if (compression_refuses(spec, scenario->objective.data->features, &why))
        return key_error(reading, mapping, key_in_sentence(mapping, spec->compressor.type, &why), "%s",
                         why.text);
    if (!compression_acts(spec) || scenario->cluster.topology != TOPOLOGY_RING)
        return true;
    return key_error(reading, mapping, "type",
                     "%s needs a master; cluster.topology: ring adds up whole messages on their way",
                     spec->compressor.type->name);
}

static bool sections_read(struct reading *reading, struct scenario_values *values,
                          struct scenario *scenario) {
    scenario->stop = (struct stop_spec){PARAM_ABSENT, (double)NAN, (double)NAN};
    bool stop = !values->stop || stop_read(reading, values->stop, &scenario->stop);
    bool record = !values->record || record_read(reading, values->record, &scenario->record);
    bool problem = values->problem && problem_read(reading, values->problem, &scenario->problem);
    bool learning =
        problem ? learning_read(reading, values, scenario) : optimizer_alone(reading, values->optimizer);
    struct cluster_section section = {.late = PARAM_ABSENT};
    bool cluster = values->cluster && cluster_read(reading, values->cluster, &section);
    scenario->cluster = section.spec;
    scenario->master_s = section.master_s;
    struct surroundings around = surroundings_of(scenario, section.late, problem && learning);
    bool schemes = values->schemes && schemes_section(reading, values->schemes, scenario, &around);
    uint32_t workers = scenario->cluster.workers;
    if (problem && workers > 0)
        problem = problem_partition(reading, values->problem, scenario) &&
                  (!scenario->problem.loss.type ||
                   objective_load(reading, values->problem, scenario, &scenario->objective));
    bool tune = !values->tune || !problem || !learning || tune_read(reading, values->tune, scenario);
    bool fine = stop && record && problem && learning && cluster && schemes && tune;
    if (fine && scenario->objective.data)
        fine = compression_settle(reading, values->optimizer, scenario);
    if (fine)
        count_bytes(scenario);
    return fine;
}

struct scenario *scenario_read(struct diag *diag, struct arena *arena, struct shelf *shelf,
                               struct node *tree) {
    struct reading reading = {.binder = {diag, arena, file_folder(arena, tree->place.file)},
                              .shelf = shelf,
                              .tree = tree,
                              .sweeps = node_child(tree, "sweep") != NULL};
    struct scenario *scenario = arena_zeroed(arena, 1, sizeof *scenario);
    struct scenario_values values = {0};
    struct param room[SCENARIO_PARAMS];
    struct param_table table = scenario_table(tree, room);
    bool top = param_bind(&reading.binder, tree, &table, &values);
    scenario->tree = tree;
    scenario->name = values.name;
    scenario->seed = values.seed;
    scenario->replications = values.until ? values.until->max : values.replications;
    scenario->half_width = values.until ? values.until->half_width : (double)NAN;
    bool name = name_settle(&reading, scenario);
    bool sections = sections_read(&reading, &values, scenario);
    scenario->method = values.method;
    bool method = !top || !sections || method_settle(&reading, scenario);
    return top && name && sections && method ? scenario : NULL;
}

static void visit_files(const struct node *node, void (*visit)(void *context, const char *path),
                        void *context) {
    if (node->resolved)
        visit(context, node->resolved);
    for (const struct node *child = node->first; child; child = child->next)
        visit_files(child, visit, context);
}

void scenario_files(const struct scenario *scenario, void (*visit)(void *context, const char *path),
                    void *context) {
    visit_files(scenario->tree, visit, context);
}

uint32_t scenario_accumulated(const struct scenario *scenario) {
    return scenario->optimizer && scenario->optimizer->accumulate > 1 ? scenario->optimizer->accumulate : 1;
}

struct setting scenario_setting(const struct scenario *scenario, const struct scheme_entry *entry) {
    return (struct setting){
        .shape = {scenario->cluster.workers, entry->partitions},
        .late = (enum late_rule)entry->late,
        .batches = scenario->problem.batch > 0,
        .skips = cluster_skips(&scenario->cluster),
        .steps = scenario->stop.steps,
        .rows = scenario->objective.data ? scenario->objective.data->samples : 0,
        .absentees = cluster_absentees(&scenario->cluster),
    };
}
