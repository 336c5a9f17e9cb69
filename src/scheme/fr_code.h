/* fr_code.h: what gc-fr and isgc-fr share: whole tasks on FR placements, the first responder of each group used.
 * Knows not how many groups must answer. */
#ifndef LAGGARD_FR_CODE_H
#define LAGGARD_FR_CODE_H
#include "groups.h"
#include "whole.h"

struct fr_code {
    struct whole whole; /* first: whole_assign and whole_finish take the state */
    struct groups groups;
};

/* A struct fr_code in the arena; `copies` divides the workers. */
void *fr_code_begin(const struct setting *setting, uint32_t copies, struct arena *arena);

/* Hooks of struct scheme. Every used message weighs n / recovered. */
void fr_code_open(void *state, uint32_t step, uint32_t version);
void fr_code_hear(void *state, const struct message *message);
bool fr_code_decodable(const void *state);
void fr_code_choose(void *state, const struct message *message, uint32_t messages, struct decoding *out);
void fr_code_weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out);
#endif
