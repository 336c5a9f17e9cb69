/* pushes.h: what schemes without a barrier share: each worker computes its own partition, and those that it has of others who
 * are away, at the model it was sent, task after task, and pushes the gradient; who is to begin the next task stands in a
 * line, or rests until it is let in.
 * Knows not what closes a round nor what a push weighs. */
#ifndef LAGGARD_PUSHES_H
#define LAGGARD_PUSHES_H
#include "holders.h"

/* The first member of the parameters of such a scheme, so that the hooks below serve it. */
struct push_params {
    uint32_t on_leave; /* enum on_leave */
};
#define PUSH_ON_LEAVE HOLDERS_ON_LEAVE(struct push_params, on_leave)
extern const struct param_table push_params; /* on_leave */

/* The present task of a worker. */
struct push {
    uint32_t version, partitions;
    double coefficient; /* of the gradients of its partitions in an estimate of one push */
};

/* The first member of such a scheme's state, so that the hooks below serve it. */
struct pushes {
    uint32_t workers;
    uint32_t version; /* at which tasks begin now */
    bool batches;
    struct holders holders;
    uint32_t most;                 /* partitions of one task, at most */
    struct push *push;             /* [workers] */
    struct evaluation *evaluation; /* [workers * most]: of each worker's present task */
    uint32_t *line;                /* [workers]: who is to begin a task, first come first */
    uint32_t first, waiting;       /* of the line, a ring */
    uint32_t *resting;             /* [workers]: who has pushed and must not begin yet, first come first */
    uint32_t rests;
    uint32_t round;        /* 1 + those before the present one */
    uint32_t *round_heard; /* [workers]: the last round in which a gradient of each partition was heard */
    uint32_t recovered;    /* partitions of which one was heard in this round */
};

/* A state of `size` bytes that begins with a struct pushes, in `arena`; zeroed. Nobody is there yet. */
void *pushes_new(const void *params, const struct setting *setting, size_t size, struct arena *arena);
/* The worker is to begin a task; no effect once it is gone. */
void pushes_line_up(struct pushes *pushes, uint32_t worker);
/* The worker is to begin a task after the next pushes_wake; no effect once it is gone. */
void pushes_rest(struct pushes *pushes, uint32_t worker);
/* Those who rest line up. */
void pushes_wake(struct pushes *pushes);
bool pushes_present(const struct pushes *pushes, uint32_t worker);
/* The evaluations of the worker's present task: of as many partitions as its push says. */
const struct evaluation *pushes_evaluations(const struct pushes *pushes, uint32_t worker);
/* `messages`: heard in one round, at most. */
struct limits pushes_limits(const void *params, const struct setting *setting, uint32_t messages);
/* The worker's push is heard: which partitions it recovers. */
void pushes_recover(struct pushes *pushes, uint32_t worker);
/* Updates between the version of a heard worker's push and the present one. */
uint32_t pushes_staleness(const struct pushes *pushes, uint32_t worker);

/* The parameter of schemes whose rounds close at the k-th push. */
struct push_count {
    struct push_params params;
    uint32_t pushes; /* K */
};
extern const struct param_table push_count_params; /* k, on_leave */
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
uint32_t pushes_holder(const void *state, uint32_t partition);
void pushes_hear(void *state, const struct message *message); /* it recovers, its sender lines up */
uint32_t pushes_stragglers(const void *params);               /* any */
void pushes_open(void *state, uint32_t step, uint32_t version);
uint32_t pushes_starts(void *state);
void pushes_assign(void *state, uint32_t worker, uint32_t step, struct task *task);
size_t pushes_finish(void *state, const struct computed *computed, struct term *term);
/* Uses every message: estimate (1/K) sum k g_p, K being the messages; where partitions are reassigned, k is the number of
 * workers that shared them as the task began. */
void pushes_choose(void *state, const struct message *message, uint32_t messages, struct decoding *out);
void pushes_weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out);
#endif
