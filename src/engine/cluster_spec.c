#include "cluster.h"
#include <math.h>

static const struct param_word repairs[] = {{"never", (double)INFINITY}, {NULL, 0}};

static const struct param failure_params[] = {
    {"mean_time_to_failure", PARAM_SECONDS, offsetof(struct failure_spec, mean_time_to_failure_s),
     .minimum = 0, .above_minimum = true, .unit = "s",
     .help = "mean of the exponential time until the worker fails"},
    {"mean_time_to_repair", PARAM_SECONDS, offsetof(struct failure_spec, mean_time_to_repair_s), .minimum = 0,
     .above_minimum = true, .unit = "s", .words = repairs, .help = "never: the worker is gone for good"},
};

static const char *check_failure(const void *values, struct sentence *why) {
    const struct failure_spec *failure = values;
    if (isinf(failure->mean_time_to_repair_s))
        return NULL;
    sentence_set(why, "repairs are not yet available; use never");
    return "mean_time_to_repair";
}

static const struct param_table failure_table = {PARAM_TABLE(struct failure_spec, failure_params),
                                                 .check = check_failure};

static const struct param group_params[] = {
    {"count", PARAM_COUNT, offsetof(struct group_spec, count), "1", 1, 1e6, .unit = "workers",
     .help = "workers in this group"},
    {"speed", PARAM_NUMBER, offsetof(struct group_spec, speed), "1", 1e-9, 1e9,
     .help = "divides the computing time"},
    {"compute", PARAM_STRUCT, offsetof(struct group_spec, compute), "", .table = &law_table,
     .help = "law of the seconds that one partition takes; none: 0"},
    {"delay", PARAM_STRUCT, offsetof(struct group_spec, delay), "", .table = &law_table,
     .help = "law of the delay of a task; none: 0"},
    {"failure", PARAM_STRUCT, offsetof(struct group_spec, failure), "", .table = &failure_table,
     .help = "when the worker fails; none: never"},
    {"slowness", PARAM_LATER},
    {"regime", PARAM_LATER},
    {"rack", PARAM_LATER},
    {"network", PARAM_LATER},
    {"joins", PARAM_LATER},
    {"leaves", PARAM_LATER},
};

const struct param_table group_table = {PARAM_TABLE(struct group_spec, group_params)};

bool cluster_skips(const struct cluster_spec *spec) {
    for (uint32_t g = 0; g < spec->groups; g++) {
        const struct group_spec *group = &spec->group[g];
        if ((group->compute && law_skips(group->compute)) || (group->delay && law_skips(group->delay)))
            return true;
    }
    return false;
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
