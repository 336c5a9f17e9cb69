/* fit_words.h: what a fit found, told to people: tables and sentences on stderr. */
#ifndef LAGGARD_FIT_WORDS_H
#define LAGGARD_FIT_WORDS_H
#include "cluster_fit.h"
#include <stdio.h>

/* The laws, best first, what was declined and why, and what the best makes of the largest times. */
void ranking_print(struct arena *arena, const struct ranking *ranking, FILE *stream);
/* Which dependence the times show. */
void dependence_print(struct arena *arena, const struct cluster_fit *fit, FILE *stream);
/* T(load) = a + b load, and how many times the load alone exceeds. */
void load_line_print(const struct load_line *line, size_t clipped, FILE *stream);
#endif
