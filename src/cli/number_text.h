/* number_text.h: numbers as people read them: few digits, intervals with their mean, plain units.
 * All texts are in the arena. */
#ifndef LAGGARD_NUMBER_TEXT_H
#define LAGGARD_NUMBER_TEXT_H
#include "memory.h"
#include <stdint.h>

/* Four significant digits, "infinite" for INFINITY, "–" for NAN. */
const char *number_text(struct arena *arena, double value);
/* A mean with the half-width of its interval, both to two digits of the half-width: 12.34 ± 0.21; the
 * number alone where there is no interval, or none worth telling. */
const char *interval_text(struct arena *arena, double mean, double half_width);
/* 512 B, 96 MiB, 1.5 GiB. */
const char *bytes_text(struct arena *arena, double bytes);
/* 80 ms, 3.2 s, 5 min, 2.5 h, 3 days. */
const char *duration_text(struct arena *arena, double seconds);
/* `1 run`, `120 runs`. */
const char *count_text(struct arena *arena, size_t count, const char *noun);
#endif
