#include "param.h"
#include "sketch.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A small world in which every kind of parameter occurs. */

struct uniform {
    double low_s, high_s;
};

static const char *check_uniform(const void *values, struct sentence *why) {
    const struct uniform *uniform = values;
    if (uniform->low_s < uniform->high_s)
        return NULL;
    sentence_set(why, "low must be below high");
    return "high";
}

static const struct param uniform_params[] = {
    {"low", PARAM_SECONDS, offsetof(struct uniform, low_s), "0s"},
    {"high", PARAM_SECONDS, offsetof(struct uniform, high_s)},
};
static const struct param_table uniform_table = {PARAM_TABLE(struct uniform, uniform_params),
                                                 .check = check_uniform};
static const struct variant uniform = {"uniform", "", NULL, &uniform_table},
                            never = {"never", "", NULL, NULL};
static const struct variant *const laws[] = {&uniform, &never, NULL};
static const struct family law_family = {"law", laws, NULL};
static const struct family default_family = {"law", laws, "never"};

struct part {
    double weight;
    struct picked law;
};
static const struct param part_params[] = {{"weight", PARAM_NUMBER, offsetof(struct part, weight), "1"}};
static const struct param_table part_table = {PARAM_TABLE(struct part, part_params), .family = &law_family,
                                              .picked = offsetof(struct part, law)};
static const struct param_table default_table = {.size = sizeof(struct picked), .family = &default_family};

struct link {
    double latency_s, bandwidth;
};
static const struct param link_params[] = {
    {"latency", PARAM_SECONDS, offsetof(struct link, latency_s), "1ms"},
    {"bandwidth", PARAM_NUMBER, offsetof(struct link, bandwidth), "", .above_minimum = true},
};
static const struct param_table link_table = {PARAM_TABLE(struct link, link_params)};

struct world {
    double rate, signed_rate, wait_s;
    uint32_t count, batch, order;
    uint64_t seed;
    bool events;
    const char *name, *path;
    struct link *link;
    struct part *law;
    struct picked *spare;
    struct param_list parts, columns;
    struct node *sweep;
    uint32_t any_count;
};

static const char *check_world(const void *values, struct sentence *why) {
    const struct world *world = values;
    if (world->any_count == PARAM_ABSENT || world->any_count < world->count)
        return NULL;
    sentence_set(why, "below = %u must be less than count = %u", world->any_count, world->count);
    return "below";
}

static const char *const orders[] = {"listed", "shuffled", NULL};
static const struct param_word full[] = {{"full", 0}, {NULL, 0}},
                               endless[] = {{"never", HUGE_VAL}, {NULL, 0}};
#define AT(member) offsetof(struct world, member)
static const struct param world_params[] = {
    {"count", PARAM_COUNT, AT(count), NULL, 1, 1000000},
    {"rate", PARAM_NUMBER, AT(rate), "0.5", 0, 1, true},
    {"signed", PARAM_NUMBER, AT(signed_rate), "", -HUGE_VAL},
    {"wait", PARAM_SECONDS, AT(wait_s), "", .above_minimum = true, .words = endless},
    {"batch", PARAM_COUNT, AT(batch), "full", 1, .words = full},
    {"order", PARAM_CHOICE, AT(order), "listed", .choices = orders},
    {"seed", PARAM_SEED, AT(seed), "1"},
    {"events", PARAM_FLAG, AT(events), "false"},
    {"name", PARAM_TEXT, AT(name), ""},
    {"path", PARAM_PATH, AT(path), ""},
    {"link", PARAM_STRUCT, AT(link), "{}", .table = &link_table},
    {"law", PARAM_STRUCT, AT(law), "{type: uniform, high: 2s}", .table = &part_table},
    {"spare", PARAM_STRUCT, AT(spare), "", .table = &default_table},
    {"parts", PARAM_LIST, AT(parts), "", .table = &part_table},
    {"columns", PARAM_TEXTS, AT(columns), ""},
    {"sweep", PARAM_ANY, AT(sweep), ""},
    {"below", PARAM_COUNT, AT(any_count), "", 0, 10},
};
static const struct param_table world_table = {PARAM_TABLE(struct world, world_params), .check = check_world};

static struct arena *arena;
static struct diag *diag;

static void begin(void) {
    arena = arena_new();
    diag = diag_new();
}

