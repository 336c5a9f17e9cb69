#include "outlook_table.h"
#include "cluster_text.h"
#include "expected_step.h"
#include "number_text.h"
#include "outlook.h"
#include "text_table.h"
#include <math.h>

#define GROUPS_MAX 16 /* in the table; more are counted */

/* A sampled value is marked; the note below the table says how many tasks were drawn. A sample may be too short to tell. */
static const char *prospect_text(struct arena *arena, struct prospect prospect) {
    const char *text = number_text(arena, prospect.value);
    if (isnan(prospect.value))
        return prospect.sampled > 0 ? text : "undefined";
    if (prospect.sampled == 0)
        return text;
    return arena_format(arena, "~%s",
                        isnan(prospect.error) ? text : interval_text(arena, prospect.value, prospect.error));
}

static uint32_t most_sampled(const struct outlook *outlook) {
    const struct prospect all[] = {outlook->mean_s, outlook->deviation_s, outlook->p99_s, outlook->largest_s,
                                   outlook->correlation};
    uint32_t most = 0;
    for (size_t q = 0; q < sizeof all / sizeof *all; q++)
        most = all[q].sampled > most ? all[q].sampled : most;
    return most;
}

/* A table in the making. */
struct rows {
    struct arena *arena;
    struct text_table *table;
    uint64_t seed;
    uint32_t sampled; /* the most tasks drawn for a row */
    bool cut;         /* fewer than planned for some row */
};

static void outlook_row(struct rows *rows, const char *name, const struct cluster_spec *spec) {
    struct outlook outlook = cluster_outlook(spec, &(struct outlook_request){.seed = rows->seed, .work = 1});
    const char *cells[] = {name,
                           arena_format(rows->arena, "%u", spec->workers),
                           prospect_text(rows->arena, outlook.mean_s),
                           prospect_text(rows->arena, outlook.deviation_s),
                           prospect_text(rows->arena, outlook.p99_s),
                           prospect_text(rows->arena, outlook.largest_s),
                           prospect_text(rows->arena, outlook.correlation)};
    text_table_row(rows->table, cells);
    uint32_t sampled = most_sampled(&outlook);
    rows->sampled = sampled > rows->sampled ? sampled : rows->sampled;
    rows->cut |= outlook.cut;
}

static struct cluster_spec group_alone(const struct cluster_spec *spec, uint32_t g) {
    struct cluster_spec alone = *spec;
    alone.group = &spec->group[g];
    alone.groups = 1;
    alone.workers = alone.group->count;
    return alone;
}

/* All workers, and each group where there are several. */
static void outlook_rows(struct rows *rows, const struct cluster_spec *spec) {
    outlook_row(rows, "all", spec);
    for (uint32_t g = 0; spec->groups > 1 && g < spec->groups && g < GROUPS_MAX; g++) {
        struct cluster_spec alone = group_alone(spec, g);
        outlook_row(rows, arena_format(rows->arena, "group %u", g), &alone);
    }
}

static void tasks_print(struct arena *arena, const struct scenario *scenario, FILE *stream) {
    static const struct text_column columns[] = {
        {"workers", LEFT}, {"", RIGHT},          {"mean s", RIGHT},           {"sd s", RIGHT},
        {"p99 s", RIGHT},  {"maximum s", RIGHT}, {"lag-1 correlation", RIGHT}};
    const struct cluster_spec *spec = &scenario->cluster;
    struct rows rows = {arena, text_table_new(columns, sizeof columns / sizeof *columns), scenario->seed, 0};
    outlook_rows(&rows, spec);
    const char *left_out = cluster_left_out(arena, spec);
    fprintf(stream, "\na task of one partition%s%s; maximum: expected over the workers\n",
            left_out ? ", without " : "", left_out ? left_out : "");
    text_table_print(rows.table, stream, "  ");
    text_table_free(rows.table);
    if (spec->groups > GROUPS_MAX)
        fprintf(stream, "  and %s more\n", count_text(arena, spec->groups - GROUPS_MAX, "group"));
    if (rows.sampled > 0)
        fprintf(stream,
                "  ~ no formula, as %s: a sample of %u tasks%s ± its standard error; all else by formula\n",
                cluster_outlook_obstacle(spec), rows.sampled,
                rows.cut ? ", cut short because it took long," : "");
    else
        fputs("  all by formula\n", stream);
}

static void steps_print(struct arena *arena, const struct scenario *scenario, FILE *stream) {
    static const struct text_column columns[] = {{"scheme", LEFT}, {"mean s", RIGHT}};
    struct text_table *table = text_table_new(columns, 2);
    size_t rows = 0;
    for (uint32_t e = 0; e < scenario->schemes; e++) {
        double step_s = expected_step_s(scenario, &scenario->scheme[e]);
        if (isnan(step_s))
            continue;
        text_table_row(table, (const char *const[]){scenario->scheme[e].label, number_text(arena, step_s)});
        rows++;
    }
    if (rows > 0) {
        fputs("\nsteps that have a formula: the last of the tasks waited for\n", stream);
        text_table_print(table, stream, "  ");
    }
    text_table_free(table);
}

void outlook_print(struct arena *arena, const struct study *study, FILE *stream) {
    const struct scenario *scenario = study_scenario(study, 0);
    tasks_print(arena, scenario, stream);
    steps_print(arena, scenario, stream);
}
