#include "memory.h"
#include "rounds_inside.h"
#include <math.h>

/* Whoever is heard: all messages are used, and they hold all partitions, which every scheme that says so then claims. */
static bool always_exact(const struct rounds *rounds) {
    return rounds->scheme->recovers && rounds->recovered == rounds->setting.shape.partitions;
}

void rounds_learn_begin(struct rounds *rounds) {
    const struct scenario *scenario = rounds->spec.scenario;
    struct lesson *lesson = &rounds->lesson;
    lesson->accumulate = scenario_accumulated(scenario);
    if (!scenario->objective.data)
        return;
    lesson->exact = always_exact(rounds);
    lesson->objective = scenario->objective;
    lesson->objective.partitions = rounds->setting.shape.partitions;
    if (rounds->spec.trajectories)
        lesson->trajectory =
            trajectory_join(rounds->spec.trajectories, &lesson->objective, scenario->optimizer);
    struct learner_spec spec = {.objective = &lesson->objective,
                                .optimizer = scenario->optimizer,
                                .replication = rounds->spec.replication,
                                .trajectory = lesson->trajectory};
    lesson->learner = learner_new(&spec);
    lesson->term = arena_zeroed(rounds->arena, rounds->limits.terms, sizeof *lesson->term);
    lesson->gradient_term = arena_zeroed(rounds->arena, rounds->limits.terms, sizeof *lesson->gradient_term);
}

void rounds_learn_end(struct rounds *rounds) {
    learner_free(rounds->lesson.learner);
    if (rounds->lesson.trajectory)
        trajectory_part(rounds->spec.trajectories, rounds->lesson.trajectory);
}

/* The terms of a worker's message in a round. */
static size_t terms_of(struct rounds *rounds, uint32_t worker, uint32_t step) {
    const struct computed computed = {.worker = worker, .step = step, .done = 1};
    return rounds->scheme->finish(rounds->state, &computed, rounds->lesson.term);
}

/* All terms of a round are of one batch and the present version, so those of any worker tell them. */
static void add_full(struct rounds *rounds, const struct closed_round *round) {
    const struct term *term = rounds->lesson.term;
    terms_of(rounds, 0, round->step);
    learner_add_full(rounds->lesson.learner, term->batch, term->version);
}

static void add_message(struct rounds *rounds, const struct message *message, double weight) {
    struct lesson *lesson = &rounds->lesson;
    size_t terms = terms_of(rounds, message->worker, message->step);
    for (size_t e = 0; e < terms; e++) {
        const struct term *term = &lesson->term[e];
        lesson->gradient_term[e] =
            (struct gradient_term){.key = {term->partition, term->batch, term->version},
                                   .rows = term->rows,
                                   .coefficient = term->coefficient};
    }
    learner_add_message(lesson->learner, (struct weighting){.weight = weight}, lesson->gradient_term, terms);
}

static void add_messages(struct rounds *rounds) {
    struct hearers *hearers = &rounds->hearers;
    rounds->scheme->weigh(rounds->state, hearers->message, rounds->k, &hearers->decoding);
    for (uint32_t m = 0; m < rounds->k; m++)
        if (hearers->decoding.weight[m] != 0)
            add_message(rounds, &hearers->message[m], hearers->decoding.weight[m]);
}

/* The share of the workers whose messages are used. */
static double share_of(const struct rounds *rounds) {
    uint32_t used = rounds->asks ? 0 : rounds->k;
    for (uint32_t m = 0; rounds->asks && m < rounds->k; m++)
        used += rounds->hearers.decoding.weight[m] != 0;
    return (double)used / rounds->workers;
}

bool rounds_learn(struct rounds *rounds, size_t r) {
    struct learner *learner = rounds->lesson.learner;
    double share = share_of(rounds);
    learner_clear(learner);
    if (rounds->lesson.exact || rounds->hearers.decoding.claim == EXACT)
        add_full(rounds, &rounds->round[r]);
    else
        add_messages(rounds);
    return learner_update(learner, share);
}
