/* Runs without an event queue against the same runs event by event: every results file byte for byte. Scenarios are drawn
 * from all that such runs take, and from some that they do not. */
#include "against_events.h"
#include "draws.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LENGTH(list) (sizeof(list) / sizeof *(list))
enum { SCENARIOS = 400 };

static struct text text;

enum taken { REFUSED, BY_EVENTS, BY_ROUNDS };

static enum taken run_text(void) {
    struct plan plan;
    struct diag *diag = diag_new();
    char file[512];
    snprintf(file, sizeof file, "%s/tests/contract/rounds.yaml", getenv("LAGGARD_SOURCE"));
    enum taken taken = REFUSED;
    if (plan_read(&plan, diag, &(struct plan_request){.file = file, .text = text.bytes})) {
        struct trial_spec spec = {
            .scenario = plan.point[0].scenario, .entry = plan.contest[0].entry, .replication = draw(3)};
        struct trajectories *trajectories = trajectories_new();
        spec.trajectories = draw(2) ? trajectories : NULL;
        struct run *run = run_new(&spec);
        while (run_continue(run)) {
        }
        taken = run_has_events(run) ? BY_EVENTS : BY_ROUNDS;
        struct result *fast = run_end(run);
        if (taken == BY_ROUNDS)
            expect_as_by_events(&plan, &spec, fast, text.bytes);
        result_free(fast);
        trajectories_free(trajectories);
    }
    plan_fini(&plan);
    diag_free(diag);
    return taken;
}

static const char *const laws[] = {
    "{type: exponential, mean: 1s}",
    "{type: shifted-exponential, shift: 500ms, mean: 1s}",
    "{type: uniform, low: 1s, high: 3s}",
    "{type: pareto, minimum: 100ms, shape: 1.5}",
    "{type: weibull, shape: 0.7, scale: 1s}",
    "{type: lognormal, mu: 0, sigma: 1}",
    "{type: constant, value: 1s}",
    "{type: constant, value: 0}",
    "{type: gamma, shape: 2, scale: 500ms}",
    "{type: exactly, stragglers: 1, law: {type: constant, value: 2s}}",
    "{type: mixture, parts: [{weight: 30, type: exponential, mean: 1s}, {weight: 1, type: never}]}",
    "{type: trace, path: gaps.csv, missing: median, beyond: stop}",
};

/* Of a file that a test has made; "": there is none. */
static char trace_path[64] = "";

/* Workers who fall into a slow spell and out of it, in milliseconds or seconds. */
static void make_trace(uint32_t workers, uint32_t rounds) {
    static bool slow[256];
    strcpy(trace_path, "/tmp/laggard-rounds-XXXXXX.csv");
    FILE *file = fdopen(mkstemps(trace_path, 4), "w");
    fprintf(file, "round,worker,seconds\n");
    for (uint32_t r = 0; r < rounds; r++)
        for (uint32_t i = 0; i < workers; i++) {
            slow[i] = draw(slow[i] ? 2 : 20) == 0 ? !slow[i] : slow[i];
            fprintf(file, "%u,%u,%g\n", r, i, (slow[i] ? 3 : 1) * (1 + 0.01 * draw(30)));
        }
    fclose(file);
}

static void add_traced_group(uint32_t count) {
    static const char *const beyonds[] = {"wrap", "stop", "bootstrap"};
    static const char *const others[] = {
        "", "", "", "", ", speed: 0.5", ", slowness: {type: constant, value: 2}"};
    text_add(&text, "{count: %u, delay: {type: trace, path: %s, beyond: %s%s}%s}", count, trace_path,
             beyonds[draw(3)], draw(4) ? "" : ", scale: 1ms", others[draw(LENGTH(others))]);
}

static void add_group(uint32_t count) {
    if (trace_path[0]) {
        add_traced_group(count);
        return;
    }
    static const char *const computes[] = {"", ", compute: {type: constant, value: 300ms}"};
    text_add(&text, "{count: %u, delay: %s", count, laws[draw(LENGTH(laws))]);
    if (draw(3) == 0)
        text_add(&text, ", compute: %s", laws[draw(7)]);
    else
        text_add(&text, "%s", computes[draw(2)]);
    if (draw(4) == 0)
        text_add(&text, ", speed: 0.3");
    if (draw(4) == 0)
        text_add(&text, ", slowness: %s", laws[draw(7)]);
    text_add(&text, "}");
}

