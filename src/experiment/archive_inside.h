/* archive_inside.h: what the files of the archive share. */
#ifndef LAGGARD_ARCHIVE_INSIDE_H
#define LAGGARD_ARCHIVE_INSIDE_H
#include "archive.h"

struct archive {
    struct archive_spec spec;
    struct folder *folder;
    struct journal *journal;
    struct journal_reader *reader; /* while runs of an earlier session are handed on; else NULL */
    struct journal_place restored; /* where the next of them is */
    bool ordered;                  /* the rows of all files stand in their final order */
};

/* The first note of the journal in a folder is that of this study. False after writing in what it differs. */
bool archive_same(const struct archive_spec *spec, const char *folder, const char *note,
                  struct sentence *why);

/* Where replications are decided as they go, runs are written in another order than the files have in the end. Each file
 * is written anew beside the old one, then the journal says so, then each takes the place of the old one: whoever is killed
 * on the way can tell how far it was. */
bool archive_order(struct archive *archive);
/* The journal says that all are written anew. */
bool archive_was_ordered(struct journal_reader *reader);
/* Does the last step. */
bool archive_take_order(struct archive *archive);
#endif
