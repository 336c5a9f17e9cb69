/* laggard check: a scenario resolved and explained; nothing is run. */
#include "cost.h"
#include "departures.h"
#include "laws_table.h"
#include "number_text.h"
#include "outlook_table.h"
#include "schemes_table.h"
#include "setting_table.h"
#include "study_call.h"
#include "warning.h"
#include <math.h>

static void runs_print(struct arena *arena, const struct study *study) {
    printf("%s: %s\n", study_scenario(study, 0)->name, runs_text(arena, study));
}

static void settings_print(struct arena *arena, const struct study *study) {
    if (study_points(study) > 1)
        puts("\nat the first point");
    else
        putchar('\n');
    struct text_table *table = setting_table(arena, study);
    text_table_print(table, stdout, "  ");
    text_table_free(table);
}

/* What parameters make that do not say it all, in as many lines as there are rows. */
static void built_print(const struct study *study) {
    size_t rows = 0;
    for (size_t point = 0; point < study_points(study); point++)
        for (uint32_t e = 0; e < study_scenario(study, point)->schemes; e++) {
            const struct scenario *scenario = study_scenario(study, point);
            const struct scheme_entry *entry = &scenario->scheme[e];
            const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
            struct sentence built;
            if (!scheme->built || ++rows > SCHEMES_ROWS_MAX)
                continue;
            scheme->built(entry->scheme.params, scenario_setting(scenario, entry).shape, &built);
            if (study_swept(study) > 0)
                printf("  point %zu, %s: %s\n", point, entry->label, built.text);
            else
                printf("  %s: %s\n", entry->label, built.text);
        }
}

/* What workers that leave for good make of each scheme, at the first point in which some may. */
static void departures_print(struct arena *arena, const struct study *study) {
    bool told = false;
    for (size_t point = 0; point < study_points(study) && !told; point++)
        for (uint32_t e = 0; e < study_scenario(study, point)->schemes; e++) {
            const struct scenario *scenario = study_scenario(study, point);
            const char *text = departures_expected(arena, scenario, &scenario->scheme[e]);
            if (!text)
                break;
            if (study_swept(study) > 0)
                printf("  point %zu, %s: %s\n", point, scenario->scheme[e].label, text);
            else
                printf("  %s: %s\n", scenario->scheme[e].label, text);
            told = true;
        }
}

static void schemes_print(struct arena *arena, const struct study *study) {
    size_t unlisted;
    struct text_table *table = schemes_table(arena, study, &unlisted);
    puts("\nschemes: partitions held and computed per worker, results waited for");
    if (study_swept(study) > 0)
        printf("values of %s\n", swept_keys_text(arena, study));
    text_table_print(table, stdout, "  ");
    text_table_free(table);
    if (unlisted > 0)
        printf("  and %zu more\n", unlisted);
    built_print(study);
    departures_print(arena, study);
}

static void cost_print(struct call *call, const struct study *study, unsigned threads) {
    struct arena *arena = call->arena;
    struct cost cost = study_cost(study);
    size_t runs = study_distinct_runs(study);
    double wall_s = cost.processor_s / (double)(threads < runs ? threads : runs);
    double bytes = cost.resident_bytes + threads * cost.thread_bytes + cost.sample_bytes;
    printf("\nexpected on %s, estimated from a few steps of each scheme\n",
           count_text(arena, threads, "thread"));
    printf("  memory  about %s", bytes_text(arena, bytes));
    if (cost.data_bytes > 0)
        printf(", of it %s data", bytes_text(arena, cost.data_bytes));
    putchar('\n');
    if (isfinite(cost.steps))
        printf("  time    at most about %s for %s steps%s\n", duration_text(arena, wall_s),
               number_text(arena, cost.steps), cost.guessed ? ", as many as the seconds seem to hold" : "");
    else
        puts("  time    unknown: a step takes no simulated time, so the seconds do not limit the steps");
    double result_bytes = study_results_bytes(study);
    if (isfinite(result_bytes))
        printf("  results about %s, if no run ends early\n", bytes_text(arena, result_bytes));
    struct sentence excess;
    const char *folder = folder_of_call(call, study),
               *obstacle = folder_obstacle(call->arena, folder, KEEP_EXISTING, WAYS_ON);
    printf("\nresults would go to %s\n", folder);
    if (obstacle)
        printf("run would refuse: %s\n", obstacle);
    if (!option_given(call, "yes") && !study_results_fit(study, &excess))
        printf("run would refuse: %s\n", excess.text);
}

static int run(struct call *call) {
    unsigned threads = threads_of_call(call);
    struct study *study = threads > 0 ? study_of_call(call) : NULL;
    if (!study)
        return EXIT_USAGE;
    runs_print(call->arena, study);
    settings_print(call->arena, study);
    puts("\nlaws, in seconds; slowness is a factor");
    laws_table_print(call->arena, study, stdout);
    outlook_print(call->arena, study, stdout);
    schemes_print(call->arena, study);
    cost_print(call, study, threads);
    doubts_print(study);
    study_free(study);
    return EXIT_DONE;
}

static const struct option_spec options[] = {
    OPTION_OUT, OPTION_SET, OPTION_SWEEP, OPTION_THREADS, OPTION_YES, OPTION_NO_CACHE, {0, NULL, NULL, NULL}};

const struct command command_check = {
    .name = "check",
    .summary = "validates a scenario and explains what it asks for; runs nothing",
    .usage = "SCENARIO [--set KEY=VALUE]... [--sweep KEY=V1,V2,...]... [-o DIR] [-j N]",
    .details = "Prints the runs, laws with their mean, standard deviation and 99th percentile, what each "
               "scheme places\n"
               "and waits for, and the memory and time a run would take. Writes no file.\n",
    .options = options,
    .operands_min = 1,
    .operands_max = 1,
    .run = run,
};
