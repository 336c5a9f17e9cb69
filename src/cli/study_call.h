/* study_call.h: the options that commands on scenarios share. */
#ifndef LAGGARD_STUDY_CALL_H
#define LAGGARD_STUDY_CALL_H
#include "command.h"
#include "study.h"

/* Reads the scenario that the call names, with its --set and --sweep options. NULL after telling every mistake. */
struct study *study_of_call(struct call *call);

/* The values of every use of an option, in the arena. */
const char *const *values_given(struct call *call, const char *name, size_t *count);

/* Threads of -j, or the processors there are; 0 after telling a mistake. */
unsigned threads_of_call(const struct call *call);

/* Where progress is drawn, over itself, which only a terminal can show; NULL: nowhere. */
FILE *progress_of_call(const struct call *call);

/* Where results go: -o, or results/NAME; of a shard, results/NAME-shard-I-of-N. */
const char *folder_of_call(struct call *call, const struct study *study);

/* The part of --shard, or all: false after telling a mistake. */
bool shard_of_call(const struct call *call, struct shard *shard);

/* Why results may not go there without --force, in a sentence; NULL: they may. In the arena. `ways`: what can be done about an
 * unfinished folder. */
#define WAYS_ON "--resume goes on with it, --force replaces it"
const char *folder_obstacle(struct arena *arena, const char *folder, enum replacing replacing,
                            const char *ways);

/* Why --resume cannot go on there, in a sentence; NULL: it may. In the arena. */
const char *folder_not_resumable(struct arena *arena, const char *folder, enum replacing replacing);

#define OPTION_SET                                                                                           \
    { 0, "set", "KEY=VALUE", "set a key of the scenario, such as stop.steps=50; may be repeated" }
#define OPTION_SWEEP                                                                                         \
    {                                                                                                        \
        0, "sweep", "KEY=V1,V2,...",                                                                         \
            "run every value of a key, such as schemes.stragglers=1,2,3; may be repeated"                    \
    }
#define OPTION_OUT                                                                                           \
    { 'o', "output", "DIR", "folder of the results; results/NAME by default" }
#define OPTION_NO_CACHE                                                                                      \
    { 0, "no-cache", NULL, "neither read nor write FILE.laggard-cache beside large data files" }
#define OPTION_YES                                                                                           \
    { 0, "yes", NULL, "go on above a limit on memory or on the size of results" }
#define OPTION_THREADS                                                                                       \
    { 'j', "jobs", "N", "threads, 1 to 256; as many as processors by default" }
#endif