static void add_cluster(uint32_t workers) {
    static const char *const orders[] = {"listed", "interleaved", "shuffled"};
    uint32_t others = draw(3) == 0 && workers > 1 ? 1 + draw(workers - 1) : 0;
    static const char *const lates[] = {"late: cancel, ", "late: queue, ", "", "late: latest, "};
    text_add(&text, "cluster: {%sload: %s, order: %s", lates[draw(13) % 4],
             draw(3) ? "additive" : "multiplicative", orders[draw(3)]);
    if (draw(4) == 0)
        text_add(&text, ", master: {decode: %s}", draw(2) ? "100ms" : "3s");
    text_add(&text, ", workers: [");
    add_group(workers - others);
    if (others > 0) {
        text_add(&text, ", ");
        add_group(others);
    }
    text_add(&text, "]}\n");
}

static void add_scheme(uint32_t workers) {
    static const char *const named[] = {"ignore",
                                        "gc-cr",
                                        "gc-mds",
                                        "isgc-cr, copies: 2",
                                        "isgc-fr, copies: 2",
                                        "gc-fr",
                                        "sgc, replication: 3",
                                        "ignore"};
    static const char *const waits[] = {"", "", ", wait: {type: all}", ", wait: {type: decodable}"};
    uint32_t most = workers < 30 || draw(2) ? workers : 4;
    switch (draw(5)) {
    case 0:
        text_add(&text, "schemes: [{type: uncoded%s}]\n", draw(3) ? "" : ", wait: {type: decodable}");
        break;
    case 1:
        text_add(&text, "schemes: [{type: ignore, stragglers: %u}]\n", draw(most));
        break;
    case 2:
        text_add(&text, "schemes: [{type: ignore, stragglers: 0, wait: {type: count, results: %u}}]\n",
                 1 + draw(most));
        break;
    default:
        text_add(&text, "schemes: [{type: %s, stragglers: %u%s}]\n", named[draw(LENGTH(named))],
                 draw(most < 8 ? most : 8), waits[draw(LENGTH(waits))]);
    }
}

static void add_ends(void) {
    static const char *const records[] = {"1", "7", "log", "summary"};
    if (draw(3) > 0)
        text_add(&text, "stop: {steps: %u}\n", 1 + draw(draw(4) ? 30 : 900));
    else
        text_add(&text, "stop: {seconds: %us, steps: 3000}\n", 1 + draw(200));
    text_add(&text, "record: {every: %s%s}\nseed: %u\nreplications: 3\nproblem: {loss: none}\n",
             records[draw(4)], draw(4) ? "" : ", bookings: false", draw(1000));
}

/* Workers are mostly few, and at most so many. */
static void run_random(void (*add_frame)(void), void (*add_entry)(uint32_t workers), uint32_t most) {
    uint32_t taken[3] = {0};
    for (uint32_t q = 0; q < SCENARIOS; q++) {
        uint32_t workers = draw(4) ? 1 + draw(20) : 1 + draw(draw(2) ? 150 : most);
        text.bytes[0] = 0;
        text_add(&text, "name: rounds\n");
        add_frame();
        add_cluster(workers);
        add_entry(workers);
        taken[run_text()]++;
    }
    cr_expect(taken[BY_ROUNDS] > SCENARIOS / 3, "%u refused, %u by events, %u by rounds", taken[REFUSED],
              taken[BY_EVENTS], taken[BY_ROUNDS]);
    cr_log_info("%u refused, %u by events, %u by rounds", taken[REFUSED], taken[BY_EVENTS], taken[BY_ROUNDS]);
}

Test(rounds, random_scenarios_are_the_same_bytes) {
    run_random(add_ends, add_scheme, 600);
}

static void add_optimizer(void) {
    static const char *const optimizers[] = {"sgd", "momentum", "adam"};
    static const char *const rates[] = {"0.1", "0.3", "1", "3000", "1e300"};
    static const char *const scales[] = {"", ", scale_lr: linear"};
    text_add(&text, "optimizer: {type: %s, learning_rate: %s%s", optimizers[draw(3)],
             rates[draw(12) % LENGTH(rates)], scales[draw(5) == 0]);
    if (draw(4) == 0)
        text_add(&text, ", accumulate: %u", 1 + draw(4));
    text_add(&text, "}\n");
}

