/* fit_words.h: what a fit found, told to people: tables and sentences on stderr. */
#ifndef LAGGARD_FIT_WORDS_H
#define LAGGARD_FIT_WORDS_H
#include "cluster_fit.h"
#include <stdio.h>

/* The laws, best first, what was declined and why, and what the best makes of the largest times. */
void ranking_print(struct arena *arena, const struct ranking *ranking, FILE *stream);
/* How many times there are, and which dependence they show. */
void dependence_print(struct arena *arena, const struct cluster_fit *fit,
                      const struct cluster_request *request, FILE *stream);
/* T(load) = a + b load, and how far the means of the files are from it. `load` of each file. */
void load_line_print(const struct load_line *line, const double *load, FILE *stream);
#endif
