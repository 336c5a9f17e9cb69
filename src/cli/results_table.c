#include "results_table.h"
#include "comparison.h"
#include "number_text.h"
#include "points_table.h"
#include "text_table.h"
#include <math.h>

/* More points than these are compared in one table. */
#define POINTS_IN_FULL 6

struct layout {
    const struct text_column *column;
    size_t columns;
    /* Columns before and after seconds/step; NULL: no such column. */
    const char *(*second)(struct arena *arena, const struct summary *summary);
    const char *(*tail)(struct arena *arena, const struct summary *summary);
    enum measure steps, time;
};

static const char *measure_text(struct arena *arena, const struct summary *summary, enum measure measure) {
    const struct estimate *estimate = &summary->measure[measure];
    return interval_text(arena, estimate->mean, (estimate->high - estimate->low) / 2);
}

static const char *relative_text(struct arena *arena, const struct summary *summary,
                                 const struct summary *first) {
    double ratio = ratio_to_first(summary, first), half = ratio_half_width(summary, first);
    if (isnan(ratio))
        return "–";
    return half >= 0.0005 ? arena_format(arena, "%.3f ± %.3f", ratio, half)
                          : arena_format(arena, "%.3f", ratio);
}

static const char *reached_text(struct arena *arena, const struct summary *summary) {
    return arena_format(arena, "%.0f of %u", summary->reached * summary->runs, summary->runs);
}

static const char *joined(struct arena *arena, const char *text, const char *more) {
    return arena_format(arena, "%s%s%s", text, *text ? ", " : "", more);
}

/* Runs that did not end as asked for, and how far those came that should have reached a target. */
static const char *ending_text(struct arena *arena, const struct summary *summary) {
    const char *text = "";
    double loss = summary->measure[MEASURE_FINAL_LOSS].mean;
    if (summary->stalled > 0)
        text = joined(arena, text, arena_format(arena, "%u stalled", summary->stalled));
    if (summary->diverged > 0)
        text = joined(arena, text, arena_format(arena, "%u diverged", summary->diverged));
    if (summary->reached < 1 && isfinite(loss))
        text = joined(arena, text, arena_format(arena, "final loss %s", number_text(arena, loss)));
    return text;
}

static const char *loss_text(struct arena *arena, const struct summary *summary) {
    return measure_text(arena, summary, MEASURE_FINAL_LOSS);
}

static const char *tail_text(struct arena *arena, const struct summary *summary) {
    return number_text(arena, summary->measure[MEASURE_STEP_P99].mean);
}

static const struct text_column target_columns[] = {{"scheme", LEFT},
                                                    {"reached", RIGHT},
                                                    {"seconds/step", RIGHT},
                                                    {"steps to loss", RIGHT},
                                                    {"seconds to loss", RIGHT},
                                                    {"relative", RIGHT},
                                                    {"", LEFT}};
static const struct text_column loss_columns[] = {
    {"scheme", LEFT}, {"final loss", RIGHT}, {"seconds/step", RIGHT},
    {"steps", RIGHT}, {"seconds", RIGHT},    {"relative", RIGHT},
    {"", LEFT}};
static const struct text_column timing_columns[] = {
    {"scheme", LEFT},   {"seconds/step", RIGHT}, {"p99", RIGHT}, {"steps", RIGHT},
    {"seconds", RIGHT}, {"relative", RIGHT},     {"", LEFT}};
#define COLUMNS(list) (list), sizeof(list) / sizeof *(list)
static const struct layout with_target = {COLUMNS(target_columns), .second = reached_text,
                                          .steps = MEASURE_STEPS_TO_LOSS, .time = MEASURE_TIME_TO_LOSS};
static const struct layout with_loss = {COLUMNS(loss_columns), .second = loss_text, .steps = MEASURE_STEPS,
                                        .time = MEASURE_TIME};
static const struct layout with_time = {COLUMNS(timing_columns), .tail = tail_text, .steps = MEASURE_STEPS,
                                        .time = MEASURE_TIME};

static const struct layout *layout_of(const struct study *study, const struct summary *first) {
    if (!isnan(first->reached))
        return &with_target;
    return study_scenario(study, first->point)->objective.data ? &with_loss : &with_time;
}

static void scheme_row(struct arena *arena, struct text_table *table, const struct layout *layout,
                       const struct summary *summary, const struct summary *first) {
    const char *cells[7] = {summary->scheme};
    size_t next = 1;
    if (layout->second)
        cells[next++] = layout->second(arena, summary);
    cells[next++] = measure_text(arena, summary, MEASURE_STEP_MEAN);
    if (layout->tail)
        cells[next++] = layout->tail(arena, summary);
    cells[next++] = measure_text(arena, summary, layout->steps);
    cells[next++] = measure_text(arena, summary, layout->time);
    cells[next++] = relative_text(arena, summary, first);
    cells[next] = ending_text(arena, summary);
    text_table_row(table, cells);
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
    const struct layout *layout = layout_of(study, first);
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
    if (study_points(study) > POINTS_IN_FULL && points_table_print(study, stream))
        return;
    while (row < count)
        row += point_print(study, summary + row, count - row, stream);
    if (count == 0)
        return;
    struct arena *arena = arena_new();
    bool several = summary->runs > 1;
    fprintf(stream, "\nmean over %s%s; relative: %s, to the first scheme%s\n",
            runs_averaged_text(arena, study), several ? " ± half of its 95 % interval" : "",
            measure_compared_name(summary),
            several ? ",\n± half of the 95 % interval of the paired difference" : "");
    arena_free(arena);
}
