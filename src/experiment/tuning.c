#include "tuning.h"
#include "rows.h"
#include "tuning_search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct tuning {
    struct plan *plan;
    struct tuning_search **search; /* [contests]; NULL: it is not tuned, or by an equal one */
};

static const struct scenario *base_of(const struct plan *plan, size_t contest) {
    return plan->point[plan->contest[contest].point->index].scenario;
}

bool plan_tunes(const struct plan *plan) {
    for (size_t q = 0; q < plan->points; q++)
        if (plan->point[q].scenario->tunes > 0)
            return true;
    return false;
}

size_t scenario_tuning_runs(const struct scenario *scenario) {
    return TUNING_REPLICATIONS * tuning_search_attempts(scenario);
}

size_t plan_tuning_runs(const struct plan *plan) {
    size_t runs = 0;
    for (size_t c = 0; c < plan->contests; c++)
        if (plan->contest[c].original == c)
            runs += scenario_tuning_runs(base_of(plan, c));
    return runs;
}

static void *copied(struct arena *arena, const void *bytes, size_t size) {
    return memcpy(arena_zeroed(arena, 1, size), bytes, size);
}

struct scenario *scenario_with_values(struct arena *arena, const struct scenario *base, const double *value) {
    struct scenario *scenario = copied(arena, base, sizeof *base);
    for (size_t a = 0; a < base->tunes; a++)
        scenario->optimizer = optimizer_with(arena, scenario->optimizer, base->tuned[a].key, value[a]);
    return scenario;
}

/* Attempts of all contests that can be made together. */
struct round {
    struct arena *arena;
    struct attempt **attempt; /* [entrants] */
    struct entrant *entrant;
    size_t entrants, capacity;
};

static void add_attempt(struct round *round, const struct plan *plan, size_t contest,
                        struct attempt *attempt) {
    if (round->entrants == round->capacity) {
        round->capacity = round->capacity * 2 + 16;
        round->attempt = memory_resized(round->attempt, round->capacity, sizeof *round->attempt);
        round->entrant = memory_resized(round->entrant, round->capacity, sizeof *round->entrant);
    }
    const struct scenario *base = base_of(plan, contest);
    struct scenario *scenario = scenario_with_values(round->arena, base, attempt->value);
    scenario->record = (struct record_spec){.mode = RECORD_SUMMARY};
    round->attempt[round->entrants] = attempt;
    round->entrant[round->entrants++] = (struct entrant){scenario, plan->contest[contest].entry};
}

static bool run_round(const struct round *round, struct heat *heat) {
    size_t runs = round->entrants * TUNING_REPLICATIONS;
    struct run_id *run = memory_zeroed(runs, sizeof *run);
    struct showing *showing = memory_zeroed(runs, sizeof *showing);
    for (size_t r = 0; r < runs; r++)
        run[r] = (struct run_id){(uint32_t)(r / TUNING_REPLICATIONS),
                                 TUNING_REPLICATION + (uint32_t)(r % TUNING_REPLICATIONS)};
    heat->entrant = round->entrant;
    heat->entrants = round->entrants;
    heat->run = run;
    heat->runs = runs;
    bool good = heat_run(heat, showing);
    for (size_t e = 0; good && e < round->entrants; e++)
        round->attempt[e]->merit = merit_of(&showing[e * TUNING_REPLICATIONS], TUNING_REPLICATIONS);
    free(showing);
    free(run);
    return good;
}

/* False: every search has come to its end, or (`*good` is false) a run could not be kept. */
static bool advance(const struct tuning *tuning, struct heat *heat, bool *good) {
    struct round round = {.arena = arena_new()};
    for (size_t c = 0; c < tuning->plan->contests; c++) {
        struct attempt *attempt;
        size_t attempts = tuning->search[c] ? tuning_search_next(tuning->search[c], &attempt) : 0;
        for (size_t q = 0; q < attempts; q++)
            add_attempt(&round, tuning->plan, c, &attempt[q]);
    }
    bool more = round.entrants > 0 && (*good = run_round(&round, heat));
    free(round.attempt);
    free(round.entrant);
    arena_free(round.arena);
    return more;
}

/* KEY=VALUE put where it belongs among others, which are sorted. */
static const char *parameters_with(struct arena *arena, const char *parameters, const char *key,
                                   double value) {
    char number[NUMBER_BYTES];
    number_print(number, value);
    const char *rest = parameters;
    while (*rest && strncmp(rest, key, strlen(key)) < 0) {
        rest += strcspn(rest, ";");
        rest += *rest == ';';
    }
    size_t before = (size_t)(rest - parameters);
    const char *head = arena_text(arena, parameters, before);
    bool joined = before == 0 || head[before - 1] == ';';
    return arena_format(arena, "%s%s%s=%s%s%s", head, joined ? "" : ";", key, number, *rest ? ";" : "", rest);
}

