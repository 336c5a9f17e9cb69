/* report_page.h: what the page of a results folder says, part by part. */
#ifndef LAGGARD_REPORT_PAGE_H
#define LAGGARD_REPORT_PAGE_H
#include "memory.h"
#include "page.h"
#include "standings.h"

/* What the parts of a report are made from. */
struct report {
    struct arena *arena;
    const char *folder;
    const struct standings *standings;
    struct page *page;
};

/* The scenario's header: its first paragraph leads the page; further ones are folded. */
void report_question(const struct report *report);
/* The ranked table, or tables of a sweep. */
void report_standings(const struct report *report);
/* What the runs warned of, as the manifest keeps it. */
void report_warnings(const struct report *report);
/* Cluster, problem and schemes, as `check` tells them; the scenario itself, folded. */
void report_setting(const struct report *report);
/* Command, version, seed and checksums. */
void report_origin(const struct report *report);

/* A table of the program's, as one of the page's. */
void report_table(const struct report *report, const char *caption, const struct text_table *table);
#endif
