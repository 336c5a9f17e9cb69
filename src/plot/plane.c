#include "plane.h"
#include "figure.h"
#include <math.h>
#include <string.h>

static const struct plane_measure measures[] = {
    {"Seconds to the target loss", "seconds to the target loss", "time_to_loss_s_mean", "time_to_loss_s_low",
     "time_to_loss_s_high"},
    {"Seconds per step", "seconds per step", "step_mean_s_mean", "step_mean_s_low", "step_mean_s_high"},
};

static struct plane_measure measure_of(const struct results *summary) {
    for (size_t b = 0; b < summary->blocks; b++)
        if (!isnan(results_number(summary, summary->block[b].first, measures[0].mean)))
            return measures[0];
    return measures[1];
}

static size_t value_of(const struct plane_axis *axis, const char *word) {
    size_t v = 0;
    while (v < axis->values && strcmp(axis->word[v], word) != 0)
        v++;
    return v;
}

static void sort_values(struct plane_axis *axis) {
    for (size_t v = 1; v < axis->values; v++)
        for (size_t u = v; u > 0 && axis->number[u] < axis->number[u - 1]; u--) {
            const char *word = axis->word[u];
            double number = axis->number[u];
            axis->word[u] = axis->word[u - 1];
            axis->number[u] = axis->number[u - 1];
            axis->word[u - 1] = word;
            axis->number[u - 1] = number;
        }
}

/* The axis of a column, and how many values it had to leave out. */
static size_t read_axis(struct plane_axis *axis, const struct plane *plane, const char *const *word) {
    const struct results *summary = plane->summary;
    size_t cut = 0;
    axis->numeric = true;
    for (size_t b = 0; b < summary->blocks; b++) {
        const struct block *block = &summary->block[b];
        if (!points_hold(plane->points, block->point) || value_of(axis, word[block->first]) < axis->values)
            continue;
        if (axis->values == PLANE_VALUES) {
            cut++;
            continue;
        }
        double number = results_number(summary, block->first, axis->key);
        axis->numeric &= !isnan(number);
        axis->number[axis->values] = number;
        axis->word[axis->values++] = word[block->first];
    }
    if (axis->numeric)
        sort_values(axis);
    return cut;
}

static void read_axes(struct plane *plane) {
    const struct csv *csv = plane->summary->csv;
    plane->word = arena_zeroed(plane->summary->arena, PLANE_AXES, sizeof *plane->word);
    for (size_t c = csv_column(csv, "point") + 1; c < csv_column(csv, "scheme") && plane->axes < PLANE_AXES;
         c++) {
        struct plane_axis axis = {.key = csv->name[c], .column = c};
        const char *const *word = results_words(plane->summary, c);
        size_t cut = read_axis(&axis, plane, word);
        if (axis.values < 2)
            continue;
        plane->cut += cut;
        plane->word[plane->axes] = word;
        plane->axis[plane->axes++] = axis;
    }
}

struct plane plane_of(const struct results *summary, const struct points *points) {
    struct plane plane = {.summary = summary, .points = points, .measure = measure_of(summary)};
    plane.scheme = arena_zeroed(summary->arena, summary->blocks + 1, sizeof *plane.scheme);
    read_axes(&plane);
    for (size_t b = 0; b < summary->blocks; b++)
        if (plane_scheme(&plane, &summary->block[b]) == plane.schemes)
            plane.scheme[plane.schemes++] = summary->block[b].scheme;
    return plane;
}

size_t plane_place(const struct plane *plane, const struct block *block, size_t axis) {
    return value_of(&plane->axis[axis], plane->word[axis][block->first]);
}

size_t plane_scheme(const struct plane *plane, const struct block *block) {
    size_t s = 0;
    while (s < plane->schemes && strcmp(plane->scheme[s], block->scheme) != 0)
        s++;
    return s;
}

bool plane_shows(const struct plane *plane, const struct block *block, size_t shown) {
    for (size_t a = 0; a < plane->axes; a++) {
        size_t place = plane_place(plane, block, a);
        if (place == plane->axis[a].values || (a >= shown && place > 0))
            return false;
    }
    return points_hold(plane->points, block->point);
}

const char *plane_fixed(const struct plane *plane, size_t shown) {
    const char *text = "";
    for (size_t a = shown; a < plane->axes; a++)
        text = arena_format(plane->summary->arena, "%s%s%s = %s", text, *text ? ", " : "", plane->axis[a].key,
                            plane->axis[a].word[0]);
    return *text ? arena_format(plane->summary->arena, "At %s; laggard plot --points draws others.", text)
                 : "";
}

double plane_mean(const struct plane *plane, const struct block *block) {
    return results_number(plane->summary, block->first, plane->measure.mean);
}

int plane_tabulate(const struct plot_request *request, struct chart *chart,
                   int (*fill)(const struct plane *plane, struct chart *chart, struct sentence *why),
                   struct sentence *why) {
    static const char *const numbers[] = {"point", NULL};
    struct arena *arena = arena_new();
    struct results summary;
    int found = results_read(&summary, arena,
                             &(struct results_request){request->folder, "summary.csv", numbers}, why);
    if (found == 1) {
        struct plane plane = plane_of(&summary, &request->points);
        found = fill(&plane, chart, why);
        results_close(&summary);
    }
    arena_free(arena);
    return found;
}

static void chart_axis(const struct plane *plane, struct chart *chart, size_t axis, const char *name) {
    struct arena *arena = plane->summary->arena;
    const struct plane_axis *of = &plane->axis[axis];
    const char **text = arena_zeroed(arena, of->values, sizeof *text);
    size_t longest = 0;
    for (size_t v = 0; v < of->values; v++) {
        char label[4 * CHART_LABEL + 1];
        size_t characters = chart_label(label, of->word[v], CHART_LABEL / 2);
        text[v] = arena_text(arena, label, strlen(label));
        longest = characters > longest ? characters : longest;
    }
    chart_text(chart, arena_format(arena, "%s_key", name), of->key);
    chart_texts(chart, arena_format(arena, "%s_values", name), text, of->values);
    chart_number(chart, arena_format(arena, "%s_longest", name), (double)longest);
}

void plane_chart(const struct plane *plane, struct chart *chart) {
    chart_axis(plane, chart, 0, "x");
    chart_axis(plane, chart, 1, "y");
}
