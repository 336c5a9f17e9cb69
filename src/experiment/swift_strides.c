/* What is done event by event is all that depends on their order: how stale a push is, in which steps time is recorded, and sums
 * whose order of additions is that of pushes. */
#include "elementary.h"
#include "swift_inside.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Finishes in a window: so many, and with more workers one for every so many of them, which are looked at for each window. */
enum { FEWEST = 2048, SHARE = 8, MOST = 4 };

/* With a bound to the lead: a number of pushes. */
struct clock_level {
    uint32_t heard;  /* workers that have pushed so often, until all have */
    uint32_t raised; /* updates when the slowest had */
};

struct strides {
    struct race *race;
    struct windows *windows;
    size_t wanted; /* finishes in a window */
    double width_s;
    /* Of the steps of a window. */
    double *took_s;
    uint32_t *staleness;
    struct clock_level *level; /* [levels]: by the last digits */
    uint32_t levels, slowest;
    uint32_t next_row; /* the next step whose row is recorded */
};

struct strides *strides_new(struct race *race) {
    struct arena *arena = race->trial->arena;
    struct strides *strides = arena_zeroed(arena, 1, sizeof *strides);
    strides->race = race;
    strides->wanted = race->workers / SHARE > FEWEST ? race->workers / SHARE : FEWEST;
    const size_t most = MOST * strides->wanted + race->workers;
    strides->windows = windows_new(race, most);
    strides->took_s = memory_huge(most, sizeof *strides->took_s);
    strides->staleness = memory_huge(most, sizeof *strides->staleness);
    if (race_bounded(race)) {
        strides->levels = race_levels(race);
        strides->level = arena_zeroed(arena, strides->levels, sizeof *strides->level);
    }
    return strides;
}

void strides_free(struct strides *strides) {
    if (!strides)
        return;
    windows_free(strides->windows);
    free(strides->took_s);
    free(strides->staleness);
}

static struct clock_level *level_of(struct strides *strides, uint32_t pushes) {
    return &strides->level[pushes & (strides->levels - 1)];
}

/* Who computes has its version; the levels tell of those that begin later. */
static void count_levels(struct strides *strides) {
    const struct race *race = strides->race;
    memset(strides->level, 0, strides->levels * sizeof *strides->level);
    strides->slowest = race->slowest;
    for (uint32_t i = 0; i < race->workers; i++)
        for (uint32_t p = race->slowest + 1; p <= race->pusher[i].pushes; p++)
            level_of(strides, p)->heard++;
}

static void enter(struct strides *strides) {
    const struct trial *trial = strides->race->trial;
    const struct race *race = strides->race;
    double sum_s = 0, computing = 0;
    windows_enter(strides->windows);
    for (uint32_t i = 0; i < race->workers; i++)
        if (race_computes(race, i) && isfinite(race->pusher[i].seconds)) {
            sum_s += race->pusher[i].seconds;
            computing++;
        }
    strides->width_s = (double)strides->wanted * sum_s / (computing * computing);
    strides->next_row = progress_next_row(&trial->spec.scenario->record, trial->step);
    if (race_bounded(race))
        count_levels(strides);
}

/* The version at which a worker began the task after so many pushes: it had made them, the last of which made version `own`, and
 * the slowest had made enough. */
static uint32_t begun_version(struct strides *strides, uint32_t own, uint32_t pushes) {
    const uint32_t lead = strides->race->lead;
    const uint32_t raised = pushes > lead ? level_of(strides, pushes - lead)->raised : 0;
    return raised > own ? raised : own;
}

/* A worker has pushed so often; with its push there are so many updates. */
static void hear(struct strides *strides, uint32_t pushes, uint32_t updates) {
    struct clock_level *level = level_of(strides, pushes);
    if (++level->heard < strides->race->workers)
        return;
    *level = (struct clock_level){0, updates};
    strides->slowest = pushes;
}

/* The race goes on one event at a time. The order in which workers rest does not matter, as they begin at one instant. */
static void leave(struct strides *strides) {
    struct race *race = strides->race;
    race->rests = 0;
    for (uint32_t i = 0; i < race->workers; i++) {
        const struct pusher *pusher = &race->pusher[i];
        const bool computes = race_computes(race, i);
        tournament_set(&race->finishes, i, computes ? pusher->begun_s + pusher->seconds : (double)INFINITY);
        if (computes && race_bounded(race))
            race->version[i] = begun_version(strides, race->version[i], pusher->pushes);
        if (!computes)
            race->resting[race->rests++] = i;
    }
    if (race_bounded(race)) {
        race->slowest = strides->slowest;
        race_count_clocks(race);
    }
}

