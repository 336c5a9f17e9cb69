/* holders.h: who computes which partition while workers come and go, where each partition lives with one worker: its owner,
 * the worker of its number.
 * Knows no task, message or time.
 *
 * Under `lost` nobody computes a partition whose owner is away. Under `reassigned` the partitions that nobody computes are
 * dealt out in ascending order, each to a worker that computes fewest, of those the first after the owner in a ring of
 * indices; whoever has one keeps it until it leaves or the owner joins. */
#ifndef LAGGARD_HOLDERS_H
#define LAGGARD_HOLDERS_H
#include "scheme.h"

enum on_leave { ON_LEAVE_LOST, ON_LEAVE_REASSIGNED };
extern const char *const on_leaves[];

/* The parameter, of structs that hold a uint32_t of enum on_leave. */
#define HOLDERS_ON_LEAVE(type, member)                                                                       \
    {                                                                                                        \
        .name = "on_leave", .kind = PARAM_CHOICE, .offset = offsetof(type, member), .fallback = "lost",      \
        .choices = on_leaves,                                                                                \
        .help = "partitions of workers that are away, gone for good or yet to join. lost: nobody computes "  \
                "them; reassigned: those present do, until the owner joins"                                  \
    }

struct holders {
    uint32_t workers;
    enum on_leave rule;
    uint32_t presents;
    bool *present;    /* [workers]: has joined and is not gone */
    uint32_t *holder; /* [workers]: of each partition; NOBODY */
    uint32_t *first;  /* [workers]: lowest partition that each worker computes; NOBODY: none */
    uint32_t *next;   /* [workers]: the next one of the same worker; NOBODY: none */
    uint32_t *load;   /* [workers]: how many each computes */
    uint32_t without; /* partitions that nobody computes */
};

/* Nobody is there yet. In `arena`. */
void holders_begin(struct holders *holders, uint32_t workers, enum on_leave rule, struct arena *arena);
/* Takes its own partition, from whoever has it. */
void holders_join(struct holders *holders, uint32_t worker);
/* Nobody computes what it had. No effect on one that never joined. */
void holders_leave(struct holders *holders, uint32_t worker);
/* Where partitions are reassigned, those that nobody computes go to those present. Each takes steps as many as there are
 * workers. */
void holders_deal(struct holders *holders);
/* Partitions that one worker computes at a time, at most: ceil(n / those always there). */
uint32_t holders_most(enum on_leave rule, const struct setting *setting);
/* Workers among whom the partitions are shared out: what the sum of a worker's gradients is multiplied by, so that the mean
 * over equally busy workers is the gradient. Under `lost` all n. */
uint32_t holders_sharing(const struct holders *holders);
#endif
