/* In passes over those who finish once more within the window: each pass notes their finishes, draws tasks for those who have
 * none left, and starts them anew. In parts of a pass that stay in the nearest cache. */
#include "elementary.h"
#include "sift.h"
#include "swift_inside.h"
#include "time_order.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PART = 256 };

/* A number of pushes. */
struct level {
    uint32_t reached; /* workers that have pushed so often, until all have */
    double last_s;    /* when the last of them did */
};

struct list {
    uint32_t *worker, count;
};

struct windows {
    struct race *race;
    double *finish_s; /* [workers]: of its task; INFINITY: never, or it rests */
    struct time_span span;
    struct time_order order;
    struct finish *finish; /* [most] */
    size_t count, most;
    struct list finishers, again, starters;
    struct draw_run run[PART];
    double drawn_s[PART * AHEAD];
    bool blocked;
    /* With a bound to the lead. */
    struct level *level; /* [levels]: by the last digits */
    uint32_t levels;
    uint32_t complete;           /* pushes that all have */
    struct list resting, rested; /* now, when the window began */
};

static struct list list_for(struct race *race) {
    return (struct list){
        arena_zeroed(race->trial->arena, (size_t)race->workers + SIFT_SPARE, sizeof(uint32_t)), 0};
}

struct windows *windows_new(struct race *race, size_t most) {
    struct arena *arena = race->trial->arena;
    struct windows *windows = arena_zeroed(arena, 1, sizeof *windows);
    windows->race = race;
    windows->most = most;
    windows->finish_s = arena_zeroed(arena, race->workers, sizeof *windows->finish_s);
    windows->finish = memory_huge(most, sizeof *windows->finish);
    time_order_init(&windows->order, most);
    windows->finishers = list_for(race);
    windows->again = list_for(race);
    windows->starters = list_for(race);
    if (race_bounded(race)) {
        windows->resting = list_for(race);
        windows->rested = list_for(race);
        windows->levels = race_levels(race);
        windows->level = arena_zeroed(arena, windows->levels, sizeof *windows->level);
    }
    return windows;
}

void windows_free(struct windows *windows) {
    time_order_fini(&windows->order);
    free(windows->finish);
}

static struct level *level_of(struct windows *windows, uint32_t pushes) {
    return &windows->level[pushes & (windows->levels - 1)];
}

/* When those pushed who pushed before the window is over: no worker that begins in it waits for that. */
static void count_levels(struct windows *windows) {
    const struct race *race = windows->race;
    memset(windows->level, 0, windows->levels * sizeof *windows->level);
    windows->complete = UINT32_MAX;
    windows->resting.count = 0;
    for (uint32_t i = 0; i < race->workers; i++)
        if (race->pusher[i].pushes < windows->complete)
            windows->complete = race->pusher[i].pushes;
    for (uint32_t i = 0; i < race->workers; i++) {
        for (uint32_t p = windows->complete + 1; p <= race->pusher[i].pushes; p++)
            level_of(windows, p)->reached++;
        if (!race_computes(race, i))
            windows->resting.worker[windows->resting.count++] = i;
    }
}

void windows_enter(struct windows *windows) {
    const struct race *race = windows->race;
    windows->blocked = false;
    windows->count = 0;
    for (uint32_t i = 0; i < race->workers; i++)
        windows->finish_s[i] =
            race_computes(race, i) ? race->pusher[i].begun_s + race->pusher[i].seconds : (double)INFINITY;
    if (race_bounded(race))
        count_levels(windows);
}

/* Every one of them begins anew when it has finished. */
static void note_finishes(struct windows *windows, const struct list *part) {
    struct race *race = windows->race;
    struct due *due = windows->order.due + windows->count;
    struct finish *finish = windows->finish + windows->count;
    for (uint32_t q = 0; q < part->count; q++) {
        const uint32_t i = part->worker[q];
        struct pusher *pusher = &race->pusher[i];
        const double finish_s = windows->finish_s[i];
        due[q] = (struct due){elementary_bits(finish_s), i, (uint32_t)(windows->count + q)};
        finish[q] = (struct finish){pusher->begun_s, pusher->busy_s, pusher->seconds, pusher->tasks};
        pusher->begun_s = finish_s;
        pusher->busy_s += pusher->seconds;
        pusher->pushes = pusher->tasks;
    }
    windows->count += part->count;
}

static double later(double a, double b) {
    return a > b ? a : b;
}

/* The last has pushed so often: those who rest begin, unless they finish only later. */
static void release(struct windows *windows) {
    struct list *resting = &windows->resting, *starters = &windows->starters;
    const double now_s = level_of(windows, ++windows->complete)->last_s;
    for (uint32_t q = 0; q < resting->count; q++) {
        double *begun_s = &windows->race->pusher[resting->worker[q]].begun_s;
        *begun_s = later(*begun_s, now_s);
        starters->worker[starters->count++] = resting->worker[q];
    }
    resting->count = 0;
}

/* A worker has finished and pushed. Whether it rests cannot be foretold: both lists get it, and one of them counts it. */
static void hold_to_lead(struct windows *windows, uint32_t worker) {
    struct list *resting = &windows->resting, *starters = &windows->starters;
    const uint32_t lead = windows->race->lead;
    struct pusher *pusher = &windows->race->pusher[worker];
    const uint32_t pushes = pusher->pushes;
    const bool rests = pushes > windows->complete + lead;
    struct level *level = level_of(windows, pushes);
    level->last_s = later(level->last_s, pusher->begun_s);
    if (pushes > lead)
        pusher->begun_s = later(pusher->begun_s, level_of(windows, pushes - lead)->last_s);
    windows->finish_s[worker] = (double)INFINITY;
    resting->worker[resting->count] = starters->worker[starters->count] = worker;
    resting->count += rests;
    starters->count += !rests;
    if (++level->reached < windows->race->workers)
        return;
    level->reached = 0;
    release(windows);
}

