/* Why as they are computed: with error feedback a worker's memory moves with every message it makes, heard or not. So
 * gradients are wanted at models that the master has left behind, and those are remembered as long as a worker may be on
 * one. */
#include "run_sizes.h"
#include "trial_state.h"
#include <math.h>

struct packing {
    const struct compression_spec *spec;
    size_t values, length; /* of a message: that are sent, with padding */
    double *memory;        /* [models * workers * parts * length]: what was left out; NULL: nobody keeps it */
};

void pack_begin(struct trial *trial) {
    if (!trial->learner || !run_compresses(trial->spec.scenario))
        return;
    const struct dataset *data = trial->spec.scenario->objective.data;
    struct packing *packing = trial->packing = arena_zeroed(trial->arena, 1, sizeof *packing);
    size_t senders = (size_t)trial->models * trial->setting.shape.workers * trial->mailbox.parts;
    packing->spec = trial->spec.scenario->optimizer->compression;
    packing->values = data->features;
    packing->length = data->stride;
    if (packing->spec->error_feedback)
        packing->memory = arena_zeroed(trial->arena, senders * packing->length, sizeof *packing->memory);
    mailbox_carry(&trial->mailbox, packing->length, trial->arena);
}

/* A worker keeps apart what it leaves out of the messages of each part and of each model. */
static double *memory_of(const struct trial *trial, const struct letter *letter) {
    const struct packing *packing = trial->packing;
    size_t sender = (size_t)letter->term[0].model * trial->setting.shape.workers + letter->worker;
    return packing->memory
               ? packing->memory + (sender * trial->mailbox.parts + letter->part) * packing->length
               : NULL;
}

void pack_letter(struct trial *trial, struct letter *letter) {
    const struct packing *packing = trial->packing;
    const uint32_t workers = trial->setting.shape.workers;
    if (!packing || letter->terms == 0)
        return;
    struct noise noise = {
        .stream = {trial->spec.scenario->seed, trial->spec.replication, PURPOSE_COMPRESSION},
        .sender = letter->worker + workers * letter->part,
        .senders = workers * trial->mailbox.parts,
        .step = letter->step,
    };
    estimate_terms(trial, letter);
    learner_message(trial->learner[letter->term[0].model], trial->gradient_term, letter->terms, letter->sent);
    compression_apply(packing->spec, &noise, letter->sent, memory_of(trial, letter), packing->values);
}

static uint32_t earlier(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* The task it is on, if that ends. */
static uint32_t oldest_of_task(const struct seat *seat, uint32_t model, uint32_t oldest) {
    for (uint32_t e = 0; e < seat->task.evaluations; e++)
        if (seat->task.evaluation[e].model == model)
            oldest = earlier(oldest, seat->task.evaluation[e].version);
    return oldest;
}

/* What a worker of a pipelined code holds goes into its next messages. */
static uint32_t oldest_held(struct trial *trial, uint32_t worker, uint32_t oldest) {
    size_t terms = trial->scheme->kept ? trial->scheme->kept(trial->state, worker, trial->kept) : 0;
    for (size_t e = 0; e < terms; e++)
        oldest = earlier(oldest, trial->kept[e].version);
    return oldest;
}

/* By rounds, the model of a round is of no later version than the round's number. */
static uint32_t oldest_to_come(const struct trial *trial, const struct seat *seat, uint32_t oldest) {
    if (trial->scheme->starts || !seat->joined)
        return oldest;
    uint32_t next = seat->next_step;
    if (trial->setting.late != LATE_QUEUE && seat->models > next + 1)
        next = seat->models - 1;
    return earlier(oldest, next);
}

static bool ends(const struct seat *seat) {
    return !seat->computing || isfinite(seat->done_s[seat->ended]);
}

void pack_forget(struct trial *trial, uint32_t model) {
    struct learner *learner = trial->learner[model];
    if (!learner_is_full(learner))
        return;
    uint32_t oldest = learner_version(learner);
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++) {
        const struct seat *seat = &trial->seat[i];
        if (seat->joined && !cluster_present(trial->cluster, i))
            continue;
        oldest = oldest_held(trial, i, oldest);
        if (ends(seat))
            oldest = oldest_of_task(seat, model, oldest);
        if (ends(seat) || trial->setting.late == LATE_CANCEL)
            oldest = oldest_to_come(trial, seat, oldest);
    }
    learner_forget(learner, oldest);
}
