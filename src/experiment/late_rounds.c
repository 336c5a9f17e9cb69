/* Runs without an event queue whose rounds close at a multiple of their first arrival if the code bears those who are late, else
 * with the last one. They serve where only time counts, nobody asks what happens, workers are steady, late tasks are
 * cancelled, and the scheme has set rules (set_rules.h). */
#include "late_book.h"
#include "late_set.h"
#include "memory.h"
#include "progress.h"
#include "set_rules.h"
#include "steady.h"
#include "way.h"
#include "worker_set.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Numbers that are drawn at once stay in the nearest cache where rows are short. */
enum { DRAWN_AT_ONCE = 4096 };

/* A round that is over. */
struct late_round {
    double first_s; /* its first arrival */
    double closed_s;
    const uint64_t *missing; /* who was not heard */
    uint32_t heard;
};

struct late_rounds {
    struct trial_spec spec;
    const struct scheme *scheme;
    const struct set_rules *rules;
    const void *params;
    struct setting setting;
    struct limits limits;
    struct arena *arena;
    void *state; /* of the rules */
    double factor;
    uint32_t workers, models;
    uint32_t traced, due; /* rounds that the traces have; that belong to the run whatever they complete */
    size_t words;
    uint64_t *missing, *nobody; /* sets of workers */
    struct late_book *book;     /* NULL: nobody asks what seconds were good for */
    struct cluster_run run;
    bool stored; /* the seconds of tasks stand somewhere already, else they are drawn: */
    struct steady *steady;
    double *seconds; /* [capacity * row], of the rounds from `drawn_from` on, of which there are `drawn` */
    size_t row;
    uint32_t capacity, drawn_from, drawn;
    uint32_t round, fruitless;
    struct progress progress;
    double stepped_s;       /* when the last update was made */
    struct step_times took; /* by the updates */
    double end_s;
    enum status status;
    struct result *result;
};

static double factor_of(const struct picked *wait) {
    const struct wait_rule *rule = (const struct wait_rule *)wait->type;
    return rule->factor ? rule->factor(wait->params) : (double)NAN;
}

static bool serves(const struct late_rounds *rounds) {
    const struct scenario *scenario = rounds->spec.scenario;
    return rounds->rules && !isnan(rounds->factor) && scenario->method == METHOD_EVENTS &&
           !scenario->objective.data && !scenario->record.events && rounds->setting.late == LATE_CANCEL &&
           scenario_accumulated(scenario) == 1 && steady_serves(&scenario->cluster);
}

static void begin_times(struct late_rounds *rounds) {
    const struct scenario *scenario = rounds->spec.scenario;
    struct stored_row row;
    rounds->run = (struct cluster_run){.seed = scenario->seed, .replication = rounds->spec.replication};
    rounds->stored = steady_stored(&scenario->cluster, &rounds->run, 0, &row);
    if (rounds->stored)
        return;
    rounds->steady = steady_new(&scenario->cluster, &rounds->run, rounds->limits.work);
    rounds->row = steady_row(rounds->steady);
    rounds->capacity = rounds->row < DRAWN_AT_ONCE ? (uint32_t)(DRAWN_AT_ONCE / rounds->row) : 1;
    rounds->seconds = arena_zeroed(rounds->arena, rounds->capacity * rounds->row, sizeof(double));
}

static void begin(struct late_rounds *rounds) {
    const struct scenario *scenario = rounds->spec.scenario;
    const struct scheme *scheme = rounds->scheme;
    rounds->limits = scheme->limits(rounds->params, &rounds->setting);
    rounds->models = rounds->limits.models > 0 ? rounds->limits.models : 1;
    rounds->arena = arena_new();
    rounds->state = rounds->rules->begin(rounds->params, &rounds->setting, &rounds->limits, rounds->arena);
    rounds->traced = cluster_rounds(&scenario->cluster);
    rounds->due = scheme->rounds ? scheme->rounds(rounds->params, scenario->stop.steps) : 0;
    rounds->words = set_words(rounds->workers);
    rounds->missing = arena_zeroed(rounds->arena, rounds->words, sizeof *rounds->missing);
    rounds->nobody = arena_zeroed(rounds->arena, rounds->words, sizeof *rounds->nobody);
    begin_times(rounds);
    rounds->result = result_new(scenario->record.bookings ? rounds->workers : 0);
    if (scenario->record.bookings)
        rounds->book = late_book_new(
            &(struct late_book_spec){rounds->rules, rounds->state, &rounds->limits, rounds->workers});
}

