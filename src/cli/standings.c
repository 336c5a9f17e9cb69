#include "standings.h"
#include "number_text.h"
#include "results.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A scheme at a point: a row of summary.csv. */
struct standing {
    size_t row, place; /* place: in the file, within the point */
    const char *scheme;
    double share, mean; /* share: of runs that reached the target, 1 without one; mean: of what is compared */
    size_t rank;        /* from 1; 0: none */
};

/* The schemes of a point, soonest first. */
struct ladder {
    uint32_t point;
    size_t first, count; /* rows */
    struct standing *standing;
};

struct standings {
    struct arena *arena;
    struct results summary, runs; /* runs.csv == NULL: how runs ended is not known */
    const char **status;          /* [rows of runs]; NULL: not known */
    struct ladder *ladder;
    size_t points;
    const char **key;    /* [keys]: the swept columns */
    const char ***value; /* [keys][rows of summary] */
    size_t keys;
    bool target, endings; /* endings: some run ended otherwise than asked for */
};

static double number_at(const struct standings *standings, size_t row, const char *column) {
    return results_number(&standings->summary, row, column);
}

/* What schemes are compared by. */
static const char *measure_name(const struct standings *standings) {
    return standings->target ? "time_to_loss_s" : "step_mean_s";
}

static const char *mean_text(const struct standings *standings, size_t row, const char *measure) {
    struct arena *arena = standings->arena;
    double low = number_at(standings, row, arena_format(arena, "%s_low", measure));
    double high = number_at(standings, row, arena_format(arena, "%s_high", measure));
    return interval_text(arena, number_at(standings, row, arena_format(arena, "%s_mean", measure)),
                         (high - low) / 2);
}

static const char *difference_text(const struct standings *standings, size_t row, const char *measure) {
    struct arena *arena = standings->arena;
    double low = number_at(standings, row, arena_format(arena, "diff_%s_low", measure));
    double high = number_at(standings, row, arena_format(arena, "diff_%s_high", measure));
    return interval_text(arena, number_at(standings, row, arena_format(arena, "diff_%s", measure)),
                         (high - low) / 2);
}

