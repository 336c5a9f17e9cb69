/* Each worker has one task, so the next event is the winner of a tournament. Equal times need care, as the round that a push
 * closes is followed by the next at the same instant: who finished by then has arrived before anybody begins. */
#include "swift.h"
#include "tournament.h"
#include <math.h>

enum { AHEAD = 8 }; /* tasks of a worker drawn in one go */

struct pusher {
    double begun_s, busy_s;
    uint32_t version; /* of the model of its task */
    uint32_t tasks;   /* begun */
    uint32_t pushes;  /* heard: its clock */
    uint32_t finished;
};

struct race {
    struct trial *trial;
    uint32_t workers, lead;
    struct tournament finishes;
    struct pusher *pusher; /* [workers] */
    double *seconds;       /* [workers * AHEAD]: of the tasks */
    double now_s;
    /* Those that finished at this instant and wait while the round of another is closed, a ring. */
    uint32_t *arrived, first, arrivals;
    bool gathered; /* since the present round was closed */
    /* With a bound to the lead. */
    uint32_t *at; /* [lead + 2]: workers whose clock it is, by its remainder */
    uint32_t slowest;
    uint32_t *resting, rests; /* those who may not begin yet */
    double useful_s, stale_s;
};

static bool undisturbed(const struct trial *trial) {
    bool steady = true;
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++)
        steady &= cluster_steady(trial->cluster, i) && cluster_present(trial->cluster, i);
    return steady;
}

static bool serves(const struct trial *trial) {
    return trial->scheme->lead && trial->scheme->lead(trial->params) != NO_LEAD && !trial->learner &&
           !trial->moments && trial->accumulate == 1 && trial->spec.scenario->master_s == 0 &&
           !trial->setting.skips && trial->trace_rounds == UINT32_MAX && undisturbed(trial);
}

static bool bounded(const struct race *race) {
    return race->lead != ANY_LEAD;
}

static void race_begin(struct race *race, struct trial *trial) {
    uint32_t workers = trial->setting.shape.workers;
    *race =
        (struct race){.trial = trial,
                      .workers = workers,
                      .lead = trial->scheme->lead(trial->params),
                      .pusher = arena_zeroed(trial->arena, workers, sizeof *race->pusher),
                      .seconds = arena_zeroed(trial->arena, (size_t)workers * AHEAD, sizeof *race->seconds),
                      .arrived = arena_zeroed(trial->arena, workers, sizeof *race->arrived),
                      .now_s = trial->opened_s};
    tournament_init(&race->finishes, workers);
    if (!bounded(race))
        return;
    race->at = arena_zeroed(trial->arena, race->lead + 2, sizeof *race->at);
    race->at[0] = workers;
    race->resting = arena_zeroed(trial->arena, workers, sizeof *race->resting);
}

/* Those whose tasks end at this very instant have arrived. */
static void gather(struct race *race) {
    race->gathered = true;
    for (struct entry entry; (entry = tournament_winner(&race->finishes)).time_s <= race->now_s;) {
        tournament_withdraw(&race->finishes, entry.player);
        race->arrived[(race->first + race->arrivals++) % race->workers] = entry.player;
    }
}

static double *seconds_of(struct race *race, uint32_t worker, uint32_t task) {
    return &race->seconds[(size_t)worker * AHEAD + task % AHEAD];
}

static void start(struct race *race, uint32_t worker) {
    struct pusher *pusher = &race->pusher[worker];
    uint32_t task = pusher->tasks++;
    if (task % AHEAD == 0)
        cluster_tasks_seconds(race->trial->cluster, &(struct errands){worker, task, AHEAD},
                              seconds_of(race, worker, task));
    pusher->begun_s = race->now_s;
    pusher->version = race->trial->step;
    double finish_s = race->now_s + *seconds_of(race, worker, task);
    if (finish_s <= race->now_s && !race->gathered)
        gather(race);
    tournament_set(&race->finishes, worker, finish_s);
}

static uint32_t *at_clock(struct race *race, uint32_t clock) {
    return &race->at[clock % (race->lead + 2)];
}

static void wake(struct race *race) {
    uint32_t woken = race->rests;
    race->rests = 0;
    for (uint32_t r = 0; r < woken; r++)
        start(race, race->resting[r]);
}

