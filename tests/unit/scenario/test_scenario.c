#include "sample.h"
#include "yaml_tree.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct sample read_line(int line, const char *text) {
    struct sample sample;
    sample_read(&sample, line, text);
    char *messages = sample_messages(&sample);
    cr_assert(sample.scenario != NULL, "'%s' was refused:\n%s", text, messages);
    free(messages);
    return sample;
}

static struct sample read_text(const char *text) {
    struct sample sample;
    sample_read_text(&sample, text);
    char *messages = sample_messages(&sample);
    cr_assert(sample.scenario != NULL, "refused:\n%s", messages);
    free(messages);
    return sample;
}

Test(scenario, values_are_resolved) {
    struct sample sample = read_line(0, "");
    const struct scenario *scenario = sample.scenario;
    cr_expect(eq(str, (char *)scenario->name, (char *)"base"));
    cr_expect(eq(u32, scenario->replications, 2));
    cr_expect(eq(str, (char *)scenario->problem.loss.type->name, (char *)"logistic"));
    cr_expect(eq(u32, scenario->problem.partitions, 12), "partitions default to the workers");
    cr_expect(eq(u32, scenario->problem.batch, 0), "full batches");
    cr_expect(eq(u32, scenario->objective.data->samples, 120));
    cr_expect(eq(u32, scenario->objective.partitions, 12));
    cr_expect(eq(str, (char *)scenario->optimizer->optimizer.type->name, (char *)"sgd"));
    cr_expect(eq(dbl, scenario->optimizer->learning_rate, 0.5));
    cr_expect(eq(u32, scenario->stop.steps, 10));
    cr_expect(isnan(scenario->stop.loss) && isnan(scenario->stop.seconds_s), "no other limits");
    cr_expect(eq(u32, scenario->cluster.workers, 12));
    cr_expect(eq(dbl, scenario->master_s, 0));
    cr_expect(eq(u32, scenario->record.every, 1));
    cr_expect(eq(u32, scenario->schemes, 2));
    cr_expect(eq(str, (char *)scenario->scheme[1].parameters, (char *)"stragglers=2"));
    sample_fini(&sample);
}

Test(scenario, seconds_and_groups_add_up) {
    struct sample sample = read_line(
        LINE_CLUSTER, "cluster: {master: {decode: 20ms, update: 0.5}, late: cancel, load: multiplicative,\n"
                      "  workers: [{count: 5}, {count: 7, speed: 2, delay: {type: exponential, mean: 1s}}]}");
    const struct scenario *scenario = sample.scenario;
    cr_expect(epsilon_eq(dbl, scenario->master_s, 0.52, 1e-15), "20 ms + 0.5 s, to one rounding");
    cr_expect(eq(u32, scenario->cluster.workers, 12));
    cr_expect(eq(u32, scenario->cluster.groups, 2));
    cr_expect(eq(int, (int)scenario->cluster.load, LOAD_MULTIPLICATIVE));
    cr_expect(scenario->cluster.group[0].delay == NULL, "no law: no seconds");
    cr_expect(eq(u32, scenario->scheme[0].late, LATE_CANCEL), "cluster.late holds for every scheme");
    sample_fini(&sample);
}

/* Rules: the scheme's own, else the cluster's, else the scheme's default. */
Test(scenario, wait_and_late_rules_are_resolved) {
    struct sample sample =
        read_line(LINE_SCHEMES, "schemes: [{type: uncoded}, {type: gc-cr, stragglers: 3, late: latest},\n"
                                "  {type: gc-fr, stragglers: 2, wait: {type: decodable}}]");
    const struct scheme_entry *scheme = sample.scenario->scheme;
    static const struct {
        const char *wait;
        uint32_t late;
    } wanted[] = {{"all", LATE_QUEUE}, {"count", LATE_LATEST}, {"decodable", LATE_QUEUE}};
    for (int e = 0; e < 3; e++) {
        cr_expect(eq(str, (char *)scheme[e].wait->type->name, (char *)wanted[e].wait), "schemes[%d]", e);
        cr_expect(eq(u32, scheme[e].late, wanted[e].late), "schemes[%d]", e);
    }
    sample_fini(&sample);
}

static const char *text_at(const struct node *node, const char *const *path) {
    for (; node && *path; path++)
        node = **path == '[' ? (node->kind == NODE_LIST ? node->first : NULL) : node_child(node, *path);
    return node && node->text ? node->text : "(absent)";
}

/* The tree becomes the scenario with every default written out; with a sweep, what follows from other keys but a label
 * is left to each point. "[" is the first of a list. */
