/* study_of.h: runs a scenario given as text and hands back the finished study, for tests that look at its numbers. */
#ifndef LAGGARD_TESTS_STUDY_OF_H
#define LAGGARD_TESTS_STUDY_OF_H
#include "study.h"

/* printf of the scenario's text, read, run on two threads, nothing written. Ends the test when it is refused. */
struct study *study_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
#endif
