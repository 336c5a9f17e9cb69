/* choice.h: ways to choose and weigh messages that several schemes share.
 * Knows no code matrix and no state of a scheme. */
#ifndef LAGGARD_CHOICE_H
#define LAGGARD_CHOICE_H
#include "scheme.h"

/* Uses all messages. Sets neither `recovered` nor `claim`. */
void choice_use_all(uint32_t messages, struct decoding *out);

/* Partitions in the union of the CR windows of the senders: c = `copies` on a ring of `workers`. Messages come by
 * worker index, one from each. */
uint32_t choice_cr_union(const struct message *message, uint32_t messages, uint32_t workers, uint32_t copies);

/* Hooks of struct scheme where every worker holds one partition, its own. */
uint32_t choice_all_workers(const void *params, struct shape shape);                 /* exact_from: n */
uint32_t choice_one_each(const void *params, struct shape shape, uint32_t messages); /* recovers: as many */

/* EXACT when `recovered` of out is all partitions. */
enum claim choice_claim(const struct decoding *out, uint32_t partitions);

/* Weighs every used message with partitions / recovered: 1 when all were recovered. Nothing is solved. */
void choice_rescale(uint32_t messages, uint32_t partitions, struct decoding *out);
#endif
