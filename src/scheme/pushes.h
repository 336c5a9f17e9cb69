/* pushes.h: what schemes without a barrier share: each worker computes its own partition at the model it was sent, task after
 * task, and pushes the gradient; who is to begin the next task stands in a line.
 * Knows not what closes a round nor what a push weighs. */
#ifndef LAGGARD_PUSHES_H
#define LAGGARD_PUSHES_H
#include "scheme.h"

/* The first member of such a scheme's state, so that the hooks below serve it. */
struct pushes {
    uint32_t workers;
    uint32_t version; /* at which tasks begin now */
    bool batches;
    struct evaluation *evaluation; /* [workers]: of each worker's present task */
    uint32_t *line;                /* [workers]: who is to begin a task, first come first */
    uint32_t first, waiting;       /* of the line, a ring */
};

/* `pushes` is zeroed. All workers stand in the line. */
void pushes_begin(struct pushes *pushes, const struct setting *setting, struct arena *arena);
/* The worker is to begin a task. */
void pushes_line_up(struct pushes *pushes, uint32_t worker);
struct limits pushes_limits(uint32_t messages); /* heard in one round, at most */
/* Updates between the version of a heard worker's push and the present one. */
uint32_t pushes_staleness(const struct pushes *pushes, uint32_t worker);

/* Hooks of struct scheme. */
uint32_t pushes_stragglers(const void *params); /* any */
void pushes_open(void *state, uint32_t step, uint32_t version);
uint32_t pushes_starts(void *state);
void pushes_assign(void *state, uint32_t worker, uint32_t step, struct task *task);
size_t pushes_finish(void *state, const struct computed *computed, struct term *term);
/* Uses every message: estimate (1/K) sum k g_p, K being the messages. */
void pushes_choose(void *state, const struct message *message, uint32_t messages, struct decoding *out);
void pushes_weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out);
#endif
