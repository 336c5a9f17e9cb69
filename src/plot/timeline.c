#include "chart.h"
#include "figure.h"
#include "results.h"
#include "stretch.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a picture can hold. */
#define STEPS_SHOWN   20
#define WORKERS_SHOWN 48
/* Half of a bar's height, in rows. */
#define HALF 0.4

/* A stretch of a worker's time, or the moment at which a step closes. */
struct piece {
    const char *kind;
    uint32_t worker, step; /* UINT32_MAX: of none */
    double begin_s, end_s;
    double low, high; /* edges of its bar, in rows from the top */
};
static const struct column column[] = {
    {"kind", COLUMN_TEXT, offsetof(struct piece, kind)},
    {"worker", COLUMN_COUNT, offsetof(struct piece, worker)},
    {"step", COLUMN_COUNT, offsetof(struct piece, step)},
    {"begin_s", COLUMN_NUMBER, offsetof(struct piece, begin_s)},
    {"end_s", COLUMN_NUMBER, offsetof(struct piece, end_s)},
    {"low", COLUMN_NUMBER, offsetof(struct piece, low)},
    {"high", COLUMN_NUMBER, offsetof(struct piece, high)},
};
static const struct columns columns = {column, sizeof column / sizeof *column};

/* Kinds of stretches in the order of the key. */
static const char *const kinds[] = {"compute", "delay", "upload", "warm-up", "discarded", "down"};
enum { DISCARDED = 4, KINDS = sizeof kinds / sizeof *kinds };

/* The run that is shown: the first of the file. */
struct shown {
    const struct block *block;
    struct moment_log moments;
    uint32_t workers, rows; /* in all; shown */
    uint32_t steps;         /* shown */
    double end_s;           /* where the picture ends */
};

