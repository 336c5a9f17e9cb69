/* Schemes whose files say which partitions there are. */
#include "sample.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

/* The schemes of the sample, each %s the project's folder, and partitions as they come out; or, refused, what is said. */
#define AFFINE "blocks: %s/scenarios/data/affine-plane-3.csv"
#define FANO   "blocks: %s/scenarios/data/fano-plane.csv"
static const struct {
    const char *name;
    const char *text;
    uint32_t common, own; /* partitions: of the problem, of the last scheme */
    const char *told;
} rows[] = {
    {"its own partitions beside the common ones",
     "schemes: [{type: uncoded}, {type: bibd, stragglers: 3, " AFFINE "}]", 12, 9, NULL},
    {"its own partitions alone", "schemes: [{type: bibd, stragglers: 3, " AFFINE "}]", 12, 9, NULL},
    {"rows for other workers", "schemes: [{type: bibd, stragglers: 3, " FANO "}]", 0, 0,
     "schemes[0].blocks: blocks has a row for each of 7 workers, but there are workers = 12"},
    {"a missing file", "schemes: [{type: code, stragglers: 3, matrix: %s/none.csv}]", 0, 0,
     "none.csv cannot be read: No such file"},
    {"a file that is no design",
     "schemes: [{type: bibd, stragglers: 3, blocks: %s/scenarios/data/made-up-trace.csv}]", 0, 0,
     "made-up-trace.csv cannot be used as it is"},
    {"a wait rule where the parameters make it",
     "schemes: [{type: erasurehead, results: 6, wait: {type: all}, label: '%s'}]", 0, 0,
     "schemes[0].wait: is not taken by erasurehead, whose parameters make its rule: here {type: "
     "count-or-decodable, results: 6}"},
};

static char *filled(const char *text) {
    const char *source = getenv("LAGGARD_SOURCE");
    const char *mark = strstr(text, "%s");
    cr_assert(source != NULL, "LAGGARD_SOURCE is not set");
    return mark ? memory_format("%.*s%s%s", (int)(mark - text), text, source, mark + 2) : memory_text(text);
}

Test(scheme_files, partitions_and_refusals) {
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        char *text = filled(rows[r].text);
        struct sample sample;
        sample_read(&sample, LINE_SCHEMES, text);
        char *messages = sample_messages(&sample);
        cr_expect(eq(int, sample.scenario == NULL, rows[r].told != NULL), "%s: %s", rows[r].name, messages);
        if (rows[r].told)
            cr_expect(strstr(messages, rows[r].told) != NULL, "%s: %s", rows[r].name, messages);
        if (sample.scenario && !rows[r].told) {
            const struct scenario *scenario = sample.scenario;
            const struct scheme_entry *last = &scenario->scheme[scenario->schemes - 1];
            cr_expect(eq(u32, scenario->problem.partitions, rows[r].common), "%s", rows[r].name);
            cr_expect(eq(u32, last->partitions, rows[r].own), "%s", rows[r].name);
            cr_expect(eq(u32, scenario_setting(scenario, last).shape.partitions, rows[r].own), "%s",
                      rows[r].name);
        }
        free(messages);
        free(text);
        sample_fini(&sample);
    }
}

/* What `problem.partitions` may say where a design has 9 partitions on 12 workers, of 120 samples or fewer. */
static const struct {
    uint32_t partitions, samples;
    const char *load, *schemes, *told;
} written[] = {
    {12, 120, "additive", "{type: bibd, stragglers: 3, " AFFINE "}", NULL},
    {9, 120, "additive", "{type: bibd, stragglers: 3, " AFFINE "}", NULL},
    {9, 120, "additive", "{type: uncoded}, {type: bibd, stragglers: 3, " AFFINE "}",
     "problem.partitions: must be the number of workers, 12"},
    {6, 120, "additive", "{type: bibd, stragglers: 3, " AFFINE "}",
     "problem.partitions: must be the number of workers, 12"},
    {9, 10, "additive", "{type: bibd, stragglers: 3, " AFFINE "}", NULL},
    {12, 120, "multiplicative", "{type: bibd, stragglers: 3, " AFFINE "}", NULL},
    {12, 120, "independent", "{type: bibd, stragglers: 3, " AFFINE "}",
     "schemes[0].type: bibd has tasks of no whole number of partitions here"},
    {9, 8, "additive", "{type: bibd, stragglers: 3, " AFFINE "}", "problem.partitions: 9 partitions"},
};

Test(scheme_files, partitions_written_out) {
    for (size_t r = 0; r < sizeof written / sizeof *written; r++) {
        char *schemes = filled(written[r].schemes);
        char *text = memory_format(
            "problem: {loss: linear, partitions: %u, data: {type: synthetic, samples: %u, features: "
            "2}}\noptimizer: {type: sgd, learning_rate: 1}\nstop: {steps: 1}\n"
            "cluster: {load: %s, workers: [{count: 12}]}\nschemes: [%s]\n",
            written[r].partitions, written[r].samples, written[r].load, schemes);
        struct sample sample;
        sample_read_text(&sample, text);
        char *messages = sample_messages(&sample);
        cr_expect(eq(int, sample.scenario == NULL, written[r].told != NULL), "row %zu: %s", r, messages);
        if (written[r].told)
            cr_expect(strstr(messages, written[r].told) != NULL, "row %zu: %s", r, messages);
        free(messages);
        free(text);
        free(schemes);
        sample_fini(&sample);
    }
}
