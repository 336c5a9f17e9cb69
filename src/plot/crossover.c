#include "figure.h"
#include "plane.h"
#include <math.h>

struct cell {
    uint32_t column, row; /* from 1 */
    uint32_t first;       /* the scheme that wins, from 1 */
    uint32_t sure;        /* 1: its interval and that of the second do not meet */
    double mean, second_mean;
    uint32_t point;
    const char *scheme, *second;
};
static const struct column column[] = {
    {"column", COLUMN_COUNT, offsetof(struct cell, column)},
    {"row", COLUMN_COUNT, offsetof(struct cell, row)},
    {"first", COLUMN_COUNT, offsetof(struct cell, first)},
    {"sure", COLUMN_COUNT, offsetof(struct cell, sure)},
    {"mean", COLUMN_NUMBER, offsetof(struct cell, mean)},
    {"second_mean", COLUMN_NUMBER, offsetof(struct cell, second_mean)},
    {"point", COLUMN_COUNT, offsetof(struct cell, point)},
    {"scheme", COLUMN_TEXT, offsetof(struct cell, scheme)},
    {"second", COLUMN_TEXT, offsetof(struct cell, second)},
};
static const struct columns columns = {column, sizeof column / sizeof *column};

/* The share of runs that reached the target counts before the mean of those. */
static bool better(const struct plane *plane, const struct block *a, const struct block *b) {
    double reached_a = results_number(plane->summary, a->first, "reached"),
           reached_b = results_number(plane->summary, b->first, "reached");
    if (reached_a > reached_b || reached_a < reached_b)
        return reached_a > reached_b;
    double mean_a = plane_mean(plane, a), mean_b = plane_mean(plane, b);
    return isnan(mean_b) ? !isnan(mean_a) : mean_a < mean_b;
}

struct place_winners {
    const struct block *first, *second;
};

static struct place_winners winners_at(const struct plane *plane, size_t x, size_t y) {
    struct place_winners winners = {0};
    for (size_t b = 0; b < plane->summary->blocks; b++) {
        const struct block *block = &plane->summary->block[b];
        if (!plane_shows(plane, block, 2) || plane_place(plane, block, 0) != x ||
            plane_place(plane, block, 1) != y || isnan(plane_mean(plane, block)))
            continue;
        if (!winners.first || better(plane, block, winners.first)) {
            winners.second = winners.first;
            winners.first = block;
        } else if (!winners.second || better(plane, block, winners.second)) {
            winners.second = block;
        }
    }
    return winners;
}

static double number(const struct plane *plane, const struct block *block, const char *name) {
    return block ? results_number(plane->summary, block->first, name) : (double)NAN;
}

static struct cell cell_of(const struct plane *plane, const struct place_winners *winners) {
    struct cell cell = {.first = (uint32_t)plane_scheme(plane, winners->first) + 1,
                        .mean = plane_mean(plane, winners->first),
                        .second_mean = number(plane, winners->second, plane->measure.mean),
                        .point = winners->first->point,
                        .scheme = winners->first->scheme,
                        .second = winners->second ? winners->second->scheme : NULL};
    double apart = number(plane, winners->second, plane->measure.low) -
                   number(plane, winners->first, plane->measure.high);
    bool further = winners->second &&
                   number(plane, winners->second, "reached") < number(plane, winners->first, "reached");
    cell.sure = !winners->second || further || apart > 0;
    return cell;
}

static void describe(const struct plane *plane, struct chart *chart) {
    struct arena *arena = plane->summary->arena;
    const char **title = arena_zeroed(arena, plane->schemes, sizeof *title);
    size_t longest = 0;
    for (size_t s = 0; s < plane->schemes; s++) {
        char label[4 * CHART_LABEL + 1];
        size_t characters = chart_label(label, plane->scheme[s], CHART_LABEL);
        title[s] = arena_format(arena, "%s", label);
        longest = characters > longest ? characters : longest;
    }
    chart_texts(chart, "schemes", title, plane->schemes);
    chart_number(chart, "longest", (double)longest);
    chart_text(chart, "measure", plane->measure.title);
    plane_chart(plane, chart);
    const char *caption[] = {
        arena_format(arena, "In the colour of the scheme that has the least: %s.", plane->measure.noun),
        "Where a target is reached in more of the runs, that counts first.",
        "Pale: the 95 % intervals of the first and the second meet.", plane_fixed(plane, 2)};
    chart_lines(chart, caption, sizeof caption / sizeof *caption);
}

static int fill(const struct plane *plane, struct chart *chart, struct sentence *why) {
    if (plane->axes < 2 || plane->schemes < 2) {
        sentence_set(why,
                     plane->axes < 2 ? "the sweep has fewer than two axes" : "there is one scheme alone");
        return 0;
    }
    sheet_init(&chart->table, &columns, NULL, 0);
    sheet_header(&chart->table);
    for (size_t y = 0; y < plane->axis[1].values; y++)
        for (size_t x = 0; x < plane->axis[0].values; x++) {
            struct place_winners winners = winners_at(plane, x, y);
            if (!winners.first)
                continue;
            struct cell cell = cell_of(plane, &winners);
            cell.column = (uint32_t)x + 1;
            cell.row = (uint32_t)y + 1;
            sheet_row(&chart->table, &cell);
        }
    describe(plane, chart);
    return 1;
}

static int tabulate(const struct plot_request *request, struct chart *chart, struct sentence *why) {
    return plane_tabulate(request, chart, fill, why);
}

const struct figure figure_crossover = {
    .head = {.name = "crossover", .summary = "which scheme wins where, over two axes of a sweep"},
    .title = "Which scheme wins where",
    .file = "summary.csv",
    .rare = true,
    .tabulate = tabulate,
};
