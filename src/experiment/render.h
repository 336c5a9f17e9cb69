/* render.h: a run's rows as the text of the results files, one block per file. */
#ifndef LAGGARD_RENDER_H
#define LAGGARD_RENDER_H
#include "journal.h"
#include "plan.h"
#include "result.h"

struct rendering {
    struct sheet steps, runs, workers;
    struct sheet events;    /* empty unless they are recorded */
    struct sheet staleness; /* empty unless a scheme can use old gradients */
    struct sheet partitions, bounds,
        theorems; /* empty unless runs are audited; the last two, unless one has a theorem */
};
/* The rows of one run under the names of its contest; `extra`: the plan's swept keys. Freed by rendering_fini. */
void rendering_init(struct rendering *rendering, const struct plan *plan);
void rendering_fini(struct rendering *rendering);
void rendering_add(struct rendering *rendering, const struct contest *contest, uint32_t replication,
                   const struct result *result);
/* The header lines of the files; of those that are empty by default where the plan asks for any. */
void rendering_headers(struct rendering *rendering, const struct plan *plan);

/* The files in which they stand, ended by NULL, and the rows of one of them. */
extern const char *const rendering_files[];
struct sheet *rendering_sheet(struct rendering *rendering, size_t file);
/* The rows of all files as blocks of a journal, as long as the rendering is as it is. */
void rendering_blocks(const struct rendering *rendering, struct block *blocks);
#endif
