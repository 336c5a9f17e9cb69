#include "run_sizes.h"
#include "trial_state.h"

bool estimate_decodes(const struct trial *trial) {
    return run_decodes(trial->spec.scenario, trial->spec.entry);
}

bool estimate_shares(const struct trial *trial) {
    return trial->spec.entry->decode == DECODE_SHARED && !run_compresses(trial->spec.scenario);
}

size_t estimate_table(const struct trial *trial) {
    return trial->scheme->table ? trial->scheme->table(trial->state, trial->table) : 0;
}

double estimate_share(const struct trial *trial) {
    size_t used = trial->scheme->table ? estimate_table(trial) : trial->used;
    return (double)used / trial->setting.shape.workers;
}

static struct gradient_term sent_term(const struct term *term) {
    return (struct gradient_term){.key = key_of(term), .rows = term->rows, .coefficient = term->coefficient};
}

void estimate_terms(struct trial *trial, const struct letter *letter) {
    for (size_t e = 0; e < letter->terms; e++)
        trial->gradient_term[e] = sent_term(&letter->term[e]);
}

/* The penalty is of the version of each term, and no staleness rule changes it. */
static void add_penalties(const struct trial *trial, struct learner *learner, double weight,
                          const struct term *term, size_t terms) {
    for (size_t e = 0; trial->scheme->penalty == PENALTY_WITH_TERMS && e < terms; e++)
        learner_add_penalty(learner, weight * term[e].coefficient, term[e].version);
}

static struct weighting weighting_of(const struct trial *trial, double weight) {
    return (struct weighting){weight, staleness_compensation(trial->spec.entry->staleness)};
}

static void add_terms(struct trial *trial, struct learner *learner, double weight, const struct term *term,
                      size_t terms) {
    for (size_t e = 0; e < terms; e++) {
        trial->gradient_term[e] = sent_term(&term[e]);
        trial->gradient_term[e].coefficient *= term_factor(trial, &term[e]);
    }
    learner_add_message(learner, weighting_of(trial, weight), trial->gradient_term, terms);
    add_penalties(trial, learner, weight, term, terms);
}

/* Its entries came in messages of several versions, each of which is compensated from its own. */
static void add_table(struct trial *trial, struct learner *learner) {
    size_t terms = estimate_table(trial);
    size_t together = staleness_compensation(trial->spec.entry->staleness) == 0 ? terms : 1;
    for (size_t e = 0; e < terms; e += together)
        add_terms(trial, learner, 1, &trial->table[e], together);
}

/* What was compressed holds terms of one age where a staleness rule scales or corrects them. */
static void add_sent(struct trial *trial, struct learner *learner, double weight,
                     const struct letter *letter) {
    struct weighting weighting = weighting_of(trial, weight * term_factor(trial, letter->term));
    learner_add_vector(learner, weighting, letter->sent, letter->term->version);
    add_penalties(trial, learner, weight, letter->term, letter->terms);
}

static void note_walk(struct trial *trial, struct learner *learner, const struct letter *letter) {
    estimate_terms(trial, letter);
    spread_note_walk(trial, learner_walk_loss(learner, trial->gradient_term, letter->terms));
}

static void add_letter(struct trial *trial, struct learner *learner, double weight,
                       const struct letter *letter) {
    if (letter->sent && letter->terms > 0)
        add_sent(trial, learner, weight, letter);
    else
        add_terms(trial, learner, weight, letter->term, letter->terms);
    if (trial->audit && trial->limits.local_steps > 0)
        note_walk(trial, learner, letter);
}

const struct term *estimate_first(const struct trial *trial) {
    const struct mailbox *mailbox = &trial->mailbox;
    for (uint32_t m = 0; m < mailbox->messages; m++)
        if (mailbox->of[m]->used && mailbox->of[m]->terms > 0)
            return mailbox->of[m]->term;
    return NULL;
}

void estimate_make(struct trial *trial, struct learner *learner) {
    struct mailbox *mailbox = &trial->mailbox;
    trial->scheme->weigh(trial->state, mailbox->message, mailbox->messages, &trial->decoding);
    if (trial->scheme->table) {
        add_table(trial, learner);
        return;
    }
    for (uint32_t m = 0; m < mailbox->messages; m++)
        if (trial->decoding.weight[m] != 0)
            add_letter(trial, learner, trial->decoding.weight[m], mailbox->of[m]);
}
