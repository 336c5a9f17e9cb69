#include "trial_state.h"
#include <math.h>

/* Decoding is asked for, and what it turns out to be. */
static bool measures(const struct trial *trial) {
    return trial->spec.entry->decode == DECODE_REAL || trial->spec.scenario->record.audit;
}

/* Only what is really decoded needs the pieces apart, and an update by the common full gradient does not. */
static void cut_objective(struct trial *trial) {
    const struct cut *cut = &trial->limits.cut;
    uint32_t pieces = cut_pieces(cut);
    bool held = trial->limits.held > 0;
    trial->objective = trial->spec.scenario->objective;
    trial->objective.partitions = trial->setting.shape.partitions;
    trial->pieces_of = trial->objective;
    if (pieces == 1 || (held && !estimate_decodes(trial)))
        return;
    uint32_t *units = arena_zeroed(trial->arena, pieces + 1, sizeof *units);
    for (uint32_t q = 0; q <= pieces; q++)
        units[q] = cut_units(cut, q);
    trial->pieces_of.cut = units;
    trial->pieces_of.pieces = pieces;
    trial->pieces_of.partitions *= pieces;
    if (!held || !estimate_shares(trial))
        trial->objective = trial->pieces_of;
}

/* Versions that depend on nothing but full gradients are those of other runs too. */
static void join_trajectory(struct trial *trial) {
    if (trial->spec.trajectories && estimate_shares(trial) && trial->scheme->penalty == PENALTY_AT_UPDATE &&
        trial->limits.local_steps <= 1)
        trial->trajectory =
            trajectory_join(trial->spec.trajectories, &trial->objective, trial->spec.scenario->optimizer);
}

void learn_begin(struct trial *trial) {
    struct run_sizes sizes = run_sizes(trial->spec.scenario, trial->spec.entry);
    trial->models = sizes.models;
    if (!trial->spec.scenario->objective.data)
        return;
    cut_objective(trial);
    join_trajectory(trial);
    bool apart = trial->pieces_of.partitions != trial->objective.partitions;
    struct learner_spec spec = {.objective = &trial->objective,
                                .pieces = apart ? &trial->pieces_of : NULL,
                                .optimizer = trial->spec.scenario->optimizer,
                                .replication = trial->spec.replication,
                                .kept = sizes.gradients,
                                .sums = sizes.sums,
                                .remembers = run_compresses(trial->spec.scenario),
                                .penalty_apart = trial->scheme->penalty == PENALTY_WITH_TERMS,
                                .local_steps = trial->limits.local_steps,
                                .trajectory = trial->trajectory};
    trial->learner = arena_zeroed(trial->arena, trial->models, sizeof *trial->learner);
    for (uint32_t q = 0; q < trial->models; q++)
        trial->learner[q] = learner_new(&spec);
}

void learn_start(struct trial *trial) {
    trial->initial_loss = learn_loss(trial);
    if (trial->learner)
        keep_begin(trial);
}

bool learn_waits(const struct trial *trial) {
    for (uint32_t q = 0; trial->learner && q < trial->models; q++)
        if (learner_waits(trial->learner[q]))
            return true;
    return false;
}

void learn_end(struct trial *trial) {
    for (uint32_t q = 0; trial->learner && q < trial->models; q++)
        learner_free(trial->learner[q]);
    if (trial->trajectory)
        trajectory_part(trial->spec.trajectories, trial->trajectory);
}

double learn_loss(const struct trial *trial) {
    double sum = 0;
    for (uint32_t q = 0; trial->learner && q < trial->models; q++)
        sum += learner_loss(trial->learner[q]);
    return trial->learner ? sum / trial->models : (double)NAN;
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
    trial->used = 0;
    for (uint32_t m = 0; m < mailbox->messages; m++) {
        struct letter *letter = mailbox->of[m];
        letter->used = trial->decoding.weight[m] != 0;
        if (!letter->used || letter->worker == counted)
            continue;
        counted = letter->worker;
        trial->seat[counted].row.used++;
        trial->used++;
    }
}

/* What the messages of an update, or the table that they filled, make of its row. */
struct account {
    struct trial *trial;
    double staleness, stalest;
    size_t terms;
};

static void note_uses(struct trial *trial, const struct term *term, size_t terms) {
    uint32_t step = updates_of(trial, trial->step) + 1;
    for (size_t e = 0; trial->use && e < terms; e++) {
        struct partition_use *use = &trial->use[term[e].partition];
        *use = (struct partition_use){use->count + 1, step};
    }
}

static void account_terms(struct account *account, const struct term *term, size_t terms) {
    struct trial *trial = account->trial;
    for (size_t e = 0; e < terms; e++) {
        uint32_t staleness = term_age(trial, &term[e]);
        if (limits_stale(&trial->limits))
            result_note_age(trial->result, staleness);
        account->staleness += staleness;
        account->stalest = fmax(account->stalest, staleness);
    }
    account->terms += terms;
    note_uses(trial, term, terms);
}

/* What stands in the table longer than since this round's opening is told by its ages. */
static void account_table(struct account *account) {
    struct trial *trial = account->trial;
    if (!trial->table_ages)
        return;
    size_t renewed = trial->scheme->renewed(trial->state, trial->table);
    for (size_t e = 0; e < renewed; e++)
        table_ages_renew(trial->table_ages, trial->table[e].partition, trial->table[e].version, trial->step);
    note_uses(trial, trial->table, renewed);
    struct table_age age = table_ages_at(trial->table_ages, trial->step);
    account->staleness += age.sum;
    account->stalest = fmax(account->stalest, age.largest);
    account->terms += age.entries;
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
    book_use(trial, letter, present_version(trial, letter->term[0].model));
    if (!trial->scheme->table)
        account_terms(account, letter->term, letter->terms);
}

/* Staleness over the terms of used messages; what their evaluations were good for. */
static void account_messages(struct trial *trial) {
    struct account account = {.trial = trial};
    mailbox_each_arrival(&trial->mailbox, trial->round, account_letter, &account);
    account_table(&account);
    bool any = account.terms > 0;
    trial->result->stalest_end = any ? account.stalest : (double)NAN;
    trial->row.staleness_mean = any ? account.staleness / (double)account.terms : (double)NAN;
    trial->row.staleness_max = any ? account.stalest : (double)NAN;
}

static void train(struct trial *trial) {
    const struct term *first = estimate_first(trial);
    struct learner *learner = trial->learner[first ? first->model : 0];
    bool common = estimate_shares(trial) && trial->decoding.claim == EXACT;
    learner_clear(learner);
    keep_held(trial);
    if (estimate_decodes(trial) || !common)
        estimate_make(trial, learner);
    effective_measure(trial);
    if (trial->audit)
        audit_update(trial, first ? first->model : 0);
    if (common) {
        learner_clear(learner);
        learner_add_full(learner, first->batch, first->version);
        if (term_age(trial, first) > 0)
            learner_scale(learner, term_factor(trial, first));
    }
    pack_forget(trial, first ? first->model : 0);
    if (learner_update(learner, estimate_share(trial)) && trial->scheme->learned)
        trial->scheme->learned(trial->state, learner_turn(learner));
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
    spread_report(trial);
    bool solved = trial->learner && measures(trial);
    trial->row.decode_residual = solved ? trial->decoding.residual : (double)NAN;
    trial->row.decode_largest = solved ? trial->decoding.largest_weight : (double)NAN;
}
