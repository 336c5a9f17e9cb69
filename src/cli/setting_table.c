#include "setting_table.h"
#include "classes_text.h"
#include "cluster_text.h"
#include "number_text.h"
#include <math.h>

const char *runs_text(struct arena *arena, const struct study *study) {
    const struct scenario *first = study_scenario(study, 0);
    size_t runs = study_runs(study), distinct = study_distinct_runs(study);
    const char *most = study_decides(study) ? "at most " : "";
    const char *text = arena_format(arena, "%s x %s%s = %s%s", count_text(arena, first->schemes, "scheme"),
                                    most, count_text(arena, first->replications, "replication"), most,
                                    count_text(arena, runs, "run"));
    if (study_swept(study) > 0)
        text = arena_format(arena, "%s x %s", count_text(arena, study_points(study), "point"), text);
    if (distinct < runs)
        text = arena_format(arena, "%s, %zu of them distinct", text, distinct);
    size_t tuning = study_tuning_runs(study);
    return tuning > 0 ? arena_format(arena, "%s; %s before them to tune the optimizer", text,
                                     count_text(arena, tuning, "run"))
                      : text;
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

struct text_table *setting_table(struct arena *arena, const struct study *study) {
    static const struct text_column columns[] = {{NULL, LEFT}, {NULL, LEFT}};
    const struct scenario *scenario = study_scenario(study, 0);
    struct text_table *table = text_table_new(columns, 2);
    text_table_row(table, (const char *const[]){"problem", problem_text(arena, scenario)});
    const char *classes = classes_text(arena, scenario);
    if (classes)
        text_table_row(table, (const char *const[]){"classes", classes});
    text_table_row(table, (const char *const[]){"optimizer", optimizer_text(arena, scenario)});
    text_table_row(table, (const char *const[]){"messages", messages_text(arena, scenario)});
    text_table_row(table, (const char *const[]){"stop", stop_text(arena, &scenario->stop)});
    cluster_rows(arena, table, scenario);
    return table;
}
