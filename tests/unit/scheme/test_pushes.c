/* What every scheme without a barrier promises to whoever gives out its tasks, in rounds without a clock: workers push in an
 * order drawn at random, some join or leave. */
#include "rehearsal.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

enum { WORKERS = 7, ROUNDS = 300, SEED = 5 };

static const char *const values[] = {"k=1 bound=0 max_age=0 fresh=1",
                                     "k=3 bound=1 max_age=4 fresh=4 on_bound=drop",
                                     "k=7 bound=2 max_age=9 fresh=7"};

/* A worker as whoever gives out tasks knows it. */
enum activity { ABSENT, FREE, WORKING, GONE };

struct stage {
    const struct scheme *scheme;
    struct setting setting;
    struct limits limits;
    uint32_t results; /* that close a round */
    struct arena *arena;
    void *state;
    struct draw draw;
    enum activity activity[WORKERS];
    uint32_t tasks[WORKERS];
    struct term pushed[WORKERS]; /* of the task that each is on */
    uint32_t version, heard, counted, told;
    struct message *message;
    struct term *term; /* of each message */
    const char *values;
};

#define CASE           "%s, %s, round with %u heard at version %u"
#define CASE_OF(stage) (stage)->scheme->head.name, (stage)->values, (stage)->heard, (stage)->version

static bool cancels(const struct stage *stage) {
    return stage->setting.late == LATE_CANCEL;
}

/* Of the rule that the parameters make: "{type: count, results: 3}". */
static uint32_t results_of(const struct scheme *scheme, const void *params) {
    struct sentence rule;
    uint32_t results = 0;
    cr_assert(scheme->own_wait(params, &rule));
    cr_assert(eq(int, sscanf(rule.text, "{type: count, results: %u}", &results), 1), "%s", rule.text);
    return results;
}

static void begin_task(struct stage *stage, uint32_t worker) {
    struct task task;
    stage->scheme->assign(stage->state, worker, stage->tasks[worker]++, &task);
    cr_assert(eq(u32, task.evaluations, 1), CASE, CASE_OF(stage));
    cr_assert(eq(u32, task.evaluation->partition, worker), CASE, CASE_OF(stage));
    cr_assert(eq(u32, task.evaluation->version, stage->version), CASE, CASE_OF(stage));
    cr_assert(eq(u32, task.evaluation->batch, task.step), CASE, CASE_OF(stage));
    stage->pushed[worker] = (struct term){
        .partition = worker, .batch = task.evaluation->batch, .version = task.evaluation->version};
    stage->activity[worker] = WORKING;
}

/* Who is told is there, and free unless all begin anew. */
static void begin_told(struct stage *stage) {
    for (uint32_t worker; (worker = stage->scheme->starts(stage->state)) != NOBODY;) {
        enum activity activity = stage->activity[worker];
        cr_assert(activity == FREE || (activity == WORKING && cancels(stage)), CASE ": worker %u",
                  CASE_OF(stage), worker);
        begin_task(stage, worker);
        stage->told++;
    }
}

static void open_round(struct stage *stage, uint32_t step) {
    stage->heard = stage->counted = 0;
    stage->scheme->open(stage->state, step, stage->version);
    begin_told(stage);
}

static void hear_push(struct stage *stage, uint32_t worker, uint32_t step) {
    struct term *term = &stage->term[stage->heard];
    struct computed computed = {worker, stage->tasks[worker] - 1, 0, 1};
    cr_assert(eq(sz, stage->scheme->finish(stage->state, &computed, term), 1), CASE, CASE_OF(stage));
    cr_assert(eq(u32, term->partition, worker), CASE, CASE_OF(stage));
    cr_assert(eq(u32, term->version, stage->pushed[worker].version), CASE, CASE_OF(stage));
    cr_assert(eq(u32, term->batch, stage->pushed[worker].batch), CASE, CASE_OF(stage));
    cr_assert(lt(u32, stage->heard, stage->limits.arrivals), CASE, CASE_OF(stage));
    struct message message = {worker, computed.step, 0, step};
    stage->message[stage->heard++] = message;
    stage->activity[worker] = FREE;
    stage->scheme->hear(stage->state, &message);
    stage->counted += !stage->scheme->counts || stage->scheme->counts(stage->state, &message);
}

/* By worker and step, as `choose` wants them. */
static void sort_messages(struct stage *stage) {
    for (uint32_t m = 1; m < stage->heard; m++)
        for (uint32_t q = m; q > 0 && stage->message[q].worker < stage->message[q - 1].worker; q--) {
            struct message message = stage->message[q];
            struct term term = stage->term[q];
            stage->message[q] = stage->message[q - 1];
            stage->term[q] = stage->term[q - 1];
            stage->message[q - 1] = message;
            stage->term[q - 1] = term;
        }
}

