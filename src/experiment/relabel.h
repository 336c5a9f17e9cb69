/* relabel.h: rows of a run as those of an equal run of another contest: all but the columns that say whose they are. */
#ifndef LAGGARD_RELABEL_H
#define LAGGARD_RELABEL_H
#include "render.h"

/* Appends rows, as `file` of a rendering holds them, to the same file of `rendering` under the names of a contest. */
void relabel_rows(struct rendering *rendering, size_t file, const struct contest *contest,
                  const struct block *rows, uint32_t replication);
#endif
