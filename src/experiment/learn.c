#include "trial_state.h"
#include <math.h>

static struct gradient_key key_of(const struct term *term) {
    return (struct gradient_key){term->partition, term->batch, term->version};
}

/* Every estimate is made of its messages. */
static bool decodes(const struct trial *trial) {
    return run_decodes(trial->spec.scenario, trial->spec.entry);
}

/* An update by an exact estimate takes the common full gradient, whatever is made of the messages beside it. */
static bool shares(const struct trial *trial) {
    return trial->spec.entry->decode == DECODE_SHARED;
}

/* Without a barrier a gradient may be wanted after the model has moved on. */
static bool outlives(const struct trial *trial) {
    return trial->scheme->starts && trial->setting.late != LATE_CANCEL;
}

/* What the workers hold before step 0 is of w_0. */
static void keep_warm_up(struct trial *trial) {
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++) {
        size_t terms = trial->scheme->kept(trial->state, i, trial->kept);
        for (size_t e = 0; e < terms; e++)
            learner_keep(trial->learner[0], key_of(&trial->kept[e]));
    }
}

/* Only what is really decoded needs the pieces apart, and an update by the common full gradient does not. */
static void cut_objective(struct trial *trial) {
    const struct cut *cut = &trial->limits.cut;
    uint32_t pieces = cut_pieces(cut);
    bool held = trial->limits.held > 0;
    trial->objective = trial->spec.scenario->objective;
    trial->objective.partitions = trial->setting.shape.partitions;
    trial->pieces_of = trial->objective;
    if (pieces == 1 || (held && !decodes(trial)))
        return;
    uint32_t *units = arena_zeroed(trial->arena, pieces + 1, sizeof *units);
    for (uint32_t q = 0; q <= pieces; q++)
        units[q] = cut_units(cut, q);
    trial->pieces_of.cut = units;
    trial->pieces_of.pieces = pieces;
    trial->pieces_of.partitions *= pieces;
    if (!held || !shares(trial))
        trial->objective = trial->pieces_of;
}

void learn_begin(struct trial *trial) {
    trial->initial_loss = (double)NAN;
    struct run_sizes sizes = run_sizes(trial->spec.scenario, trial->spec.entry);
    trial->models = sizes.models;
    if (!trial->spec.scenario->objective.data)
        return;
    cut_objective(trial);
    bool apart = trial->pieces_of.partitions != trial->objective.partitions;
    struct learner_spec spec = {.objective = &trial->objective,
                                .pieces = apart ? &trial->pieces_of : NULL,
                                .optimizer = trial->spec.scenario->optimizer,
                                .replication = trial->spec.replication,
                                .kept = sizes.gradients,
                                .sums = sizes.sums};
    trial->learner = arena_zeroed(trial->arena, trial->models, sizeof *trial->learner);
    for (uint32_t q = 0; q < trial->models; q++)
        trial->learner[q] = learner_new(&spec);
    trial->initial_loss = learn_loss(trial);
    if (trial->limits.kept > 0)
        keep_warm_up(trial);
}

void learn_end(struct trial *trial) {
    for (uint32_t q = 0; trial->learner && q < trial->models; q++)
        learner_free(trial->learner[q]);
}

double learn_loss(const struct trial *trial) {
    double sum = 0;
    for (uint32_t q = 0; trial->learner && q < trial->models; q++)
        sum += learner_loss(trial->learner[q]);
    return trial->learner ? sum / trial->models : (double)NAN;
}

static void mark_task(struct store *store, const struct task *task) {
    for (uint32_t e = 0; e < task->evaluations; e++) {
        const struct evaluation *evaluation = &task->evaluation[e];
        store_mark(store,
                   (struct gradient_key){evaluation->partition, evaluation->batch, evaluation->version});
    }
}

/* Tasks that a worker has not begun: of models that it has or that are on their way. The newest one it has lets it jump
 * over those before, but under `queue`. */
static void mark_tasks_ahead(struct trial *trial, struct store *store, uint32_t worker) {
    const struct seat *seat = &trial->seat[worker];
    uint32_t step = seat->next_step;
    if (trial->setting.late != LATE_QUEUE && seat->models > step)
        step = seat->models - 1;
    for (; step < trial->round; step++) {
        struct task task;
        trial->scheme->assign(trial->state, worker, step, &task);
        mark_task(store, &task);
    }
}

/* What a worker holds, and what the task it is on and those after it will give. */
static void mark_worker(struct trial *trial, struct store *store, uint32_t worker) {
    size_t terms = trial->scheme->kept ? trial->scheme->kept(trial->state, worker, trial->kept) : 0;
    for (size_t e = 0; e < terms; e++)
        store_mark(store, key_of(&trial->kept[e]));
    mark_task(store, &trial->seat[worker].task);
    if (trial->seat[worker].joined && !trial->scheme->starts)
        mark_tasks_ahead(trial, store, worker);
}