static void end(void) {
    diag_free(diag);
    arena_free(arena);
}

TestSuite(param, .init = begin, .fini = end);

static bool bind(struct node *mapping, struct world *world) {
    struct binder binder = {diag, arena, "some/folder"};
    *world = (struct world){0};
    return param_bind(&binder, mapping, &world_table, world);
}

Test(param, reads_every_kind) {
    struct world world;
    struct node *mapping = sketch(
        arena,
        "{count: 1e3, rate: 1, signed: -2.5, wait: 5 min, batch: 32, order: shuffled, seed: "
        "18446744073709551615, "
        "events: true, name: 12, path: x.csv, link: {latency: 2s, bandwidth: 1e9}, law: {type: never, "
        "weight: 3}, spare: {type: uniform, high: 9ms}, parts: [{type: uniform, high: 1h}, {type: never}], "
        "columns: [a, 'b c'], sweep: {x: [1]}, below: 010}");
    cr_assert(bind(mapping, &world), "%s", messages(diag));
    cr_expect(eq(u32, world.count, 1000));
    cr_expect(eq(dbl, world.rate, 1));
    cr_expect(eq(dbl, world.signed_rate, -2.5));
    cr_expect(eq(dbl, world.wait_s, 300));
    cr_expect(eq(u32, world.batch, 32));
    cr_expect(eq(u32, world.order, 1));
    cr_expect(eq(u64, world.seed, UINT64_MAX));
    cr_expect(world.events);
    cr_expect(eq(str, (char *)world.name, (char *)"12"));
    cr_expect(eq(str, (char *)world.path, (char *)"some/folder/x.csv"));
    cr_expect(eq(str, (char *)node_child(mapping, "path")->resolved, (char *)"some/folder/x.csv"));
    cr_expect(eq(dbl, world.link->latency_s, 2));
    cr_expect(eq(dbl, world.link->bandwidth, 1e9));
    cr_expect(eq(ptr, (void *)world.law->law.type, (void *)&never));
    cr_expect(zero(ptr, world.law->law.params));
    cr_expect(eq(dbl, world.law->weight, 3));
    cr_expect(eq(ptr, (void *)world.spare->type, (void *)&uniform));
    cr_expect(eq(dbl, ((struct uniform *)world.spare->params)->high_s, 0.009),
              "9ms is the double nearest to 0.009");
    cr_assert(eq(u32, world.parts.count, 2));
    struct part *part = world.parts.items;
    cr_expect(eq(dbl, ((struct uniform *)part[0].law.params)->high_s, 3600));
    cr_expect(eq(ptr, (void *)part[1].law.type, (void *)&never));
    cr_assert(eq(u32, world.columns.count, 2));
    cr_expect(eq(str, ((char **)world.columns.items)[1], (char *)"b c"));
    cr_expect(eq(ptr, world.sweep, node_child(mapping, "sweep")));
    cr_expect(eq(u32, world.any_count, 10), "010 is ten");
}

Test(param, writes_defaults_into_the_tree_in_table_order) {
    struct world world;
    struct node *mapping = sketch(arena, "{seed: 7, count: 3}");
    cr_assert(bind(mapping, &world), "%s", messages(diag));
    cr_expect(eq(str, (char *)sketched(arena, mapping),
                 (char *)"{seed: 7, count: 3, rate: 0.5, batch: full, order: listed, events: false, link: "
                         "{latency: 1ms}, "
                         "law: {type: uniform, high: 2s, weight: 1, low: 0s}}"));
    cr_expect(not(node_child(mapping, "seed")->implied));
    cr_expect(node_child(mapping, "rate")->implied);
    cr_expect(node_child(node_child(mapping, "link"), "latency")->implied);
    cr_expect(eq(u32, world.batch, 0), "full");
    cr_expect(eq(dbl, world.link->latency_s, 0.001));
    cr_expect(eq(dbl, ((struct uniform *)world.law->law.params)->high_s, 2));
}