/* Those that always reach the target first, the soonest of them before the others; NAN is last. */
static int sooner(const void *left, const void *right) {
    const struct standing *a = left, *b = right;
    if (a->share < b->share || a->share > b->share)
        return a->share > b->share ? -1 : 1;
    if (isnan(a->mean) != isnan(b->mean))
        return isnan(a->mean) ? 1 : -1;
    if (a->mean < b->mean || a->mean > b->mean)
        return a->mean < b->mean ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

static void ladder_sort(struct ladder *ladder) {
    struct standing *standing = ladder->standing;
    qsort(standing, ladder->count, sizeof *standing, sooner);
    for (size_t s = 0; s < ladder->count; s++) {
        bool ranked = standing[s].share >= 1 && !isnan(standing[s].mean);
        bool equal = s > 0 && standing[s - 1].mean >= standing[s].mean;
        standing[s].rank = !ranked ? 0 : equal ? standing[s - 1].rank : s + 1;
    }
}

static struct standing standing_of(const struct standings *standings, const struct ladder *ladder,
                                   size_t row) {
    const char *mean = arena_format(standings->arena, "%s_mean", measure_name(standings));
    double share = number_at(standings, row, "reached");
    return (struct standing){.row = row,
                             .place = row - ladder->first,
                             .scheme = standings->summary.block[row].scheme,
                             .share = isnan(share) ? 1 : share,
                             .mean = number_at(standings, row, mean)};
}

/* Blocks of the summary are its rows. */
static void find_ladders(struct standings *standings) {
    const struct results *summary = &standings->summary;
    standings->ladder = arena_zeroed(standings->arena, summary->blocks, sizeof *standings->ladder);
    for (size_t first = 0, end; first < summary->blocks; first = end) {
        for (end = first; end < summary->blocks && summary->block[end].point == summary->block[first].point;)
            end++;
        struct ladder *ladder = &standings->ladder[standings->points++];
        *ladder = (struct ladder){.point = summary->block[first].point, .first = first, .count = end - first};
        ladder->standing = arena_zeroed(standings->arena, ladder->count, sizeof *ladder->standing);
        for (size_t row = first; row < end; row++)
            ladder->standing[row - first] = standing_of(standings, ladder, row);
        ladder_sort(ladder);
    }
}

/* The last word of a key's path, where no other swept key ends so; else all of it. */
static const char *short_name(char *const *name, size_t names, size_t own) {
    const char *dot = strrchr(name[own], '.'), *end = dot ? dot + 1 : name[own];
    for (size_t k = 0; k < names; k++) {
        const char *other = strrchr(name[k], '.');
        if (k != own && strcmp(other ? other + 1 : name[k], end) == 0)
            return name[own];
    }
    return end;
}

/* Swept keys are the columns between the point and the scheme. */
static void find_keys(struct standings *standings) {
    const struct csv *csv = standings->summary.csv;
    size_t scheme = csv_column(csv, "scheme"), first = csv_column(csv, "point") + 1;
    standings->keys = scheme > first ? scheme - first : 0;
    standings->key = arena_zeroed(standings->arena, standings->keys + 1, sizeof *standings->key);
    standings->value = arena_zeroed(standings->arena, standings->keys + 1, sizeof *standings->value);
    for (size_t k = 0; k < standings->keys; k++) {
        standings->key[k] = short_name(csv->name + first, standings->keys, k);
        standings->value[k] = results_words(&standings->summary, first + k);
    }
}

static bool read_summary(struct standings *standings, const char *folder, struct sentence *why) {
    static const char *const numbers[] = {
        "point", "runs", "reached", "step_mean_s_mean", "time_to_loss_s_mean", NULL};
    struct results_request request = {folder, "summary.csv", numbers};
    if (results_read(&standings->summary, standings->arena, &request, why) != 1)
        return false;
    if (standings->summary.blocks == standings->summary.csv->rows)
        return true;
    sentence_set(why, "%s/summary.csv tells of a scheme twice at one point", folder);
    return false;
}

/* Without them the table only says less. */
static void read_runs(struct standings *standings, const char *folder) {
    static const char *const numbers[] = {"point", NULL};
    struct sentence unheard;
    struct results_request request = {folder, "runs.csv", numbers};
    if (results_read(&standings->runs, standings->arena, &request, &unheard) == 1)
        standings->status = results_words(&standings->runs, csv_column(standings->runs.csv, "status"));
}

/* The runs of a row of the summary; NULL where there are none. Both files are in the same order. */
static const struct block *runs_of(const struct standings *standings, size_t row) {
    const struct block *like = &standings->summary.block[row];
    const struct block *same = row < standings->runs.blocks ? &standings->runs.block[row] : NULL;
    bool found = same && same->point == like->point && strcmp(same->scheme, like->scheme) == 0;
    return found ? same : results_like(&standings->runs, like);
}

/* "2 stalled, 1 diverged" of the runs that ended otherwise than at the target, their steps or their seconds. */
static const char *endings_text(const struct standings *standings, size_t row) {
    static const char *const endings[] = {"stalled", "diverged", "trace_end"};
    const struct block *block = standings->status ? runs_of(standings, row) : NULL;
    const char *text = "";
    for (size_t e = 0; block && e < sizeof endings / sizeof *endings; e++) {
        size_t count = 0;
        for (size_t r = block->first; r < block->first + block->rows; r++)
            count += strcmp(standings->status[r], endings[e]) == 0;
        if (count > 0)
            text = arena_format(standings->arena, "%s%s%zu %s", text, *text ? ", " : "", count, endings[e]);
    }
    return text;
}

static void find_endings(struct standings *standings) {
    for (size_t row = 0; row < standings->summary.blocks; row++)
        standings->endings |= *endings_text(standings, row) != '\0';
}

struct standings *standings_read(struct arena *arena, const char *folder, struct sentence *why) {
    struct standings *standings = arena_zeroed(arena, 1, sizeof *standings);
    standings->arena = arena;
    if (!read_summary(standings, folder, why)) {
        standings_free(standings);
        return NULL;
    }
    read_runs(standings, folder);
    for (size_t row = 0; row < standings->summary.blocks; row++)
        standings->target |= !isnan(number_at(standings, row, "reached"));
    find_ladders(standings);
    find_keys(standings);
    find_endings(standings);
    return standings;
}

void standings_free(struct standings *standings) {
    if (standings->summary.csv)
        results_close(&standings->summary);
    if (standings->runs.csv)
        results_close(&standings->runs);
}

size_t standings_points(const struct standings *standings) {
    return standings->points;
}

const char *standings_values(const struct standings *standings, size_t point) {
    const char *text = "";
    for (size_t k = 0; k < standings->keys; k++)
        text = arena_format(standings->arena, "%s%s%s = %s", text, k > 0 ? ", " : "", standings->key[k],
                            standings->value[k][standings->ladder[point].first]);
    return text;
}

static const char *rank_text(const struct standings *standings, size_t rank) {
    return rank > 0 ? arena_format(standings->arena, "%zu", rank) : "–";
}

static const char *reached_text(const struct standings *standings, size_t row) {
    double runs = number_at(standings, row, "runs"), share = number_at(standings, row, "reached");
    return arena_format(standings->arena, "%.0f of %.0f", share * runs, runs);
}

/* Compares with nothing where some run of either did not reach the target. */
static const char *relative_text(const struct standings *standings, const struct ladder *ladder,
                                 const struct standing *standing) {
    const struct standing first = standing_of(standings, ladder, ladder->first);
    double ratio = standing->share < 1 || first.share < 1 ? (double)NAN : standing->mean / first.mean;
    return isfinite(ratio) ? arena_format(standings->arena, "%.3f", ratio) : "–";
}

#define CELLS 9

static void standing_row(const struct standings *standings, const struct ladder *ladder,
                         const struct standing *standing, struct text_table *table) {
    const char *cells[CELLS], **cell = cells;
    size_t row = standing->row;
    *cell++ = rank_text(standings, standing->rank);
    *cell++ = standing->scheme;
    if (standings->target)
        *cell++ = reached_text(standings, row);
    *cell++ = mean_text(standings, row, measure_name(standings));
    *cell++ = standing->place == 0 ? "–" : difference_text(standings, row, measure_name(standings));
    *cell++ = relative_text(standings, ladder, standing);
    *cell++ =
        standings->target ? mean_text(standings, row, "steps_to_loss") : mean_text(standings, row, "time_s");
    *cell++ = standings->target ? mean_text(standings, row, "step_mean_s")
                                : mean_text(standings, row, "final_loss");
    *cell++ = endings_text(standings, row);
    text_table_row(table, cells);
}

static const struct text_column target_columns[] = {
    {"rank", RIGHT},       {"scheme", LEFT},    {"reached", RIGHT},       {"seconds to loss", RIGHT},
    {"difference", RIGHT}, {"relative", RIGHT}, {"steps to loss", RIGHT}, {"seconds/step", RIGHT},
    {"ended", LEFT}};
static const struct text_column time_columns[] = {
    {"rank", RIGHT},     {"scheme", LEFT},   {"seconds/step", RIGHT}, {"difference", RIGHT},
    {"relative", RIGHT}, {"seconds", RIGHT}, {"final loss", RIGHT},   {"ended", LEFT}};

struct text_table *standings_table(const struct standings *standings, size_t point) {
    const struct ladder *ladder = &standings->ladder[point];
    size_t unused = standings->endings ? 0 : 1;
    struct text_table *table = standings->target ? text_table_new(target_columns, CELLS - unused)
                                                 : text_table_new(time_columns, CELLS - 1 - unused);
    for (size_t s = 0; s < ladder->count; s++)
        standing_row(standings, ladder, &ladder->standing[s], table);
    return table;
}

/* Of the standing's scheme and its seconds; nothing of one without a rank. */
static void pair_fill(const struct standings *standings, const struct ladder *ladder, size_t place,
                      const char **cells) {
    bool ranked = place < ladder->count && ladder->standing[place].rank > 0;
    cells[0] = ranked ? ladder->standing[place].scheme : "–";
    cells[1] = ranked ? mean_text(standings, ladder->standing[place].row, measure_name(standings)) : "–";
}

struct text_table *standings_overview(const struct standings *standings, size_t points) {
    size_t columns = standings->keys + 5;
    struct text_column *column = arena_zeroed(standings->arena, columns, sizeof *column);
    const char **cells = arena_zeroed(standings->arena, columns, sizeof *cells);
    const char *measure = standings->target ? "seconds to loss" : "seconds/step";
    column[0] = (struct text_column){"point", RIGHT};
    for (size_t k = 0; k < standings->keys; k++)
        column[1 + k] = (struct text_column){standings->key[k], LEFT};
    column[columns - 4] = (struct text_column){"soonest", LEFT};
    column[columns - 2] = (struct text_column){"next", LEFT};
    column[columns - 3] = column[columns - 1] = (struct text_column){measure, RIGHT};
    struct text_table *table = text_table_new(column, columns);
    for (size_t p = 0; p < points; p++) {
        const struct ladder *ladder = &standings->ladder[p];
        cells[0] = arena_format(standings->arena, "%u", ladder->point);
        for (size_t k = 0; k < standings->keys; k++)
            cells[1 + k] = standings->value[k][ladder->first];
        pair_fill(standings, ladder, 0, cells + columns - 4);
        pair_fill(standings, ladder, 1, cells + columns - 2);
        text_table_row(table, cells);
    }
    return table;
}

const char *standings_legend(const struct standings *standings) {
    const char *first = standings->summary.block[0].scheme;
    double runs = number_at(standings, 0, "runs"), loss = number_at(standings, 0, "target_loss");
    const char *goal = "";
    if (standings->target)
        goal = arena_format(
            standings->arena,
            " Means to the loss%s are of the runs that reached it; a scheme with which some did not has "
            "no rank.",
            isnan(loss) ? "" : arena_format(standings->arena, ", %s,", number_text(standings->arena, loss)));
    return arena_format(
        standings->arena,
        "Simulated seconds: mean over %.0f run%s%s. Difference and relative are to %s, run by run under the "
        "same delays.%s",
        runs, plural((size_t)runs), runs > 1 ? " ± half of its 95 % interval" : "", first, goal);
}