static void mark_letter(struct store *store, const struct letter *letter) {
    for (size_t e = 0; e < letter->terms; e++)
        store_mark(store, key_of(&letter->term[e]));
}

/* Messages that were not yet made use of: their workers may be gone since. */
static void mark_messages(struct trial *trial, struct store *store) {
    const struct mailbox *mailbox = &trial->mailbox;
    for (uint64_t q = mailbox->opened; q < mailbox->arrived; q++)
        mark_letter(store, &mailbox->waiting[q % mailbox->capacity]);
    for (uint32_t m = 0; !trial->scheme->starts && m < mailbox->messages; m++)
        mark_letter(store, mailbox->of[m]);
}

static void make_room(struct trial *trial, struct store *store) {
    if (store_room(store) >= trial->pieces)
        return;
    if (trial->limits.held > 0) {
        store_mark_latest(store, ((size_t)trial->limits.held + 1) * trial->pieces);
    } else if (trial->limits.span > 0) {
        store_mark_since(store,
                         trial->step + 1 > trial->limits.span ? trial->step + 1 - trial->limits.span : 0);
    } else {
        for (uint32_t i = 0; i < trial->setting.shape.workers; i++)
            if (cluster_present(trial->cluster, i) || !trial->seat[i].joined)
                mark_worker(trial, store, i);
        mark_messages(trial, store);
    }
    store_sweep(store);
    /* Workers may fall behind without a bound. */
    if (store_room(store) < trial->pieces)
        store_grow(store, 2 * store_capacity(store));
}

/* Gradients of this version that a worker computes, now or once it gets to this step, and then holds. */
static void keep_tasks(struct trial *trial) {
    make_room(trial, learner_store(trial->learner[0]));
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++) {
        struct task task;
        if (!cluster_present(trial->cluster, i))
            continue;
        trial->scheme->assign(trial->state, i, trial->round, &task);
        for (uint32_t e = 0; e < task.evaluations; e++) {
            const struct evaluation *evaluation = &task.evaluation[e];
            learner_keep(trial->learner[0], (struct gradient_key){evaluation->partition, evaluation->batch,
                                                                  evaluation->version});
        }
    }
}

/* Work that begins in a round may be done in later ones, at the model of its beginning. */
static void keep_beginning(struct trial *trial) {
    struct learner *learner = trial->learner[trial->round % trial->models];
    uint32_t batch = trial->setting.batches ? trial->round : 0, version = learner_version(learner);
    if (shares(trial))
        learner_keep_sum(learner, batch);
    if (!decodes(trial))
        return;
    make_room(trial, learner_store(learner));
    for (uint32_t p = 0; p < trial->pieces; p++)
        learner_keep(learner, (struct gradient_key){p, batch, version});
}

void learn_open(struct trial *trial) {
    if (trial->learner && trial->limits.held > 0)
        keep_beginning(trial);
}

static void book_unused(struct trial *trial, struct letter *letter) {
    ledger_unused(trial->ledger, letter->seconds);
    letter->seconds = 0;
}

/* A message that was heard and made no update. */
static void note_unused(void *context, struct letter *letter) {
    struct trial *trial = context;
    book_unused(trial, letter);
    tell_part(trial, MOMENT_UNUSED, trial->closed_s, &(struct computed){letter->worker, letter->step, 0, 1});
}

void learn_task(struct trial *trial, uint32_t worker) {
    const struct task *task = &trial->seat[worker].task;
    if (!trial->learner || !outlives(trial))
        return;
    make_room(trial, learner_store(trial->learner[0]));
    for (uint32_t e = 0; e < task->evaluations; e++)
        learner_keep(trial->learner[0],
                     (struct gradient_key){task->evaluation[e].partition, task->evaluation[e].batch,
                                           task->evaluation[e].version});
}

uint32_t learn_completions(struct trial *trial) {
    struct mailbox *mailbox = &trial->mailbox;
    mailbox_gather(mailbox, trial->round);
    if (!trial->scheme->completions)
        return 1;
    uint32_t updates = trial->scheme->completions(trial->state, mailbox->message, mailbox->messages);
    if (updates == 0 && trial->scheme->starts)
        mailbox_each_arrival(mailbox, trial->round, note_unused, trial);
    return updates;
}

static void choose(struct trial *trial) {
    struct mailbox *mailbox = &trial->mailbox;
    trial->decoding.residual = trial->decoding.largest_weight = (double)NAN;
    trial->scheme->choose(trial->state, mailbox->message, mailbox->messages, &trial->decoding);
    uint32_t counted = NOBODY;
    for (uint32_t m = 0; m < mailbox->messages; m++) {
        struct letter *letter = mailbox->of[m];
        letter->used = trial->decoding.weight[m] != 0;
        if (!letter->used || letter->worker == counted)
            continue;
        counted = letter->worker;
        trial->seat[counted].row.used++;
    }
}

/* What the messages of an update make of its row. */
struct account {
    struct trial *trial;
    double staleness, stalest;
    size_t terms;
};

