/* The schemes: each with its wait rule, late rule and the checks that need the cluster. */
#include "section.h"
#include "yaml_tree.h"
#include <assert.h>
#include <string.h>

/* Draws that a task of independent partitions may take; more would outgrow the space of draws of an
 * occasion. */
#define INDEPENDENT_PARTITIONS_MAX 1000

static const char *const decode_names[] = {"shared", "real", NULL};

#define AT(member) offsetof(struct scheme_entry, member)
static const struct param entry_params[] = {
    {"label", PARAM_TEXT, AT(label), "",
     .help = "name in results; the type, with parameters where types repeat"},
    {"wait", PARAM_STRUCT, AT(wait), "", .help = "when the master stops waiting; the scheme's default",
     .table = &wait_table},
    {"late", PARAM_CHOICE, AT(late), "",
     .help = "what late workers do; cluster.late, else the scheme's default", .choices = late_names},
    {"decode", PARAM_CHOICE, AT(decode), "shared",
     .help = "shared: an exact estimate is the common full gradient; real: it is decoded",
     .choices = decode_names},
    {"staleness", PARAM_STRUCT, AT(staleness), "{}",
     .help = "what becomes of gradients that are used at a later version than they were taken at",
     .table = &staleness_table},
};
const struct param_table scheme_entry_table = {PARAM_TABLE(struct scheme_entry, entry_params),
                                               .family = &scheme_family,
                                               .picked = offsetof(struct scheme_entry, scheme)};

/* Reads the files that the scheme names. */
static bool files_ready(struct reading *reading, const struct node *node, const struct scheme_entry *entry,
                        uint32_t workers) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    if (!scheme->load)
        return true;
    if (!files_check(reading, node))
        return false;
    struct scheme_files files = {reading->binder.diag, reading->shelf, node, workers};
    size_t errors = file_errors(reading, node);
    if (scheme->load(entry->scheme.params, &files))
        return true;
    file_blame(reading, node, errors);
    return false;
}

bool schemes_read(struct reading *reading, struct node *list, struct scenario *scenario, bool *bound) {
    bool fine = true;
    size_t e = 0;
    for (struct node *node = list->first; node; node = node->next, e++) {
        bound[e] = param_bind(&reading->binder, node, &scheme_entry_table, &scenario->scheme[e]) &&
                   files_ready(reading, node, &scenario->scheme[e], scenario->cluster.workers);
        fine &= bound[e];
        const struct variant *type = scenario->scheme[e].scheme.type;
        scenario->scheme[e].parameters =
            bound[e] && type->params ? param_summary(reading->binder.arena, node, type->params) : "";
    }
    return fine;
}

static bool is_of_name(char letter) {
    return letter == '_' || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

/* Where a text has the word: copies is none in copies_local. NULL: nowhere. */
static const char *word_in(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        bool begins = at == text || !is_of_name(at[-1]);
        if (begins && !is_of_name(at[length]))
            return at;
    }
    return NULL;
}

/* Which of the scheme's parameters a refusal is about: the first that it names and the user wrote. */
const char *key_in_sentence(const struct node *mapping, const struct variant *type,
                            const struct sentence *why) {
    const char *key = "type", *first = NULL;
    for (size_t q = 0; type->params && q < type->params->count; q++) {
        const char *name = type->params->param[q].name, *at = word_in(why->text, name);
        if (!node_child(mapping, name) || !at || (first && at > first))
            continue;
        first = at;
        key = name;
    }
    return key;
}

/* Counts of wait rules whose default is the results that the rule assures; without the key `with` they do
 * not apply. */
static const struct derived_count {
    const char *key, *with;
} derived_counts[] = {{"results", NULL}, {"min", "seconds"}};

static bool table_has(const struct param_table *table, const char *name) {
    for (size_t q = 0; table && q < table->count; q++)
        if (strcmp(table->param[q].name, name) == 0)
            return true;
    return false;
}

static void write_assured(struct reading *reading, struct node *wait, const struct picked *rule,
                          uint32_t assured) {
    for (size_t q = 0; q < sizeof derived_counts / sizeof *derived_counts; q++) {
        const struct derived_count *count = &derived_counts[q];
        if (table_has(rule->type->params, count->key) && !node_child(wait, count->key) &&
            (!count->with || node_child(wait, count->with)))
            write_derived(reading, wait, count->key, arena_format(reading->binder.arena, "%u", assured));
    }
}

/* The scheme's default wait rule, bound from a mapping as if the user had written it; NULL where the rule needs keys. */
static struct node *wait_default(struct reading *reading, struct node *mapping, struct scheme_entry *entry) {
    struct arena *arena = reading->binder.arena;
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    struct node *wait = node_mapping(arena, mapping->place);
    wait->implied = true;
    struct node *type = node_scalar(arena, mapping->place, scheme->wait);
    type->implied = true;
    node_append(arena, wait, "type", type);
    if (!reading->sweeps)
        node_append(arena, mapping, "wait", wait);
    struct picked *rule = arena_zeroed(arena, 1, sizeof *rule);
    struct binder quiet = reading->binder;
    quiet.diag = diag_new();
    bool bound = param_bind(&quiet, wait, &wait_table, rule);
    diag_free(quiet.diag);
    entry->wait = rule;
    return bound ? wait : NULL;
}

