/* Each worker has one task, so the next event is the winner of a tournament. Equal times need care, as the round that a push
 * closes is followed by the next at the same instant: who finished by then has arrived before anybody begins. */
#include "swift_inside.h"
#include <math.h>
#include <string.h>

enum {
    FEWEST_UPDATES = 8192, /* of a run that goes in strides */
    LONGEST_LEAD = 1 << 16,
    LISTS = 10, /* numbers, at most, that are kept of a worker beside its tasks */
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

/* Whole windows at a time are worth it in a run of more than a few. */
static void begin_strides(struct race *race) {
    const struct scenario *scenario = race->trial->spec.scenario;
    const bool many = scenario->stop.steps == PARAM_ABSENT || scenario->stop.steps > FEWEST_UPDATES;
    if (!steady_serves(&scenario->cluster))
        return;
    struct cluster_run run = {.seed = scenario->seed, .replication = race->trial->spec.replication};
    race->steady = steady_new(&scenario->cluster, &run, 1);
    if (many && race->workers < LONGEST_STANDSTILL && (!race_bounded(race) || race->lead < LONGEST_LEAD))
        race->strides = strides_new(race);
    race->patience = 4 * race->workers;
}

static void race_begin(struct race *race, struct trial *trial) {
    uint32_t workers = trial->setting.shape.workers;
    arena_reserve(trial->arena, workers * (sizeof *race->pusher + AHEAD * sizeof *race->seconds +
                                           sizeof(double) + LISTS * sizeof(uint32_t)));
    *race =
        (struct race){.trial = trial,
                      .workers = workers,
                      .lead = trial->scheme->lead(trial->params),
                      .pusher = arena_zeroed(trial->arena, workers, sizeof *race->pusher),
                      .version = arena_zeroed(trial->arena, workers, sizeof *race->version),
                      .seconds = arena_zeroed(trial->arena, (size_t)workers * AHEAD, sizeof *race->seconds),
                      .arrived = arena_zeroed(trial->arena, workers, sizeof *race->arrived),
                      .now_s = trial->opened_s};
    tournament_init(&race->finishes, workers);
    if (race_bounded(race)) {
        race->at = arena_zeroed(trial->arena, race->lead + 2, sizeof *race->at);
        race->at[0] = workers;
        race->resting = arena_zeroed(trial->arena, workers, sizeof *race->resting);
    }
    begin_strides(race);
}

static void race_end(struct race *race) {
    tournament_fini(&race->finishes);
    strides_free(race->strides);
    steady_free(race->steady);
}

/* Those whose tasks end at this very instant have arrived. */
static void gather(struct race *race) {
    race->gathered = true;
    for (struct entry entry; (entry = tournament_winner(&race->finishes)).time_s <= race->now_s;) {
        tournament_withdraw(&race->finishes, entry.player);
        race->arrived[(race->first + race->arrivals++) % race->workers] = entry.player;
    }
}

static void draw_ahead(struct race *race, uint32_t worker, uint32_t task) {
    double *seconds = race_seconds(race, worker, task);
    const struct draw_run run = {worker, task};
    if (race->steady)
        steady_tasks(race->steady, &(struct draw_runs){.run = &run, .runs = 1}, seconds);
    else
        cluster_tasks_seconds(race->trial->cluster, &(struct errands){worker, task, AHEAD}, seconds);
}

static void start(struct race *race, uint32_t worker) {
    struct pusher *pusher = &race->pusher[worker];
    uint32_t task = pusher->tasks++;
    if (task % AHEAD == 0)
        draw_ahead(race, worker, task);
    pusher->begun_s = race->now_s;
    pusher->seconds = *race_seconds(race, worker, task);
    race->version[worker] = race->trial->step;
    double finish_s = race->now_s + pusher->seconds;
    if (finish_s <= race->now_s && !race->gathered)
        gather(race);
    tournament_set(&race->finishes, worker, finish_s);
}

static uint32_t *at_clock(struct race *race, uint32_t clock) {
    return &race->at[clock % (race->lead + 2)];
}

void race_count_clocks(struct race *race) {
    memset(race->at, 0, (race->lead + 2) * sizeof *race->at);
    for (uint32_t i = 0; i < race->workers; i++)
        ++*at_clock(race, race->pusher[i].pushes);
}

static void wake(struct race *race) {
    uint32_t woken = race->rests;
    race->rests = 0;
    for (uint32_t r = 0; r < woken; r++)
        start(race, race->resting[r]);
}

/* Who has pushed begins anew, unless it is too far ahead; when it was the last of the slowest, those who rest begin. */
static void go_on(struct race *race, uint32_t worker) {
    if (!race_bounded(race)) {
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
    pusher->busy_s += pusher->seconds;
    return pusher->seconds;
}

static void update(struct race *race, uint32_t worker) {
    struct trial *trial = race->trial;
    uint32_t staleness = trial->step - race->version[worker];
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

/* After a task of no time events go one at a time for a while, for twice as long each time. */
static void stride(struct race *race) {
    race->single = UINT32_MAX;
    if (strides_go(race->strides))
        return;
    race->single = race->patience;
    race->patience = race->patience < UINT32_MAX / 2 ? 2 * race->patience : UINT32_MAX;
}

static void race_run(struct race *race) {
    for (uint32_t i = 0; i < race->workers; i++)
        start(race, i);
    while (race->trial->status == STATUS_RUNNING) {
        if (race->strides && race->single == 0 && race->arrivals == 0)
            stride(race);
        race->single -= race->single > 0;
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
    for (uint32_t q = 0; q < race->arrivals; q++) {
        uint32_t worker = race->arrived[(race->first + q) % race->workers];
        finish(race, worker);
        trial->seat[worker].row.evaluated = 1;
    }
    for (uint32_t i = 0; i < race->workers; i++) {
        struct pusher *pusher = &race->pusher[i];
        struct worker_row *row = &trial->seat[i].row;
        row->used = pusher->pushes;
        row->evaluated += pusher->pushes;
        ledger_spend(ledger, i, pusher->busy_s);
        if (row->evaluated < pusher->tasks)
            ledger_book(ledger, i, trial->end_s - pusher->begun_s, USE_DISCARDED);
    }
    for (uint32_t q = 0; q < race->arrivals; q++)
        ledger_unused(ledger, race->pusher[race->arrived[(race->first + q) % race->workers]].seconds);
}

static void run_once(struct race *race, struct trial *trial) {
    race_begin(race, trial);
    trial->row = blank_step();
    trial->row.responders = trial->row.recovered = 1;
    race_run(race);
}

/* As it stood before a race that is not booked. */
static void take_back(struct trial *trial, const struct trial *before, const struct result *result) {
    step_times_fini(&trial->took);
    *trial = *before;
    trial->result->run = result->run;
    trial->result->steps = result->steps;
    for (size_t age = 0; age < trial->result->ages; age++)
        trial->result->aged[age] = 0;
}

/* Only tasks that are a function of the seed can be begun again. At first the workers are not as far apart as they will be. */
static bool settles(const struct trial *trial) {
    const uint32_t lead = trial->scheme->lead(trial->params);
    const double tasks = lead == ANY_LEAD ? 1 : 1.0 + lead;
    return steady_serves(&trial->spec.scenario->cluster) &&
           4 * tasks * trial->setting.shape.workers < STEP_TIMES_ALL;
}

static void expect_steps(struct trial *trial) {
    const struct stop_spec *stop = &trial->spec.scenario->stop;
    if (stop->steps != PARAM_ABSENT)
        step_times_expect(&trial->took, stop->steps);
}

bool swift_pushes(struct trial *trial) {
    struct race race;
    if (!serves(trial))
        return false;
    const struct trial before = *trial;
    const struct result result = *trial->result;
    if (settles(trial))
        step_times_narrow(&trial->took);
    else
        expect_steps(trial);
    run_once(&race, trial);
    if (!step_times_settled(&trial->took)) {
        race_end(&race);
        take_back(trial, &before, &result);
        expect_steps(trial);
        run_once(&race, trial);
    }
    race_book(&race);
    race_end(&race);
    return true;
}
