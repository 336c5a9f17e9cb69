/* The cluster: groups of workers, the rules that hold for all of them, the master's own seconds. */
#include "section.h"

#define WORKERS_MAX 1000000

struct master_values {
    double decode_s, update_s;
    const struct link_spec *link;
};

struct cluster_values {
    uint32_t order, load, late, topology;
    bool overlap;
    struct param_list workers;
    const struct master_values *master;
    const struct network_spec *network;
    const struct shock_spec *shock;
};

static const struct param master_params[] = {
    {"decode", PARAM_SECONDS, offsetof(struct master_values, decode_s), "0s", .unit = "s",
     .help = "time the master takes to decode, once per step"},
    {"update", PARAM_SECONDS, offsetof(struct master_values, update_s), "0s", .unit = "s",
     .help = "time the master takes to update the model, once per step"},
    {"link", PARAM_STRUCT, offsetof(struct master_values, link), "", .table = &link_table,
     .help = "the link that all uploads share; none: it is never short"},
};
static const struct param_table master_table = {PARAM_TABLE(struct master_values, master_params)};

#define AT(member) offsetof(struct cluster_values, member)
static const struct param cluster_params[] = {
    {"load", PARAM_CHOICE, AT(load), "additive", .help = "what a task of several partitions costs",
     .choices = load_names},
    {"late", PARAM_CHOICE, AT(late), "", .help = "what late workers do; each scheme's default",
     .choices = late_names},
    {"order", PARAM_CHOICE, AT(order), "listed", .help = "how groups are laid over worker indices",
     .choices = order_names},
    {"workers", PARAM_LIST, AT(workers), .help = "groups of equal workers", .table = &group_table},
    {"master", PARAM_STRUCT, AT(master), "{}", .help = "the master's own time", .table = &master_table},
    {"topology", PARAM_CHOICE, AT(topology), "parameter-server",
     .help = "who adds up gradients; ring: an all-reduce over network.up, without network.down",
     .choices = topology_names},
    {"overlap", PARAM_FLAG, AT(overlap), "false", .help = "workers compute while they upload"},
    {"network", PARAM_STRUCT, AT(network), "",
     .help = "paths between the master and every worker; none: free", .table = &network_table},
    {"rack_shock", PARAM_STRUCT, AT(shock), "", .table = &shock_table,
     .help = "with a probability, in every step and rack: seconds added to the tasks of all its workers"},
};
static const struct param_table cluster_table = {PARAM_TABLE(struct cluster_values, cluster_params)};

static bool workers_count(struct reading *reading, const struct node *mapping, struct cluster_spec *spec) {
    uint64_t workers = 0;
    for (uint32_t g = 0; g < spec->groups; g++)
        workers += spec->group[g].count;
    if (workers > WORKERS_MAX)
        return key_error(reading, mapping, "workers", "all groups together may have %d workers, found %llu",
                         WORKERS_MAX, (unsigned long long)workers);
    spec->workers = (uint32_t)workers;
    return true;
}

const struct node *replay_in(const struct node *node) {
    const struct node *type = node->kind == NODE_MAPPING ? node_child(node, "type") : NULL;
    const struct variant *variant = type && type->text ? family_find(&law_family, type->text) : NULL;
    if (variant && ((const struct law *)variant)->replays)
        return type;
    for (const struct node *child = node->first; child; child = child->next) {
        const struct node *found = replay_in(child);
        if (found)
            return found;
    }
    return NULL;
}

static bool law_ready(struct reading *reading, const struct node *node, const struct picked *law,
                      uint32_t members) {
    struct law_files files = {reading->binder.diag, reading->shelf, node, members};
    size_t errors = law ? file_errors(reading, node) : 0;
    if (!law || law_load(law, &files))
        return true;
    file_blame(reading, node, errors);
    return false;
}