/* A count, or UINT32_MAX where the field is empty. */
static uint32_t count_at(const struct results *events, size_t row, const char *name) {
    double number = results_number(events, row, name);
    return number >= 0 && number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

static void note_worker(struct shown *shown, uint32_t worker) {
    if (worker != UINT32_MAX && worker >= shown->workers)
        shown->workers = worker + 1;
}

static void read_run(const struct results *events, struct shown *shown) {
    const char **name = results_words(events, csv_column(events->csv, "event"));
    size_t first = shown->block->first;
    for (size_t r = first; r < first + shown->block->rows; r++) {
        struct moment moment = {.time_s = results_number(events, r, "time_s"),
                                .worker = count_at(events, r, "worker"),
                                .step = count_at(events, r, "step"),
                                .kind = moment_named(name[r])};
        if (count_at(events, r, "replication") != count_at(events, first, "replication"))
            break;
        if (moment.kind == MOMENTS || isnan(moment.time_s))
            continue;
        note_worker(shown, moment.worker);
        moment_log_add(&shown->moments, moment);
    }
    shown->rows = shown->workers < WORKERS_SHOWN ? shown->workers : WORKERS_SHOWN;
}

/* Until the last step shown is over; a run that ends before it is shown to its end. */
static void find_end(struct shown *shown) {
    for (size_t m = 0; m < shown->moments.count && shown->steps < STEPS_SHOWN; m++) {
        shown->end_s = shown->moments.moment[m].time_s;
        shown->steps += shown->moments.moment[m].kind == MOMENT_CLOSE;
    }
}

/* Uploads get the lower half of the row where they go on beside computing. */
static struct piece piece_of(const struct stretches *stretches, const struct stretch *stretch, double end_s) {
    struct piece piece = {.kind = stretch_name(stretch),
                          .worker = stretch->worker,
                          .step = stretch->step,
                          .begin_s = stretch->begin_s,
                          .end_s = fmin(stretch->end_s, end_s),
                          .low = stretch->worker - HALF,
                          .high = stretch->worker + HALF};
    if (stretches->overlap && stretch->kind == STRETCH_UPLOAD)
        piece.low = stretch->worker;
    if (stretches->overlap && (stretch->kind == STRETCH_COMPUTE || stretch->kind == STRETCH_DELAY))
        piece.high = stretch->worker;
    return piece;
}

static void put_pieces(const struct shown *shown, struct chart *chart, bool seen[KINDS]) {
    struct stretches stretches;
    stretches_init(&stretches, &shown->moments, shown->workers);
    for (size_t s = 0; s < stretches.count; s++) {
        const struct stretch *stretch = &stretches.stretch[s];
        if (stretch->worker >= shown->rows || stretch->begin_s >= shown->end_s ||
            stretch->end_s <= stretch->begin_s)
            continue;
        struct piece piece = piece_of(&stretches, stretch, shown->end_s);
        for (size_t k = 0; k < KINDS; k++)
            seen[k] |= strcmp(kinds[k], piece.kind) == 0;
        sheet_row(&chart->table, &piece);
    }
    stretches_fini(&stretches);
}

static void put_closes(const struct shown *shown, struct chart *chart) {
    for (size_t m = 0; m < shown->moments.count; m++) {
        const struct moment *moment = &shown->moments.moment[m];
        if (moment->kind == MOMENT_CLOSE && moment->time_s <= shown->end_s)
            sheet_row(&chart->table, &(struct piece){.kind = "close",
                                                     .worker = UINT32_MAX,
                                                     .step = moment->step,
                                                     .begin_s = moment->time_s,
                                                     .end_s = moment->time_s,
                                                     .low = -0.5,
                                                     .high = shown->rows - 0.5});
    }
}

static void set_captions(const struct results *events, const struct shown *shown, const bool seen[KINDS],
                         struct chart *chart) {
    struct arena *arena = events->arena;
    const char *point = "";
    if (events->block[events->blocks - 1].point > 0)
        point = arena_format(arena, "point %" PRIu32 ", ", shown->block->point);
    char label[4 * CHART_LABEL + 1];
    chart_label(label, shown->block->scheme, CHART_LABEL);
    const char *cut = shown->rows == shown->workers
                          ? ""
                          : arena_format(arena, "The first %" PRIu32 " of %" PRIu32 " workers.", shown->rows,
                                         shown->workers);
    const char *caption[] = {arena_format(arena, "%s%s, the first %" PRIu32 " steps of its first run.", point,
                                          label, shown->steps),
                             arena_format(arena, "Dotted lines: the master closes a step.%s",
                                          seen[DISCARDED] ? " Discarded: work that was in no estimate." : ""),
                             cut};
    chart_lines(chart, caption, sizeof caption / sizeof *caption);
}

static void set_all(const struct results *events, const struct shown *shown, const bool seen[KINDS],
                    struct chart *chart) {
    const char *present[KINDS];
    size_t count = 0;
    for (size_t k = 0; k < KINDS; k++)
        if (seen[k])
            present[count++] = kinds[k];
    chart_texts(chart, "kinds", present, count);
    chart_number(chart, "workers", shown->rows);
    chart_number(chart, "steps", shown->steps);
    chart_number(chart, "end_s", shown->end_s);
    set_captions(events, shown, seen, chart);
}

/* The first block of a point that may be shown, or NULL. */
static const struct block *block_shown(const struct results *events, const struct points *points) {
    for (size_t b = 0; b < events->blocks; b++)
        if (points_hold(points, events->block[b].point))
            return &events->block[b];
    return NULL;
}

static int fill(const struct results *events, const struct points *points, struct chart *chart,
                struct sentence *why) {
    struct shown shown = {.block = block_shown(events, points)};
    bool seen[KINDS] = {false}, any = false;
    if (!shown.block) {
        sentence_set(why, "%s holds none of the points asked for", events->csv->file);
        return 0;
    }
    read_run(events, &shown);
    find_end(&shown);
    sheet_init(&chart->table, &columns, NULL, 0);
    sheet_header(&chart->table);
    put_pieces(&shown, chart, seen);
    put_closes(&shown, chart);
    for (size_t k = 0; k < KINDS; k++)
        any |= seen[k];
    if (any)
        set_all(events, &shown, seen, chart);
    else
        sentence_set(why, "no worker does anything that takes time in the first run of events.csv");
    moment_log_fini(&shown.moments);
    return any;
}

static int tabulate(const struct plot_request *request, struct chart *chart, struct sentence *why) {
    static const char *const numbers[] = {"point", "replication", "time_s", "worker", "step", NULL};
    struct arena *arena = arena_new();
    struct results events;
    int found =
        results_read(&events, arena, &(struct results_request){request->folder, "events.csv", numbers}, why);
    if (found == 0)
        sentence_set(why, "no events were recorded (record: {events: true})");
    if (found == 1 && csv_column(events.csv, "event") == events.csv->columns) {
        sentence_set(why, "%s has no column event", events.csv->file);
        found = -1;
    } else if (found == 1) {
        found = fill(&events, &request->points, chart, why);
    }
    if (events.csv)
        results_close(&events);
    arena_free(arena);
    return found;
}

const struct figure figure_timeline = {
    .head = {.name = "timeline", .summary = "what every worker does in the first steps of the first run"},
    .title = "What every worker does",
    .file = "events.csv",
    .tabulate = tabulate,
};
