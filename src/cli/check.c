/* laggard check: a scenario resolved and explained; nothing is run. */
#include "classes_text.h"
#include "cluster_text.h"
#include "cost.h"
#include "departures.h"
#include "laws_table.h"
#include "loads.h"
#include "number_text.h"
#include "outlook_table.h"
#include "study_call.h"
#include "text_table.h"
#include "warning.h"
#include <math.h>
#include <string.h>

#define ROWS_MAX 60 /* of the table of schemes */

static void runs_print(struct arena *arena, const struct study *study) {
    const struct scenario *first = study_scenario(study, 0);
    size_t runs = study_runs(study), distinct = study_distinct_runs(study);
    printf("%s: ", first->name);
    if (study_swept(study) > 0)
        printf("%s x ", count_text(arena, study_points(study), "point"));
    printf("%s x %s = %s", count_text(arena, first->schemes, "scheme"),
           count_text(arena, first->replications, "replication"), count_text(arena, runs, "run"));
    if (distinct < runs)
        printf(", %zu of them distinct", distinct);
    putchar('\n');
}

static const char *problem_text(struct arena *arena, const struct scenario *scenario) {
    const struct problem_spec *problem = &scenario->problem;
    const struct dataset *data = scenario->objective.data;
    if (!data)
        return arena_format(arena, "no loss: only time is simulated; %s",
                            count_text(arena, problem->partitions, "partition"));
    const char *batch =
        problem->batch > 0 ? arena_format(arena, "batches of %u", problem->batch) : "full batches";
    return arena_format(arena, "%s, l2 %s; %s x %s%s, %s; %s; %s", problem->loss.type->name,
                        number_text(arena, problem->l2), count_text(arena, data->samples, "sample"),
                        count_text(arena, data->features, "feature"),
                        data->intercept ? " with the intercept" : "", data->sparse ? "sparse" : "dense",
                        count_text(arena, problem->partitions, "partition"), batch);
}

/* What an update makes of its estimates beside the optimizer. */
static const char *around_text(struct arena *arena, const struct optimizer_spec *optimizer) {
    const char *text = "";
    if (isfinite(optimizer->clip_norm))
        text = arena_format(arena, ", clipped at norm %s", number_text(arena, optimizer->clip_norm));
    if (optimizer->scale_lr == SCALE_LR_LINEAR)
        text = arena_format(arena, "%s, times the share of workers used", text);
    if (optimizer->accumulate > 1)
        text = arena_format(arena, "%s, %u estimates accumulated per step", text, optimizer->accumulate);
    return text;
}

static const char *optimizer_text(struct arena *arena, const struct scenario *scenario) {
    const struct optimizer_spec *optimizer = scenario->optimizer;
    if (!optimizer)
        return "none";
    const char *schedule = optimizer->schedule ? optimizer->schedule->type->name : "constant";
    return arena_format(arena, "%s, learning rate %s, %s%s", optimizer->optimizer.type->name,
                        number_text(arena, optimizer->learning_rate), schedule,
                        around_text(arena, optimizer));
}

static const char *messages_text(struct arena *arena, const struct scenario *scenario) {
    const char *text =
        arena_format(arena, "model %s bytes, result %s bytes", number_text(arena, scenario->model_bytes),
                     number_text(arena, scenario->result_bytes));
    const struct compression_spec *spec = scenario->optimizer ? scenario->optimizer->compression : NULL;
    if (!compression_acts(spec))
        return text;
    return arena_format(arena, "%s by %s%s", text, spec->compressor.type->name,
                        spec->error_feedback ? " with error feedback" : "");
}

static const char *stop_text(struct arena *arena, const struct stop_spec *stop) {
    const char *text = "";
    if (!isnan(stop->loss))
        text = arena_format(arena, "loss %s", number_text(arena, stop->loss));
    if (stop->steps != PARAM_ABSENT)
        text =
            arena_format(arena, "%s%s%s", text, *text ? ", or " : "", count_text(arena, stop->steps, "step"));
    if (!isnan(stop->seconds_s))
        text = arena_format(arena, "%s%s%s simulated seconds", text, *text ? ", or " : "",
                            number_text(arena, stop->seconds_s));
    return text;
}

static void settings_print(struct arena *arena, const struct study *study) {
    const struct scenario *scenario = study_scenario(study, 0);
    struct text_table *table = text_table_new((const struct text_column[]){{NULL, LEFT}, {NULL, LEFT}}, 2);
    text_table_row(table, (const char *const[]){"problem", problem_text(arena, scenario)});
    const char *classes = classes_text(arena, scenario);
    if (classes)
        text_table_row(table, (const char *const[]){"classes", classes});
    text_table_row(table, (const char *const[]){"optimizer", optimizer_text(arena, scenario)});
    text_table_row(table, (const char *const[]){"messages", messages_text(arena, scenario)});
    text_table_row(table, (const char *const[]){"stop", stop_text(arena, &scenario->stop)});
    cluster_rows(arena, table, scenario);
    if (study_points(study) > 1)
        puts("\nat the first point");
    else
        putchar('\n');
    text_table_print(table, stdout, "  ");
    text_table_free(table);
}

