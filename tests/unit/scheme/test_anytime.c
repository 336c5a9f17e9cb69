/* Anytime: rows done by a deadline, and the mean over them. */
#include "rehearsal.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

enum { WORKERS = 4 };

/* A step at whose close the workers had done these shares; those with all of it are heard, the others collected. */
struct step {
    struct rehearsal rehearsal;
    struct term term[WORKERS];
    size_t terms[WORKERS];
    struct message message[WORKERS];
    double weight[WORKERS];
    struct decoding decoding;
    uint32_t completed;
    bool decodable;
};

static void step_take(struct step *step, size_t rows, const double *done) {
    static const double nothing = NAN;
    struct setting setting = plain_setting(WORKERS);
    setting.rows = rows;
    setting.late = LATE_CANCEL;
    rehearsal_begin(&step->rehearsal, "anytime", &nothing, setting);
    const struct scheme *scheme = step->rehearsal.scheme;
    void *state = step->rehearsal.state;
    /* Two steps without an update came before: version 3 in round 5. */
    scheme->open(state, 5, 3);
    for (uint32_t i = 0; i < WORKERS; i++) {
        struct task task;
        scheme->assign(state, i, 5, &task);
        cr_assert(eq(u32, task.evaluation->version, 3));
        step->terms[i] = scheme->finish(state, &(struct computed){i, 5, 0, done[i]}, &step->term[i]);
        step->message[i] = (struct message){.worker = i, .step = 5, .arrived_s = 1};
        if (done[i] == 1)
            scheme->hear(state, &step->message[i]);
    }
    step->decodable = scheme->decodable(state);
    step->decoding.weight = step->weight;
    step->completed = scheme->completions(state, step->message, WORKERS);
    if (step->completed) {
        scheme->choose(state, step->message, WORKERS, &step->decoding);
        scheme->weigh(state, step->message, WORKERS, &step->decoding);
    }
    rehearsal_end(&step->rehearsal);
}

/* m = 10 rows on 4 workers: 2, 3, 2, 3 of them. `rows` is what a term says: 0 for all, NONE for no term. */
enum { NONE = UINT32_MAX };
static const struct {
    const char *name;
    double done[WORKERS];
    uint32_t rows[WORKERS];
    double weight[WORKERS];
    uint32_t completed, recovered;
    enum claim claim;
} rows[] = {
    {"all rows", {1, 1, 1, 1}, {0, 0, 0, 0}, {1, 1, 1, 1}, 1, 4, EXACT},
    {"half of each", {0.5, 0.5, 0.5, 0.5}, {1, 1, 1, 1}, {2.5, 2.5, 2.5, 2.5}, 1, 4, INEXACT},
    {"one row short", {1, 0.9, 1, 1}, {0, 2, 0, 0}, {10.0 / 9, 10.0 / 9, 10.0 / 9, 10.0 / 9}, 1, 4, INEXACT},
    {"less than a row", {0.49, 0.33, 0, 1}, {NONE, NONE, NONE, 0}, {0, 0, 0, 10.0 / 3}, 1, 1, INEXACT},
    {"no row by anybody", {0.4, 0.3, 0, 0.1}, {NONE, NONE, NONE, NONE}, {0}, 0, 0, INEXACT},
};

Test(anytime, steps_by_hand) {
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct step step = {0};
        step_take(&step, 10, rows[r].done);
        cr_expect(eq(u32, step.completed, rows[r].completed), "%s", rows[r].name);
        for (uint32_t i = 0; i < WORKERS; i++) {
            cr_expect(eq(sz, step.terms[i], rows[r].rows[i] != NONE), "%s, worker %u", rows[r].name, i);
            cr_expect(eq(dbl, step.weight[i], rows[r].weight[i]), "%s, worker %u", rows[r].name, i);
            if (rows[r].rows[i] == NONE)
                continue;
            cr_expect(eq(u32, step.term[i].rows, rows[r].rows[i]), "%s, worker %u", rows[r].name, i);
            cr_expect(eq(u32, step.term[i].partition, i), "%s", rows[r].name);
            cr_expect(eq(u32, step.term[i].version, 3), "%s", rows[r].name);
        }
        cr_expect(eq(int, step.decodable, rows[r].claim == EXACT), "%s", rows[r].name);
        if (!rows[r].completed)
            continue;
        cr_expect(eq(u32, step.decoding.recovered, rows[r].recovered), "%s", rows[r].name);
        cr_expect(eq(int, step.decoding.claim, rows[r].claim), "%s", rows[r].name);
    }
}

/* The estimate of row gradients 1, 2, 4, … by the definition: their mean over the rows done. Every sum of powers of two is
 * exact; the weight and the division round once each. */
static double mean_of_rows(size_t samples, const double *done) {
    double sum = 0, counted = 0;
    for (size_t i = 0; i < WORKERS; i++) {
        size_t first = i * samples / WORKERS, end = (i + 1) * samples / WORKERS;
        for (size_t row = first; row < end; row++)
            if ((double)(row - first + 1) <= done[i] * (double)(end - first)) {
                sum += ldexp(1, (int)row);
                counted++;
            }
    }
    return sum / counted;
}