/* Those whose next task is not drawn. */
static size_t find_dry(struct windows *windows, const struct list *part) {
    size_t dry = 0;
    for (uint32_t q = 0; q < part->count; q++) {
        const uint32_t i = part->worker[q], task = windows->race->pusher[i].tasks;
        windows->run[dry] = (struct draw_run){i, task};
        dry += task % AHEAD == 0;
    }
    return dry;
}

static void draw(struct windows *windows, size_t runs) {
    struct race *race = windows->race;
    steady_tasks(race->steady, &(struct draw_runs){.run = windows->run, .runs = runs}, windows->drawn_s);
    for (size_t q = 0; q < runs; q++)
        memcpy(race_seconds(race, windows->run[q].worker, 0), windows->drawn_s + q * AHEAD,
               AHEAD * sizeof *windows->drawn_s);
}

/* Those who finish once more before the window ends go to `again`. */
static void start(struct windows *windows, const struct list *part) {
    struct race *race = windows->race;
    struct list *again = &windows->again;
    uint32_t count = again->count;
    bool blocked = false;
    for (uint32_t q = 0; q < part->count; q++) {
        const uint32_t i = part->worker[q];
        struct pusher *pusher = &race->pusher[i];
        const double seconds = *race_seconds(race, i, pusher->tasks++), finish_s = pusher->begun_s + seconds;
        pusher->seconds = seconds;
        blocked |= finish_s <= pusher->begun_s;
        windows->finish_s[i] = finish_s;
        again->worker[count] = i;
        count += finish_s < windows->span.until_s;
    }
    again->count = count;
    windows->blocked |= blocked;
}

static void start_all(struct windows *windows, const struct list *starters) {
    for (uint32_t first = 0; first < starters->count; first += PART) {
        const uint32_t left = starters->count - first;
        const struct list part = {starters->worker + first, left < PART ? left : PART};
        draw(windows, find_dry(windows, &part));
        start(windows, &part);
    }
}

static void finish_part(struct windows *windows, const struct list *part) {
    note_finishes(windows, part);
    if (!race_bounded(windows->race)) {
        start_all(windows, part);
        return;
    }
    windows->starters.count = 0;
    for (uint32_t q = 0; q < part->count; q++)
        hold_to_lead(windows, part->worker[q]);
    start_all(windows, &windows->starters);
}

static void pass(struct windows *windows) {
    struct list *finishers = &windows->finishers;
    windows->again.count = 0;
    for (uint32_t first = 0; first < finishers->count; first += PART) {
        const uint32_t left = finishers->count - first;
        finish_part(windows, &(struct list){finishers->worker + first, left < PART ? left : PART});
    }
    const struct list swapped = *finishers;
    *finishers = windows->again;
    windows->again = swapped;
}

bool windows_find(struct windows *windows, const struct time_span *span) {
    windows->span = *span;
    windows->count = 0;
    windows->rested.count = windows->resting.count;
    if (windows->resting.count > 0)
        memcpy(windows->rested.worker, windows->resting.worker, windows->resting.count * sizeof(uint32_t));
    windows->finishers.count =
        (uint32_t)sift_below(&(struct numbers){windows->finish_s, windows->race->workers}, span->until_s,
                             windows->finishers.worker);
    while (windows->finishers.count > 0) {
        if (windows->blocked || windows->count + windows->finishers.count > windows->most) {
            windows_undo(windows);
            return false;
        }
        pass(windows);
    }
    if (windows->blocked)
        windows_undo(windows);
    return !windows->blocked;
}

/* The latest finish of a worker is taken back first. */
void windows_undo(struct windows *windows) {
    struct race *race = windows->race;
    for (size_t c = windows->count; c-- > 0;) {
        const struct due *due = &windows->order.due[c];
        const struct finish *finish = &windows->finish[c];
        struct pusher *pusher = &race->pusher[due->worker];
        pusher->begun_s = finish->begun_s;
        pusher->seconds = finish->seconds;
        pusher->busy_s = finish->busy_s;
        pusher->tasks = finish->pushes;
        pusher->pushes = finish->pushes - 1;
        windows->finish_s[due->worker] = elementary_from_bits(due->time);
    }
    for (uint32_t q = 0; q < windows->rested.count; q++) {
        const uint32_t i = windows->rested.worker[q];
        race->pusher[i].tasks = race->pusher[i].pushes;
        windows->finish_s[i] = (double)INFINITY;
    }
    /* Tasks that were drawn may have taken the place of others that are still to begin. */
    for (size_t c = 0; c < windows->count; c++) {
        const uint32_t i = windows->order.due[c].worker, next = race->pusher[i].tasks;
        windows->run[0] = (struct draw_run){i, next - next % AHEAD};
        if (next % AHEAD != 0 && windows->finish[c].pushes % AHEAD == 0)
            draw(windows, 1);
    }
    windows->count = 0;
    if (race_bounded(race))
        count_levels(windows);
}

bool windows_blocked(const struct windows *windows) {
    return windows->blocked;
}

size_t windows_count(const struct windows *windows) {
    return windows->count;
}

struct found windows_take(struct windows *windows) {
    time_order_sort(&windows->order, windows->count, &windows->span);
    return (struct found){windows->count, windows->order.sorted, windows->finish};
}

double windows_next(const struct windows *windows) {
    double next_s = (double)INFINITY;
    for (uint32_t i = 0; i < windows->race->workers; i++)
        next_s = windows->finish_s[i] < next_s ? windows->finish_s[i] : next_s;
    return next_s;
}
