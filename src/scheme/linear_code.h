/* linear_code.h: what bgc and code share: messages of any listing, joined by one of several decoders.
 * Knows not where the matrix comes from.
 *
 * Notation: n workers, s stragglers, R the workers heard, d the sum of a partition's coefficients over all workers, in
 * the mean over partitions.
 *   one-step       a_i = n / (|R| d): Charles, Papailiopoulos and Ellenberg, arXiv 1711.06771
 *   least-squares  least_squares.h
 *   constant       a_i = n / ((n - s) d), which is 1 / (d (1 - p)) at p = s / n, whoever is heard: the fixed decoding of
 *                  Glasgow and Wootters, arXiv 2006.09638, unbiased where workers straggle independently with p and every
 *                  partition has the sum d
 * |R| counts workers without partitions too. None of these estimates is ever called exact: whether least squares leaves
 * nothing is known only after it was solved. */
#ifndef LAGGARD_LINEAR_CODE_H
#define LAGGARD_LINEAR_CODE_H
#include "least_squares.h"

enum decoder { DECODER_ONE_STEP, DECODER_LEAST_SQUARES, DECODER_CONSTANT };
extern const char *const linear_decoders[]; /* one-step, least-squares; ended by NULL */
extern const char *const all_decoders[];    /* and constant */

struct linear_code {
    struct listed listed; /* first: the hooks of listed.h take the state */
    enum decoder decoder;
    uint32_t stragglers; /* s, of constant */
    double copies;       /* d */
    struct least_squares *squares;
};

/* `code` is zeroed but for decoder, stragglers and copies. */
void linear_code_begin(struct linear_code *code, const struct listing *listing, const struct setting *setting,
                       struct arena *arena);

/* Hooks of struct scheme, beside those of listed.h. */
void linear_code_weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out);
bool linear_code_never_exact(const void *params, struct shape shape); /* true */
#endif