/* Returns the next step whose row is recorded. */
static uint32_t add_row(struct strides *strides, uint32_t staleness, double now_s) {
    struct trial *trial = strides->race->trial;
    trial->row.staleness_mean = trial->row.staleness_max = staleness;
    trial->row.step = strides->next_row;
    trial->row.time_s = now_s;
    trial->row.aggregation_s = 0;
    result_add_step(trial->result, &trial->row);
    return strides->next_row = progress_next_row(&trial->spec.scenario->record, strides->next_row);
}

/* The updates of a window, one after another; writes what each step took and how stale its push was. */
static void update(struct strides *strides, const struct found *found) {
    struct race *race = strides->race;
    struct trial *trial = race->trial;
    const bool bounded = race_bounded(race);
    double useful_s = race->useful_s, stale_s = race->stale_s, before_s = trial->opened_s;
    uint32_t step = trial->step, next_row = strides->next_row, *const restrict version = race->version;
    for (size_t q = 0; q < found->count; q++) {
        const struct due *due = &found->due[q];
        const struct finish *finish = &found->finish[due->place];
        const double now_s = elementary_from_bits(due->time);
        const uint32_t own = version[due->worker];
        const uint32_t begun = bounded ? begun_version(strides, own, finish->pushes - 1) : own;
        const uint32_t staleness = step++ - begun;
        version[due->worker] = step;
        if (bounded)
            hear(strides, finish->pushes, step);
        useful_s += staleness == 0 ? finish->seconds : 0;
        stale_s += staleness == 0 ? 0 : finish->seconds;
        strides->staleness[q] = staleness;
        if (step == next_row)
            next_row = add_row(strides, staleness, now_s);
        strides->took_s[q] = now_s - before_s;
        before_s = now_s;
    }
    race->useful_s = useful_s;
    race->stale_s = stale_s;
}

/* The run stands where the last of so many updates left it. */
static void go_to(struct trial *trial, const double *took_s, const struct found *found) {
    struct run_row *run = &trial->result->run;
    size_t instants = 0;
    while (instants < found->count && took_s[found->count - 1 - instants] <= 0)
        instants++;
    trial->standstill = (uint32_t)(instants < found->count ? instants : trial->standstill + instants);
    trial->step += (uint32_t)found->count;
    trial->round += (uint32_t)found->count;
    trial->opened_s = elementary_from_bits(found->due[found->count - 1].time);
    trial->first_s = trial->closed_s = trial->end_s = trial->opened_s;
    run->steps = trial->step;
    run->rounds = trial->round;
    run->time_s = trial->opened_s;
}

static void take(struct strides *strides) {
    struct trial *trial = strides->race->trial;
    const struct found found = windows_take(strides->windows);
    update(strides, &found);
    if (limits_stale(&trial->limits))
        result_note_each_age(trial->result, strides->staleness, found.count);
    step_times_add_all(&trial->took, strides->took_s, found.count);
    go_to(trial, strides->took_s, &found);
    strides->race->now_s = trial->opened_s;
}

/* Updates that are still to be made, the last included. */
static size_t remaining(const struct trial *trial) {
    const struct stop_spec *stop = &trial->spec.scenario->stop;
    return (stop->steps != PARAM_ABSENT ? stop->steps : MOST_STEPS) - trial->step;
}

/* From `since_s` to the end of the window. */
static double window_end(const struct strides *strides, double since_s) {
    const double end_s = fmax(since_s + strides->width_s, nextafter(since_s, (double)INFINITY));
    return fmin(end_s, strides->race->trial->spec.scenario->stop.seconds_s);
}

/* As many as wanted are found next time, if time goes on as it did. */
static void adapt(struct strides *strides, double took_s, size_t count) {
    const double wanted = (double)strides->wanted, found = fmax((double)count, wanted / 4);
    strides->width_s = took_s * wanted / found;
}

bool strides_go(struct strides *strides) {
    struct trial *trial = strides->race->trial;
    double since_s = trial->opened_s;
    bool good = true;
    enter(strides);
    while (good && remaining(trial) > 2 * strides->wanted) {
        const double end_s = window_end(strides, since_s);
        if (!(since_s < end_s))
            break;
        if (!windows_find(strides->windows, &(struct time_span){since_s, end_s})) {
            good = !windows_blocked(strides->windows) && since_s + strides->width_s > since_s;
            strides->width_s /= 4;
            continue;
        }
        const size_t count = windows_count(strides->windows);
        if (count >= remaining(trial)) {
            windows_undo(strides->windows);
            break;
        }
        if (count > 0)
            take(strides);
        adapt(strides, end_s - since_s, count);
        since_s = count > 0 ? end_s : windows_next(strides->windows);
    }
    leave(strides);
    return good;
}