static const double *drawn_now(struct late_rounds *rounds) {
    uint32_t round = rounds->round, last = rounds->due > round ? rounds->due : UINT32_MAX;
    if (round >= rounds->drawn_from + rounds->drawn) {
        uint32_t left = (last < rounds->traced ? last : rounds->traced) - round;
        rounds->drawn_from = round;
        rounds->drawn = left < rounds->capacity ? left : rounds->capacity;
        steady_seconds(rounds->steady, round, rounds->drawn, rounds->seconds);
    }
    return rounds->seconds + (round - rounds->drawn_from) * rounds->row;
}

/* The seconds of the present round, which the traces have. */
static struct stored_row seconds_now(struct late_rounds *rounds) {
    struct stored_row row;
    if (rounds->stored) {
        steady_stored(&rounds->spec.scenario->cluster, &rounds->run, rounds->round, &row);
        return row;
    }
    row.seconds = drawn_now(rounds);
    extremes_find(row.seconds, rounds->workers, &row.least_s, &row.most_s);
    return row;
}

/* When the last of those ended whose end comes. */
static double last_end(struct late_rounds *rounds, const double *seconds) {
    struct time_limit never = {rounds->progress.time_s, rounds->progress.time_s, DBL_MAX};
    return late_set_find(seconds, rounds->workers, &never, rounds->missing);
}

static void miss(struct late_rounds *rounds, struct late_round *round) {
    round->missing = rounds->missing;
    round->heard = rounds->workers - set_count(rounds->missing, rounds->words);
}

/* All are heard; false where that never happens. */
static bool wait_for_all(const struct late_rounds *rounds, double last_s, struct late_round *round) {
    round->closed_s = last_s;
    if (isinf(last_s))
        return false;
    rounds->result->run.rounds_overrun++;
    return true;
}

/* Listens until the round closes; false where it never does. The deadline is after all arrivals of its instant. */
static bool listen(struct late_rounds *rounds, const struct stored_row *row, struct late_round *round) {
    double opened_s = rounds->progress.time_s;
    double first_s = opened_s + row->least_s, last_s = opened_s + row->most_s;
    double deadline_s = fmax(first_s, opened_s + rounds->factor * (first_s - opened_s));
    struct time_limit limit = {opened_s, deadline_s, deadline_s * (1 + INSTANT)};
    *round = (struct late_round){.first_s = first_s, .missing = rounds->nobody, .heard = rounds->workers};
    if (isinf(first_s))
        return false;
    round->closed_s = last_s;
    if (last_s <= limit.until_s)
        return true;
    round->closed_s = late_set_find(row->seconds, rounds->workers, &limit, rounds->missing);
    if (!rounds->rules->admits(rounds->state, rounds->missing))
        return wait_for_all(rounds, last_s, round);
    miss(rounds, round);
    return true;
}

static void go_to(struct late_rounds *rounds, double next_s) {
    progress_go_to(&rounds->progress, next_s);
    rounds->round++;
}

/* Every estimate is exact, and its gradients are of one version. */
static void update(struct late_rounds *rounds, const struct late_round *round) {
    const struct scenario *scenario = rounds->spec.scenario;
    struct progress *progress = &rounds->progress;
    uint32_t age = progress->steps / rounds->models - rounds->rules->release(rounds->state);
    step_times_add(&rounds->took, progress->time_s - rounds->stepped_s);
    rounds->stepped_s = progress->time_s;
    progress->steps++;
    rounds->fruitless = 0;
    if (rounds->book)
        late_book_use(rounds->book, age, rounds->result);
    progress->unfinished = rounds->round < rounds->due;
    rounds->status = progress_status(progress, &scenario->stop);
    bool last = rounds->status != STATUS_RUNNING && scenario->record.mode != RECORD_SUMMARY;
    if (!last && !progress_recorded(&scenario->record, progress->steps))
        return;
    struct step_row row = blank_step();
    row.step = progress->steps;
    row.time_s = progress->time_s;
    row.responders = round->heard;
    row.recovered = rounds->workers;
    row.staleness_mean = row.staleness_max = age;
    row.aggregation_s = progress->time_s - round->first_s;
    result_add_step(rounds->result, &row);
}

