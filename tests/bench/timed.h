/* timed.h: studies from a text and the processor's clock, for programs that measure whole runs. */
#ifndef LAGGARD_TESTS_TIMED_H
#define LAGGARD_TESTS_TIMED_H
#include "study.h"

double processor_seconds(void);

/* The scenario of a printf format, read. Ends the program after telling why it is refused. */
struct study *timed_study(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Runs it on one thread, writes nothing; returns the processor seconds it took. */
double timed_run(struct study *study);
#endif
