#include "results_table.h"
#include "number_text.h"
#include "text_table.h"
#include <math.h>

/* With a target, what counts is when it was reached; without one, how long the steps took. */
struct layout {
    const struct text_column *column;
    size_t columns;
    enum measure steps, time;
};

static const struct text_column target_columns[] = {{"scheme", LEFT},           {"reached", RIGHT},
                                                    {"seconds/step", RIGHT},    {"steps to loss", RIGHT},
                                                    {"seconds to loss", RIGHT}, {"relative", RIGHT}};
static const struct text_column plain_columns[] = {{"scheme", LEFT},        {"final loss", RIGHT},
                                                   {"seconds/step", RIGHT}, {"steps", RIGHT},
                                                   {"seconds", RIGHT},      {"relative", RIGHT}};
static const struct layout with_target = {target_columns, sizeof target_columns / sizeof *target_columns,
                                          MEASURE_STEPS_TO_LOSS, MEASURE_TIME_TO_LOSS};
static const struct layout without_target = {plain_columns, sizeof plain_columns / sizeof *plain_columns,
                                             MEASURE_STEPS, MEASURE_TIME};

static const char *measure_text(struct arena *arena, const struct summary *summary, enum measure measure) {
    const struct estimate *estimate = &summary->measure[measure];
    return interval_text(arena, estimate->mean, (estimate->high - estimate->low) / 2);
}

/* Mean time against the first scheme's. A mean over some of the runs compares with nothing. */
static const char *relative_text(struct arena *arena, const struct summary *summary,
                                 const struct summary *first, enum measure time) {
    bool all = !(summary->reached < 1) && !(first->reached < 1);
    double ratio = summary->measure[time].mean / first->measure[time].mean;
    return all && isfinite(ratio) ? arena_format(arena, "%.3f", ratio) : "–";
}

static const char *second_text(struct arena *arena, const struct summary *summary) {
    if (isnan(summary->reached))
        return measure_text(arena, summary, MEASURE_FINAL_LOSS);
    return arena_format(arena, "%.0f of %u", summary->reached * summary->runs, summary->runs);
}

static void scheme_row(struct arena *arena, struct text_table *table, const struct layout *layout,
                       const struct summary *summary, const struct summary *first) {
    text_table_row(table, (const char *const[]){summary->scheme, second_text(arena, summary),
                                                measure_text(arena, summary, MEASURE_STEP_MEAN),
                                                measure_text(arena, summary, layout->steps),
                                                measure_text(arena, summary, layout->time),
                                                relative_text(arena, summary, first, layout->time)});
}

static void point_title(const struct study *study, const struct summary *summary, FILE *stream) {
    if (study_swept(study) == 0)
        return;
    fprintf(stream, "%spoint %u:", summary->point > 0 ? "\n" : "", summary->point);
    for (size_t key = 0; key < study_swept(study); key++)
        fprintf(stream, "%s %s = %s", key > 0 ? "," : "", study_swept_key(study, key), summary->swept[key]);
    fputc('\n', stream);
}

/* Prints the table of the point that starts at `first`; returns its number of rows. */
static size_t point_print(const struct study *study, const struct summary *first, size_t left, FILE *stream) {
    struct arena *arena = arena_new();
    const struct layout *layout = isnan(first->reached) ? &without_target : &with_target;
    struct text_table *table = text_table_new(layout->column, layout->columns);
    size_t rows = 0;
    for (; rows < left && first[rows].point == first->point; rows++)
        scheme_row(arena, table, layout, &first[rows], first);
    point_title(study, first, stream);
    text_table_print(table, stream, "");
    text_table_free(table);
    arena_free(arena);
    return rows;
}

void results_table_print(const struct study *study, FILE *stream) {
    size_t count, row = 0;
    const struct summary *summary = study_summaries(study, &count);
    while (row < count)
        row += point_print(study, summary + row, count - row, stream);
    if (count == 0)
        return;
    fprintf(stream, "\nmean over %u run%s%s; relative: to the first scheme\n", summary->runs,
            summary->runs == 1 ? "" : "s", summary->runs == 1 ? "" : " ± half of its 95 % interval");
}
