/* fit_call.h: times that `laggard fit` is tried on, and what is expected of an answer. */
#ifndef LAGGARD_TESTS_FIT_CALL_H
#define LAGGARD_TESTS_FIT_CALL_H
#include "scratch.h"

/* The first line of a file. */
#define HEAD "round,worker,seconds\n"

/* Numbers in (0, 1) without a pattern. */
double share_at(int round, int worker);

/* The code it ended with, and a text in what it says on stderr. */
void fit_expect(const struct outcome *outcome, const char *name, int code, const char *text);
/* What was printed is the start of a scenario, which runs. */
void fit_expect_runs(struct scratch *scratch, const char *cluster);
#endif
