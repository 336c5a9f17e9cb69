/* gc_cr.h: gc-cr's calls, for schemes that differ from it in when the master stops waiting.
 * Parameters start with a struct code_params. */
#ifndef LAGGARD_GC_CR_H
#define LAGGARD_GC_CR_H
#include "cr_code.h"
#include "whole.h"

struct gc_cr {
    struct whole whole;
    struct cr_code code;
    uint32_t heard; /* since the step opened */
};

/* Hooks of struct scheme; the state is a struct gc_cr. */
struct limits gc_cr_limits(const void *params, const struct setting *setting);
void *gc_cr_begin(const void *params, const struct setting *setting, struct stream code, struct arena *arena);
void gc_cr_open(void *state, uint32_t step, uint32_t version);
void gc_cr_hear(void *state, const struct message *message);
bool gc_cr_decodable(const void *state);
void gc_cr_choose(void *state, const struct message *message, uint32_t messages, struct decoding *out);
void gc_cr_weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out);
#endif
