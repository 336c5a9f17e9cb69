/* timeline.h: the events of one run for people: a list of words, or a timeline for a viewer. Knows events and formats,
 * not the run. */
#ifndef LAGGARD_TIMELINE_H
#define LAGGARD_TIMELINE_H
#include "stretch.h"
#include <stdio.h>

struct timeline {
    const char *scheme; /* its label */
    const char *title;  /* one line: which run, which steps */
    const struct moment_log *moments;
    size_t first; /* the moment with which it begins */
    uint32_t workers;
};

struct timeline_format {
    const char *name, *summary;
    void (*print)(const struct timeline *timeline, FILE *out);
};
/* Ended by a name of NULL. */
extern const struct timeline_format timeline_formats[];

/* A line per event, in columns. */
void timeline_list(const struct timeline *timeline, FILE *out);
/* The Trace Event Format of Chrome as JSON, which ui.perfetto.dev opens: a process for the scheme, a thread for the
 * master, one for every worker and, where workers compute while they upload, one for every worker's uploads. Times in
 * microseconds, to the nanosecond. Source: Trace Event Format, Google, 2016. */
void timeline_perfetto(const struct timeline *timeline, FILE *out);
#endif