Test(param, marks_what_is_absent) {
    struct world world;
    cr_assert(bind(sketch(arena, "{count: 3}"), &world), "%s", messages(diag));
    cr_expect(isnan(world.signed_rate) && isnan(world.wait_s) && isnan(world.link->bandwidth));
    cr_expect(eq(u32, world.any_count, PARAM_ABSENT));
    cr_expect(zero(ptr, (void *)world.name));
    cr_expect(zero(ptr, (void *)world.path));
    cr_expect(zero(ptr, world.spare));
    cr_expect(zero(ptr, world.sweep));
    cr_expect(eq(u32, world.parts.count, 0));
    cr_expect(eq(u32, world.columns.count, 0));
}

Test(param, takes_a_family_default_and_words) {
    struct world world;
    struct node *mapping = sketch(arena, "{count: 3, spare: {}, wait: never, path: /data/x.csv}");
    cr_assert(bind(mapping, &world), "%s", messages(diag));
    cr_expect(eq(ptr, (void *)world.spare->type, (void *)&never));
    cr_expect(eq(str, (char *)sketched(arena, node_child(mapping, "spare")), (char *)"{type: never}"));
    cr_expect(isinf(world.wait_s));
    cr_expect(eq(str, (char *)world.path, (char *)"/data/x.csv"));
}

Test(param, binds_its_own_completed_tree_again) {
    struct world world;
    struct node *mapping = sketch(arena, "{count: 3, spare: {}}");
    cr_assert(bind(mapping, &world));
    struct node *copy = node_clone(arena, mapping);
    cr_expect(bind(copy, &world), "%s", messages(diag));
    cr_expect(node_equal(mapping, copy));
}

