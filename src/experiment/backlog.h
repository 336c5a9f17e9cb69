/* backlog.h: late workers that finish every task they were sent, in order (`late: queue`), without an event queue: a task of
 * worker i ends at max(opening of its round, end of its task before) + seconds (Lindley 1952). */
#ifndef LAGGARD_BACKLOG_H
#define LAGGARD_BACKLOG_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rounds;

struct backlog;
struct backlog *backlog_new(uint32_t workers);
void backlog_free(struct backlog *backlog);

/* Sends the tasks of the round whose seconds stand in row `r`; returns when it closes, INFINITY: never. */
double backlog_send(struct rounds *rounds, size_t r, double opened_s);
/* Books what that round, which has closed, ended. */
void backlog_book(struct rounds *rounds, size_t r);
/* When the last of all tasks ends that does, and none is sent any more. */
double backlog_last(const struct backlog *backlog, double now_s);
/* Books what has come to an end, and what was spent on what has not. */
void backlog_end(struct rounds *rounds, double end_s);

/* Tasks sent to the worker and not ended when the last round closed, and the most at any close. */
uint32_t backlog_now(const struct backlog *backlog, uint32_t worker);
uint32_t backlog_most(const struct backlog *backlog, uint32_t worker);
#endif
