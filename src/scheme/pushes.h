/* pushes.h: what schemes without a barrier share: each worker computes its own partition at the model it was sent, task after
 * task, and pushes the gradient; who is to begin the next task stands in a line, or rests until it is let in.
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
    bool *present;                 /* [workers]: has joined and is not gone */
    uint32_t *line;                /* [workers]: who is to begin a task, first come first */
    uint32_t first, waiting;       /* of the line, a ring */
    uint32_t *resting;             /* [workers]: who has pushed and must not begin yet, first come first */
    uint32_t rests;
};

/* `pushes` is zeroed. Nobody is there yet. */
void pushes_begin(struct pushes *pushes, const struct setting *setting, struct arena *arena);
/* The same in `arena`, of a state of `size` bytes that begins with it; zeroed. */
void *pushes_new(const struct setting *setting, size_t size, struct arena *arena);
/* The worker is to begin a task; no effect once it is gone. */
void pushes_line_up(struct pushes *pushes, uint32_t worker);
/* The worker is to begin a task after the next pushes_wake; no effect once it is gone. */
void pushes_rest(struct pushes *pushes, uint32_t worker);
/* Those who rest line up. */
void pushes_wake(struct pushes *pushes);
struct limits pushes_limits(uint32_t messages); /* heard in one round, at most */
/* Updates between the version of a heard worker's push and the present one. */
uint32_t pushes_staleness(const struct pushes *pushes, uint32_t worker);

/* The parameter of schemes whose rounds close at the k-th push. */
struct push_count {
    uint32_t pushes; /* K */
};
extern const struct param_table push_count_params; /* k */
/* Hooks of struct scheme for it. */
bool pushes_wait_for_count(const void *params, struct sentence *rule);
struct limits pushes_count_limits(const void *params, const struct setting *setting);
bool pushes_refuses_count(const void *params, struct shape shape, struct sentence *why); /* above workers */

/* Hooks of struct scheme. */
bool pushes_refuses(const void *params, struct shape shape, struct sentence *why);
bool pushes_wait_for_one(const void *params, struct sentence *rule);
struct limits pushes_one_limits(const void *params, const struct setting *setting);
void *pushes_alone(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena); /* the state is a struct pushes */
void pushes_member(void *state, uint32_t worker, enum membership membership);
void pushes_hear(void *state, const struct message *message); /* the sender lines up */
uint32_t pushes_stragglers(const void *params);               /* any */
void pushes_open(void *state, uint32_t step, uint32_t version);
uint32_t pushes_starts(void *state);
void pushes_assign(void *state, uint32_t worker, uint32_t step, struct task *task);
size_t pushes_finish(void *state, const struct computed *computed, struct term *term);
/* Uses every message: estimate (1/K) sum k g_p, K being the messages. */
void pushes_choose(void *state, const struct message *message, uint32_t messages, struct decoding *out);
void pushes_weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out);
#endif