/* One factor is drawn for each worker: a cell without a value is none. */
static bool slowness_ready(struct reading *reading, const struct node *node, const struct group_spec *group) {
    if (!law_ready(reading, node, group->slowness, group->count))
        return false;
    if (!group->slowness || !law_skips(group->slowness))
        return true;
    node_error(reading->binder.diag, replay_in(node),
               "a slowness cannot be skipped; write missing: median, so that every worker has one");
    return false;
}

static bool group_ready(struct reading *reading, const struct node *node, const struct group_spec *group,
                        enum load_rule load) {
    const struct node *replay = load == LOAD_INDEPENDENT ? replay_in(node) : NULL;
    if (replay) {
        node_error(
            reading->binder.diag, replay,
            "a trace has one time per worker and round, so cluster.load: independent cannot draw from it; "
            "use additive or multiplicative");
        return false;
    }
    if (!files_check(reading, node))
        return false;
    bool compute = law_ready(reading, node_child(node, "compute"), group->compute, group->count);
    bool delay = law_ready(reading, node_child(node, "delay"), group->delay, group->count);
    bool slowness = slowness_ready(reading, node_child(node, "slowness"), group);
    return compute && delay && slowness;
}

static bool groups_ready(struct reading *reading, const struct node *list, const struct cluster_spec *spec) {
    bool fine = true;
    const struct node *node = list->first;
    for (uint32_t g = 0; g < spec->groups; g++, node = node->next)
        fine &= group_ready(reading, node, &spec->group[g], spec->load);
    return fine;
}

/* A rack has no round of a trace of its own. */
static bool shock_ready(struct reading *reading, const struct node *node, const struct shock_spec *shock) {
    if (!shock)
        return true;
    const struct node *replay = replay_in(node);
    if (replay) {
        node_error(reading->binder.diag, replay,
                   "a shock strikes a rack, of which a trace knows nothing; use empirical");
        return false;
    }
    struct law_files files = {
        .diag = reading->binder.diag, .shelf = reading->shelf, .node = node, .members = 1};
    return files_check(reading, node) && law_load(&shock->law, &files);
}

/* A shock and racks mean nothing without each other; racks without a shock may be waiting for one. */
static bool racks_agree(struct reading *reading, const struct node *mapping,
                        const struct cluster_spec *spec) {
    const struct node *shock = node_child(mapping, "rack_shock");
    const struct node *node = node_child(mapping, "workers")->first, *rack = NULL;
    for (uint32_t g = 0; g < spec->groups; g++, node = node->next)
        rack = !rack && spec->group[g].rack != PARAM_ABSENT ? node_child(node, "rack") : rack;
    if (spec->shock && !rack) {
        node_error(reading->binder.diag, shock,
                   "no worker is in a rack, so no shock can strike; give a group of workers its rack: 0");
        return false;
    }
    if (rack && !spec->shock)
        node_warning(reading->binder.diag, rack, "without cluster.rack_shock a rack changes nothing");
    return true;
}

bool cluster_read(struct reading *reading, struct node *mapping, struct cluster_section *section) {
    struct cluster_values values = {0};
    *section = (struct cluster_section){.late = PARAM_ABSENT};
    if (!param_bind(&reading->binder, mapping, &cluster_table, &values))
        return false;
    section->late = values.late;
    section->master_s = values.master->decode_s + values.master->update_s;
    section->spec = (struct cluster_spec){.load = (enum load_rule)values.load,
                                          .order = (enum order_rule)values.order,
                                          .topology = (enum topology)values.topology,
                                          .overlap = values.overlap,
                                          .groups = values.workers.count,
                                          .group = values.workers.items,
                                          .network = values.network,
                                          .link = values.master->link,
                                          .shock = values.shock};
    bool shock = shock_ready(reading, node_child(mapping, "rack_shock"), values.shock);
    return workers_count(reading, mapping, &section->spec) &&
           groups_ready(reading, node_child(mapping, "workers"), &section->spec) && shock &&
           racks_agree(reading, mapping, &section->spec);
}