static double estimate_of(const struct step *step, size_t samples) {
    double sum = 0;
    for (size_t i = 0; i < WORKERS; i++) {
        size_t first = i * samples / WORKERS, end = (i + 1) * samples / WORKERS;
        size_t last = step->term[i].rows > 0 ? first + step->term[i].rows : end;
        for (size_t row = first; step->terms[i] && row < last; row++)
            sum += step->weight[i] * ldexp(1, (int)row);
    }
    return sum / (double)samples;
}

Test(anytime, the_estimate_is_the_mean_over_the_rows_done) {
    static const double share[] = {0, 0.2, 0.5, 0.75, 0.99, 1};
    static const size_t samples[] = {4, 7, 10, 18};
    for (size_t s = 0; s < sizeof samples / sizeof *samples; s++)
        for (uint32_t set = 1; set < 6 * 6 * 6 * 6; set++) {
            double done[WORKERS];
            for (uint32_t i = 0, rest = set; i < WORKERS; i++, rest /= 6)
                done[i] = share[rest % 6];
            struct step step = {0};
            step_take(&step, samples[s], done);
            double mean = mean_of_rows(samples[s], done);
            cr_assert(eq(u32, step.completed, !isnan(mean)), "m = %zu, set %u", samples[s], set);
            if (step.completed)
                cr_assert(epsilon_eq(dbl, estimate_of(&step, samples[s]), mean, 1e-14 * mean),
                          "m = %zu, set %u", samples[s], set);
        }
}

/* Without data a worker that had begun has something done, and only whole tasks are exact. */
Test(anytime, only_time_counts) {
    struct step step = {0};
    step_take(&step, 0, (const double[]){0.001, 1, 0, 0.5});
    cr_expect(eq(u32, step.completed, 1));
    cr_expect(eq(u32, step.decoding.recovered, 3));
    cr_expect(eq(int, step.decoding.claim, INEXACT));
    step_take(&step, 0, (const double[]){1, 1, 1, 1});
    cr_expect(eq(int, step.decoding.claim, EXACT));
    step_take(&step, 0, (const double[]){1, 1, 1, 0.5});
    cr_expect(eq(int, step.decoding.claim, INEXACT));
    step_take(&step, 0, (const double[]){0, 0, 0, 0});
    cr_expect(eq(u32, step.completed, 0));
}

static const struct {
    double seconds_s;
    const char *rule; /* NULL: none of its own */
} rules[] = {
    {3, "{type: deadline, seconds: 3, min: 0}"},
    {0.1, "{type: deadline, seconds: 0.1, min: 0}"},
    {1.0 / 3, "{type: deadline, seconds: 0.3333333333333333, min: 0}"},
    {1e-6, "{type: deadline, seconds: 1e-06, min: 0}"},
    {NAN, "anytime needs seconds, or a wait rule"},
};

Test(anytime, seconds_make_the_wait_rule) {
    const struct scheme *scheme = scheme_named("anytime");
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        struct sentence rule = {""};
        bool own = scheme->own_wait(&rules[r].seconds_s, &rule);
        cr_expect(eq(int, own, !isnan(rules[r].seconds_s)), "row %zu", r);
        cr_expect(eq(str, rule.text, (char *)rules[r].rule), "row %zu", r);
    }
}

/* It needs nobody, so what closes with nobody is accepted; of other schemes it is refused. */
Test(anytime, a_deadline_may_ask_for_no_result) {
    struct binder binder = {.diag = diag_new(), .arena = arena_new()};
    struct place place = {"t", 1, 1};
    struct node *mapping = node_mapping(binder.arena, place);
    node_append(binder.arena, mapping, "type", node_scalar(binder.arena, place, "deadline"));
    node_append(binder.arena, mapping, "seconds", node_scalar(binder.arena, place, "3"));
    node_append(binder.arena, mapping, "min", node_scalar(binder.arena, place, "0"));
    struct picked wait = {0};
    cr_assert(param_bind(&binder, mapping, &wait_table, &wait));
    struct sentence why = {""};
    double none = NAN;
    struct picked anytime = {&scheme_named("anytime")->head, &none};
    cr_expect(scheme_accepts_wait(&anytime, (struct shape){12, 12}, &wait, &why), "%s", why.text);
    struct code_params params = {.stragglers = 2};
    struct picked ignore = {&scheme_named("ignore")->head, &params};
    cr_expect(not(scheme_accepts_wait(&ignore, (struct shape){12, 12}, &wait, &why)));
    cr_expect(eq(str, why.text,
                 (char *)"deadline may close with 0 of 12 results, but ignore with stragglers = 2 needs 1 to "
                         "decode"));
    cr_expect(not(scheme_accepts_late(&anytime, LATE_QUEUE, &why)));
    cr_expect(eq(str, why.text, (char *)"anytime does not accept queue: its default is cancel"));
    cr_expect(anytime.type->name != NULL &&
              scheme_named("anytime")->refuses(&none, (struct shape){12, 6}, &why));
    cr_expect(eq(str, why.text, (char *)"partitions = 6 must equal workers = 12"));
    diag_free(binder.diag);
    arena_free(binder.arena);
}
