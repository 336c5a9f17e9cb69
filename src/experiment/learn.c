#include "trial_state.h"
#include <math.h>

static struct gradient_key key_of(const struct term *term) {
    return (struct gradient_key){term->partition, term->batch, term->version};
}

/* Twice what can be live at once, so that sweeps are rare, and room for one step's gradients. */
static size_t kept_gradients(const struct trial *trial) {
    size_t workers = trial->setting.shape.workers, partitions = trial->setting.shape.partitions;
    if (trial->limits.kept == 0)
        return 0;
    if (trial->limits.span > 0)
        return (2 * (size_t)trial->limits.span + 1) * partitions;
    return 2 * workers * (trial->limits.kept + trial->limits.evaluations) + partitions;
}

/* What the workers hold before step 0 is of w_0. */
static void keep_warm_up(struct trial *trial) {
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++) {
        size_t terms = trial->scheme->kept(trial->state, i, trial->kept);
        for (size_t e = 0; e < terms; e++)
            learner_keep(trial->learner, key_of(&trial->kept[e]));
    }
}

void learn_begin(struct trial *trial) {
    const struct scenario *scenario = trial->spec.scenario;
    trial->initial_loss = (double)NAN;
    if (!scenario->objective.data)
        return;
    trial->objective = scenario->objective;
    trial->objective.partitions = trial->setting.shape.partitions;
    struct learner_spec spec = {&trial->objective, scenario->optimizer, trial->spec.replication,
                                kept_gradients(trial)};
    trial->learner = learner_new(&spec);
    trial->initial_loss = learner_loss(trial->learner);
    if (spec.kept > 0)
        keep_warm_up(trial);
}

/* What a worker holds, and what the task it is on will give. */
static void mark_worker(struct trial *trial, struct store *store, uint32_t worker) {
    const struct task *task = &trial->seat[worker].task;
    size_t terms = trial->scheme->kept(trial->state, worker, trial->kept);
    for (size_t e = 0; e < terms; e++)
        store_mark(store, key_of(&trial->kept[e]));
    for (uint32_t e = 0; e < task->evaluations; e++) {
        const struct evaluation *evaluation = &task->evaluation[e];
        store_mark(store,
                   (struct gradient_key){evaluation->partition, evaluation->batch, evaluation->version});
    }
}

static void make_room(struct trial *trial, struct store *store) {
    if (store_room(store) >= trial->setting.shape.partitions)
        return;
    if (trial->limits.span > 0) {
        store_mark_since(store,
                         trial->step + 1 > trial->limits.span ? trial->step + 1 - trial->limits.span : 0);
    } else {
        for (uint32_t i = 0; i < trial->setting.shape.workers; i++)
            if (cluster_present(trial->cluster, i) || !trial->seat[i].joined)
                mark_worker(trial, store, i);
    }
    store_sweep(store);
}

/* Gradients of this version that a worker computes, now or once it gets to this step, and then holds. */
static void keep_gradients(struct trial *trial) {
    make_room(trial, learner_store(trial->learner));
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++) {
        struct task task;
        if (!cluster_present(trial->cluster, i))
            continue;
        trial->scheme->assign(trial->state, i, trial->step, &task);
        for (uint32_t e = 0; e < task.evaluations; e++)
            learner_keep(trial->learner,
                         (struct gradient_key){task.evaluation[e].partition, task.evaluation[e].batch,
                                               task.evaluation[e].version});
    }
}

static void gather_messages(struct trial *trial) {
    uint32_t messages = 0;
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++) {
        struct seat *seat = &trial->seat[i];
        seat->used = false;
        if (seat->heard)
            trial->message[messages++] =
                (struct message){.worker = i, .step = trial->step, .arrived_s = seat->arrived_s};
    }
}

static void choose(struct trial *trial) {
    trial->decoding.residual = trial->decoding.largest_weight = (double)NAN;
    trial->scheme->choose(trial->state, trial->message, trial->heard, &trial->decoding);
    for (uint32_t m = 0; m < trial->heard; m++) {
        struct seat *seat = &trial->seat[trial->message[m].worker];
        seat->used = trial->decoding.weight[m] != 0;
        seat->row.used += seat->used;
    }
}

/* A message may carry the work of several tasks: each is told once, in the order of the terms. */
static void tell_use(const struct trial *trial, uint32_t worker) {
    const struct seat *seat = &trial->seat[worker];
    const struct term *term = trial_terms(trial, worker);
    uint32_t told = NO_STEP;
    if (!seat->used)
        tell(trial, MOMENT_UNUSED, trial->closed_s, worker, trial->step);
    for (size_t e = 0; seat->used && e < seat->terms; e++) {
        if (term[e].version == told || !ledger_holds(trial->ledger, worker, &term[e]))
            continue;
        told = term[e].version;
        tell(trial, MOMENT_USED, trial->closed_s, worker, told);
    }
}

/* Staleness over the terms of used messages; what their evaluations were good for. */
static void account(struct trial *trial) {
    double sum = 0, largest = 0;
    size_t terms = 0;
    for (uint32_t a = 0; a < trial->heard; a++) {
        const struct seat *seat = &trial->seat[trial->arrival[a]];
        const struct term *term = trial_terms(trial, trial->arrival[a]);
        if (trial->moments)
            tell_use(trial, trial->arrival[a]);
        if (!seat->used)
            continue;
        ledger_use(trial->ledger, trial->arrival[a], term, seat->terms, trial->step);
        for (size_t e = 0; e < seat->terms; e++) {
            double staleness = trial->step - term[e].version;
            sum += staleness;
            largest = fmax(largest, staleness);
        }
        terms += seat->terms;
    }
    trial->row.staleness_mean = terms > 0 ? sum / (double)terms : (double)NAN;
    trial->row.staleness_max = terms > 0 ? largest : (double)NAN;
}

static void add_messages(struct trial *trial) {
    for (uint32_t m = 0; m < trial->heard; m++) {
        uint32_t worker = trial->message[m].worker;
        const struct term *term = trial_terms(trial, worker);
        if (trial->decoding.weight[m] == 0)
            continue;
        for (size_t e = 0; e < trial->seat[worker].terms; e++)
            trial->gradient_term[e] = (struct gradient_term){key_of(&term[e]), term[e].coefficient};
        learner_add_message(trial->learner, trial->decoding.weight[m], trial->gradient_term,
                            trial->seat[worker].terms);
    }
}

static void train(struct trial *trial) {
    learner_clear(trial->learner);
    if (trial->limits.kept > 0)
        keep_gradients(trial);
    if (trial->spec.entry->decode == DECODE_SHARED && trial->decoding.claim == EXACT) {
        learner_add_full(trial->learner, trial_terms(trial, trial->message[0].worker)->batch);
    } else {
        trial->scheme->weigh(trial->state, trial->message, trial->heard, &trial->decoding);
        add_messages(trial);
    }
    learner_update(trial->learner);
}

void learn_update(struct trial *trial) {
    gather_messages(trial);
    choose(trial);
    trial->row = (struct step_row){.responders = trial->heard, .recovered = trial->decoding.recovered};
    account(trial);
    if (trial->learner)
        train(trial);
    bool solved = trial->learner && trial->spec.entry->decode == DECODE_REAL;
    trial->row.decode_residual = solved ? trial->decoding.residual : (double)NAN;
    trial->row.decode_largest = solved ? trial->decoding.largest_weight : (double)NAN;
}
