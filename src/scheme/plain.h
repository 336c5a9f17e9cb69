/* plain.h: schemes without a code: every worker sends the gradient of its own partition, and all that were heard are used,
 * scaled up. The state begins with a struct whole of one copy. */
#ifndef LAGGARD_PLAIN_H
#define LAGGARD_PLAIN_H
#include "whole.h"

/* The state in `arena`, of `size` bytes; zeroed but for the struct whole that it begins with. */
void *plain_new(const struct setting *setting, size_t size, struct arena *arena);

/* Hooks of struct scheme. */
struct limits plain_limits(const void *params, const struct setting *setting);
void plain_choose(void *state, const struct message *message, uint32_t messages, struct decoding *out);
void plain_weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out);
#endif
