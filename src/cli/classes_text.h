/* classes_text.h: which values of a data file became the two classes, for people. */
#ifndef LAGGARD_CLASSES_TEXT_H
#define LAGGARD_CLASSES_TEXT_H
#include "study.h"

/* "no → -1, yes → +1"; NULL where the labels are no classes of a file. In the arena. */
const char *classes_text(struct arena *arena, const struct scenario *scenario);
/* One line for each way in which the points of the study read their labels; none without classes of a file. */
void classes_print(struct arena *arena, const struct study *study, FILE *stream);
#endif
