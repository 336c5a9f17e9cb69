/* warning.h: what a user should know, on standard error, after all that was printed before it. */
#ifndef LAGGARD_WARNING_H
#define LAGGARD_WARNING_H
#include "study.h"

void warning_print(const char *sentence);
/* Before a run: where numbers of double precision may spoil a decode. A sentence is told once for a scheme. */
void doubts_print(const struct study *study);
#endif
