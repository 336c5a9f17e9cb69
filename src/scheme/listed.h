/* listed.h: the tasks of schemes whose workers hold partitions of any list, compute all they hold at the model of the
 * step and send one sum.
 * Knows no stragglers, and no weight of a message.
 *
 * Notation: n workers, k partitions, which may be other than n; B is n x k, its entries other than 0 are listed. One
 * unit of work is the share of a worker when nothing is repeated, m/n rows, so L partitions are L n/k units. */
#ifndef LAGGARD_LISTED_H
#define LAGGARD_LISTED_H
#include "scheme.h"

/* Who holds what, with which coefficient. Immutable once it is filled. */
struct listing {
    uint32_t workers, partitions; /* n, k */
    size_t *first;       /* [workers + 1]: where a worker's entries begin; the last: how many there are */
    uint32_t *partition; /* by worker, ascending in each list; a list may be empty */
    double *coefficient; /* of the same shape, none of them 0; NULL: all are `common` */
    double common;
};

/* Partitions of one worker, and of the one that holds most. */
uint32_t listing_length(const struct listing *listing, uint32_t worker);
uint32_t listing_longest(const struct listing *listing);
/* The coefficient of entry `e`. */
double listing_coefficient(const struct listing *listing, size_t e);

/* The first member of such a scheme's state, so that the hooks below serve it. */
struct listed {
    const struct listing *listing;
    bool batches;
    struct evaluation *evaluation; /* as the entries of the listing */
    uint32_t heard;                /* since the step opened */
    uint32_t choices;              /* made so far */
    uint32_t *chosen; /* [partitions]: the last choice that a partition was part of, counted from 1 */
};

/* `listed` is zeroed; `listing` outlives it. */
void listed_begin(struct listed *listed, const struct listing *listing, const struct setting *setting,
                  struct arena *arena);

/* Limits where no worker holds more than `longest` partitions; `even`: all hold as many. */
struct limits listed_limits(struct shape shape, uint32_t longest);
struct limits listed_even_limits(struct shape shape, uint32_t length);

/* Hooks of struct scheme. */
void listed_open(void *state, uint32_t step, uint32_t version);
/* A worker without partitions gets a task of no work; its message has no terms, and counts as heard. */
void listed_assign(void *state, uint32_t worker, uint32_t step, struct task *task);
size_t listed_finish(void *state, const struct computed *computed, struct term *term);
void listed_hear(void *state, const struct message *message);
bool listed_all_heard(const void *state); /* decodable, where only all messages together give the gradient */

/* Uses all messages that hold terms; recovered are the partitions in them. Sets claim to INEXACT. O(terms). */
void listed_choose(void *state, const struct message *message, uint32_t messages, struct decoding *out);
/* The same, but EXACT where all were heard. */
void listed_choose_exact(void *state, const struct message *message, uint32_t messages, struct decoding *out);

/* Gives every used message the same weight. Nothing is solved. */
void listed_weigh_equal(double weight, uint32_t messages, struct decoding *out);
/* Every used message weighs 1. */
void listed_weigh_one(void *state, const struct message *message, uint32_t messages, struct decoding *out);
#endif