static const struct written {
    const char *path[5];
    const char *text, *swept;
} written[] = {
    {{"problem", "partitions"}, "12", "(absent)"},
    {{"problem", "batch"}, "full", "full"},
    {{"cluster", "load"}, "additive", "additive"},
    {{"cluster", "master", "decode"}, "0s", "0s"},
    {{"record", "events"}, "false", "false"},
    {{"schemes", "[", "decode"}, "shared", "shared"},
    {{"schemes", "[", "late"}, "queue", "(absent)"},
    {{"schemes", "[", "label"}, "gc-fr", "gc-fr"},
    {{"schemes", "[", "wait", "type"}, "count", "(absent)"},
    {{"schemes", "[", "wait", "results"}, "10", "(absent)"},
};

Test(scenario, defaults_are_written_into_the_tree) {
    struct sample plain = read_line(LINE_SCHEMES, "schemes: [{type: gc-fr, stragglers: 2}]");
    struct sample swept = read_line(LINE_SCHEMES, "schemes: [{type: gc-fr, stragglers: 2}]\n"
                                                  "sweep: {schemes.stragglers: [1, 2]}");
    for (size_t q = 0; q < sizeof written / sizeof *written; q++) {
        const char *text = text_at(plain.scenario->tree, written[q].path);
        cr_expect(strcmp(text, written[q].text) == 0, "%s.%s is '%s'", written[q].path[0], written[q].path[1],
                  text);
        text = text_at(swept.scenario->tree, written[q].path);
        cr_expect(strcmp(text, written[q].swept) == 0, "with a sweep %s.%s is '%s'", written[q].path[0],
                  written[q].path[1], text);
    }
    sample_fini(&plain);
    sample_fini(&swept);
}

/* As written out, a scenario reads again to the same tree: no default contradicts another key. */
Test(scenario, what_is_written_out_reads_again) {
    static const char *const lines[] = {
        "schemes: [{type: uncoded}, {type: isgc-cr, stragglers: 2, wait: {type: deadline, seconds: 3s}}]",
        "schemes: [{type: gc-cr, stragglers: 1}, {type: gc-fr, stragglers: 2, wait: {type: all}}]",
        "schemes: [{type: gc-cr, stragglers: 2, wait: {type: deadline, factor: 2}}]",
        "schemes: [{type: pgc-cr, stragglers: 2, label: 'a: b'}]"};
    for (size_t q = 0; q < sizeof lines / sizeof *lines; q++) {
        struct sample first = read_line(LINE_SCHEMES, lines[q]);
        char *text = yaml_text(first.scenario->tree, ".");
        struct sample second = read_text(text);
        cr_expect(node_equal(first.scenario->tree, second.scenario->tree), "%s", lines[q]);
        free(text);
        sample_fini(&first);
        sample_fini(&second);
    }
}

Test(scenario, timing_alone_needs_neither_data_nor_optimizer) {
    struct sample first =
        read_text("problem: {loss: none}\nstop: {seconds: 2min}\ncluster: {workers: [{count: 3}]}\n"
                  "schemes: [{type: uncoded}]\n");
    cr_expect(first.scenario->problem.loss.type == NULL);
    cr_expect(first.scenario->objective.data == NULL && first.scenario->optimizer == NULL);
    cr_expect(eq(dbl, first.scenario->stop.seconds_s, 120));
    cr_expect(eq(str, (char *)first.scenario->name, (char *)"s"), "the stem of s.yaml");
    char *text = yaml_text(first.scenario->tree, ".");
    struct sample second = read_text(text);
    cr_expect(eq(str, (char *)second.scenario->name, (char *)"s"));
    free(text);
    sample_fini(&first);
    sample_fini(&second);
}

static const struct labelled {
    const char *text, *label[3];
} labels[] = {
    {"schemes: [{type: uncoded}, {type: gc-cr, stragglers: 2}]", {"uncoded", "gc-cr"}},
    {"schemes: [{type: gc-cr, stragglers: 1}, {type: gc-cr, stragglers: 2}]",
     {"gc-cr stragglers=1", "gc-cr stragglers=2"}},
    {"schemes: [{type: gc-cr, stragglers: 1}, {type: gc-cr, stragglers: 1, wait: {type: all}}]",
     {"gc-cr stragglers=1", "gc-cr stragglers=1 wait=all"}},
    {"schemes: [{type: uncoded, late: cancel}, {type: uncoded}]", {"uncoded late=cancel", "uncoded"}},
    {"schemes: [{type: uncoded, label: DGD}, {type: uncoded}]", {"DGD", "uncoded"}},
    {"schemes: [{type: isgc-fr, copies: 2, stragglers: 1}, {type: isgc-fr, copies: 3, stragglers: 1}]\n"
     "sweep: {schemes.stragglers: [1, 2]}",
     {"isgc-fr copies=2", "isgc-fr copies=3"}},
    {"schemes: [{type: isgc-fr, copies: 2, stragglers: 1}, {type: isgc-fr, copies: 3, stragglers: 1}]\n"
     "sweep: {'schemes[1].stragglers': [1, 2]}",
     {"isgc-fr copies=2 stragglers=1", "isgc-fr copies=3"}},
    {"schemes: [{type: uncoded, wait: {type: all}}, {type: uncoded, late: cancel}]\n"
     "sweep: {'schemes[0].wait.type': [all]}",
     {"uncoded", "uncoded late=cancel"}},
    {"schemes: [{type: gc-cr, stragglers: 2}]\nsweep: {schemes.type: [gc-cr, gc-fr]}", {"scheme"}},
    {"schemes: [{type: uncoded}, {type: gc-cr, stragglers: 2}]\n"
     "sweep: {schemes: [[{type: uncoded}], [{type: ignore, stragglers: 1}]]}",
     {"uncoded", "gc-cr"}},
    {"schemes: [{type: isgc-fr, copies: 2, stragglers: 1}, {type: isgc-fr, copies: 3, stragglers: 1}]\n"
     "sweep: {schemes: [[{type: uncoded}], [{type: ignore, stragglers: 1}]], schemes.stragglers: [1, 2]}",
     {"isgc-fr copies=2", "isgc-fr copies=3"}},
};