/* The coefficients of an estimate add up to n, as n g_p is an estimate of the gradient; to 1 where an update is of one g_p. */
static void check_update(struct stage *stage) {
    double weight[4 * WORKERS], sum = 0;
    struct term table[WORKERS];
    struct decoding decoding = {.weight = weight};
    sort_messages(stage);
    stage->scheme->choose(stage->state, stage->message, stage->heard, &decoding);
    for (uint32_t m = 0; m < stage->heard; m++)
        cr_assert(weight[m] == 0 || weight[m] == 1, CASE, CASE_OF(stage));
    cr_assert(decoding.recovered >= 1 && decoding.recovered <= WORKERS, CASE, CASE_OF(stage));
    cr_assert(eq(int, decoding.claim, INEXACT), CASE, CASE_OF(stage));
    stage->scheme->weigh(stage->state, stage->message, stage->heard, &decoding);
    size_t terms = stage->scheme->table ? stage->scheme->table(stage->state, table) : 0;
    cr_assert(le(sz, terms, stage->limits.table), CASE, CASE_OF(stage));
    for (size_t e = 0; e < terms; e++) {
        sum += table[e].coefficient;
        cr_assert(e == 0 || table[e - 1].partition < table[e].partition, CASE, CASE_OF(stage));
        cr_assert(le(u32, table[e].version, stage->version), CASE, CASE_OF(stage));
    }
    for (uint32_t m = 0; m < stage->heard && terms == 0; m++)
        sum += weight[m] * stage->term[m].coefficient;
    double wanted = stage->scheme->penalty == PENALTY_WITH_TERMS ? 1 : WORKERS;
    cr_assert(epsilon_eq(dbl, sum, wanted, 1e-12), CASE ": %g", CASE_OF(stage), sum);
}

static uint32_t drawn_worker(struct stage *stage, enum activity activity) {
    uint32_t found[WORKERS], count = 0;
    for (uint32_t i = 0; i < WORKERS; i++)
        if (stage->activity[i] == activity)
            found[count++] = i;
    return count > 0 ? found[draw_index(&stage->draw, count)] : NOBODY;
}

static void change_member(struct stage *stage, enum activity from, enum membership membership) {
    uint32_t worker = drawn_worker(stage, from);
    if (worker == NOBODY)
        return;
    stage->activity[worker] = membership == MEMBER_JOINED ? FREE : GONE;
    stage->scheme->member(stage->state, worker, membership);
    begin_told(stage);
}

/* False: nobody works, so the round never ends. */
static bool play_round(struct stage *stage, uint32_t step) {
    open_round(stage, step);
    while (stage->counted < stage->results) {
        uint32_t worker = drawn_worker(stage, WORKING);
        if (worker == NOBODY)
            return false;
        hear_push(stage, worker, step);
        if (stage->counted < stage->results)
            begin_told(stage);
    }
    uint32_t updates = 1;
    if (stage->scheme->completions)
        updates = stage->scheme->completions(stage->state, stage->message, stage->heard);
    cr_assert(le(u32, updates, 1), CASE, CASE_OF(stage));
    if (updates > 0)
        check_update(stage);
    stage->version += updates;
    return true;
}

static void begin_stage(struct stage *stage, const struct scheme *scheme, const void *params) {
    struct stream stream = {SEED, 0, PURPOSE_SAMPLE};
    const char *words = stage->values;
    *stage = (struct stage){.scheme = scheme,
                            .setting = plain_setting(WORKERS),
                            .arena = arena_new(),
                            .draw = {stream, 0, 0, 0},
                            .values = words};
    stage->setting.late = scheme->late;
    stage->setting.batches = true;
    stage->results = results_of(scheme, params);
    stage->limits = scheme->limits(params, &stage->setting);
    stage->message = arena_zeroed(stage->arena, stage->limits.arrivals, sizeof *stage->message);
    stage->term = arena_zeroed(stage->arena, stage->limits.arrivals, sizeof *stage->term);
    stage->state = scheme->begin(params, &stage->setting, stream, stage->arena);
}

/* Calls `play` for each scheme and each of the values that it accepts. */
static void each_case(void (*play)(struct stage *)) {
    uint32_t cases = 0;
    struct arena *arena = arena_new();
    for (const struct variant *const *variant = scheme_family.variants; *variant; variant++) {
        const struct scheme *scheme = (const struct scheme *)*variant;
        for (size_t q = 0; scheme->starts && q < sizeof values / sizeof *values; q++) {
            struct stage stage = {.values = values[q]};
            begin_stage(&stage, scheme, params_bound(arena, scheme, values[q]));
            play(&stage);
            arena_free(stage.arena);
            cases++;
        }
    }
    arena_free(arena);
    cr_assert(ge(u32, cases, 21));
}

static void all_stay(struct stage *stage) {
    open_round(stage, 0);
    cr_assert(eq(u32, stage->told, 0), CASE ": nobody is there", CASE_OF(stage));
    for (uint32_t i = 0; i < WORKERS; i++) {
        stage->activity[i] = FREE;
        stage->scheme->member(stage->state, i, MEMBER_JOINED);
    }
    begin_told(stage);
    cr_assert(eq(u32, stage->told, WORKERS), CASE ": all begin", CASE_OF(stage));
    for (uint32_t step = 0; step < ROUNDS; step++)
        cr_assert(play_round(stage, step), CASE ": nobody works", CASE_OF(stage));
}

Test(pushes, rounds_end_while_all_stay) {
    each_case(all_stay);
}

/* One joins every tenth round, one leaves every twentieth, the last ones stay. */
static void members_change(struct stage *stage) {
    for (uint32_t step = 0; step < ROUNDS; step++) {
        open_round(stage, step);
        if (step % 10 == 0)
            change_member(stage, ABSENT, MEMBER_JOINED);
        if (step % 20 == 19 && step < 100)
            change_member(stage, drawn_worker(stage, WORKING) != NOBODY ? WORKING : FREE, MEMBER_GONE);
        bool alone = stage->results == 1;
        cr_assert(play_round(stage, step) || !alone, CASE ": nobody works", CASE_OF(stage));
    }
}

/* A round that one push closes always ends while somebody is there, so nobody waits for ever for one who has left. */
Test(pushes, who_leaves_holds_nobody_back) {
    each_case(members_change);
}
