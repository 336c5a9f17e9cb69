#include "warnings.h"
#include "memory.h"

/* Too short a run says nothing about growth. */
#define FEWEST_STEPS 50

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

static const char *named(struct warnings *warnings, const struct contest *contest) {
    const char *where = "";
    if (contest->point->index > 0 || contest->point->swept[0])
        where = arena_format(warnings->arena, "point %u, ", contest->point->index);
    return arena_format(warnings->arena, "%s%s", where, contest->entry->label);
}

static void note_backlogs(struct warnings *warnings, const struct contest *contest,
                          const struct result *result) {
    uint32_t growing = 0, first = 0;
    for (uint32_t i = result->workers; i-- > 0;)
        if (backlog_grows(&result->worker[i], result->run.steps)) {
            growing++;
            first = i;
        }
    if (growing == 0)
        return;
    const struct worker_row *row = &result->worker[first];
    add(warnings,
        arena_format(warnings->arena,
                     "%s: the backlog of worker %u%s grows by %.2g tasks per step; it was used in %.0f %% of "
                     "the steps, so its partitions weigh less than the others",
                     named(warnings, contest), first,
                     growing > 1 ? arena_format(warnings->arena, " (and %u more)", growing - 1) : "",
                     (double)row->backlog_end / result->run.steps, 100 * row->participation));
}

static void note_old_gradients(struct warnings *warnings, const struct contest *contest,
                               const struct result *result) {
    uint32_t holders = 0, first = 0;
    for (uint32_t i = result->workers; i-- > 0;)
        if (holds_old(&result->worker[i], result->run.steps)) {
            holders++;
            first = i;
        }
    if (holders == 0)
        return;
    add(warnings,
        arena_format(warnings->arena,
                     "%s: worker %u%s ends with a stored gradient that is %u steps old: it never came round "
                     "to that partition again",
                     named(warnings, contest), first,
                     holders > 1 ? arena_format(warnings->arena, " (and %u more)", holders - 1) : "",
                     result->worker[first].oldest_steps));
}

void warnings_note(struct warnings *warnings, const struct contest *contest, const struct result *result) {
    if (result->run.steps < FEWEST_STEPS)
        return;
    note_backlogs(warnings, contest, result);
    note_old_gradients(warnings, contest, result);
}
