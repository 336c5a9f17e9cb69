/* advice_text.h: what an advice says, for people. */
#ifndef LAGGARD_ADVICE_TEXT_H
#define LAGGARD_ADVICE_TEXT_H
#include "advice.h"
#include "memory.h"

void advice_print(struct arena *arena, const struct advice *advice, FILE *stream);
#endif