static void end_fruitless(struct late_rounds *rounds) {
    struct progress *progress = &rounds->progress;
    progress->unfinished = rounds->round < rounds->due;
    bool hopeless = progress_hopeless(++rounds->fruitless, progress->standstill);
    rounds->status = progress_status_idle(progress, &rounds->spec.scenario->stop, hopeless);
}

/* The round never closes. */
static void stall(struct late_rounds *rounds, struct heard_round *heard) {
    rounds->status = STATUS_STALLED;
    rounds->end_s = heard->next_s = last_end(rounds, heard->seconds);
    heard->missing = rounds->missing;
    if (rounds->book)
        late_book_hang(rounds->book, heard);
}

static void listen_and_update(struct late_rounds *rounds) {
    const struct stored_row row = seconds_now(rounds);
    struct heard_round heard = {.opened_s = rounds->progress.time_s, .seconds = row.seconds};
    struct late_round round;
    if (rounds->book)
        late_book_open(rounds->book, rounds->round);
    if (!listen(rounds, &row, &round)) {
        stall(rounds, &heard);
        return;
    }
    uint32_t updates = rounds->rules->close(rounds->state, round.missing);
    heard.next_s = round.closed_s + rounds->spec.scenario->master_s;
    heard.missing = round.missing;
    if (rounds->book)
        late_book_close(rounds->book, &heard);
    go_to(rounds, heard.next_s);
    for (uint32_t u = 0; u < updates && rounds->status == STATUS_RUNNING; u++)
        update(rounds, &round);
    if (updates == 0)
        end_fruitless(rounds);
}

static void run_round(struct late_rounds *rounds) {
    if (rounds->round >= rounds->traced) {
        rounds->status = STATUS_TRACE_END;
        return;
    }
    rounds->rules->open(rounds->state, rounds->round, rounds->progress.steps);
    if (rounds->rules->idle && rounds->rules->idle(rounds->state)) {
        go_to(rounds, rounds->progress.time_s);
        end_fruitless(rounds);
    } else {
        listen_and_update(rounds);
    }
}

static void report(struct late_rounds *rounds) {
    struct run_row *run = &rounds->result->run;
    run->steps = rounds->progress.steps;
    run->rounds = rounds->round;
    run->time_s = rounds->stepped_s;
    progress_report(run, &rounds->took, 0);
    run->time_s = rounds->status == STATUS_STALLED ? fmax(rounds->progress.time_s, rounds->end_s)
                                                   : rounds->progress.time_s;
    run->seed = rounds->spec.scenario->seed;
    run->status = status_name(rounds->status);
    if (rounds->book)
        late_book_report(rounds->book, rounds->result);
    else
        result_forget_bookings(rounds->result);
}

static void *begin_course(const struct trial_spec *spec) {
    const struct scheme *scheme = (const struct scheme *)spec->entry->scheme.type;
    const struct late_rounds of = {
        .spec = *spec,
        .scheme = scheme,
        .rules = scheme->sets,
        .params = spec->entry->scheme.params,
        .setting = scenario_setting(spec->scenario, spec->entry),
        .factor = factor_of(spec->entry->wait),
        .workers = spec->scenario->cluster.workers,
    };
    if (!serves(&of))
        return NULL;
    struct late_rounds *rounds = memory_zeroed(1, sizeof *rounds);
    *rounds = of;
    begin(rounds);
    return rounds;
}

static enum stand go_on(void *course) {
    struct late_rounds *rounds = course;
    const struct scenario *scenario = rounds->spec.scenario;
    rounds->status = progress_status(&rounds->progress, &scenario->stop);
    const struct step_row first = blank_step();
    if (scenario->record.mode != RECORD_SUMMARY)
        result_add_step(rounds->result, &first);
    while (rounds->status == STATUS_RUNNING)
        run_round(rounds);
    report(rounds);
    return STAND_ENDED;
}

static struct result *end_course(void *course) {
    struct late_rounds *rounds = course;
    struct result *result = rounds->result;
    late_book_free(rounds->book);
    steady_free(rounds->steady);
    arena_free(rounds->arena);
    step_times_fini(&rounds->took);
    free(rounds);
    return result;
}

const struct way way_by_late_rounds = {
    .begin = begin_course,
    .go_on = go_on,
    .end = end_course,
};
