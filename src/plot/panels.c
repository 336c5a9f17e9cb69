#include "panels.h"
#include <math.h>
#include <string.h>

/* Axes are shared up to this ratio of the longest to the shortest. */
#define SHARED_RATIO 3.0
/* Characters of what all panels have in common. */
#define COMMON 90

static size_t parts_of(const char *key) {
    size_t parts = 1;
    for (; *key != '\0'; key++)
        parts += *key == '.' ? 1 : 0;
    return parts;
}

/* The last `parts` parts of a key path. */
static const char *key_end(const char *key, size_t parts) {
    for (size_t skipped = parts_of(key); skipped > parts; skipped--)
        key = strchr(key, '.') + 1;
    return key;
}

static bool ends_alike(const struct csv *csv, size_t column, size_t end, size_t parts) {
    for (size_t other = 1; other < end; other++)
        if (other != column &&
            strcmp(key_end(csv->name[other], parts), key_end(csv->name[column], parts)) == 0)
            return true;
    return false;
}

/* As many last parts of the key as tell it from the other swept keys, and at least what they are parts of: `value` says
 * nothing without `compute`, nor `stragglers` without `schemes[1]`. */
static const char *short_key(const struct csv *csv, size_t column, size_t end) {
    const char *key = csv->name[column];
    size_t all = parts_of(key), parts = all > 2 || strchr(key, '[') != NULL ? 2 : 1;
    while (parts < all && ends_alike(csv, column, end, parts))
        parts++;
    return key_end(key, parts);
}

/* Adds `key = value` to the text. */
static const char *with_key(const struct results *results, const char *text, size_t column,
                            const char *value) {
    const char *key = short_key(results->csv, column, csv_column(results->csv, "scheme"));
    return arena_format(results->arena, "%s%s%s = %s", text, *text == '\0' ? "" : ", ", key, value);
}

/* Bytes of the entry of a mapping, such as `{type: pareto, alpha: 2}`, that `at` begins with. */
static size_t entry_bytes(const char *at) {
    size_t depth = 0, bytes = 0;
    for (; at[bytes] != '\0'; bytes++) {
        if (depth == 0 && (at[bytes] == ',' || at[bytes] == '}'))
            break;
        depth += strchr("{[", at[bytes]) != NULL ? 1 : 0;
        depth -= strchr("}]", at[bytes]) != NULL ? 1 : 0;
    }
    return bytes;
}

/* The next entry, NULL after the last; of what is no mapping there is none. */
static const char *first_entry(const char *word) {
    return word[0] == '{' && word[1] != '}' ? word + 1 : NULL;
}
static const char *next_entry(const char *entry) {
    entry += entry_bytes(entry);
    return *entry == ',' ? entry + 1 + strspn(entry + 1, " ") : NULL;
}

static bool has_entry(const char *word, const char *entry) {
    size_t bytes = entry_bytes(entry);
    for (const char *other = first_entry(word); other != NULL; other = next_entry(other))
        if (entry_bytes(other) == bytes && strncmp(other, entry, bytes) == 0)
            return true;
    return false;
}

/* The value of one row, of a mapping only the entries that some row lacks; all of it where that leaves nothing. */
static const char *own_value(const struct results *results, const char *const *word, size_t rows,
                             size_t own) {
    const char *text = "";
    for (const char *entry = first_entry(word[own]); entry != NULL; entry = next_entry(entry)) {
        size_t p = 0;
        while (p < rows && has_entry(word[p], entry))
            p++;
        if (p < rows)
            text = arena_format(results->arena, "%s%s%.*s", text, *text == '\0' ? "" : ", ",
                                (int)entry_bytes(entry), entry);
    }
    return *text == '\0' ? word[own] : text;
}

static bool same_in_all(const struct results *results, size_t column, const size_t *row, size_t count) {
    const char **words = results_words(results, column);
    for (size_t p = 1; p < count; p++)
        if (strcmp(words[row[p]], words[row[0]]) != 0)
            return false;
    return true;
}

