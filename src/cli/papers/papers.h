/* papers.h: what is read of the program elsewhere than in it, written from the tables that parse its command line. */
#ifndef LAGGARD_PAPERS_H
#define LAGGARD_PAPERS_H
#include <stdio.h>

/* The manual page, section 1, as scdoc reads it. */
void manual_write(FILE *out);
/* Bash's completion of the command line. */
void completion_write(FILE *out);
#endif
