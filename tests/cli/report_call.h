/* report_call.h: command lines of the program that must end with a certain exit code. */
#ifndef LAGGARD_TESTS_REPORT_CALL_H
#define LAGGARD_TESTS_REPORT_CALL_H
#include "scratch.h"

/* Ends the test unless the program does; arguments ended by NULL. */
struct outcome report_run(const struct scratch *scratch, int exit_code, const char *const *arguments);
/* The same, where what it prints does not matter. */
void report_run_quietly(const struct scratch *scratch, int exit_code, const char *const *arguments);
#define RUN(scratch, exit_code, ...) report_run(scratch, exit_code, (const char *const[]){__VA_ARGS__, NULL})
#define RUN_QUIETLY(scratch, exit_code, ...)                                                                 \
    report_run_quietly(scratch, exit_code, (const char *const[]){__VA_ARGS__, NULL})
#endif
