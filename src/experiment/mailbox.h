/* mailbox.h: the messages of the present round and of those before it whose messages may still be used: what each holds,
 * whether and when it was heard. Without a barrier, those that have arrived and wait to be heard. Knows no scheme and no time of its own: it is told. */
#ifndef LAGGARD_MAILBOX_H
#define LAGGARD_MAILBOX_H
#include "scheme.h"

/* One part of a worker's task of a round: its result. */
struct letter {
    uint32_t worker, step, part;
    bool heard; /* in its round */
    bool used;  /* in the last update */
    double arrived_s;
    double seconds; /* without a barrier: spent on it */
    uint32_t first; /* of the task's evaluations: the part's */
    uint32_t terms;
    struct term *term;
    double *
        sent; /* [sent_length of the mailbox]: what the terms became on their way; NULL: their sum is what is sent */
};

struct mailbox {
    uint32_t workers, parts; /* of a task, at most */
    uint32_t rounds;         /* kept: the present one and `held` before it */
    struct letter
        *letter;      /* [rounds * workers * parts] by step modulo rounds, each in the order of posting */
    uint32_t *place;  /* [rounds * workers * parts]: 1 + which of its round's a part's is; 0: none */
    uint32_t *posted; /* [rounds] */
    struct letter **arrival; /* [rounds * workers * parts]: those heard in a round, in order of arrival */
    uint32_t *arrivals;      /* [rounds] */
    uint32_t *arrivals_step; /* [rounds]: the round that they are of */
    /* Without a barrier; counts run on over the run. */
    struct letter *waiting; /* [capacity]: those that have arrived, by their number modulo capacity */
    uint32_t capacity;      /* 0: there is a barrier */
    size_t sent_length;
    uint64_t arrived, taken; /* letters that arrived, that were heard */
    uint64_t opened;         /* heard before the present round */
    /* What `mailbox_gather` found. */
    struct message *message; /* [messages] by worker, step, part */
    struct letter **of;      /* [messages]: the letter of each message */
    uint32_t messages;
};

/* Sizes from the limits; in `arena`. */
void mailbox_begin(struct mailbox *mailbox, uint32_t workers, const struct limits *limits,
                   struct arena *arena);
/* Room for messages of so many doubles in every letter. */
void mailbox_carry(struct mailbox *mailbox, size_t length, struct arena *arena);
/* A round opens: the messages of the round that falls out of what is kept are forgotten. */
void mailbox_open(struct mailbox *mailbox, uint32_t step);
/* Where a part's result is put; whatever was there is replaced. */
struct letter *mailbox_post(struct mailbox *mailbox, const struct computed *computed);
/* Without a barrier: where the worker's last result was put. */
struct letter *mailbox_posted(struct mailbox *mailbox, uint32_t worker);
/* The letter of a part of this round is heard. */
struct letter *mailbox_hear(struct mailbox *mailbox, const struct computed *of, double time_s);
/* Without a barrier: the worker's letter has arrived and waits. */
struct letter *mailbox_arrive(struct mailbox *mailbox, const struct computed *of, double time_s);
/* Without a barrier: the next one that waits is heard; NULL: none waits. */
struct letter *mailbox_take(struct mailbox *mailbox);
/* Messages that `mailbox_gather` may find, at most. */
size_t mailbox_messages(const struct mailbox *mailbox);
/* The messages that may be used in round `step`. */
void mailbox_gather(struct mailbox *mailbox, uint32_t step);

/* Calls `visit` for every letter that was heard and is still kept in round `step`: round by round, each in the order of
 * arrival. */
void mailbox_each_arrival(const struct mailbox *mailbox, uint32_t step,
                          void (*visit)(void *context, struct letter *letter), void *context);
#endif
