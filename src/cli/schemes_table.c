#include "schemes_table.h"
#include "loads.h"
#include "number_text.h"

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

const char *swept_keys_text(struct arena *arena, const struct study *study) {
    const char *text = "";
    for (size_t key = 0; key < study_swept(study); key++)
        text = arena_format(arena, "%s%s%s", text, key > 0 ? ", " : "", study_swept_key(study, key));
    return text;
}

struct text_table *schemes_table(struct arena *arena, const struct study *study, size_t *unlisted) {
    static const struct text_column columns[CELLS] = {
        {"point", RIGHT},    {"values", LEFT}, {"scheme", LEFT},   {"parameters", LEFT}, {"copies", RIGHT},
        {"computed", RIGHT}, {"wait", LEFT},   {"results", RIGHT}, {"late", LEFT}};
    size_t skipped = study_swept(study) > 0 ? 0 : SWEPT_CELLS, rows = 0;
    struct text_table *table = text_table_new(columns + skipped, CELLS - skipped);
    for (size_t point = 0; point < study_points(study); point++)
        for (uint32_t e = 0; e < study_scenario(study, point)->schemes; e++, rows++)
            if (rows < SCHEMES_ROWS_MAX)
                scheme_row(arena, table, study, point, e);
    *unlisted = rows > SCHEMES_ROWS_MAX ? rows - SCHEMES_ROWS_MAX : 0;
    return table;
}
