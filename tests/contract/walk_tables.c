/* Combinations of all that the tables of parameters list: a new scheme, law, rule or key is among them as soon as its table
 * is. Sizes of data and times alone are chosen here, so that a run is short. */
#include "cluster_spec.h"
#include "from_tables.h"
#include "late.h"
#include "objective.h"
#include "optimizer.h"
#include "scenario.h"
#include "walk.h"

#define LENGTH(list) (sizeof(list) / sizeof *(list))

/* `, key: {…}`, in one case of so many. */
static uint32_t add_section(struct text *text, const char *key, const struct param_table *table,
                            uint32_t workers, uint32_t rarely) {
    if (draw(rarely) > 0)
        return 0;
    text_add(text, ", %s: {", key);
    uint32_t keys = draw_mapping(text, table, workers, NULL);
    text_add(text, "}");
    return keys;
}

static void add_choice(struct text *text, const char *key, const char *const *names) {
    uint32_t count = 0;
    while (names[count])
        count++;
    if (draw(3) == 0)
        text_add(text, ", %s: %s", key, names[draw(count)]);
}

static uint32_t draw_group(struct text *text, uint32_t count) {
    static const char *const counted[] = {"count", NULL};
    text_add(text, "{count: %u", count);
    struct text keys = {""};
    uint32_t drawn = draw_mapping(&keys, &group_table, count, counted);
    text_add(text, "%s%s}", drawn > 0 ? ", " : "", keys.bytes);
    return drawn;
}

static uint32_t draw_cluster(struct text *text, uint32_t workers) {
    uint32_t some = draw(workers), keys = 4;
    text_add(text, "workers: [");
    keys += draw_group(text, workers - some);
    if (some > 0) {
        text_add(text, ", ");
        keys += draw_group(text, some);
    }
    text_add(text, "]");
    add_choice(text, "load", load_names);
    add_choice(text, "order", order_names);
    if (draw(6) == 0)
        add_choice(text, "topology", topology_names);
    if (draw(6) == 0)
        text_add(text, ", overlap: true");
    keys += add_section(text, "network", &network_table, workers, 3);
    keys += add_section(text, "rack_shock", &shock_table, workers, 6);
    if (draw(3) > 0)
        return keys;
    text_add(text, ", master: {decode: %ums, update: %ums", draw(2) * 100, draw(2) * 300);
    keys += add_section(text, "link", &link_table, workers, 2);
    text_add(text, "}");
    return keys;
}

static uint32_t draw_problem(struct text *text, uint32_t workers) {
    static const char *const sized[] = {"samples", "features", "seed", NULL};
    static const char *const limits_s[] = {"", "", ", seconds: 0.2", ", seconds: 1.37", ", seconds: 12"};
    text_add(text, "seed: %u\nstop: {steps: %u%s}\n", draw(1000), 1 + draw(30),
             limits_s[draw(LENGTH(limits_s))]);
    text_add(text, "record: {audit: %s, bookings: true}\n", draw(3) == 0 ? "true" : "false");
    if (draw(2) == 0) {
        text_add(text, "problem: {loss: none, message_bytes: %u}\n", 8 * draw(4));
        return 3;
    }
    struct text source = {""}, optimizer = {""};
    uint32_t keys = draw_mapping(&source, family_find(&source_family, "synthetic")->params, workers, sized);
    keys += draw_mapping(&optimizer, &optimizer_table, workers, NULL);
    text_add(text,
             "problem: {loss: %s, l2: 0.01, data: {type: synthetic, samples: %u, features: %u%s%s}%s}\n"
             "optimizer: {%s}\n",
             draw(2) == 0 ? "logistic" : "linear", 96 + draw(20), 1 + draw(4), *source.bytes ? ", " : "",
             source.bytes, draw(3) == 0 ? ", precision: f32" : "", optimizer.bytes);
    return keys + 6;
}

enum walked walk_tables(void) {
    static const uint32_t sizes[] = {1, 2, 3, 4, 6, 6, 7, 8, 9, 10, 12};
    static const char *const named[] = {"label", NULL};
    struct text problem = {""}, cluster = {""}, scheme = {""};
    uint32_t workers = sizes[draw(LENGTH(sizes))];
    uint32_t keys = draw_problem(&problem, workers) + draw_cluster(&cluster, workers) +
                    draw_mapping(&scheme, &scheme_entry_table, workers, named);
    return walk(&(struct combination){.problem = problem.bytes,
                                      .cluster = cluster.bytes,
                                      .scheme = scheme.bytes,
                                      .wait = "",
                                      .late = "",
                                      .mistakes = keys});
}
