#include "trial_state.h"
#include <math.h>

struct effective {
    double *share;  /* [pieces]: of the rows of its partition */
    double *weight; /* [partitions]: in the present update */
};

/* Runs after learn_begin, which cuts the objective. */
static void find_shares(struct trial *trial) {
    uint32_t pieces = cut_pieces(&trial->limits.cut);
    for (uint32_t first = 0; first < trial->pieces; first += pieces) {
        double rows = 0;
        for (uint32_t q = first; q < first + pieces; q++)
            rows += partition_rows(&trial->pieces_of, q);
        for (uint32_t q = first; q < first + pieces; q++)
            trial->effective->share[q] = rows > 0 ? partition_rows(&trial->pieces_of, q) / rows : 0;
    }
}

void effective_begin(struct trial *trial) {
    if (!trial->learner || !run_decodes(trial->spec.scenario, trial->spec.entry))
        return;
    struct effective *effective = trial->effective = arena_zeroed(trial->arena, 1, sizeof *effective);
    effective->share = arena_zeroed(trial->arena, trial->pieces, sizeof *effective->share);
    effective->weight =
        arena_zeroed(trial->arena, trial->setting.shape.partitions, sizeof *effective->weight);
    find_shares(trial);
}

static void add_terms(struct trial *trial, double weight, const struct term *term, size_t terms) {
    struct effective *effective = trial->effective;
    uint32_t pieces = cut_pieces(&trial->limits.cut);
    for (size_t e = 0; e < terms; e++, term++) {
        double share = effective->share[term->partition], whole = weight * term->coefficient;
        if (term->rows > 0)
            share *= (double)term->rows / partition_rows(&trial->pieces_of, term->partition);
        effective->weight[term->partition / pieces] += whole * term_factor(trial, term) * share;
    }
}

/* Of a scheme that solved nothing; one that did knows its own better, of the numbers it solved with. */
static void fill_decoding(struct trial *trial) {
    struct decoding *decoding = &trial->decoding;
    if (!isnan(decoding->residual))
        return;
    decoding->residual = decoding->largest_weight = 0;
    for (uint32_t p = 0; p < trial->setting.shape.partitions; p++)
        decoding->residual = fmax(decoding->residual, fabs(trial->effective->weight[p] - 1));
    for (uint32_t m = 0; m < trial->mailbox.messages; m++)
        decoding->largest_weight = fmax(decoding->largest_weight, fabs(decoding->weight[m]));
}

void effective_measure(struct trial *trial) {
    if (!trial->effective)
        return;
    for (uint32_t p = 0; p < trial->setting.shape.partitions; p++)
        trial->effective->weight[p] = 0;
    add_terms(trial, 1, trial->table, estimate_table(trial));
    const struct mailbox *mailbox = &trial->mailbox;
    for (uint32_t m = 0; !trial->scheme->table && m < mailbox->messages; m++)
        if (trial->decoding.weight[m] != 0)
            add_terms(trial, trial->decoding.weight[m], mailbox->of[m]->term, mailbox->of[m]->terms);
    fill_decoding(trial);
}

const double *effective_weights(const struct trial *trial) {
    return trial->effective->weight;
}
