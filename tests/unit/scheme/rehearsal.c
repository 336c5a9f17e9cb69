#include "rehearsal.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct scheme *scheme_named(const char *name) {
    return (const struct scheme *)family_find(&scheme_family, name);
}

static bool takes(const struct scheme *scheme, const char *key) {
    const struct param_table *table = scheme->head.params;
    for (size_t q = 0; table && q < table->count; q++)
        if (strcmp(table->param[q].name, key) == 0)
            return true;
    return false;
}

/* Files that parameters name; kept until the program ends. */
static struct shelf *shelf(void) {
    static struct shelf *only;
    only = only ? only : shelf_new();
    return only;
}

void *params_bound(struct arena *arena, const struct scheme *scheme, const char *values) {
    struct place place = {"test", 1, 1};
    struct node *mapping = node_mapping(arena, place);
    char text[200], *rest = text;
    snprintf(text, sizeof text, "%s", values);
    for (char *word; (word = strsep(&rest, " "));) {
        char *value = word, *key = strsep(&value, "=");
        if (takes(scheme, key))
            node_append(arena, mapping, key, node_scalar(arena, place, value));
    }
    if (!scheme->head.params)
        return arena_zeroed(arena, 1, 1);
    struct diag *diag = diag_new();
    struct binder binder = {.diag = diag, .arena = arena, .folder = getenv("LAGGARD_SOURCE")};
    void *params = arena_zeroed(arena, 1, scheme->head.params->size);
    bool bound = param_bind(&binder, mapping, scheme->head.params, params);
    if (bound && scheme->load)
        bound = scheme->load(params, &(struct scheme_files){.diag = diag, .shelf = shelf(), .node = mapping});
    diag_free(diag);
    return bound ? params : NULL;
}

struct setting plain_setting(uint32_t workers) {
    return (struct setting){
        .shape = {workers, workers}, .late = LATE_QUEUE, .steps = PARAM_ABSENT, .rows = 1000};
}

static uint32_t rounds_kept(const struct rehearsal *rehearsal) {
    return rehearsal->limits.held + 1;
}

static struct rehearsed *rehearsed_part(const struct rehearsal *rehearsal, uint32_t step, uint32_t worker,
                                        uint32_t part) {
    size_t round = step % rounds_kept(rehearsal);
    return &rehearsal
                ->rehearsed[(round * rehearsal->setting.shape.workers + worker) * rehearsal->parts + part];
}

void rehearsal_begin(struct rehearsal *rehearsal, const char *scheme, const void *params,
                     struct setting setting) {
    struct stream code = {REHEARSAL_SEED, REHEARSAL_REPLICATION, PURPOSE_CODE};
    *rehearsal = (struct rehearsal){
        .scheme = scheme_named(scheme), .params = params, .setting = setting, .arena = arena_new()};
    struct arena *arena = rehearsal->arena;
    rehearsal->limits = rehearsal->scheme->limits(params, &setting);
    rehearsal->parts = rehearsal->limits.parts > 0 ? rehearsal->limits.parts : 1;
    rehearsal->state = rehearsal->scheme->begin(params, &setting, code, arena);
    size_t messages = (size_t)rounds_kept(rehearsal) * setting.shape.workers * rehearsal->parts;
    rehearsal->rehearsed = arena_zeroed(arena, messages, sizeof *rehearsal->rehearsed);
    for (size_t m = 0; m < messages; m++)
        rehearsal->rehearsed[m] = (struct rehearsed){
            arena_zeroed(arena, rehearsal->limits.terms, sizeof(struct term)), 0, INFINITY};
    rehearsal->message = arena_zeroed(arena, messages, sizeof *rehearsal->message);
    rehearsal->decoding.weight = arena_zeroed(arena, messages, sizeof *rehearsal->decoding.weight);
    rehearsal->mark = arena_zeroed(arena, messages, sizeof *rehearsal->mark);
}

void rehearsal_end(struct rehearsal *rehearsal) {
    arena_free(rehearsal->arena);
}

void rehearse_task(struct rehearsal *rehearsal, uint32_t worker, uint32_t step) {
    struct task task;
    rehearsal->scheme->assign(rehearsal->state, worker, step, &task);
    for (uint32_t q = 0; q < rehearsal->parts; q++) {
        struct rehearsed *one = rehearsed_part(rehearsal, step, worker, q);
        one->terms = q < (task.parts > 0 ? task.parts : 1)
                         ? rehearsal->scheme->finish(rehearsal->state, &(struct computed){worker, step, q, 1},
                                                     one->term)
                         : 0;
        one->arrived_s = INFINITY;
    }
}

static void hear_one(struct rehearsal *rehearsal, const struct message *message) {
    rehearsed_part(rehearsal, message->step, message->worker, message->part)->arrived_s = message->arrived_s;
    if (rehearsal->scheme->hear)
        rehearsal->scheme->hear(rehearsal->state, message);
}