/* What follows `sketch:1:` in the messages; `count: 3` is added where the row is no whole mapping. */
static const struct bad {
    const char *mapping, *told;
} bads[] = {
    {"{}", "1: error: key 'count' is missing (a whole number in [1, 1000000])"},
    {"{count: -8}", "9: error: count: must be a whole number in [1, 1000000], found -8"},
    {"{count: 0}", "9: error: count: must be a whole number in [1, 1000000], found 0"},
    {"{count: 1000001}", "9: error: count: must be a whole number in [1, 1000000], found 1000001"},
    {"{count: 4294967304}", "9: error: count: must be a whole number in [1, 1000000], found 4294967304"},
    {"{count: 8x}", "9: error: count: must be a whole number in [1, 1000000], found 8x"},
    {"{count: 8.5}", "9: error: count: must be a whole number in [1, 1000000], found 8.5"},
    {"{count: 100ms}", "9: error: count: must be a whole number in [1, 1000000], found 100ms"},
    {"{count: 0x8}", "9: error: count: must be a whole number in [1, 1000000], found 0x8"},
    {"{count: nan}", "9: error: count: must be a whole number in [1, 1000000], found nan"},
    {"{count: inf}", "9: error: count: must be a whole number in [1, 1000000], found inf"},
    {"{count: 2, parts: [{weight: 1, law: {type: uniform, low: 1s, high: 2s}}]}",
     "32: error: parts[0]: write 'type: uniform' and what belongs to it here, without 'law'"},
    {"{count: 1e400}",
     "9: error: count: must be a whole number in [1, 1000000], found 1e400, which is too large for a number"},
    {"{count: '8'}", "9: error: count: must be a whole number in [1, 1000000], found the quoted text \"8\""},
    {"{count: }", "9: error: count: has no value (expected a whole number in [1, 1000000])"},
    {"{count: null}", "9: error: count: has no value (expected a whole number in [1, 1000000])"},
    {"{count: ~}", "9: error: count: has no value (expected a whole number in [1, 1000000])"},
    {"{count: [3]}", "9: error: count: must be a whole number in [1, 1000000], found a list"},
    {"{count: {a: 3}}", "9: error: count: must be a whole number in [1, 1000000], found a mapping"},
    {"{count: 3, rate: 0}", "18: error: rate: must be a number in (0, 1], found 0"},
    {"{count: 3, rate: 1.1}", "18: error: rate: must be a number in (0, 1], found 1.1"},
    {"{count: 3, rate: 1.}", NULL},
    {"{count: 3, rate: .5}", NULL},
    {"{count: 3, rate: .}", "18: error: rate: must be a number in (0, 1], found ."},
    {"{count: 3, rate: 1e}", "18: error: rate: must be a number in (0, 1], found 1e"},
    {"{count: 3, rate: 0 .5}", "18: error: rate: must be a number in (0, 1], found 0 .5"},
    {"{count: 3, rate: 0.1s}", "18: error: rate: must be a number in (0, 1], found 0.1s"},
    {"{count: 3, signed: x}", "20: error: signed: must be a number, found x"},
    {"{count: 3, wait: 0s}", "18: error: wait: must be seconds in (0, 1e+15] or never, found 0s"},
    {"{count: 3, wait: 20m}",
     "18: error: wait: must be seconds in (0, 1e+15] or never, found 20m (units: ms, s, min, h)"},
    {"{count: 3, wait: nevr}",
     "18: error: wait: must be seconds in (0, 1e+15] or never, found nevr (did you mean 'never'?)"},
    {"{count: 3, wait: 'never'}",
     "18: error: wait: must be seconds in (0, 1e+15] or never, found the quoted text "
     "\"never\" (did you mean 'never'?)"},
    {"{count: 3, batch: 0}", "19: error: batch: must be a whole number in [1, 4294967294] or full, found 0"},
    {"{count: 3, batch: 4294967295}",
     "19: error: batch: must be a whole number in [1, 4294967294] or full, found 4294967295"},
    {"{count: 3, batch: ful}",
     "19: error: batch: must be a whole number in [1, 4294967294] or full, found ful (did you mean 'full'?)"},
    {"{count: 3, order: lsted}",
     "19: error: order: must be listed | shuffled, found lsted (did you mean 'listed'?)"},
    {"{count: 3, seed: 18446744073709551616}",
     "18: error: seed: must be a whole number in [0, 18446744073709551615], found 18446744073709551616"},
    {"{count: 3, seed: -1}",
     "18: error: seed: must be a whole number in [0, 18446744073709551615], found -1"},
    {"{count: 3, seed: 1e3}",
     "18: error: seed: must be a whole number in [0, 18446744073709551615], found 1e3"},
    {"{count: 3, events: yes}", "20: error: events: must be true | false, found yes"},
    {"{count: 3, events: 'true'}", "20: error: events: must be true | false, found the quoted text \"true\""},
    {"{count: 3, name: ''}", "18: error: name: must be a line of text, found the quoted text \"\""},
    {"{count: 3, name: 'a\nb'}", "18: error: name: must be a line of text, found the quoted text \"a\\nb\""},
    {"{count: 3, path: 'a\nb'}",
     "18: error: path: must be the name of a file, found the quoted text \"a\\nb\""},
    {"{count: 3, path: [a]}", "18: error: path: must be the name of a file, found a list"},
    {"{count: 3, link: [a]}", "18: error: link: expected a mapping of latency, bandwidth, found a list"},
    {"{count: 3, link: }", "18: error: link: has no value (expected a mapping of latency, bandwidth)"},
    {"{count: 3, link: {latncy: 1s}}", "19: error: link: unknown key 'latncy' (did you mean 'latency'?)"},
    {"{count: 3, link: {speed: 1}}", "19: error: link: unknown key 'speed' (known: latency, bandwidth)"},
    {"{count: 3, slownes: 1}", "12: error: unknown key 'slownes' (known: count, rate, signed, wait, batch, "
                               "order, seed, events, name, path, "
                               "link, law, …)"},
    {"{count: 3, law: {}}", "17: error: law: key 'type' is missing (uniform, never)"},
    {"{count: 3, law: never}", "17: error: law: expected a mapping such as {type: never}, found never"},
    {"{count: 3, law: 5s}", "17: error: law: expected a mapping such as {type: uniform}, found 5s"},
    {"{count: 3, law: {type: unifrm, high: 1, weight: x}}",
     "24: error: law.type: unknown law 'unifrm' (did you mean 'uniform'?)\n"
     "49: error: law.weight: must be a number of at least 0, found x"},
    {"{count: 3, law: {type: pareto, shape: 2}}",
     "24: error: law.type: unknown law 'pareto' (known: uniform, never)"},
    {"{count: 3, law: {type: [a]}}", "24: error: law.type: must name a law (uniform, never), found a list"},
    {"{count: 3, law: {type: }}", "24: error: law.type: must name a law (uniform, never), found no value"},
    {"{count: 3, law: {type: never, high: 2}}", "31: error: law: unknown key 'high' (known: type, weight)"},
    {"{count: 3, law: {type: uniform, high: 2, low: 2}}", "39: error: law.high: low must be below high"},
    {"{count: 3, law: {type: uniform, high: 0, lo: 2}}",
     "42: error: law: unknown key 'lo' (did you mean 'low'?)"},
    {"{count: 3, law: {type: uniform}}", "17: error: law: key 'high' is missing (seconds in [0, 1e+15])"},
    {"{count: 3, parts: []}",
     "19: error: parts: expected a list, each entry a mapping such as {type: uniform}, found an empty list"},
    {"{count: 3, parts: {type: never}}",
     "19: error: parts: expected a list, each entry a mapping such as {type: uniform}, found a mapping"},
    {"{count: 3, parts: [{type: never}, never, ]}",
     "35: error: parts[1]: expected a mapping such as {type: never}, found never"},
    {"{count: 3, parts: [{type: never, weight: -1}, {type: uniform, high: x}]}",
     "42: error: parts[0].weight: must be a number of at least 0, found -1\n"
     "69: error: parts[1].high: must be seconds in [0, 1e+15], found x (units: ms, s, min, h)"},
    {"{count: 3, columns: a}", "21: error: columns: expected a list of texts such as [a, b], found a"},
    {"{count: 3, columns: [a, [b]]}", "25: error: columns[1]: must be a line of text, found a list"},
    {"{count: 3, sweep: }", "19: error: sweep: has no value (expected any value)"},
    {"{count: 3, below: 3}", "19: error: below: below = 3 must be less than count = 3"},
    {"{count: x, below: 3}", "9: error: count: must be a whole number in [1, 1000000], found x"},
    {"[count]", "1: error: expected a mapping of count, rate, signed, wait, batch, order, seed, events, "
                "name, path, link, law, "
                "found a list"},
};