static const char *swept_text(struct arena *arena, const struct study *study, size_t point) {
    const char *text = "";
    for (size_t key = 0; key < study_swept(study); key++)
        text = arena_format(arena, "%s%s%s", text, key > 0 ? ", " : "", study_swept_value(study, point, key));
    return text;
}

static const char *results_text(struct arena *arena, const struct scenario *scenario,
                                const struct scheme_entry *entry) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    const struct wait_rule *rule = (const struct wait_rule *)entry->wait->type;
    uint32_t assured = rule->assured(entry->wait->params, scenario->cluster.workers,
                                     scheme->stragglers(entry->scheme.params));
    return assured != ONLY_DECODABLE ? arena_format(arena, "%u", assured) : "decodable";
}

static const char *span_text(struct arena *arena, double least, double most) {
    const char *text = number_text(arena, most);
    return least < most ? arena_format(arena, "%s … %s", number_text(arena, least), text) : text;
}

/* Cells that only a sweep needs; the table leaves them out without one. */
#define SWEPT_CELLS 2
#define CELLS       9

/* How many partitions a worker holds and how many it evaluates in a step. */
static void scheme_row(struct arena *arena, struct text_table *table, const struct study *study, size_t point,
                       uint32_t e) {
    const struct scenario *scenario = study_scenario(study, point);
    const struct scheme_entry *entry = &scenario->scheme[e];
    struct loads loads = loads_of(scenario, entry);
    const char *cells[CELLS] = {e == 0 ? arena_format(arena, "%zu", point) : "",
                                e == 0 ? swept_text(arena, study, point) : "",
                                entry->label,
                                entry->parameters,
                                span_text(arena, loads.held_least, loads.held_most),
                                span_text(arena, loads.computed_least, loads.computed_most),
                                entry->wait->type->name,
                                results_text(arena, scenario, entry),
                                late_names[entry->late]};
    text_table_row(table, cells + (study_swept(study) > 0 ? 0 : SWEPT_CELLS));
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
            if (!scheme->built || ++rows > ROWS_MAX)
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

static const char *swept_keys_text(struct arena *arena, const struct study *study) {
    const char *text = "";
    for (size_t key = 0; key < study_swept(study); key++)
        text = arena_format(arena, "%s%s%s", text, key > 0 ? ", " : "", study_swept_key(study, key));
    return text;
}

static void schemes_print(struct arena *arena, const struct study *study) {
    const struct text_column columns[CELLS] = {{"point", RIGHT},     {"values", LEFT},   {"scheme", LEFT},
                                               {"parameters", LEFT}, {"copies", RIGHT},  {"computed", RIGHT},
                                               {"wait", LEFT},       {"results", RIGHT}, {"late", LEFT}};
    size_t skipped = study_swept(study) > 0 ? 0 : SWEPT_CELLS;
    struct text_table *table = text_table_new(columns + skipped, CELLS - skipped);
    size_t rows = 0;
    for (size_t point = 0; point < study_points(study); point++)
        for (uint32_t e = 0; e < study_scenario(study, point)->schemes; e++, rows++)
            if (rows < ROWS_MAX)
                scheme_row(arena, table, study, point, e);
    puts("\nschemes: partitions held and computed per worker, results waited for");
    if (study_swept(study) > 0)
        printf("values of %s\n", swept_keys_text(arena, study));
    text_table_print(table, stdout, "  ");
    text_table_free(table);
    if (rows > ROWS_MAX)
        printf("  and %zu more\n", rows - ROWS_MAX);
    built_print(study);
    departures_print(arena, study);
}

static void cost_print(struct call *call, const struct study *study, unsigned threads) {
    struct arena *arena = call->arena;
    struct cost cost = study_cost(study);
    size_t runs = study_distinct_runs(study);
    double wall_s = cost.processor_s / (double)(threads < runs ? threads : runs);
    double bytes = cost.resident_bytes + threads * cost.thread_bytes;
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
               *obstacle = folder_obstacle(call->arena, folder, KEEP_EXISTING);
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

static const struct option_spec options[] = {OPTION_OUT, OPTION_SET,      OPTION_THREADS,
                                             OPTION_YES, OPTION_NO_CACHE, {0, NULL, NULL, NULL}};
static const char *const later[] = {"sweep", NULL};

const struct command command_check = {
    .name = "check",
    .summary = "validates a scenario and explains what it asks for; runs nothing",
    .usage = "SCENARIO [--set KEY=VALUE]... [-o DIR] [-j N]",
    .details = "Prints the runs, laws with their mean, standard deviation and 99th percentile, what each "
               "scheme places\n"
               "and waits for, and the memory and time a run would take. Writes no file.\n",
    .options = options,
    .later = later,
    .operands_min = 1,
    .operands_max = 1,
    .run = run,
};
