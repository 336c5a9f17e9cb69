/* late_book.h: what every worker's seconds were good for in a run by late rounds: the bits of ledger.h, of whole rounds at a time.
 * Knows no wait rule and no step's row. */
#ifndef LAGGARD_LATE_BOOK_H
#define LAGGARD_LATE_BOOK_H
#include "result.h"
#include "set_rules.h"

struct late_book;
/* What it is told by; all must outlive it. */
struct late_book_spec {
    const struct set_rules *rules;
    void *state; /* of the rules, in its first round */
    const struct limits *limits;
    uint32_t workers;
};
struct late_book *late_book_new(const struct late_book_spec *spec);
void late_book_free(struct late_book *book);

/* A round that is not idle opens. Tasks that have not ended are dropped. */
void late_book_open(struct late_book *book, uint32_t round);

struct heard_round {
    double opened_s, next_s;
    const double *seconds;   /* [workers]: of each one's task */
    const uint64_t *missing; /* who was not heard */
};
/* It closed, and the next one opens at next_s. */
void late_book_close(struct late_book *book, const struct heard_round *round);
/* It never closes: at next_s the last of those ended whose end comes, and these are missing. */
void late_book_hang(struct late_book *book, const struct heard_round *round);

/* An update was released; its gradients are so many updates of their model old. */
void late_book_use(struct late_book *book, uint32_t age, struct result *result);

/* The run is over: fills the row of each worker, and of the run what is said of seconds. Its steps and times stand there. */
void late_book_report(struct late_book *book, struct result *result);
#endif
