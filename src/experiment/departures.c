#include "departures.h"
#include "scheme.h"
#include <math.h>
#include <string.h>

/* Without a new gradient of it in so many steps at the end of a run, and so many times the steps between two uses of a worker
 * on average, a partition is held for lost: where results are used at random one that is still computed looks so with
 * probability e^-20. */
#define STEPS_WITHOUT 50
#define USES_WITHOUT  20

static const struct scheme *scheme_of(const struct scheme_entry *entry) {
    return (const struct scheme *)entry->scheme.type;
}

static uint32_t leavers(const struct cluster_spec *cluster) {
    uint32_t leavers = 0;
    for (uint32_t g = 0; g < cluster->groups; g++) {
        const struct group_spec *group = &cluster->group[g];
        bool dies = group->failure && isinf(group->failure->mean_time_to_repair_s);
        leavers += isfinite(group->leaves_s) || dies ? group->count : 0;
    }
    return leavers;
}

static const char *workers_text(struct arena *arena, uint32_t workers) {
    return workers == 1 ? "1 worker" : arena_format(arena, "%u workers", workers);
}

/* Each partition is one worker's. */
static const char *expected_of_holders(struct arena *arena, const struct scenario *scenario,
                                       const struct scheme_entry *entry) {
    struct setting setting = scenario_setting(scenario, entry);
    struct limits limits = scheme_of(entry)->limits(entry->scheme.params, &setting);
    if (limits.evaluations == 1)
        return "nobody computes their partitions any more (on_leave: lost)";
    return arena_format(arena,
                        "those who stay compute their partitions, up to %u each (on_leave: reassigned)",
                        limits.evaluations);
}

/* A barrier: what the wait rule asks for has to come from those who stay. */
static const char *expected_of_code(struct arena *arena, const struct scenario *scenario,
                                    const struct scheme_entry *entry) {
    const struct wait_rule *rule = (const struct wait_rule *)entry->wait->type;
    uint32_t workers = scenario->cluster.workers;
    uint32_t results =
        rule->assured(entry->wait->params, workers, scheme_of(entry)->stragglers(entry->scheme.params));
    if (results == ONLY_DECODABLE)
        return "a step waits for what decodes, and the run stalls once those who stay no longer hold that";
    if (results == workers)
        return "every step needs all of them, and the run stalls";
    return arena_format(arena,
                        "a step needs %u results, which come without %u of them; their partitions are lost "
                        "but for copies on others",
                        results, workers - results);
}

const char *departures_expected(struct arena *arena, const struct scenario *scenario,
                                const struct scheme_entry *entry) {
    uint32_t workers = leavers(&scenario->cluster);
    if (workers == 0)
        return NULL;
    const char *then = scheme_of(entry)->holder ? expected_of_holders(arena, scenario, entry)
                                                : expected_of_code(arena, scenario, entry);
    return arena_format(arena, "once workers leave for good, of whom %u may: %s", workers, then);
}

/* Those who left: how many, and the one that left first. */
struct gone {
    uint32_t workers, first;
    double first_s;
};

static struct gone gone_of(const struct result *result) {
    struct gone gone = {.first_s = (double)INFINITY};
    for (uint32_t i = 0; i < result->workers; i++) {
        double gone_s = result->worker[i].gone_s;
        gone.workers += isnan(gone_s) ? 0 : 1;
        gone.first = gone_s < gone.first_s ? i : gone.first;
        gone.first_s = fmin(gone.first_s, gone_s);
    }
    return gone;
}

static const char *gone_text(struct arena *arena, const struct gone *gone) {
    const char *who = arena_format(arena, "worker %u left at %.6g s", gone->first, gone->first_s);
    return gone->workers == 1
               ? who
               : arena_format(arena, "%s, the first of %s", who, workers_text(arena, gone->workers));
}

static const char *found_of_holders(struct arena *arena, const struct scheme_entry *entry,
                                    const struct result *result, uint32_t partition) {
    const struct partition_fate *fate = &result->fate[partition];
    if (fate->holder != NOBODY)
        return arena_format(arena, "its partition %u is computed by worker %u at the end", partition,
                            fate->holder);
    if (scheme_of(entry)->table)
        return arena_format(arena,
                            "its partition %u is lost: no gradient of it has come since step %u, and that "
                            "one stays in every estimate",
                            partition, fate->last_step);
    return arena_format(arena, "its partition %u is lost: no gradient of it is used after step %u", partition,
                        fate->last_step);
}

/* What no estimate had a new gradient of for long. */
struct lost {
    uint32_t partitions, first;
};

static double steps_without(const struct result *result) {
    double uses = 0;
    for (uint32_t i = 0; i < result->workers; i++)
        uses += (double)result->worker[i].used / result->workers;
    return fmax(STEPS_WITHOUT, USES_WITHOUT * result->run.steps / fmax(1, uses));
}

static struct lost lost_of(const struct result *result) {
    struct lost lost = {0};
    double without = steps_without(result);
    for (uint32_t p = result->partitions; p-- > 0;)
        if (result->fate[p].last_step + without <= result->run.steps) {
            lost.partitions++;
            lost.first = p;
        }
    return lost;
}

static const char *found_of_code(struct arena *arena, const struct result *result) {
    struct lost lost = lost_of(result);
    if (strcmp(result->run.status, status_name(STATUS_STALLED)) == 0)
        return arena_format(arena, "those who stayed were too few for step %u, and the run stalled",
                            result->run.steps + 1);
    if (result->run.steps < STEPS_WITHOUT)
        return NULL;
    if (lost.partitions == 0)
        return "no partition is lost: others hold what they held";
    return arena_format(arena,
                        "%u of %u partitions are lost: no gradient of partition %u is used after step %u",
                        lost.partitions, result->partitions, lost.first, result->fate[lost.first].last_step);
}

const char *departures_found(struct arena *arena, const struct scheme_entry *entry,
                             const struct result *result) {
    struct gone gone = gone_of(result);
    if (gone.workers == 0 || !result->fate)
        return NULL;
    const char *then = scheme_of(entry)->holder ? found_of_holders(arena, entry, result, gone.first)
                                                : found_of_code(arena, result);
    return then ? arena_format(arena, "%s: %s", gone_text(arena, &gone), then) : NULL;
}