static uint32_t present_version(const struct trial *trial, uint32_t model) {
    return trial->learner ? learner_version(trial->learner[model]) : trial->step / trial->models;
}

/* A message may carry the work of several tasks: each is told once, in the order of the terms. */
static void tell_use(const struct trial *trial, const struct letter *letter) {
    struct computed of = {letter->worker, letter->step, letter->part, 1};
    struct used_message message = {letter->worker, letter->step, letter->first, letter->terms, letter->term};
    uint32_t told = NO_STEP;
    bool at_will = trial->scheme->starts != NULL;
    if (!letter->used && (at_will || letter->step == trial->round))
        tell_part(trial, MOMENT_UNUSED, trial->closed_s, &of);
    for (size_t e = 0; letter->used && e < letter->terms; e++) {
        if (letter->term[e].version == told || (!at_will && !ledger_holds(trial->ledger, &message, e)))
            continue;
        told = letter->term[e].version;
        of.step = trial->limits.kept > 0 ? told : letter->step;
        tell_part(trial, MOMENT_USED, trial->closed_s, &of);
    }
}

static void book_use(struct trial *trial, struct letter *letter, uint32_t version) {
    struct used_message message = {letter->worker, letter->step, letter->first, letter->terms, letter->term};
    if (!trial->scheme->starts) {
        ledger_use(trial->ledger, &message, version, trial->step);
        return;
    }
    ledger_used(trial->ledger, &message, letter->seconds, &(struct used_in){version, trial->step});
    letter->seconds = 0;
}

static void account_letter(void *context, struct letter *letter) {
    struct account *account = context;
    struct trial *trial = account->trial;
    if (trial->moments)
        tell_use(trial, letter);
    bool counts = letter->used && letter->terms > 0;
    if (trial->scheme->starts && !counts)
        book_unused(trial, letter);
    if (!counts)
        return;
    uint32_t version = present_version(trial, letter->term[0].model);
    book_use(trial, letter, version);
    for (size_t e = 0; e < letter->terms; e++) {
        double staleness = version - letter->term[e].version;
        account->staleness += staleness;
        account->stalest = fmax(account->stalest, staleness);
    }
    account->terms += letter->terms;
}

/* Staleness over the terms of used messages; what their evaluations were good for. */
static void account_messages(struct trial *trial) {
    struct account account = {.trial = trial};
    mailbox_each_arrival(&trial->mailbox, trial->round, account_letter, &account);
    bool any = account.terms > 0;
    trial->row.staleness_mean = any ? account.staleness / (double)account.terms : (double)NAN;
    trial->row.staleness_max = any ? account.stalest : (double)NAN;
}

static void add_letter(struct trial *trial, struct learner *learner, const struct letter *letter,
                       double weight) {
    for (size_t e = 0; e < letter->terms; e++) {
        const struct term *term = &letter->term[e];
        trial->gradient_term[e] = (struct gradient_term){key_of(term), term->rows, term->coefficient};
    }
    learner_add_message(learner, weight, trial->gradient_term, letter->terms);
}

/* The first term that is used: what an exact estimate is of; NULL: nothing is used. */
static const struct term *first_term(const struct mailbox *mailbox) {
    for (uint32_t m = 0; m < mailbox->messages; m++)
        if (mailbox->of[m]->used && mailbox->of[m]->terms > 0)
            return mailbox->of[m]->term;
    return NULL;
}

/* Makes the estimate of the messages. */
static void decode(struct trial *trial, struct learner *learner) {
    struct mailbox *mailbox = &trial->mailbox;
    trial->scheme->weigh(trial->state, mailbox->message, mailbox->messages, &trial->decoding);
    for (uint32_t m = 0; m < mailbox->messages; m++)
        if (trial->decoding.weight[m] != 0)
            add_letter(trial, learner, mailbox->of[m], trial->decoding.weight[m]);
}

static void train(struct trial *trial) {
    const struct term *first = first_term(&trial->mailbox);
    struct learner *learner = trial->learner[first ? first->model : 0];
    bool common = shares(trial) && trial->decoding.claim == EXACT;
    learner_clear(learner);
    if (trial->limits.kept > 0)
        keep_tasks(trial);
    if (decodes(trial) || !common)
        decode(trial, learner);
    effective_measure(trial);
    if (trial->audit)
        audit_update(trial, first ? first->model : 0);
    if (common) {
        learner_clear(learner);
        learner_add_full(learner, first->batch, first->version);
    }
    learner_update(learner);
}

void learn_update(struct trial *trial) {
    choose(trial);
    trial->row = (struct step_row){.responders = trial->responders,
                                   .recovered = trial->decoding.recovered,
                                   .gradient_error = (double)NAN,
                                   .gradient_cosine = (double)NAN};
    account_messages(trial);
    if (trial->learner)
        train(trial);
    bool solved = trial->learner && decodes(trial);
    trial->row.decode_residual = solved ? trial->decoding.residual : (double)NAN;
    trial->row.decode_largest = solved ? trial->decoding.largest_weight : (double)NAN;
}
