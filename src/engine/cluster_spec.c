#include "cluster_spec.h"
#include <math.h>

const char *const topology_names[] = {"parameter-server", "ring", NULL};

static const struct param_word never[] = {{"never", (double)INFINITY}, {NULL, 0}};
static const struct param_word unlimited[] = {{"unlimited", (double)INFINITY}, {NULL, 0}};

static const struct param failure_params[] = {
    {"mean_time_to_failure", PARAM_SECONDS, offsetof(struct failure_spec, mean_time_to_failure_s),
     .minimum = 0, .above_minimum = true, .unit = "s",
     .help = "mean of the exponential time until the worker fails, and again after a repair"},
    {"mean_time_to_repair", PARAM_SECONDS, offsetof(struct failure_spec, mean_time_to_repair_s), .minimum = 0,
     .above_minimum = true, .unit = "s", .words = never,
     .help = "mean of the exponential time of a repair, in which its computing is paused and an upload that "
             "has begun goes on; never: gone for good, with its task and its uploads"},
};
static const struct param_table failure_table = {PARAM_TABLE(struct failure_spec, failure_params)};

static const struct param regime_params[] = {
    {"p_slow", PARAM_NUMBER, offsetof(struct regime_spec, p_slow), .minimum = 0, .maximum = 1,
     .above_minimum = true, .help = "probability to become slow from one step to the next"},
    {"p_recover", PARAM_NUMBER, offsetof(struct regime_spec, p_recover), .minimum = 0, .maximum = 1,
     .above_minimum = true, .help = "probability to become fast again from one step to the next"},
    {"slowdown", PARAM_NUMBER, offsetof(struct regime_spec, slowdown), .minimum = 0, .maximum = 1e6,
     .above_minimum = true, .help = "factor on all times in a slow step"},
};
static const struct param_table regime_table = {PARAM_TABLE(struct regime_spec, regime_params)};

/* Of bytes per second: so that the largest message arrives at a time that a double holds. */
#define BANDWIDTH_RANGE .minimum = 1e-9

static const struct param path_params[] = {
    {"latency", PARAM_SECONDS, offsetof(struct path_spec, latency_s), "0s", .unit = "s",
     .help = "time that every message takes, whatever its size"},
    {"bandwidth", PARAM_NUMBER, offsetof(struct path_spec, bytes_per_s), "unlimited", BANDWIDTH_RANGE,
     .unit = "bytes/s", .words = unlimited, .help = "bytes per second"},
};
static const struct param_table path_table = {PARAM_TABLE(struct path_spec, path_params)};

static const struct param network_params[] = {
    {"down", PARAM_STRUCT, offsetof(struct network_spec, down), "{}", .table = &path_table,
     .help = "from the master to a worker"},
    {"up", PARAM_STRUCT, offsetof(struct network_spec, up), "{}", .table = &path_table,
     .help = "from a worker to the master"},
};
const struct param_table network_table = {PARAM_TABLE(struct network_spec, network_params)};

static const struct param link_params[] = {
    {"bandwidth", PARAM_NUMBER, offsetof(struct link_spec, bytes_per_s), BANDWIDTH_RANGE, .unit = "bytes/s",
     .help = "bytes per second that all uploads together get"},
    {"sharing", PARAM_CHOICE, offsetof(struct link_spec, sharing), "fair", .choices = sharing_names,
     .help = "fifo: one upload after another; fair: all at once, each an equal part; none: never short"},
};
const struct param_table link_table = {PARAM_TABLE(struct link_spec, link_params)};

static const struct param shock_params[] = {
    {"probability", PARAM_NUMBER, offsetof(struct shock_spec, probability), .minimum = 0, .maximum = 1,
     .help = "that a rack is struck in a step"},
};
/* The law stands in the same mapping: {probability: 0.01, type: exponential, mean: 5s}. */
const struct param_table shock_table = {PARAM_TABLE(struct shock_spec, shock_params), .family = &law_family,
                                        .picked = offsetof(struct shock_spec, law)};

#define AT(member) offsetof(struct group_spec, member)
static const struct param group_params[] = {
    {"count", PARAM_COUNT, AT(count), "1", 1, 1e6, .unit = "workers", .help = "workers in this group"},
    {"speed", PARAM_NUMBER, AT(speed), "1", 1e-9, 1e9, .help = "divides the computing time"},
    {"compute", PARAM_STRUCT, AT(compute), "", .table = &law_table,
     .help = "law of the seconds that one partition takes; none: 0"},
    {"delay", PARAM_STRUCT, AT(delay), "", .table = &law_table,
     .help = "law of the delay of a task; none: 0"},
    {"slowness", PARAM_STRUCT, AT(slowness), "", .table = &law_table,
     .help = "law of a factor on all times, drawn once per worker and replication; none: 1"},
    {"regime", PARAM_STRUCT, AT(regime), "", .table = &regime_table,
     .help = "spells of slow steps, a Markov chain over the steps; none: always fast"},
    {"rack", PARAM_COUNT, AT(rack), "", 0, 1e6,
     .help = "number of the rack, for cluster.rack_shock; none: in no rack"},
    {"failure", PARAM_STRUCT, AT(failure), "", .table = &failure_table,
     .help = "when the worker fails; none: never"},
    {"network", PARAM_STRUCT, AT(network), "", .table = &network_table,
     .help = "paths to and from these workers; none: the cluster's"},
    {"joins", PARAM_SECONDS, AT(joins_s), "0s", .unit = "s",
     .help = "when the workers come; before, they are down"},
    {"leaves", PARAM_SECONDS, AT(leaves_s), "never", .unit = "s", .words = never,
     .help = "when the workers go for good"},
};

static const char *check_group(const void *values, struct sentence *why) {
    const struct group_spec *group = values;
    if (group->joins_s < group->leaves_s)
        return NULL;
    sentence_set(why, "must be after joins = %.15g s", group->joins_s);
    return "leaves";
}
const struct param_table group_table = {PARAM_TABLE(struct group_spec, group_params), .check = check_group};

bool cluster_skips(const struct cluster_spec *spec) {
    for (uint32_t g = 0; g < spec->groups; g++) {
        const struct group_spec *group = &spec->group[g];
        if ((group->compute && law_skips(group->compute)) || (group->delay && law_skips(group->delay)) ||
            group->joins_s > 0)
            return true;
    }
    return false;
}

uint32_t cluster_absentees(const struct cluster_spec *spec) {
    uint32_t absentees = 0;
    for (uint32_t g = 0; g < spec->groups; g++) {
        const struct group_spec *group = &spec->group[g];
        bool dies = group->failure && isinf(group->failure->mean_time_to_repair_s);
        if (group->joins_s > 0 || isfinite(group->leaves_s) || dies)
            absentees += group->count;
    }
    return absentees;
}

static uint32_t fewer(uint32_t rounds, const struct picked *law) {
    uint32_t there = law ? law_rounds(law) : UINT32_MAX;
    return there < rounds ? there : rounds;
}

uint32_t cluster_rounds(const struct cluster_spec *spec) {
    uint32_t rounds = UINT32_MAX;
    for (uint32_t g = 0; g < spec->groups; g++)
        rounds = fewer(fewer(rounds, spec->group[g].compute), spec->group[g].delay);
    return rounds;
}
