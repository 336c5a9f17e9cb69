/* laggard merge: joins the shards of a study. */
#include "build_facts.h"
#include "outcome.h"
#include "study_call.h"

static int study_join(struct call *call, struct study *study) {
    struct sentence why = {""};
    struct run_request request = {.folder = folder_of_call(call, study),
                                  .replacing = option_given(call, "force") ? REPLACE_EXISTING : KEEP_EXISTING,
                                  .shard = {0, 1},
                                  .threads = 1,
                                  .command = call->line,
                                  .version = LAGGARD_VERSION,
                                  .mend = "--force merges them anew"};
    const char *obstacle = *request.folder ? folder_obstacle(call->arena, request.folder, request.replacing,
                                                             "--force replaces it")
                                           : "option '--output' must name a folder";
    if (obstacle)
        return usage_error(call, "%s", obstacle);
    enum merging merging = study_merge(study, call->operand, call->operands, &request, &why);
    if (merging == MERGE_REFUSED)
        return usage_error(call, "%s", why.text);
    if (merging == MERGE_UNFINISHED)
        return unfinished(call, "%s", why.text);
    outcome_print(call, study, request.folder);
    return EXIT_DONE;
}

/* The scenario that a shard was run from stands in its folder. */
static int run(struct call *call) {
    struct diag *diag = diag_new();
    struct study_request request = {.file = arena_format(call->arena, "%s/scenario.yaml", call->operand[0])};
    struct study *study = study_read(diag, &request);
    diag_print(diag, stderr);
    diag_free(diag);
    if (!study)
        return EXIT_USAGE;
    int code = study_join(call, study);
    study_free(study);
    return code;
}

static const struct option_spec options[] = {
    OPTION_OUT,
    {0, "force", NULL, "replace an existing results folder"},
    {'q', "quiet", NULL, "print nothing but errors"},
    {0, NULL, NULL, NULL},
};

const struct command command_merge = {
    .name = "merge",
    .summary = "joins the shards of a study to the folder that one run would have written",
    .usage = "DIR... -o DIR [--force] [-q]",
    .details =
        "The folders are those of 'laggard run --shard I/N', all of them, in any order. Their rows are "
        "joined\n"
        "and summary.csv is computed from all runs: but for manifest.json the files are the same, byte for\n"
        "byte, as without shards.\n",
    .options = options,
    .operands_min = 1,
    .operands_max = 100000,
    .run = run,
};