static void give(struct plan *plan, size_t contest, const double *value) {
    struct contest *own = &plan->contest[contest];
    const struct scenario *base = base_of(plan, contest);
    size_t e = (size_t)(own->entry - own->point->scenario->scheme);
    struct scenario *scenario = scenario_with_values(plan->arena, base, value);
    scenario->scheme = copied(plan->arena, base->scheme, base->schemes * sizeof *base->scheme);
    for (size_t a = 0; a < base->tunes; a++)
        scenario->scheme[e].parameters =
            parameters_with(plan->arena, scenario->scheme[e].parameters, base->tuned[a].key, value[a]);
    struct point *point = copied(plan->arena, &plan->point[own->point->index], sizeof *point);
    point->scenario = scenario;
    own->point = point;
    own->entry = &scenario->scheme[e];
}

static void give_all(const struct tuning *tuning) {
    for (size_t c = 0; c < tuning->plan->contests; c++) {
        const struct tuning_search *search = tuning->search[tuning->plan->contest[c].original];
        size_t count;
        if (search)
            give(tuning->plan, c, tuning_search_tried(search, &count)[tuning_search_best(search)].value);
    }
}

struct tuning *plan_tune(struct plan *plan, const struct tuning_request *request, bool *good) {
    *good = true;
    if (!plan_tunes(plan))
        return NULL;
    struct tuning *tuning = memory_zeroed(1, sizeof *tuning);
    struct progress_line line = progress_line_of(request->progress);
    struct heat heat = {.threads = request->threads,
                        .progress = &line,
                        .runs_in_all = plan_tuning_runs(plan),
                        .book = request->book};
    tuning->plan = plan;
    tuning->search = memory_zeroed(plan->contests, sizeof *tuning->search);
    for (size_t c = 0; c < plan->contests; c++)
        if (plan->contest[c].original == c && base_of(plan, c)->tunes > 0)
            tuning->search[c] = tuning_search_new(base_of(plan, c));
    while (advance(tuning, &heat, good))
        ;
    progress_line_end(&line);
    if (*good) {
        give_all(tuning);
        return tuning;
    }
    tuning_free(tuning);
    return NULL;
}

struct contest plan_tuned_contest(const struct plan *plan, size_t contest, unsigned threads) {
    struct contest own = plan->contest[contest];
    struct plan alone = *plan;
    own.original = 0;
    alone.contests = 1;
    alone.contest = &own;
    bool good;
    tuning_free(plan_tune(&alone, &(struct tuning_request){.threads = threads}, &good));
    return own;
}

void tuning_free(struct tuning *tuning) {
    if (!tuning)
        return;
    for (size_t c = 0; c < tuning->plan->contests; c++)
        tuning_search_free(tuning->search[c]);
    free(tuning->search);
    free(tuning);
}

static struct tuning_row row_of(const struct contest *contest, const struct attempt *attempt) {
    const struct scenario *scenario = contest->point->scenario;
    bool target = !isnan(scenario->stop.loss);
    struct tuning_row row = {.point = contest->point->index,
                             .swept = contest->point->swept,
                             .scheme = contest->entry->label,
                             .learning_rate = (double)NAN,
                             .momentum = (double)NAN,
                             .runs = TUNING_REPLICATIONS,
                             .reached = target ? attempt->merit.reached : (double)NAN,
                             .time_to_loss_s = target ? attempt->merit.cost : (double)NAN,
                             .final_loss = attempt->merit.final_loss};
    for (size_t a = 0; a < scenario->tunes; a++)
        *(strcmp(scenario->tuned[a].key, "momentum") == 0 ? &row.momentum : &row.learning_rate) =
            attempt->value[a];
    if (!isfinite(row.time_to_loss_s))
        row.time_to_loss_s = (double)NAN;
    if (!isfinite(row.final_loss))
        row.final_loss = (double)NAN;
    return row;
}

void tuning_sheet(const struct tuning *tuning, struct sheet *sheet) {
    const struct plan *plan = tuning->plan;
    sheet_init(sheet, &tuning_columns, plan->swept_key, plan->swept_keys);
    sheet_header(sheet);
    for (size_t c = 0; c < plan->contests; c++) {
        const struct tuning_search *search = tuning->search[plan->contest[c].original];
        size_t count = 0;
        const struct attempt *tried = search ? tuning_search_tried(search, &count) : NULL;
        for (size_t q = 0; q < count; q++) {
            struct tuning_row row = row_of(&plan->contest[c], &tried[q]);
            row.attempt = (uint32_t)q;
            row.best = q == tuning_search_best(search) ? "yes" : "no";
            sheet_row(sheet, &row);
        }
    }
}
