/* audit_table.h: what an audit found, in a few lines. */
#ifndef LAGGARD_AUDIT_TABLE_H
#define LAGGARD_AUDIT_TABLE_H
#include "study.h"

/* Nothing where nothing was audited; else a row per point and scheme, and a sentence per theorem. */
void audit_table_print(const struct study *study, FILE *stream);
#endif
