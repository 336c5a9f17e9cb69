#include "warnings.h"
#include "departures.h"
#include "memory.h"
#include "scheme.h"
#include <math.h>
#include <string.h>

/* Too short a run says nothing about growth. */
#define FEWEST_STEPS 50
/* A partition that weighs so much more or less than its share is worth a sentence. */
#define SHARE_NOTED 0.1
/* Mean times of renewal after which a gradient in a table is old. */
#define RENEWALS 20

static void add(struct warnings *warnings, const char *sentence) {
    if (warnings->count == warnings->capacity) {
        warnings->capacity = warnings->capacity * 2 + 16;
        const char **more = arena_zeroed(warnings->arena, warnings->capacity, sizeof *more);
        for (size_t s = 0; s < warnings->count; s++)
            more[s] = warnings->sentence[s];
        warnings->sentence = more;
    }
    warnings->sentence[warnings->count++] = sentence;
}

/* Grows with the steps: it ends near its maximum, and that is a share of the steps. */
static bool backlog_grows(const struct worker_row *row, uint32_t steps) {
    return row->backlog_end >= 10 && row->backlog_end * 20ull >= steps &&
           row->backlog_end * 10ull >= row->backlog_max * 9ull;
}

static bool holds_old(const struct worker_row *row, uint32_t steps) {
    return row->oldest_steps != UINT32_MAX && row->oldest_steps * 2ull >= steps;
}

/* Workers of a kind: the first, and how many there are. */
struct workers_found {
    uint32_t count, first;
};

static struct workers_found find_workers(const struct result *result,
                                         bool (*is_one)(const struct worker_row *row, uint32_t steps)) {
    struct workers_found found = {0};
    for (uint32_t i = result->workers; i-- > 0;)
        if (is_one(&result->worker[i], result->run.steps)) {
            found.count++;
            found.first = i;
        }
    return found;
}

static const char *workers_text(struct warnings *warnings, struct workers_found found) {
    if (found.count == 1)
        return arena_format(warnings->arena, "worker %u", found.first);
    return arena_format(warnings->arena, "worker %u (and %u more)", found.first, found.count - 1);
}

/* Of at most one task per step. */
static const char *growth_text(struct warnings *warnings, double tasks) {
    const char *share = arena_format(warnings->arena, "%.2g", tasks);
    return strcmp(share, "1") == 0 ? "1 task" : arena_format(warnings->arena, "%s of a task", share);
}

static void note_backlogs(struct warnings *warnings, const struct result *result) {
    struct workers_found found = find_workers(result, backlog_grows);
    if (found.count == 0)
        return;
    const struct worker_row *row = &result->worker[found.first];
    add(warnings, arena_format(warnings->arena,
                               "the backlog of %s grows by %s per step; its result was used in "
                               "%.0f %% of the steps",
                               workers_text(warnings, found),
                               growth_text(warnings, (double)row->backlog_end / result->run.steps),
                               100 * row->participation));
}

/* Under queue a gradient is old because its worker is behind, which its backlog tells. */
static void note_old_gradients(struct warnings *warnings, const struct contest *contest,
                               const struct result *result) {
    struct workers_found found = find_workers(result, holds_old);
    if (found.count == 0 || contest->entry->late == LATE_QUEUE)
        return;
    add(warnings, arena_format(warnings->arena,
                               "%s ends with a stored gradient that is %u steps old: it never came round to "
                               "that partition again",
                               workers_text(warnings, found), result->worker[found.first].oldest_steps));
}

/* The row of the update by which a run diverged is never written. */
static void note_divergence(struct warnings *warnings, const struct result *result) {
    if (!(result->diverged_residual > EXACT_RESIDUAL))
        return;
    add(warnings,
        arena_format(warnings->arena,
                     "diverged by update %u, whose decode has a residual of %.2g and weights up to %.2g",
                     result->run.steps + 1, result->diverged_residual, result->diverged_largest));
}

/* Uses of workers, or of partitions, of which each worker has one of its own. */
struct uses {
    double mean;
    uint32_t least, most; /* workers */
};

/* Where workers come and go, others may have computed its partition. */
static double uses_at(const struct result *result, uint32_t worker) {
    return result->fate ? result->fate[worker].uses : result->worker[worker].used;
}

static struct uses uses_of(const struct result *result) {
    struct uses uses = {0};
    for (uint32_t i = 0; i < result->workers; i++) {
        uses.mean += uses_at(result, i) / result->workers;
        uses.least = uses_at(result, i) < uses_at(result, uses.least) ? i : uses.least;
        uses.most = uses_at(result, i) > uses_at(result, uses.most) ? i : uses.most;
    }
    return uses;
}

/* More than chance: where pushes come at random, they differ by about the root of their number. */
static bool favours(double used, double mean) {
    return fabs(used - mean) > SHARE_NOTED * mean && fabs(used - mean) > 4 * sqrt(mean);
}

/* Every result is of its worker's own partition, and weighs what others weigh. What was used of the messages weighs nothing
 * where the estimate is of a table. */
