#include "laws_table.h"
#include "cluster_text.h"
#include "number_text.h"
#include <math.h>
#include <string.h>

#define LAWS_MAX 64 /* in the table; more are counted */

/* A law as it serves some workers. */
struct use {
    const char *text, *role;
    const struct picked *law;
    double speed; /* its seconds are divided by it */
    size_t point;
    uint32_t workers; /* at that point */
};
struct uses {
    struct use use[LAWS_MAX];
    size_t count, unlisted;
};

static void uses_add(struct uses *uses, struct use use) {
    for (size_t q = 0; q < uses->count; q++) {
        struct use *seen = &uses->use[q];
        if (strcmp(seen->text, use.text) == 0 && strcmp(seen->role, use.role) == 0) {
            seen->workers += seen->point == use.point ? use.workers : 0;
            return;
        }
    }
    if (uses->count == LAWS_MAX)
        uses->unlisted++;
    else
        uses->use[uses->count++] = use;
}

static void uses_add_group(struct arena *arena, struct uses *uses, const struct node *node, size_t point,
                           const struct group_spec *group) {
    if (group->compute) {
        const char *text = mapping_text(arena, node_child(node, "compute"));
        if (group->speed < 1 || group->speed > 1)
            text = arena_format(arena, "%s, at speed %s", text, number_text(arena, group->speed));
        uses_add(uses, (struct use){text, "compute", group->compute, group->speed, point, group->count});
    }
    if (group->delay)
        uses_add(uses, (struct use){mapping_text(arena, node_child(node, "delay")), "delay", group->delay, 1,
                                    point, group->count});
    if (group->slowness)
        uses_add(uses, (struct use){mapping_text(arena, node_child(node, "slowness")), "slowness",
                                    group->slowness, 1, point, group->count});
}

/* It serves the workers that are in racks. */
static void uses_add_shock(struct arena *arena, struct uses *uses, const struct scenario *scenario,
                           size_t point) {
    const struct cluster_spec *spec = &scenario->cluster;
    const struct node *node = node_child(node_child(scenario->tree, "cluster"), "rack_shock");
    uint32_t workers = 0;
    if (!spec->shock)
        return;
    for (uint32_t g = 0; g < spec->groups; g++)
        workers += spec->group[g].rack != PARAM_ABSENT ? spec->group[g].count : 0;
    uses_add(uses,
             (struct use){mapping_text(arena, node), "rack shock", &spec->shock->law, 1, point, workers});
}

static void use_row(struct arena *arena, struct text_table *table, const struct use *use) {
    struct moments moments = law_moments(use->law);
    double p99_s = law_quantile(use->law, 0.99);
    text_table_row(table, (const char *const[]){use->role, arena_format(arena, "%u", use->workers), use->text,
                                                number_text(arena, moments.mean_s / use->speed),
                                                number_text(arena, moments.deviation_s / use->speed),
                                                number_text(arena, p99_s / use->speed)});
}

static void uses_find(struct arena *arena, struct uses *uses, const struct study *study) {
    for (size_t point = 0; point < study_points(study); point++) {
        const struct scenario *scenario = study_scenario(study, point);
        const struct node *node = node_child(node_child(scenario->tree, "cluster"), "workers")->first;
        for (uint32_t g = 0; g < scenario->cluster.groups; g++, node = node->next)
            uses_add_group(arena, uses, node, point, &scenario->cluster.group[g]);
        uses_add_shock(arena, uses, scenario, point);
    }
}

struct text_table *laws_table(struct arena *arena, const struct study *study, size_t *unlisted) {
    static const struct text_column columns[] = {{"use", LEFT},     {"workers", RIGHT}, {"law", LEFT},
                                                 {"mean s", RIGHT}, {"sd s", RIGHT},    {"p99 s", RIGHT}};
    struct uses uses = {.count = 0};
    uses_find(arena, &uses, study);
    struct text_table *table = text_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t q = 0; q < uses.count; q++)
        use_row(arena, table, &uses.use[q]);
    *unlisted = uses.unlisted;
    return table;
}

void laws_table_print(struct arena *arena, const struct study *study, FILE *stream) {
    size_t unlisted;
    struct text_table *table = laws_table(arena, study, &unlisted);
    if (text_table_rows(table) == 0)
        fputs("  none: computing and delays take no time\n", stream);
    else
        text_table_print(table, stream, "  ");
    if (unlisted > 0)
        fprintf(stream, "  and %s more\n", count_text(arena, unlisted, "law"));
    text_table_free(table);
}
