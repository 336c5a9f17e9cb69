/* from_tables.h: mappings drawn from the tables that read them, so that a new variant or key is walked without a word
 * about it in a test. */
#ifndef LAGGARD_TESTS_FROM_TABLES_H
#define LAGGARD_TESTS_FROM_TABLES_H
#include "draws.h"
#include "param.h"

/* Adds a drawn value of every required key, and of some others, without braces; of none that `left_out` names (ended by
 * NULL; NULL: none). Counts are about as large as the number of workers. Returns how many keys were drawn. */
uint32_t draw_mapping(struct text *text, const struct param_table *table, uint32_t workers,
                      const char *const *left_out);
#endif
