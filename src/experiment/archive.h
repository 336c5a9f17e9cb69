/* archive.h: the results folder of a study while it is filled: which files it has, in which order they come to be, and what
 * is kept of a folder that an earlier session left unfinished. */
#ifndef LAGGARD_ARCHIVE_H
#define LAGGARD_ARCHIVE_H
#include "digest.h"
#include "render.h"
#include "study.h"

struct archive_spec {
    const struct plan *plan;
    const struct run_request *request;
    const char *header; /* comment on top of the scenario's file */
    const char *started;
};
/* What manifest.json says beyond that. */
struct archive_state {
    const char *const *warning; /* [warnings]: what a reader should know */
    size_t warnings;
    size_t runs;
    double wall_s;
    bool complete;
};

struct archive;
/* Begins a folder, or goes on with one. NULL after writing why not. */
struct archive *archive_new(const struct archive_spec *spec, struct sentence *why);
void archive_free(struct archive *archive);
/* Where its files stand. */
const char *archive_path(const struct archive *archive);
/* Where the next run will stand in its journal. */
const struct journal_place *archive_place(const struct archive *archive);

/* The digest of the next run that an earlier session finished; false when there is no other. In the arena. */
bool archive_restore(struct archive *archive, struct digest *digest, struct arena *arena);
/* Keeps a line that is of no run, before the first of them. False as below. */
bool archive_keep(struct archive *archive, const char *line);
/* The next such line that an earlier session kept, valid until the next call; NULL when there is no other. */
const char *archive_kept(struct archive *archive);
/* Adds a run. False after an I/O error, which archive_finish tells. */
bool archive_add(struct archive *archive, const struct rendering *rendering, const char *digest);
/* Adds text to the rows of a file beside the journal's: summary.csv. */
bool archive_write(struct archive *archive, const char *name, const struct sheet *sheet);
/* Closes the folder and gives it its name. False after writing why; it can then be gone on with. */
bool archive_finish(struct archive *archive, const struct archive_state *state, struct sentence *why);
/* Something could not be written; what, and how to go on. */
bool archive_failed(const struct archive *archive);
void archive_excuse(const struct archive *archive, struct sentence *why);

/* What scenario.yaml holds; heap. */
char *archive_scenario(const struct archive_spec *spec);
/* The note of the first record of its journal: version, fingerprint, shard. In the arena. */
const char *archive_identity(struct arena *arena, const struct plan *plan, struct shard shard,
                             const char *version);
/* The folder is a complete one of this plan and shard; what a kill at the very end may have left in it is then removed.
 * False after writing why not; an empty sentence: there is none. */
bool archive_complete(const struct archive_spec *spec, struct sentence *why);
/* What is finished in `path`.partial is of this plan and shard. False after writing why not; an empty sentence: true. */
bool archive_resumable(const struct archive_spec *spec, struct sentence *why);
#endif