/* Tells the scheme of the arrivals in the order of (time, worker, part). */
static void hear_all(struct rehearsal *rehearsal, uint32_t step, const double *arrived_s) {
    uint32_t parts = rehearsal->parts, slots = rehearsal->setting.shape.workers * parts, last = slots;
    for (;;) {
        uint32_t next = slots;
        for (uint32_t q = 0; q < slots; q++) {
            bool after = last == slots || arrived_s[q] > arrived_s[last] ||
                         (arrived_s[q] == arrived_s[last] && q > last);
            if (isfinite(arrived_s[q]) && after && (next == slots || arrived_s[q] < arrived_s[next]))
                next = q;
        }
        if (next == slots)
            return;
        last = next;
        hear_one(rehearsal, &(struct message){next / parts, step, next % parts, arrived_s[next]});
    }
}

/* Where the rule is always a deadline of its own, those who may not straggle are waited for. */
static void hear_rest(struct rehearsal *rehearsal, uint32_t step) {
    const struct scheme *scheme = rehearsal->scheme;
    if (!scheme->own_wait || !scheme->admits || scheme->admits(rehearsal->state))
        return;
    for (uint32_t i = 0; i < rehearsal->setting.shape.workers; i++)
        for (uint32_t q = 0; q < rehearsal->parts; q++)
            if (!isfinite(rehearsed_part(rehearsal, step, i, q)->arrived_s))
                hear_one(rehearsal, &(struct message){i, step, q, 1e9});
}

static void gather(struct rehearsal *rehearsal, uint32_t step) {
    uint32_t held = rehearsal->limits.held < step ? rehearsal->limits.held : step;
    rehearsal->messages = 0;
    for (uint32_t i = 0; i < rehearsal->setting.shape.workers; i++)
        for (uint32_t t = step - held; t <= step; t++)
            for (uint32_t q = 0; q < rehearsal->parts; q++) {
                double arrived_s = rehearsed_part(rehearsal, t, i, q)->arrived_s;
                if (isfinite(arrived_s))
                    rehearsal->message[rehearsal->messages++] = (struct message){i, t, q, arrived_s};
            }
}

static void update(struct rehearsal *rehearsal) {
    const struct scheme *scheme = rehearsal->scheme;
    scheme->choose(rehearsal->state, rehearsal->message, rehearsal->messages, &rehearsal->decoding);
    memcpy(rehearsal->mark, rehearsal->decoding.weight, rehearsal->messages * sizeof *rehearsal->mark);
    scheme->weigh(rehearsal->state, rehearsal->message, rehearsal->messages, &rehearsal->decoding);
    rehearsal->updates++;
    if (rehearsal->updated)
        rehearsal->updated(rehearsal);
}

/* Where nothing is done, nothing is heard. */
static void compute_all(struct rehearsal *rehearsal, uint32_t step, const double *arrived_s) {
    const struct scheme *scheme = rehearsal->scheme;
    uint32_t workers = rehearsal->setting.shape.workers;
    for (uint32_t i = 0; i < workers; i++)
        for (uint32_t q = 0; q < rehearsal->parts; q++)
            rehearsed_part(rehearsal, step, i, q)->arrived_s = INFINITY;
    if (scheme->idle && scheme->idle(rehearsal->state))
        return;
    for (uint32_t i = 0; i < workers; i++)
        rehearse_task(rehearsal, i, step);
    hear_all(rehearsal, step, arrived_s);
    hear_rest(rehearsal, step);
}

void rehearse(struct rehearsal *rehearsal, uint32_t step, const double *arrived_s) {
    const struct scheme *scheme = rehearsal->scheme;
    scheme->open(rehearsal->state, step, scheme->completions ? rehearsal->updates : step);
    compute_all(rehearsal, step, arrived_s);
    gather(rehearsal, step);
    rehearsal->completed = 1;
    if (scheme->completions)
        rehearsal->completed = scheme->completions(rehearsal->state, rehearsal->message, rehearsal->messages);
    for (uint32_t u = 0; u < rehearsal->completed; u++)
        update(rehearsal);
}

void rehearse_mask(struct rehearsal *rehearsal, uint32_t step, uint64_t mask) {
    double arrived_s[64 * 64];
    uint32_t parts = rehearsal->parts;
    for (uint32_t i = 0; i < rehearsal->setting.shape.workers; i++)
        for (uint32_t q = 0; q < parts; q++)
            arrived_s[i * parts + q] = mask >> i & 1 ? i + 1.0 : INFINITY;
    rehearse(rehearsal, step, arrived_s);
}

const struct term *rehearsed_terms(const struct rehearsal *rehearsal, const struct message *message,
                                   size_t *terms) {
    const struct rehearsed *one = rehearsed_part(rehearsal, message->step, message->worker, message->part);
    *terms = one->terms;
    return one->term;
}

double estimate_coefficient(const struct rehearsal *rehearsal, uint32_t partition) {
    double sum = 0;
    for (uint32_t m = 0; m < rehearsal->messages; m++) {
        size_t terms;
        const struct term *term = rehearsed_terms(rehearsal, &rehearsal->message[m], &terms);
        for (size_t e = 0; e < terms; e++)
            if (term[e].partition == partition)
                sum += rehearsal->decoding.weight[m] * term[e].coefficient;
    }
    return sum;
}