static bool own_partitions(const struct contest *contest) {
    const struct scheme_entry *entry = contest->entry;
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    const struct setting setting = scenario_setting(contest->point->scenario, entry);
    const struct limits limits = scheme->limits(entry->scheme.params, &setting);
    const bool alone = limits.evaluations == 1 || limits.local_steps > 0;
    return !scheme->table && (scheme->starts || (alone && limits.kept == 0));
}

/* Fast workers push more often without a barrier, and are heard more often by one that does not wait for all. */
static void note_bias(struct warnings *warnings, const struct contest *contest, const struct result *result) {
    /* Nobody knows who was heard where the times of workers were not drawn. */
    if (!own_partitions(contest) || result->workers == 0)
        return;
    struct uses uses = uses_of(result);
    double least = uses_at(result, uses.least), most = uses_at(result, uses.most);
    if (!favours(least, uses.mean) && !favours(most, uses.mean))
        return;
    add(warnings,
        arena_format(
            warnings->arena,
            "partition %u weighs %.2g times its share and partition %u %.2g times, as often as their "
            "gradients were used: what is minimised is not F but the sum of the partitions' losses so "
            "weighted",
            uses.most, most / uses.mean, uses.least, least / uses.mean));
}

/* Losses of runs that ended at different steps do not compare. */
static void note_trace_end(struct warnings *warnings, const struct result *result) {
    if (strcmp(result->run.status, status_name(STATUS_TRACE_END)) != 0)
        return;
    add(warnings,
        arena_format(
            warnings->arena,
            "the trace of delays ended the run after %u steps; `beyond: wrap` or `bootstrap` goes on",
            result->run.steps));
}

static void note_departures(struct warnings *warnings, const struct contest *contest,
                            const struct result *result) {
    const char *found = departures_found(warnings->arena, contest->entry, result);
    if (found)
        add(warnings, found);
}

/* Updates until equal workers would have renewed every gradient once, on average. */
static double renewal_updates(const struct result *result) {
    return result->run.steps / fmax(1, uses_of(result).mean);
}

/* A gradient in a table is renewed by its worker alone. Of workers whose times have no memory one is RENEWALS times as old as
 * on average with probability e^-RENEWALS, 2e-9: it is not chance. */
static void note_old_table(struct warnings *warnings, const struct contest *contest,
                           const struct result *result) {
    const struct scheme *scheme = (const struct scheme *)contest->entry->scheme.type;
    double usual = renewal_updates(result);
    if (!scheme->table || !(result->stalest_end > fmax(FEWEST_STEPS, RENEWALS * usual)))
        return;
    add(warnings,
        arena_format(warnings->arena,
                     "the oldest gradient in the last estimate is %.0f updates old, where workers alike "
                     "renew each every %.2g: it counts as recovered, and is of a model long left behind",
                     result->stalest_end, usual));
}

void warnings_find(struct warnings *warnings, const struct contest *contest, const struct result *result) {
    if (result->moments && result->moments->lost > 0)
        add(warnings, arena_format(warnings->arena, "events.csv lacks the last %zu events of a run",
                                   result->moments->lost));
    note_divergence(warnings, result);
    note_trace_end(warnings, result);
    note_departures(warnings, contest, result);
    if (result->run.steps < FEWEST_STEPS)
        return;
    note_bias(warnings, contest, result);
    note_backlogs(warnings, result);
    note_old_gradients(warnings, contest, result);
    note_old_table(warnings, contest, result);
}

static const char *named(struct warnings *warnings, const struct contest *contest) {
    const char *where = "";
    if (contest->point->index > 0 || contest->point->swept[0])
        where = arena_format(warnings->arena, "point %u, ", contest->point->index);
    return arena_format(warnings->arena, "%s%s", where, contest->entry->label);
}

void warnings_add(struct warnings *warnings, const struct contest *contest, const char *sentence) {
    add(warnings, arena_format(warnings->arena, "%s: %s", named(warnings, contest), sentence));
}

static bool doubts_of(const struct contest *contest, struct sentence *why) {
    const struct scenario *scenario = contest->point->scenario;
    const struct scheme *scheme = (const struct scheme *)contest->entry->scheme.type;
    return scenario->objective.data && scheme->doubts &&
           scheme->doubts(contest->entry->scheme.params, scenario_setting(scenario, contest->entry).shape,
                          why);
}

static bool told(const struct warnings *warnings, const char *sentence) {
    for (size_t s = 0; s < warnings->count; s++)
        if (strcmp(warnings->sentence[s], sentence) == 0)
            return true;
    return false;
}

void warnings_doubt(struct warnings *warnings, const struct plan *plan) {
    struct sentence why;
    for (size_t c = 0; c < plan->contests; c++) {
        if (!doubts_of(&plan->contest[c], &why))
            continue;
        const char *sentence =
            arena_format(warnings->arena, "%s: %s", plan->contest[c].entry->label, why.text);
        if (!told(warnings, sentence))
            add(warnings, sentence);
    }
}
