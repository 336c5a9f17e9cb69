/* study.h: a whole study: a scenario, its sweep, its schemes and replications, planned, run and summarised.
 * Knows no argument vector and no picture. */
#ifndef LAGGARD_STUDY_H
#define LAGGARD_STUDY_H
#include "audit_summary.h"
#include "folder.h"
#include "scenario.h"
#include "shard.h"
#include "summary.h"

struct study_request {
    const char *file;
    const char *const *sets; /* KEY=VALUE, VALUE is YAML */
    size_t set_count;
    bool images;               /* large files may be read from, and kept in, binary images beside them */
    bool any_size;             /* runs may need any memory */
    const char *const *sweeps; /* KEY=V1,V2,…: axes of the sweep */
    size_t sweep_count;
};

struct study;
/* Reads and plans; loads data. NULL after every mistake of every point was told. */
struct study *study_read(struct diag *diag, const struct study_request *request);
void study_free(struct study *study);

size_t study_points(const struct study *study);
const struct scenario *study_scenario(const struct study *study, size_t point);
size_t study_swept(const struct study *study); /* number of swept keys */
const char *study_swept_key(const struct study *study, size_t key);
const char *study_swept_value(const struct study *study, size_t point, size_t key);
size_t study_runs(const struct study *study);          /* points x schemes x replications, at most */
size_t study_distinct_runs(const struct study *study); /* without those equal to an earlier one */
size_t study_tuning_runs(const struct study *study);   /* by which optimizers are tuned before; 0: none are */
/* A scheme of a point with what it is compared at: where the scenario tunes, by runs that are made now. */
struct contest;
struct contest study_contest(const struct study *study, const struct scheme_entry *entry, unsigned threads);
bool study_decides(const struct study *study); /* replications of some point go on until it is settled */

/* About the bytes of its results, at most; whether they stay below a limit, false after writing why not (results_size.h). */
double study_results_bytes(const struct study *study);
bool study_results_fit(const struct study *study, struct sentence *why);

struct run_request {
    const char *folder; /* NULL: write nothing, compute equal runs each */
    enum replacing replacing;
    bool resume; /* go on in an unfinished folder; where there is none, begin */
    struct shard shard;
    unsigned threads;
    const char *const *command, *version; /* for the manifest */
    FILE *progress;                       /* NULL: none */
    const char *mend;                     /* what to do after an error of the disk, to be said behind it */
};
/* Runs what was planned. False after writing why it could not finish; what was done stands in the folder, which is
 * marked incomplete and can be resumed. */
bool study_run(struct study *study, const struct run_request *request, struct sentence *why);
/* The folder holds what was planned, complete. False after writing why it holds something else; an empty sentence: there is
 * none. */
bool study_complete(const struct study *study, const struct run_request *request, struct sentence *why);

/* What stands unfinished in the folder can be resumed, as far as anything is finished in it. False after writing why not. */
bool study_resumable(const struct study *study, const struct run_request *request, struct sentence *why);

enum merging { MERGE_DONE, MERGE_REFUSED, MERGE_UNFINISHED };
/* Joins the shards of the study, complete folders in any order, to what one run would have written; of the request, the
 * shard and the threads do not count. Writes why they are REFUSED, not making a whole, or why it is UNFINISHED. */
enum merging study_merge(struct study *study, const char *const *folders, size_t count,
                         const struct run_request *request, struct sentence *why);

/* After study_run or study_merge: per point and scheme; of a shard, of the runs that it has. */
const struct summary *study_summaries(const struct study *study, size_t *count);
/* The same of what was audited, where anything was: in the order of the summaries. */
const struct audit_summary *study_audits(const struct study *study, size_t *count);
/* Before a run: where numbers of double precision may spoil a decode, one sentence each. */
size_t study_doubts(const struct study *study);
const char *study_doubt(const struct study *study, size_t index);
/* Things a user should know about the runs (a backlog that grows, partitions never used): one sentence each. */
size_t study_warnings(const struct study *study);
const char *study_warning(const struct study *study, size_t index);
#endif