/* Targets that are passed at once, on the way and never; rates that let runs diverge. */
static void add_learning(void) {
    static const char *const records[] = {"1", "7", "log", "summary"};
    static const char *const targets[] = {", loss: 0.6", ", loss: 0.4", ", loss: 2", "", "", ""};
    static const char *const losses[] = {"logistic", "logistic, l2: 0.01", "linear"};
    text_add(&text, "problem: {loss: %s%s, data: {type: synthetic, samples: %u, features: %u}}\n",
             losses[draw(3)], draw(5) ? "" : ", batch: 2", 200 + draw(160), 1 + draw(9));
    add_optimizer();
    text_add(&text, "stop: {steps: %u%s%s}\n", 1 + draw(draw(4) ? 30 : 300), targets[draw(LENGTH(targets))],
             draw(4) ? "" : ", seconds: 30s");
    text_add(&text, "record: {every: %s%s}\nseed: %u\nreplications: 3\n", records[draw(4)],
             draw(4) ? "" : ", bookings: false", draw(1000));
}

Test(rounds, random_lessons_are_the_same_bytes, .timeout = 120) {
    run_random(add_learning, add_scheme, 200);
}

/* A rule that the sequential codes accept: often tight, so that deadlines pass. */
static void add_sequential(uint32_t workers) {
    static const char *const mus[] = {"0", "0.1", "0.5", "1", "3", "1000"};
    const char *mu = mus[draw(LENGTH(mus))], *models = draw(3) ? "1" : "all";
    uint32_t bursts = 1 + draw(3), window = bursts + 1 + draw(5), distinct = draw(workers + 1);
    if (draw(3) == 0)
        distinct = workers;
    switch (draw(3)) {
    case 0:
        text_add(&text, "schemes: [{type: gc-deadline, stragglers: %u, mu: %s, tolerance: %s}]\n",
                 draw(workers < 12 ? workers : 12), mu, draw(2) ? "paper" : "strict");
        break;
    case 1:
        text_add(&text, "schemes: [{type: m-sgc, B: %u, W: %u, lambda: %u, mu: %s, models: %s}]\n", bursts,
                 window, distinct, mu, models);
        break;
    default:
        text_add(&text, "schemes: [{type: sr-sgc, B: %u, W: %u, lambda: %u, mu: %s, models: %s}]\n", bursts,
                 1 + bursts * (1 + draw(4)), distinct, mu, models);
    }
}

static void add_steps(void) {
    static const char *const records[] = {"1", "7", "log", "summary"};
    text_add(&text, "stop: {steps: %u%s}\n", 1 + draw(draw(4) ? 30 : 200), draw(4) ? "" : ", seconds: 40s");
    text_add(&text, "record: {every: %s%s}\nseed: %u\nreplications: 3\nproblem: {loss: none}\n",
             records[draw(4)], draw(3) ? "" : ", bookings: false", draw(1000));
}

Test(rounds, random_deadlines_are_the_same_bytes) {
    run_random(add_steps, add_sequential, 300);
}

Test(rounds, random_deadlines_on_a_trace_are_the_same_bytes) {
    make_trace(150, 40);
    run_random(add_steps, add_sequential, 150);
    unlink(trace_path);
}

/* A run without events stops at each of its models, so that several runs can be evaluated together: w_0 and one a step. */
Test(rounds, stop_at_every_model) {
    static const char *const schemes[] = {"{type: gc-cr, stragglers: 2}", "{type: gc-fr, stragglers: 1}",
                                          "{type: ignore, stragglers: 2}"};
    for (size_t s = 0; s < LENGTH(schemes); s++) {
        struct plan plan;
        struct diag *diag = diag_new();
        text.bytes[0] = 0;
        text_add(
            &text,
            "name: rounds\nproblem: {loss: logistic, data: {type: synthetic, samples: 40, features: 3}}\n"
            "optimizer: {learning_rate: 0.1}\nstop: {steps: 9}\n"
            "cluster: {workers: [{count: 6, delay: {type: exponential, mean: 1s}}]}\nschemes: [%s]\n",
            schemes[s]);
        cr_assert(plan_read(&plan, diag, &(struct plan_request){.file = "rounds.yaml", .text = text.bytes}));
        struct run *run =
            run_new(&(struct trial_spec){.scenario = plan.point[0].scenario, .entry = plan.contest[0].entry});
        uint32_t stops = run_waits(run);
        while (run_continue(run))
            stops += run_waits(run);
        cr_expect(not(run_has_events(run)), "%s", schemes[s]);
        cr_expect(eq(u32, stops, 10), "%s", schemes[s]);
        result_free(run_end(run));
        plan_fini(&plan);
        diag_free(diag);
    }
}
