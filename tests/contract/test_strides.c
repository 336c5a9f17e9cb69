/* Runs of pushes that go in strides against the same runs event by event: every results file byte for byte. Long ones, of
 * scenarios drawn from all that strides take and from what stops them. */
#include "against_events.h"
#include "draws.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(list) (sizeof(list) / sizeof *(list))
enum { SCENARIOS = 120 };

static struct text text;

static void run_text(void) {
    struct plan plan;
    struct diag *diag = diag_new();
    char file[512];
    snprintf(file, sizeof file, "%s/tests/contract/strides.yaml", getenv("LAGGARD_SOURCE"));
    bool good = plan_read(&plan, diag, &(struct plan_request){.file = file, .text = text.bytes});
    if (!good)
        diag_print(diag, stderr);
    cr_assert(good, "%s", text.bytes);
    const struct trial_spec spec = {
        .scenario = plan.point[0].scenario, .entry = plan.contest[0].entry, .replication = draw(3)};
    struct result *fast = run_whole(&spec);
    expect_as_by_events(&plan, &spec, fast, text.bytes);
    result_free(fast);
    plan_fini(&plan);
    diag_free(diag);
}

/* Times that are equal, of nothing now and then, without end, of every scale, almost equal. */
static const char *const laws[] = {
    "{type: exponential, mean: 1s}",
    "{type: exponential, mean: 1s}",
    "{type: exponential, mean: 1ms}",
    "{type: shifted-exponential, shift: 1s, mean: 0.001ms}",
    "{type: uniform, low: 1s, high: 3s}",
    "{type: pareto, minimum: 100ms, shape: 0.6}",
    "{type: weibull, shape: 0.3, scale: 1s}",
    "{type: constant, value: 1s}",
    "{type: constant, value: 2s}",
    "{type: gamma, shape: 2, scale: 500ms}",
    "{type: mixture, parts: [{weight: 1, type: constant, value: 1s}, {weight: 1, type: constant, value: "
    "3s}]}",
    "{type: mixture, parts: [{weight: 9999, type: exponential, mean: 1s}, {weight: 1, type: constant, value: "
    "0}]}",
    "{type: mixture, parts: [{weight: 9999, type: exponential, mean: 1s}, {weight: 1, type: never}]}",
};

static void add_group(uint32_t count) {
    text_add(&text, "{count: %u, delay: %s", count, laws[draw(LENGTH(laws))]);
    if (draw(4) == 0)
        text_add(&text, ", compute: %s", laws[draw(LENGTH(laws))]);
    if (draw(4) == 0)
        text_add(&text, ", speed: 0.3");
    if (draw(4) == 0)
        text_add(&text, ", slowness: {type: uniform, low: 1, high: %u}", draw(2) ? 2 : 200);
    text_add(&text, "}");
}

static void add_cluster(uint32_t workers) {
    static const char *const orders[] = {"listed", "interleaved", "shuffled"};
    const uint32_t others = draw(3) == 0 && workers > 1 ? 1 + draw(workers - 1) : 0;
    text_add(&text, "cluster: {load: %s, order: %s, workers: [", draw(3) ? "additive" : "multiplicative",
             orders[draw(3)]);
    add_group(workers - others);
    if (others > 0) {
        text_add(&text, ", ");
        add_group(others);
    }
    text_add(&text, "]}\n");
}

static void add_entry(void) {
    static const uint32_t bounds[] = {0, 1, 2, 5, 40, 1000};
    if (draw(2))
        text_add(&text, "schemes: [{type: async}]\n");
    else
        text_add(&text, "schemes: [{type: ssp, bound: %u}]\n", bounds[draw(LENGTH(bounds))]);
}

static void add_ends(void) {
    static const char *const records[] = {"1", "7", "log", "summary"};
    text_add(&text, "name: strides\nstop: {steps: %u%s}\n", 8193 + draw(draw(3) ? 8000 : 40000),
             draw(3) ? "" : ", seconds: 30s");
    text_add(&text, "record: {every: %s%s}\nseed: %u\nreplications: 3\nproblem: {loss: none}\n",
             records[draw(4)], draw(4) ? "" : ", bookings: false", draw(1000));
}

Test(strides, random_scenarios_are_the_same_bytes) {
    for (uint32_t q = 0; q < SCENARIOS; q++) {
        const uint32_t workers = draw(3) ? 1 + draw(30) : 1 + draw(draw(4) ? 400 : 9000);
        text.bytes[0] = 0;
        add_ends();
        add_cluster(workers);
        add_entry();
        run_text();
    }
}

/* Workers that begin together and drift apart: what steps take goes on to change long after the first half million of them, so
 * that the run is done again. */
Test(strides, a_long_run_that_changes_its_ways_is_the_same_bytes) {
    text.bytes[0] = 0;
    text_add(&text,
             "name: strides\nstop: {steps: 1200000}\nrecord: {every: log}\nproblem: {loss: none}\n"
             "cluster: {workers: [{count: 100, delay: {type: shifted-exponential, shift: 1s, mean: 1ms}}]}\n"
             "schemes: [{type: async}]\n");
    run_text();
}

/* One that does not: only times near the quantiles are kept. */
Test(strides, a_long_run_is_the_same_bytes) {
    text.bytes[0] = 0;
    text_add(&text, "name: strides\nstop: {steps: 1200000}\nrecord: {every: 1000}\nproblem: {loss: none}\n"
                    "cluster: {workers: [{count: 100, delay: {type: exponential, mean: 1s}}]}\n"
                    "schemes: [{type: ssp, bound: 6}]\n");
    run_text();
}

/* All finish at about the same time, more than there are updates left. */
Test(strides, a_run_ends_within_a_window) {
    text.bytes[0] = 0;
    text_add(
        &text,
        "name: strides\nstop: {steps: 16500}\nrecord: {every: log}\nproblem: {loss: none}\n"
        "cluster: {workers: [{count: 6000, delay: {type: shifted-exponential, shift: 1s, mean: 0.001ms}}]}\n"
        "schemes: [{type: async}]\n");
    run_text();
}
