/* laggard run: runs a study and says what came out. */
#include "audit_table.h"
#include "build_facts.h"
#include "classes_text.h"
#include "draw.h"
#include "results_table.h"
#include "study_call.h"
#include "warning.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Progress is drawn over itself, which only a terminal can show. */
static FILE *progress_stream(const struct call *call) {
    const char *terminal = getenv("TERM");
    bool dumb = terminal && strcmp(terminal, "dumb") == 0;
    return !option_given(call, "quiet") && !dumb && isatty(STDERR_FILENO) ? stderr : NULL;
}

/* Refused before hours of computing, not after. */
static int folder_refused(struct call *call, const char *folder) {
    if (!*folder)
        return usage_error(call, "option '--output' must name a folder");
    enum replacing replacing = option_given(call, "force") ? REPLACE_EXISTING : KEEP_EXISTING;
    const char *obstacle = folder_obstacle(call->arena, folder, replacing);
    return obstacle ? usage_error(call, "%s", obstacle) : EXIT_DONE;
}

static void outcome_print(const struct call *call, const struct study *study, const char *folder) {
    if (option_given(call, "quiet"))
        return;
    results_table_print(study, stdout);
    audit_table_print(study, stdout);
    classes_print(call->arena, study, stdout);
    for (size_t q = 0; q < study_warnings(study); q++)
        warning_print(study_warning(study, q));
    printf("\nresults in %s; all measures with their intervals in %s/summary.csv\n", folder, folder);
}

static int study_finish(struct call *call, struct study *study, unsigned threads) {
    const char *folder = folder_of_call(call, study);
    int code = folder_refused(call, folder);
    if (code != EXIT_DONE)
        return code;
    struct sentence why = {""};
    if (!option_given(call, "yes") && !study_results_fit(study, &why))
        return refused(call, "%s", why.text);
    struct run_request request = {.folder = folder,
                                  .replacing = option_given(call, "force") ? REPLACE_EXISTING : KEEP_EXISTING,
                                  .threads = threads,
                                  .command = call->line,
                                  .version = LAGGARD_VERSION,
                                  .progress = progress_stream(call)};
    if (!option_given(call, "quiet"))
        doubts_print(study);
    if (!study_run(study, &request, &why))
        return unfinished(call, "%s", why.text);
    outcome_print(call, study, folder);
    struct plot_request pictures = {.folder = folder, .formats = {"svg", "png"}};
    return option_given(call, "plot") ? draw(call, pictures) : EXIT_DONE;
}

static int run(struct call *call) {
    unsigned threads = threads_of_call(call);
    struct study *study = threads > 0 ? study_of_call(call) : NULL;
    if (!study)
        return EXIT_USAGE;
    int code = study_finish(call, study, threads);
    study_free(study);
    return code;
}

static const struct option_spec options[] = {
    OPTION_OUT,
    OPTION_SET,
    OPTION_THREADS,
    {0, "force", NULL, "replace an existing results folder"},
    OPTION_YES,
    OPTION_NO_CACHE,
    {0, "plot", NULL, "draw the figures too"},
    {'q', "quiet", NULL, "print nothing but errors"},
    {0, NULL, NULL, NULL},
};
static const char *const later[] = {"sweep", "shard", "resume", NULL};

const struct command command_run = {
    .name = "run",
    .summary = "runs every scheme, sweep point and replication of a scenario",
    .usage = "SCENARIO [-o DIR] [--set KEY=VALUE]... [-j N] [--force] [--plot] [-q]",
    .details = "Writes a folder of CSV files and prints a short table. The same scenario gives the same "
               "files on any\n"
               "number of threads.\n",
    .options = options,
    .later = later,
    .operands_min = 1,
    .operands_max = 1,
    .run = run,
};
