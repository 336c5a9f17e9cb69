/* laggard run: runs a study and says what came out. */
#include "build_facts.h"
#include "draw.h"
#include "interrupt.h"
#include "outcome.h"
#include "study_call.h"
#include "warning.h"
#include <inttypes.h>
#include <stdlib.h>

static enum replacing replacing_of(const struct call *call) {
    return option_given(call, "force") ? REPLACE_EXISTING : KEEP_EXISTING;
}

/* Refused before hours of computing, not after. */
static int folder_refused(struct call *call, const char *folder) {
    if (!*folder)
        return usage_error(call, "option '--output' must name a folder");
    const char *obstacle = option_given(call, "resume")
                               ? folder_not_resumable(call->arena, folder, replacing_of(call))
                               : folder_obstacle(call->arena, folder, replacing_of(call), WAYS_ON);
    return obstacle ? usage_error(call, "%s", obstacle) : EXIT_DONE;
}

static void shard_print(const struct call *call, const struct run_request *request) {
    if (!option_given(call, "quiet"))
        printf("shard %" PRIu32 " of 0 … %" PRIu32 " in %s; 'laggard merge' joins them\n",
               request->shard.index, request->shard.count - 1, request->folder);
}

static int finished(struct call *call, const struct study *study, const struct run_request *request) {
    if (request->shard.count > 1) {
        shard_print(call, request);
        return EXIT_DONE;
    }
    outcome_print(call, study, request->folder);
    struct plot_request pictures = {.folder = request->folder, .formats = {"svg", "png"}};
    return option_given(call, "plot") ? draw(call, pictures) : EXIT_DONE;
}

/* With --resume, a folder that is complete is as good as done, and one of something else is a mistake. */
static bool decided_already(const struct call *call, const struct study *study,
                            const struct run_request *request, int *code) {
    struct sentence why;
    if (!request->resume)
        return false;
    bool complete = request->replacing == KEEP_EXISTING && study_complete(study, request, &why);
    if (request->replacing == REPLACE_EXISTING || (!complete && !*why.text))
        study_resumable(study, request, &why);
    *code = EXIT_DONE;
    if (complete && !option_given(call, "quiet"))
        printf("%s is complete already\n", request->folder);
    if (!complete && *why.text)
        *code = refused(call, "%s", why.text);
    return complete || *why.text;
}

static int study_finish(struct call *call, struct study *study, struct run_request *request) {
    struct sentence why = {""};
    int code = folder_refused(call, request->folder);
    if (code != EXIT_DONE || decided_already(call, study, request, &code))
        return code;
    if (request->shard.count > 1 && study_decides(study))
        return refused(call,
                       "--shard needs a fixed number of replications: with replications.half_width, what "
                       "one shard has to run depends on what the others find");
    if (request->shard.count > 1 && study_tuning_runs(study) > 0)
        return refused(call,
                       "--shard does not go with tune, which every shard would have to do in full: run it "
                       "once, then write the values of tune.csv into scenarios that are run in shards");
    if (request->shard.count > 1 && option_given(call, "plot"))
        return usage_error(call, "--plot draws a whole study: merge the shards, then 'laggard plot'");
    /* Of a shard, the limit is for whoever merges them. */
    if (!option_given(call, "yes") && request->shard.count <= 1 && !study_results_fit(study, &why))
        return refused(call, "%s", why.text);
    if (!option_given(call, "quiet"))
        doubts_print(study);
    interrupt_watch(call, request->folder);
    if (!study_run(study, request, &why))
        return unfinished(call, "%s", why.text);
    interrupt_forget();
    return finished(call, study, request);
}

static int run(struct call *call) {
    struct run_request request = {.replacing = replacing_of(call),
                                  .resume = option_given(call, "resume"),
                                  .threads = threads_of_call(call),
                                  .command = call->line,
                                  .version = LAGGARD_VERSION,
                                  .mend = "what is finished is kept, and --resume goes on from there",
                                  .progress = progress_of_call(call)};
    bool good = request.threads > 0 && shard_of_call(call, &request.shard);
    struct study *study = good ? study_of_call(call) : NULL;
    if (!study)
        return EXIT_USAGE;
    request.folder = folder_of_call(call, study);
    int code = study_finish(call, study, &request);
    study_free(study);
    return code;
}

static const struct option_spec options[] = {
    OPTION_OUT,
    OPTION_SET,
    OPTION_SWEEP,
    OPTION_THREADS,
    {0, "shard", "I/N", "run only part I, from 0, of N equal parts of the runs; 'laggard merge' joins them"},
    {0, "resume", NULL, "go on where a run was cut off; begin where there is none"},
    {0, "force", NULL, "replace an existing results folder"},
    OPTION_YES,
    OPTION_NO_CACHE,
    {0, "plot", NULL, "draw the figures too"},
    {'q', "quiet", NULL, "print nothing but errors"},
    {0, NULL, NULL, NULL},
};

const struct command command_run = {
    .name = "run",
    .summary = "runs every scheme, sweep point and replication of a scenario",
    .usage = "SCENARIO [-o DIR] [--set KEY=VALUE]... [--sweep KEY=V1,V2,...]... [-j N] [--shard I/N] "
             "[--resume] [--force] [--plot] [-q]",
    .details = "Writes a folder of CSV files and prints a short table. The same scenario gives the same "
               "files on any\n"
               "number of threads. What is cut off (by a signal, a full disk, a power cut) is left as "
               "DIR.partial, and\n"
               "--resume goes on from there to the same files; finished runs are not computed again.\n"
               "Where the scenario says replications: {half_width: 0.02, max: 200}, all schemes of a point "
               "are run ten\n"
               "times after ten until every paired difference to the first scheme is settled: in time to the "
               "target\n"
               "loss, or in seconds per step where there is no target, half of its 95 % interval is at most "
               "0.02 of the\n"
               "first scheme's mean. Schemes without a run that reached the target are not waited for.\n",
    .options = options,
    .operands_min = 1,
    .operands_max = 1,
    .run = run,
};
