/* laggard advise: which scheme reaches the target soonest on this cluster. */
#include "advice_text.h"
#include "file.h"
#include "study_call.h"
#include "trace_scenario.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *folder_of(struct arena *arena, const char *file) {
    const char *slash = strrchr(file, '/');
    return slash ? arena_text(arena, file, (size_t)(slash - file) + (slash == file)) : ".";
}

static int scenario_write(struct call *call, const struct advice *advice, const char *file) {
    char *tree = advice_scenario(advice, folder_of(call->arena, file));
    char *text = memory_format("# What laggard advise found best: %s.\n%s", advice->standing[0].name, tree);
    int code = EXIT_DONE;
    if (!file_replace(file, text, strlen(text)))
        code = unfinished(call, "cannot write %s: %s", file, strerror(errno));
    else
        printf("\nscenario with the best in %s\n", file);
    free(text);
    free(tree);
    return code;
}

static int finish(struct call *call, const struct advice *advice) {
    const char *file = option_value(call, "output");
    advice_print(call->arena, advice, stdout);
    if (file)
        return scenario_write(call, advice, file);
    char *tree = advice_scenario(advice, NULL);
    printf("\nscenario with the best:\n\n%s", tree);
    free(tree);
    return EXIT_DONE;
}

static int output_refused(struct call *call) {
    const char *file = option_value(call, "output");
    if (file && !*file)
        return usage_error(call, "option '--output' must name a file");
    if (file && !option_given(call, "force") && access(file, F_OK) == 0)
        return usage_error(call, "%s exists; --force replaces it, -o chooses another file", file);
    return EXIT_DONE;
}

static int run(struct call *call) {
    struct advice_request request = {.images = !option_given(call, "no-cache"),
                                     .threads = threads_of_call(call),
                                     .progress = progress_of_call(call),
                                     .once = option_given(call, "once")};
    if (request.threads == 0 || output_refused(call) != EXIT_DONE ||
        !trace_scenario(call, &request.file, &request.text))
        return EXIT_USAGE;
    request.sets = values_given(call, "set", &request.set_count);
    struct diag *diag = diag_new();
    struct advice *advice = advice_new(diag, &request);
    diag_print(diag, stderr);
    diag_free(diag);
    int code = advice ? finish(call, advice) : EXIT_USAGE;
    advice_free(advice);
    return code;
}

static const struct option_spec options[] = {
    {'o', "output", "FILE", "write the scenario with the best scheme there, not to the terminal"},
    OPTION_SET,
    OPTION_THREADS,
    {0, "once", NULL, "leave out what would change the answer"},
    {0, "trace", "FILE", "measured times of tasks, in place of a scenario"},
    {0, "workers", "N", "of --trace: workers of the cluster"},
    {0, "columns", "NAMES",
     "of --trace: round=NAME,worker=NAME,value=NAME; round, worker, seconds by default"},
    {0, "scale", "TIME", "of --trace: how long a value of 1 is, such as 1ms; 1s by default"},
    {0, "loss", "LOSS", "of --trace: logistic, linear or none; none by default"},
    {0, "data", "DATA", "of --trace: a CSV or LIBSVM file, or a mapping such as " EXAMPLE_DATA},
    {0, "label", "NAME", "of --trace: column of the labels in a CSV file of data"},
    {0, "learning-rate", "RATE", "of --trace: step size; 0.5 by default"},
    {0, "target", "LOSS", "of --trace: the loss to reach"},
    {0, "steps", "N", "of --trace: updates that a run makes at most; 500 by default"},
    {0, "force", NULL, "replace an existing file"},
    OPTION_NO_CACHE,
    {0, NULL, NULL, NULL},
};

const struct command command_advise = {
    .name = "advise",
    .summary = "finds the scheme and parameters that reach the target soonest",
    .usage = "SCENARIO | --trace FILE --workers N [OPTIONS]",
    .details = "Races every scheme there is, its counts on a logarithmic grid and every wait rule that it "
               "takes, beside the\n"
               "scenario's own schemes, over common random draws: all in few replications, the better ones "
               "in more, at most a\n"
               "fifth of the runs that all in all replications would be. Schemes that need a file or a time "
               "(bibd, code, a\n"
               "deadline in seconds) take part where the scenario lists them. Where it has tune, each "
               "setting takes part with\n"
               "every value of the grid. Prints the finalists, how sure the first place is, what would "
               "change it (workers,\n"
               "target, tail of the delays, late rule), and a scenario with the best. Where cluster.late is "
               "not set, each scheme\n"
               "has its own default: some cancel late work, others finish it. With loss: none schemes whose "
               "every step is the\n"
               "exact gradient are compared by seconds per step.\n",
    .options = options,
    .operands_min = 0,
    .operands_max = 1,
    .run = run,
};