/* The wait rule that a scheme's parameters make. It stays out of the tree, where none may be written. */
static bool own_wait_settle(struct reading *reading, const struct node *mapping, struct scheme_entry *entry,
                            const struct sentence *rule) {
    if (entry->wait)
        return key_error(reading, mapping, "wait",
                         "is not taken by %s, whose parameters make its rule: here %s; leave it out",
                         entry->scheme.type->name, rule->text);
    struct arena *arena = reading->binder.arena;
    struct node *wait = yaml_read_text(reading->binder.diag, arena, entry->scheme.type->name, rule->text);
    struct picked *picked = arena_zeroed(arena, 1, sizeof *picked);
    bool bound = wait && param_bind(&reading->binder, wait, &wait_table, picked);
    assert(bound);
    entry->wait = picked;
    return true;
}

static bool wait_settle(struct reading *reading, struct node *mapping, struct scheme_entry *entry,
                        const struct surroundings *around) {
    struct sentence why = {""};
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    if (scheme->own_wait && scheme->own_wait(entry->scheme.params, &why))
        return own_wait_settle(reading, mapping, entry, &why);
    struct node *wait = entry->wait ? node_child(mapping, "wait") : wait_default(reading, mapping, entry);
    if (!wait)
        return key_error(reading, mapping, "type", "%s", why.text);
    if (!scheme_accepts_wait(&entry->scheme, around->shape, entry->wait, &why))
        return key_error(reading, mapping, "wait", "%s", why.text);
    const struct wait_rule *rule = (const struct wait_rule *)entry->wait->type;
    uint32_t stragglers = scheme->stragglers(entry->scheme.params);
    write_assured(reading, wait, entry->wait,
                  rule->assured(entry->wait->params, around->shape.workers, stragglers));
    return true;
}

static bool late_settle(struct reading *reading, struct node *mapping, struct scheme_entry *entry,
                        uint32_t cluster_late) {
    struct sentence why;
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    bool own = entry->late != PARAM_ABSENT;
    if (!own)
        entry->late = cluster_late != PARAM_ABSENT ? cluster_late : (uint32_t)scheme->late;
    if (!scheme_accepts_late(&entry->scheme, (enum late_rule)entry->late, &why)) {
        const struct node *cluster = node_child(reading->tree, "cluster");
        return key_error(reading, own ? mapping : cluster, "late", "%s", why.text);
    }
    if (!own)
        write_derived(reading, mapping, "late", late_names[entry->late]);
    return true;
}

static struct limits limits_of(const struct scheme_entry *entry, const struct surroundings *around) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    struct setting setting = {
        .shape = around->shape, .late = (enum late_rule)entry->late, .batches = around->batches};
    return scheme->limits(entry->scheme.params, &setting);
}

static bool load_agrees(struct reading *reading, struct node *mapping, const struct scheme_entry *entry,
                        const struct surroundings *around) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    struct limits limits = limits_of(entry, around);
    if (around->load != LOAD_INDEPENDENT)
        return true;
    if (limits.fractional)
        return key_error(
            reading, mapping, "type",
            "%s has tasks of no whole number of partitions here, for which cluster.load: independent "
            "cannot draw; use additive or multiplicative",
            scheme->head.name);
    /* A partition of which there are fewer than workers is as many times the work. */
    double work = (double)limits.evaluations * around->shape.workers / around->shape.partitions;
    if (work <= INDEPENDENT_PARTITIONS_MAX)
        return true;
    return key_error(
        reading, mapping, "type",
        "a task of %.15g partitions is too long for cluster.load: independent, which draws for at most %d",
        work, INDEPENDENT_PARTITIONS_MAX);
}

/* A batch is of a whole partition. */
static bool batches_agree(struct reading *reading, struct node *mapping, const struct scheme_entry *entry,
                          const struct surroundings *around) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    struct limits limits = limits_of(entry, around);
    if (!around->batches || (cut_pieces(&limits.cut) == 1 && !scheme->collects))
        return true;
    return key_error(reading, mapping, "type", "%s takes parts of partitions, so problem.batch must be full",
                     scheme->head.name);
}

static bool delays_agree(struct reading *reading, struct node *mapping, const struct scheme_entry *entry,
                         const struct surroundings *around) {
    const struct node *workers = node_child(node_child(reading->tree, "cluster"), "workers");
    struct limits limits = limits_of(entry, around);
    for (const struct node *group = workers->first; limits.delays_apart && group; group = group->next) {
        const struct node *delay = node_child(group, "delay");
        if (delay && replay_in(delay))
            return key_error(reading, mapping, "delay_per",
                             "a trace has one delay per worker and round, so there is none for each message; "
                             "use task");
    }
    return true;
}