Test(scenario, labels_default_to_what_tells_schemes_apart) {
    for (size_t q = 0; q < sizeof labels / sizeof *labels; q++) {
        struct sample sample = read_line(LINE_SCHEMES, labels[q].text);
        for (uint32_t e = 0; e < sample.scenario->schemes; e++)
            cr_expect(strcmp(sample.scenario->scheme[e].label, labels[q].label[e]) == 0,
                      "schemes[%u] of '%s' is labelled '%s', not '%s'", e, labels[q].text,
                      sample.scenario->scheme[e].label, labels[q].label[e]);
        sample_fini(&sample);
    }
}

Test(scenario, record_modes_are_words) {
    static const struct {
        const char *text;
        enum record_mode mode;
        uint32_t every;
    } modes[] = {{"record: {every: 7}", RECORD_EVERY, 7},
                 {"record: {every: log}", RECORD_LOG, 0},
                 {"record: {every: summary}", RECORD_SUMMARY, 0}};
    for (size_t q = 0; q < sizeof modes / sizeof *modes; q++) {
        struct sample sample = read_line(LINE_RECORD, modes[q].text);
        cr_expect(eq(int, (int)sample.scenario->record.mode, (int)modes[q].mode), "%s", modes[q].text);
        cr_expect(eq(u32, sample.scenario->record.every, modes[q].every), "%s", modes[q].text);
        sample_fini(&sample);
    }
}

/* Points of a sweep that ask for the same data share it; another seed, label kind or order does not. */
Test(scenario, data_is_shared_through_the_shelf) {
    static const struct {
        const char *problem;
        bool shared;
    } points[] = {
        {"problem: {loss: logistic, l2: 1, batch: 3, data: {type: synthetic, samples: 120, features: 4}}",
         true},
        {"problem: {loss: linear, data: {type: synthetic, samples: 120, features: 4}}", false},
        {"problem: {loss: logistic, shuffle: true, data: {type: synthetic, samples: 120, features: 4}}",
         false},
        {"problem: {loss: logistic, data: {type: synthetic, samples: 120, features: 5}}", false},
    };
    for (size_t q = 0; q < sizeof points / sizeof *points; q++) {
        struct sample first = read_line(0, ""), second;
        sample_read(&second, LINE_PROBLEM, points[q].problem);
        struct node *tree = node_clone(first.arena, second.scenario->tree);
        const struct scenario *again = scenario_read(first.diag, first.arena, first.shelf, tree);
        cr_assert(again != NULL, "%s", points[q].problem);
        bool shared = again->objective.data == first.scenario->objective.data;
        cr_expect(shared == points[q].shared, "%s", points[q].problem);
        sample_fini(&first);
        sample_fini(&second);
    }
}

/* A rule that follows from the scheme's parameters is resolved, but not written: the scenario as run reads again. */
Test(scenario, own_wait_rules_stay_out_of_the_tree) {
    struct sample sample = read_line(LINE_SCHEMES, "schemes: [{type: gc-deadline, stragglers: 2, mu: 0.5}]");
    const struct scheme_entry *entry = &sample.scenario->scheme[0];
    cr_expect(eq(str, (char *)entry->wait->type->name, (char *)"deadline"));
    struct hearing first = {.workers = 12, .stragglers = 2, .heard = 1, .elapsed_s = 2, .first_s = 2};
    cr_expect(eq(dbl, wait_hear(entry->wait, &first).alarm_s, 3));
    struct node *tree = node_clone(sample.arena, sample.scenario->tree);
    cr_expect(scenario_read(sample.diag, sample.arena, sample.shelf, tree) != NULL);
    sample_fini(&sample);
}