/* Who has pushed begins anew, unless it is too far ahead; when it was the last of the slowest, those who rest begin. */
static void go_on(struct race *race, uint32_t worker) {
    if (!bounded(race)) {
        start(race, worker);
        return;
    }
    uint32_t clock = race->pusher[worker].pushes - 1;
    ++*at_clock(race, clock + 1);
    --*at_clock(race, clock);
    if (clock + 1 - race->slowest > race->lead)
        race->resting[race->rests++] = worker;
    else
        start(race, worker);
    if (*at_clock(race, race->slowest) > 0)
        return;
    race->slowest++;
    wake(race);
}

/* The next worker whose push is heard; NOBODY: no task will ever end. */
static uint32_t take(struct race *race) {
    if (race->arrivals > 0) {
        uint32_t worker = race->arrived[race->first];
        race->first = race->first + 1 < race->workers ? race->first + 1 : 0;
        race->arrivals--;
        gather(race);
        return worker;
    }
    struct entry entry = tournament_winner(&race->finishes);
    if (isinf(entry.time_s))
        return NOBODY;
    tournament_withdraw(&race->finishes, entry.player);
    race->gathered = false;
    race->now_s = entry.time_s;
    return entry.player;
}

/* The worker's task is done; its seconds. */
static double finish(struct race *race, uint32_t worker) {
    struct pusher *pusher = &race->pusher[worker];
    double seconds = *seconds_of(race, worker, pusher->tasks - 1);
    pusher->busy_s += seconds;
    pusher->finished++;
    return seconds;
}

static void update(struct race *race, uint32_t worker) {
    struct trial *trial = race->trial;
    uint32_t staleness = trial->step - race->pusher[worker].version;
    double seconds = finish(race, worker);
    race->pusher[worker].pushes++;
    *(staleness == 0 ? &race->useful_s : &race->stale_s) += seconds;
    if (limits_stale(&trial->limits))
        result_note_age(trial->result, staleness);
    trial->row.staleness_mean = trial->row.staleness_max = staleness;
    trial->first_s = trial->closed_s = race->now_s;
    round_next(trial, race->now_s);
    trial->step++;
    report_step(trial);
}

static void race_run(struct race *race) {
    for (uint32_t i = 0; i < race->workers; i++)
        start(race, i);
    while (race->trial->status == STATUS_RUNNING) {
        uint32_t worker = take(race);
        if (worker == NOBODY) {
            race->trial->status = STATUS_STALLED;
            return;
        }
        update(race, worker);
        if (race->trial->status == STATUS_RUNNING)
            go_on(race, worker);
    }
}

/* In the order in which the ledger books these event by event: the order of its additions. */
static void race_book(struct race *race) {
    struct trial *trial = race->trial;
    struct ledger *ledger = trial->ledger;
    ledger_add(ledger, USE_USEFUL, race->useful_s);
    ledger_add(ledger, USE_STALE, race->stale_s);
    gather(race);
    for (uint32_t q = 0; q < race->arrivals; q++)
        finish(race, race->arrived[(race->first + q) % race->workers]);
    for (uint32_t i = 0; i < race->workers; i++) {
        struct pusher *pusher = &race->pusher[i];
        trial->seat[i].row.used = pusher->pushes;
        trial->seat[i].row.evaluated = pusher->finished;
        ledger_spend(ledger, i, pusher->busy_s);
        if (pusher->finished < pusher->tasks)
            ledger_book(ledger, i, trial->end_s - pusher->begun_s, USE_DISCARDED);
    }
    for (uint32_t q = 0; q < race->arrivals; q++) {
        uint32_t worker = race->arrived[(race->first + q) % race->workers];
        ledger_unused(ledger, *seconds_of(race, worker, race->pusher[worker].tasks - 1));
    }
}

bool swift_pushes(struct trial *trial) {
    struct race race;
    if (!serves(trial))
        return false;
    race_begin(&race, trial);
    trial->row = blank_step();
    trial->row.responders = trial->row.recovered = 1;
    race_run(&race);
    race_book(&race);
    tournament_fini(&race.finishes);
    return true;
}
