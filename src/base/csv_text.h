/* csv_text.h: the text of a CSV file, read once more to find where a cell stands (csv_place.c); for csv_file.c alone. */
#ifndef LAGGARD_CSV_TEXT_H
#define LAGGARD_CSV_TEXT_H
#include "csv_file.h"

/* Nothing is read before a place is asked for. */
struct csv_text *csv_text_new(void);
void csv_text_free(struct csv_text *text);
#endif