/* `row` is the first of each panel. */
static void name_panels(struct panels *panels, const struct results *results, const size_t *row) {
    size_t end = csv_column(results->csv, "scheme");
    for (size_t column = 1; column < end; column++) {
        if (same_in_all(results, column, row, panels->count)) {
            panels->common =
                with_key(results, panels->common, column, results_words(results, column)[row[0]]);
            continue;
        }
        const char *word[PANELS];
        for (size_t p = 0; p < panels->count; p++)
            word[p] = results_words(results, column)[row[p]];
        for (size_t p = 0; p < panels->count; p++)
            panels->label[p] =
                with_key(results, panels->label[p], column, own_value(results, word, panels->count, p));
    }
}

static bool refuse(const struct results *results, struct sentence *why) {
    sentence_set(why, "none of these points is in %s, which has points %u to %u", results->csv->file,
                 results->block[0].point, results->block[results->blocks - 1].point);
    return false;
}

bool panels_choose(struct panels *panels, const struct results *results, const struct points *points,
                   struct sentence *why) {
    size_t row[PANELS] = {0};
    *panels = (struct panels){.arena = results->arena, .chosen = points->spans > 0, .common = ""};
    for (size_t b = 0; b < results->blocks; b++) {
        const struct block *block = &results->block[b];
        if ((b > 0 && block->point == results->block[b - 1].point) || !points_hold(points, block->point) ||
            panels->points++ >= PANELS)
            continue;
        panels->label[panels->count] = "";
        panels->point[panels->count] = block->point;
        row[panels->count++] = block->first;
    }
    if (panels->count == 0)
        return refuse(results, why);
    name_panels(panels, results, row);
    return true;
}

size_t panels_find(const struct panels *panels, uint32_t point) {
    size_t p = 0;
    while (p < panels->count && panels->point[p] != point)
        p++;
    return p;
}

static size_t longest_label(const struct panels *panels) {
    size_t longest = 0;
    for (size_t p = 0; p < panels->count; p++)
        longest = strlen(panels->label[p]) > longest ? strlen(panels->label[p]) : longest;
    return longest;
}

/* Bytes of the first line of a title: all of it, or where the longest title of the figure does not fit into a line, up to
 * the last comma with which this one does. */
static size_t line_bytes(const char *title, size_t longest) {
    size_t all = strlen(title), fits = 0;
    if (longest <= CHART_TITLE)
        return all;
    for (size_t i = 0; i < CHART_TITLE && i < all; i++)
        if (title[i] == ',' && title[i + 1] == ' ')
            fits = i + 1;
    return fits > 0 ? fits : all;
}

static const char *title_line(const struct panels *panels, const char *text, size_t bytes, size_t *longest) {
    char line[4 * CHART_TITLE + 1];
    size_t characters = chart_label(line, arena_text(panels->arena, text, bytes), CHART_TITLE);
    *longest = characters > *longest ? characters : *longest;
    return arena_text(panels->arena, line, strlen(line));
}

void panels_chart(const struct panels *panels, struct chart *chart) {
    const char *first[PANELS], *second[PANELS];
    size_t longest = 0, longest_title = longest_label(panels);
    for (size_t p = 0; p < panels->count; p++) {
        const char *title = panels->label[p];
        size_t bytes = line_bytes(title, longest_title);
        const char *rest = title + bytes + strspn(title + bytes, " ");
        first[p] = title_line(panels, title, bytes, &longest);
        second[p] = title_line(panels, rest, strlen(rest), &longest);
    }
    chart_texts(chart, "panels", first, panels->count);
    chart_texts(chart, "panels_below", second, panels->count);
    chart_number(chart, "longest_panel", (double)longest);
    char common[4 * COMMON + 1];
    chart_label(common, panels->common, COMMON);
    chart_text(chart, "common", common);
}

const char *panels_shown(const struct panels *panels) {
    if (panels->points == panels->count)
        return "";
    return arena_format(panels->arena, "The first %zu of %zu points%s.", panels->count, panels->points,
                        panels->chosen ? " asked for" : "; laggard plot --points draws others");
}

void panels_share_axis(const struct panels *panels, double *end) {
    double least = (double)INFINITY, most = 0;
    for (size_t p = 0; p < panels->count; p++) {
        most = fmax(most, end[p]);
        if (end[p] > 0)
            least = fmin(least, end[p]);
    }
    for (size_t p = 0; p < panels->count; p++)
        if (most <= SHARED_RATIO * least || !(end[p] > 0))
            end[p] = most > 0 ? most : 1;
}
