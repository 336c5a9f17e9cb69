#include "rehearsal.h"
#include <math.h>

const struct scheme *scheme_named(const char *name) {
    return (const struct scheme *)family_find(&scheme_family, name);
}

struct setting plain_setting(uint32_t workers) {
    return (struct setting){.shape = {workers, workers}, .late = LATE_QUEUE};
}

void rehearsal_begin(struct rehearsal *rehearsal, const char *scheme, struct code_params params,
                     struct setting setting) {
    uint32_t workers = setting.shape.workers;
    struct stream code = {REHEARSAL_SEED, REHEARSAL_REPLICATION, PURPOSE_CODE};
    *rehearsal = (struct rehearsal){
        .scheme = scheme_named(scheme), .params = params, .setting = setting, .arena = arena_new()};
    struct arena *arena = rehearsal->arena;
    rehearsal->limits = rehearsal->scheme->limits(&rehearsal->params, &setting);
    rehearsal->state = rehearsal->scheme->begin(&rehearsal->params, &setting, code, arena);
    rehearsal->term = arena_zeroed(arena, (size_t)workers * rehearsal->limits.terms, sizeof *rehearsal->term);
    rehearsal->terms = arena_zeroed(arena, workers, sizeof *rehearsal->terms);
    rehearsal->message = arena_zeroed(arena, workers, sizeof *rehearsal->message);
    rehearsal->decoding.weight = arena_zeroed(arena, workers, sizeof *rehearsal->decoding.weight);
}

void rehearsal_end(struct rehearsal *rehearsal) {
    arena_free(rehearsal->arena);
}

void rehearse_task(struct rehearsal *rehearsal, uint32_t worker, uint32_t step) {
    struct task task;
    rehearsal->scheme->assign(rehearsal->state, worker, step, &task);
    rehearsal->terms[worker] = rehearsal->scheme->finish(
        rehearsal->state, worker, step, rehearsal->term + (size_t)worker * rehearsal->limits.terms);
}

/* The next to arrive after (`time_s`, `worker`): by time, then by worker. */
static uint32_t next_arrival(const double *arrived_s, uint32_t workers, double time_s, uint32_t worker) {
    uint32_t next = workers;
    for (uint32_t i = 0; i < workers; i++) {
        bool after = arrived_s[i] > time_s || (arrived_s[i] == time_s && i > worker);
        if (isfinite(arrived_s[i]) && after && (next == workers || arrived_s[i] < arrived_s[next]))
            next = i;
    }
    return next;
}

void rehearse(struct rehearsal *rehearsal, uint32_t step, const double *arrived_s) {
    uint32_t workers = rehearsal->setting.shape.workers;
    rehearsal->scheme->open(rehearsal->state, step, step);
    rehearsal->messages = 0;
    for (uint32_t i = 0; i < workers; i++) {
        rehearse_task(rehearsal, i, step);
        if (isfinite(arrived_s[i]))
            rehearsal->message[rehearsal->messages++] = (struct message){i, step, arrived_s[i]};
    }
    double time_s = -INFINITY;
    for (uint32_t i = workers; (i = next_arrival(arrived_s, workers, time_s, i)) < workers;) {
        struct message message = {i, step, time_s = arrived_s[i]};
        if (rehearsal->scheme->hear)
            rehearsal->scheme->hear(rehearsal->state, &message);
    }
    rehearsal->scheme->choose(rehearsal->state, rehearsal->message, rehearsal->messages,
                              &rehearsal->decoding);
    rehearsal->scheme->weigh(rehearsal->state, rehearsal->message, rehearsal->messages, &rehearsal->decoding);
}

void rehearse_mask(struct rehearsal *rehearsal, uint32_t step, uint64_t mask) {
    double arrived_s[64];
    for (uint32_t i = 0; i < rehearsal->setting.shape.workers; i++)
        arrived_s[i] = mask >> i & 1 ? i + 1.0 : INFINITY;
    rehearse(rehearsal, step, arrived_s);
}

double estimate_coefficient(const struct rehearsal *rehearsal, uint32_t partition) {
    double sum = 0;
    for (uint32_t m = 0; m < rehearsal->messages; m++) {
        uint32_t worker = rehearsal->message[m].worker;
        const struct term *term = rehearsal->term + (size_t)worker * rehearsal->limits.terms;
        for (size_t e = 0; e < rehearsal->terms[worker]; e++)
            if (term[e].partition == partition)
                sum += rehearsal->decoding.weight[m] * term[e].coefficient;
    }
    return sum;
}