static bool topology_agrees(struct reading *reading, struct node *mapping, const struct scheme_entry *entry,
                            const struct surroundings *around) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    if (around->topology != TOPOLOGY_RING || scheme->all_reduces)
        return true;
    return key_error(
        reading, mapping, "type",
        "%s needs a master; cluster.topology: ring adds up every worker's own gradient, as uncoded does",
        scheme->head.name);
}

/* Who is told to begin a task has pushed the last one. */
static bool overlap_agrees(struct reading *reading, struct node *mapping, const struct scheme_entry *entry,
                           const struct surroundings *around) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    if (!scheme->starts || !around->overlap)
        return true;
    return key_error(
        reading, mapping, "type",
        "%s gives a worker its next task when its last result has arrived, so nothing is computed "
        "beside an upload: cluster.overlap must be false",
        scheme->head.name);
}

/* Rounds in which the last updates are brought to an end begin no further ones. */
static bool steps_agree(struct reading *reading, struct node *mapping, const struct scheme_entry *entry,
                        const struct surroundings *around) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    if (!scheme->rounds || !around->endless)
        return true;
    return key_error(reading, mapping, "type",
                     "%s works on several updates at a time and must know the last one: it needs stop.steps",
                     scheme->head.name);
}

static bool accumulation_agrees(struct reading *reading, struct node *mapping,
                                const struct scheme_entry *entry, const struct surroundings *around) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    if (!scheme->rounds || around->accumulate == 1)
        return true;
    return key_error(reading, mapping, "type",
                     "every job of %s makes an update: it does not go with optimizer.accumulate",
                     scheme->head.name);
}

/* Workers that take steps of their own, and schemes that watch the gradients. */
static bool learning_agrees(struct reading *reading, struct node *mapping, const struct scheme_entry *entry,
                            const struct surroundings *around) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    if (scheme->learned && !around->learns)
        return key_error(reading, mapping, "type",
                         "%s watches the gradients, so problem.loss must not be none", scheme->head.name);
    if (!scheme->walks || !around->optimizer || optimizer_plain(around->optimizer))
        return true;
    return key_error(
        reading, mapping, "type",
        "%s has workers take steps of their own, which is defined for optimizer.type: sgd without clip_norm, "
        "scale_lr and accumulate alone",
        scheme->head.name);
}

static bool staleness_agrees(struct reading *reading, struct node *mapping, const struct scheme_entry *entry,
                             const struct surroundings *around) {
    (void)around;
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    const struct staleness *staleness = (const struct staleness *)entry->staleness->type;
    if (!staleness->compensation || scheme->starts)
        return true;
    return key_error(reading, mapping, "staleness",
                     "%s needs the model that a gradient was taken at, which is kept under schemes without a "
                     "barrier alone; %s has one",
                     staleness->head.name, scheme->head.name);
}

/* Once a message is compressed, its terms are no longer told apart. */
static bool compression_agrees(struct reading *reading, struct node *mapping,
                               const struct scheme_entry *entry, const struct surroundings *around) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    const struct staleness *staleness = (const struct staleness *)entry->staleness->type;
    struct limits limits = limits_of(entry, around);
    if (!around->optimizer || !compression_acts(around->optimizer->compression))
        return true;
    if (scheme->table)
        return key_error(
            reading, mapping, "type",
            "%s lets a gradient stand in its table until the next one takes its place: what "
            "optimizer.compression leaves out of it would be missing all that time, and what error "
            "feedback makes up later would come in its place, not beside it",
            scheme->head.name);
    if (!staleness->factor || scheme->starts || !limits_stale(&limits))
        return true;
    return key_error(reading, mapping, "staleness",
                     "a message of %s holds gradients of several ages, which %s cannot scale apart once "
                     "optimizer.compression has packed them",
                     scheme->head.name, staleness->head.name);
}

/* What an entry has to agree with once its wait and late rules are known; each tells its own mistake. */
static bool (*const agreements[])(struct reading *reading, struct node *mapping,
                                  const struct scheme_entry *entry, const struct surroundings *around) = {
    load_agrees,    batches_agree,   delays_agree,     steps_agree,        accumulation_agrees,
    overlap_agrees, learning_agrees, staleness_agrees, compression_agrees, topology_agrees,
};

bool scheme_settle(struct reading *reading, struct node *mapping, struct scheme_entry *entry,
                   const struct surroundings *around) {
    struct sentence why;
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    if (scheme->refuses && scheme->refuses(entry->scheme.params, around->shape, &why))
        return key_error(reading, mapping, key_in_sentence(mapping, &scheme->head, &why), "%s", why.text);
    bool wait = wait_settle(reading, mapping, entry, around);
    bool fine = late_settle(reading, mapping, entry, around->late) && wait;
    for (size_t q = 0; q < sizeof agreements / sizeof *agreements; q++)
        fine &= agreements[q](reading, mapping, entry, around);
    return fine;
}
