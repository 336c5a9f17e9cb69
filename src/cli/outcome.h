/* outcome.h: what a finished study has to say on standard output. */
#ifndef LAGGARD_OUTCOME_H
#define LAGGARD_OUTCOME_H
#include "command.h"
#include "study.h"

/* Its tables, warnings, and where its files are; nothing with --quiet. */
void outcome_print(const struct call *call, const struct study *study, const char *folder);
#endif
