#include "run_sizes.h"
#include "trial_state.h"

/* Without a barrier a gradient may be wanted after the model has moved on. */
static bool outlives(const struct trial *trial) {
    return trial->scheme->starts && trial->setting.late != LATE_CANCEL;
}

/* What the workers hold before step 0 is of w_0. */
void keep_begin(struct trial *trial) {
    for (uint32_t i = 0; trial->limits.kept > 0 && i < trial->setting.shape.workers; i++) {
        size_t terms = trial->scheme->kept(trial->state, i, trial->kept);
        for (size_t e = 0; e < terms; e++)
            learner_keep(trial->learner[0], key_of(&trial->kept[e]));
    }
}

static void mark_task(struct store *store, const struct task *task) {
    for (uint32_t e = 0; e < task->evaluations; e++) {
        const struct evaluation *evaluation = &task->evaluation[e];
        store_mark(store,
                   (struct gradient_key){evaluation->partition, evaluation->batch, evaluation->version});
        store_mark(store, model_key(evaluation->version));
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

static void mark_term(struct store *store, const struct term *term) {
    store_mark(store, key_of(term));
    store_mark(store, model_key(term->version));
}

static void mark_letter(struct store *store, const struct letter *letter) {
    for (size_t e = 0; e < letter->terms; e++)
        mark_term(store, &letter->term[e]);
}

/* Messages that were not yet made use of: their workers may be gone since. */
static void mark_messages(struct trial *trial, struct store *store) {
    const struct mailbox *mailbox = &trial->mailbox;
    for (uint64_t q = mailbox->opened; q < mailbox->arrived; q++)
        mark_letter(store, &mailbox->waiting[q % mailbox->capacity]);
    for (uint32_t m = 0; !trial->scheme->starts && m < mailbox->messages; m++)
        mark_letter(store, mailbox->of[m]);
}

static void mark_table(struct trial *trial, struct store *store) {
    size_t terms = estimate_table(trial);
    for (size_t e = 0; e < terms; e++)
        mark_term(store, &trial->table[e]);
}

/* For the gradients of a version and for its w. */
static void make_room(struct trial *trial, struct store *store) {
    if (store_room(store) > trial->pieces)
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
        mark_table(trial, store);
    }
    store_sweep(store);
    /* Workers may fall behind without a bound. */
    if (store_room(store) <= trial->pieces)
        store_grow(store, 2 * store_capacity(store));
}

/* Work that begins in a round may be done in later ones, at the model of its beginning. */
static void keep_beginning(struct trial *trial) {
    struct learner *learner = trial->learner[trial->round % trial->models];
    uint32_t batch = trial->setting.batches ? trial->round : 0, version = learner_version(learner);
    if (estimate_shares(trial))
        learner_keep_sum(learner, batch);
    if (!estimate_decodes(trial))
        return;
    make_room(trial, learner_store(learner));
    for (uint32_t p = 0; p < trial->pieces; p++)
        learner_keep(learner, (struct gradient_key){p, batch, version});
}

void keep_open(struct trial *trial) {
    if (trial->learner && trial->limits.held > 0)
        keep_beginning(trial);
}

void keep_held(struct trial *trial) {
    if (trial->limits.kept == 0)
        return;
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

void keep_task(struct trial *trial, uint32_t worker) {
    const struct task *task = &trial->seat[worker].task;
    spread_note_model(trial, worker);
    if (!trial->learner || !outlives(trial))
        return;
    make_room(trial, learner_store(trial->learner[0]));
    if (run_keeps_models(trial->spec.entry))
        learner_keep_model(trial->learner[0]);
    for (uint32_t e = 0; e < task->evaluations; e++)
        learner_keep(trial->learner[0],
                     (struct gradient_key){task->evaluation[e].partition, task->evaluation[e].batch,
                                           task->evaluation[e].version});
}