/* Puts the place before each line of `told`. */
static char *expected(const char *told) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    while (told != NULL && *told != '\0') {
        size_t line = strcspn(told, "\n");
        fprintf(stream, "sketch:1:%.*s\n", (int)line, told);
        told += line + (told[line] == '\n');
    }
    fclose(stream);
    return text;
}

Test(param, tells_every_mistake_at_its_place) {
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        struct world world;
        diag_free(diag);
        diag = diag_new();
        bool bound = bind(sketch(arena, bads[i].mapping), &world);
        char *told = messages(diag), *wanted = expected(bads[i].told);
        cr_expect(eq(str, told, wanted), "%s", bads[i].mapping);
        cr_expect(bound == (bads[i].told == NULL), "%s", bads[i].mapping);
        free(told);
        free(wanted);
    }
}

Test(param, refuses_a_file_name_longer_than_any_file_has) {
    struct world world;
    struct node *mapping = sketch(arena, "{count: 3}");
    char *name = memory_zeroed(4097, 1);
    memset(name, 'x', 4096);
    node_append(arena, mapping, "path", node_scalar(arena, mapping->place, name));
    cr_expect(not(bind(mapping, &world)));
    char *told = messages(diag);
    cr_expect(
        eq(str, told,
           (char *)"sketch:1:1: error: path: is too long for the name of a file (at most 4095 bytes)\n"));
    free(told);
    free(name);
}

Test(param, cuts_what_it_repeats) {
    struct world world;
    char text[256] = "{count: ";
    for (size_t i = 0; i < 40; i++)
        strcat(text, "é");
    bind(sketch(arena, strcat(text, "}")), &world);
    char *told = messages(diag);
    cr_expect(ne(ptr, strstr(told, "found éééééééééééééééééééééééééééééé…\n"), NULL),
              "30 letters of 2 bytes: %s", told);
    free(told);
}

Test(param, summarises_the_scalars_of_a_table_by_key) {
    struct world world;
    struct node *mapping = sketch(arena, "{count: 3, columns: [a]}");
    cr_assert(bind(mapping, &world));
    cr_expect(eq(str, (char *)param_summary(arena, mapping, &world_table),
                 (char *)"batch=full;count=3;events=false;order=listed;rate=0.5;seed=1"));
    cr_expect(eq(str, (char *)param_summary(arena, mapping, NULL), (char *)""));
}

Test(param, finds_variants) {
    cr_expect(eq(ptr, (void *)family_find(&law_family, "never"), (void *)&never));
    cr_expect(zero(ptr, (void *)family_find(&law_family, "Never")));
}
