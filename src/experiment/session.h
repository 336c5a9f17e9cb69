/* session.h: a study while its runs come in: what becomes of each of them, wherever it comes from. */
#ifndef LAGGARD_SESSION_H
#define LAGGARD_SESSION_H
#include "archive.h"
#include "audit_tally.h"
#include "progress_line.h"
#include "tuning.h"
#include "warnings.h"

struct study {
    struct plan plan;
    struct tuning *tuning; /* NULL: nothing is tuned */
    struct tally *tally;
    struct audit_tally *audits; /* NULL: nothing is audited */
    struct warnings doubts, warnings;
    char *header; /* comment on top of the scenario's file */
    const struct summary *summary;
};

struct session {
    struct study *study;
    const struct run_request *request;
    struct archive *archive; /* NULL: nothing is written */
    struct progress_line progress;
    size_t runs; /* in all, at most */
};

/* Begins to collect: opens the folder, and finds what is tuned. False after writing why the folder cannot be filled. */
bool session_begin(struct session *session, struct study *study, const struct run_request *request,
                   struct sentence *why);
/* Takes a run into the comparison. */
void session_note(struct session *session, const struct digest *digest);
/* Writes a run, and takes it into the comparison. */
bool session_add(struct session *session, const struct digest *digest, const struct rendering *rendering,
                 struct arena *scratch);
/* Writes what the runs make together and closes the folder; `good`: nothing failed so far. False after writing why. */
bool session_end(struct session *session, bool good, struct sentence *why);
#endif
