/* The program against its twin: the same scenarios, the same replayed delays, row by row and worker by worker. */
#include "results.h"
#include "scratch.h"
#include "stream.h"
#include "twin.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3, STEPS = 12, ENTRIES = 512, SEED = 11 };

/* Delays of a round and a worker. Times that meet are whole quarters of a second, exact in any order of additions. */
static double exponential(struct draw *draw) {
    return -log(draw_unit(draw));
}
static double small_whole(struct draw *draw) {
    return draw_index(draw, 4);
}
static double equal(struct draw *draw) {
    (void)draw;
    return 1.5;
}
static double zero(struct draw *draw) {
    (void)draw;
    return 0;
}
static const struct circumstance {
    const char *name;
    double (*delay_s)(struct draw *draw);
    double compute_s, master_s;
} circumstances[] = {
    {"exponential delays", exponential, .5, 0},
    {"delays that tie", small_whole, .25, 0},
    {"delays that tie, a slow master", small_whole, .25, 1},
    {"delays that tie, no work", small_whole, 0, 0},
    {"equal delays", equal, .5, 0},
    {"no time at all", zero, 0, 0},
};
enum { CIRCUMSTANCES = sizeof circumstances / sizeof *circumstances };

/* One entry of `schemes`. */
struct entry {
    const char *scheme;
    size_t stragglers, copies;
    struct twin_wait wait;
};

/* A scenario: all that its entries share. */
struct setting {
    struct scratch scratch;
    struct twin_data data;
    const struct twin_problem *problem;
    const struct circumstance *circumstance;
    enum twin_late late;
    size_t workers, entries;
    struct entry entry[ENTRIES];
    double delay_s[ROUNDS * TWIN_WORKERS];
};

static const char *const lates[] = {"queue", "latest", "cancel"};

static bool takes(const char *scheme, const char *start) {
    return strncmp(scheme, start, strlen(start)) == 0;
}

static void add_entry(struct setting *setting, struct entry entry) {
    cr_assert(lt(sz, setting->entries, ENTRIES));
    setting->entry[setting->entries++] = entry;
}

/* Adds the entry with every wait rule that can serve it. */
static void add_waits(struct setting *setting, const char *scheme, size_t stragglers, size_t copies) {
    size_t n = setting->workers, enough = n - stragglers;
    const struct twin_wait waits[] = {
        {TWIN_ALL, 0, 0},    {TWIN_COUNT, enough, 0},     {TWIN_COUNT, enough + 1, 0},
        {TWIN_COUNT, 1, 0},  {TWIN_DECODABLE, 0, 0},      {TWIN_FACTOR, 0, 1.25},
        {TWIN_FACTOR, 0, 2}, {TWIN_SECONDS, enough, 1.5}, {TWIN_SECONDS, enough, 0.75},
    };
    bool exact = takes(scheme, "uncoded") || takes(scheme, "gc-");
    bool partial = takes(scheme, "ignore") || takes(scheme, "isgc") || strcmp(scheme, "pgc-cr") == 0;
    for (size_t q = 0; q < sizeof waits / sizeof *waits; q++) {
        struct twin_wait wait = waits[q];
        if (wait.rule == TWIN_COUNT && (wait.results > n || (wait.results < enough && !partial)))
            continue;
        if (wait.rule == TWIN_DECODABLE && !exact)
            continue;
        add_entry(setting, (struct entry){scheme, stragglers, copies, wait});
    }
}

static void add_erasurehead(struct setting *setting) {
    for (size_t copies = 1; copies <= 3; copies++)
        for (size_t r = 1; r <= setting->workers && setting->workers % copies == 0; r += 3)
            add_entry(setting, (struct entry){"erasurehead", 0, copies, {TWIN_COUNT_OR_DECODABLE, r, 0}});
}

/* Its wait rule follows from mu, and it cancels what is late. */
static void add_deadlines(struct setting *setting, size_t stragglers) {
    static const double factors[] = {1.25, 2};
    for (size_t q = 0; q < sizeof factors / sizeof *factors && setting->late == TWIN_CANCEL; q++)
        add_entry(setting, (struct entry){"gc-deadline", stragglers, 0, {TWIN_FACTOR, 0, factors[q]}});
}

static void add_entries(struct setting *setting) {
    static const char *const repeated[] = {"gc-fr", "pgc-fr"}, *const cyclic[] = {"gc-cr", "pgc-cr",
                                                                                  "pgc-cr-naive"};
    size_t n = setting->workers;
    setting->entries = 0;
    add_waits(setting, "uncoded", 0, 0);
    add_erasurehead(setting);
    size_t most = n < 12 ? 4 : 3;
    for (size_t s = 0; s < n && s <= most; s++) {
        add_waits(setting, "ignore", s, 0);
        add_deadlines(setting, s);
        for (size_t q = 0; q < 2 && n % (s + 1) == 0; q++)
            add_waits(setting, repeated[q], s, 0);
        for (size_t q = 0; q < 3; q++)
            add_waits(setting, cyclic[q], s, 0);
        if (s == 0 || (n - s) % 2 == 1)
            add_waits(setting, "gc-mds", s, 0);
        for (size_t c = 2; c <= n && c <= 3; c++) {
            if (n % c == 0)
                add_waits(setting, "isgc-fr", s, c);
            add_waits(setting, "isgc-cr", s, c);
        }
    }
}

static void write_wait(const struct setting *setting, struct twin_wait wait) {
    static const char *const types[] = {"all", "count", "decodable", "deadline", "deadline"};
    const struct scratch *scratch = &setting->scratch;
    if (wait.rule == TWIN_COUNT_OR_DECODABLE) { /* the rule of erasurehead's own parameter */
        scratch_append(scratch, "s.yaml", "results: %zu", wait.results);
        return;
    }
    scratch_append(scratch, "s.yaml", "wait: {type: %s", types[wait.rule]);
    if (wait.rule == TWIN_COUNT)
        scratch_append(scratch, "s.yaml", ", results: %zu", wait.results);
    if (wait.rule == TWIN_FACTOR)
        scratch_append(scratch, "s.yaml", ", factor: %.17g, else: all", wait.limit);
    if (wait.rule == TWIN_SECONDS)
        scratch_append(scratch, "s.yaml", ", seconds: %.17g, min: %zu", wait.limit, wait.results);
    scratch_append(scratch, "s.yaml", "}");
}

static void write_scenario(const struct setting *setting) {
    const struct scratch *scratch = &setting->scratch;
    const struct twin_data *data = &setting->data;
    scratch_write_text(scratch, "s.yaml", "name: twin\n");
    scratch_append(scratch, "s.yaml",
                   "seed: %d\nreplications: 1\nproblem:\n  loss: %s\n  l2: %.17g\n"
                   "  data: {type: csv, path: %s, label: %s, standardize: %s, intercept: %s}\n"
                   "optimizer: {type: sgd, learning_rate: 0.0625}\nstop: {steps: %d}\n",
                   SEED, data->loss == TWIN_LINEAR ? "linear" : "logistic", data->l2, data->file, data->label,
                   data->standardize ? "true" : "false", data->intercept ? "true" : "false", STEPS);
    scratch_append(scratch, "s.yaml",
                   "cluster:\n  late: %s\n  load: additive\n  master: {update: %.17g}\n  workers:\n"
                   "    - count: %zu\n      compute: {type: constant, value: %.17g}\n"
                   "      delay: {type: trace, path: t.csv, beyond: wrap}\nschemes:\n",
                   lates[setting->late], setting->circumstance->master_s, setting->workers,
                   setting->circumstance->compute_s);
    for (size_t q = 0; q < setting->entries; q++) {
        const struct entry *entry = &setting->entry[q];
        scratch_append(scratch, "s.yaml", "  - {type: %s, label: q%zu, decode: real, ", entry->scheme, q);
        if (!takes(entry->scheme, "uncoded") && !takes(entry->scheme, "erasurehead"))
            scratch_append(scratch, "s.yaml", "stragglers: %zu, ", entry->stragglers);
        if (entry->copies)
            scratch_append(scratch, "s.yaml", "copies: %zu, ", entry->copies);
        if (takes(entry->scheme, "gc-deadline"))
            scratch_append(scratch, "s.yaml", "mu: %.17g", entry->wait.limit - 1);
        else
            write_wait(setting, entry->wait);
        scratch_append(scratch, "s.yaml", "}\n");
    }
}

static void write_trace(struct setting *setting) {
    scratch_write_text(&setting->scratch, "t.csv", "round,worker,seconds\n");
    for (uint32_t t = 0; t < ROUNDS; t++)
        for (uint32_t i = 0; i < setting->workers; i++) {
            struct draw draw = {{SEED, 0, PURPOSE_SAMPLE}, i, t, 0};
            double delay_s = setting->circumstance->delay_s(&draw);
            setting->delay_s[t * setting->workers + i] = delay_s;
            scratch_append(&setting->scratch, "t.csv", "%u,%u,%.17g\n", t, i, delay_s);
        }
}

/* Equal to 1e-9 of the larger, times the largest decode weight, which multiplies rounding; NAN equals NAN. */
static bool alike(double ours, double theirs, double largest_weight) {
    double scale = fmax(1, fmax(fabs(ours), fabs(theirs)));
    return (isnan(ours) && isnan(theirs)) || fabs(ours - theirs) <= 1e-9 * scale * fmax(1, largest_weight);
}

static const char *entry_words(const struct setting *setting, size_t q) {
    static char words[256];
    const struct entry *entry = &setting->entry[q];
    static const char *const rules[] = {"all",    "count",   "decodable",
                                        "factor", "seconds", "count or decodable"};
    snprintf(words, sizeof words, "%s, n=%zu, s=%zu, copies=%zu, %s %zu %g, %s, %s", entry->scheme,
             setting->workers, entry->stragglers, entry->copies, rules[entry->wait.rule], entry->wait.results,
             entry->wait.limit, lates[setting->late], setting->circumstance->name);
    return words;
}

/* One number of the program's results beside the twin's. */
struct pair {
    const char *column;
    double twin;
};

/* True when the row agrees; tells the first pair that does not. */
static bool compare_row(const struct setting *setting, size_t q, const struct results *results, size_t row,
                        const struct pair *pair, size_t pairs, double largest_weight) {
    for (size_t j = 0; j < pairs; j++) {
        double program = results_number(results, row, pair[j].column);
        bool same = alike(program, pair[j].twin, largest_weight);
        cr_expect(same, "%s: row %zu: %s is %.12g, the twin has %.12g", entry_words(setting, q), row,
                  pair[j].column, program, pair[j].twin);
        if (!same)
            return false;
    }
    return true;
}

static bool compare_steps(const struct setting *setting, size_t q, const struct twin_result *twin,
                          const struct results *results, size_t first) {
    for (size_t t = 0; t <= twin->steps; t++) {
        const struct twin_step *step = &twin->step[t];
        const struct pair pairs[] = {
            {"time_s", step->time_s},
            {"loss", step->loss},
            {"responders", (double)step->responders},
            {"recovered", (double)step->recovered},
            {"staleness_mean", step->staleness_mean},
            {"staleness_max", step->staleness_max},
            {"aggregation_s", step->aggregation_s},
        };
        size_t pairs_known = t == 0 ? 2 : sizeof pairs / sizeof *pairs;
        if (!compare_row(setting, q, results, first + t, pairs, pairs_known, twin->largest_weight))
            return false;
    }
    return true;
}

static bool compare_workers(const struct setting *setting, size_t q, const struct twin_result *twin,
                            const struct results *results) {
    for (size_t i = 0; i < setting->workers; i++) {
        const struct twin_worker *worker = &twin->worker[i];
        const struct pair pairs[] = {
            {"used", (double)worker->used},
            {"late", (double)worker->late},
            {"evaluated", (double)worker->evaluated},
            {"skipped", (double)worker->skipped},
            {"backlog_end", (double)worker->backlog_end},
            {"backlog_max", (double)worker->backlog_max},
            {"busy_s", worker->busy_s},
            {"idle_s", worker->idle_s},
        };
        if (!compare_row(setting, q, results, q * setting->workers + i, pairs, sizeof pairs / sizeof *pairs,
                         1))
            return false;
    }
    return true;
}

static void compare_status(const struct setting *setting, size_t q, const struct twin_result *twin,
                           const struct results *results) {
    const char *status = results_cell(results, q, "status"), *wanted = twin->diverged ? "diverged" : "steps";
    cr_expect(strcmp(status, wanted) == 0, "%s: status %s, wanted %s", entry_words(setting, q), status,
              wanted);
}

static bool compare_run(const struct setting *setting, size_t q, const struct twin_result *twin,
                        const struct results *results) {
    double useful_s = 0, redundant_s = 0, stale_s = 0, discarded_s = 0, idle_s = 0;
    for (size_t i = 0; i < setting->workers; i++) {
        useful_s += twin->worker[i].useful_s;
        redundant_s += twin->worker[i].redundant_s;
        stale_s += twin->worker[i].stale_s;
        discarded_s += twin->worker[i].discarded_s;
        idle_s += twin->worker[i].idle_s;
    }
    const struct pair pairs[] = {
        {"steps", (double)twin->steps},
        {"time_s", twin->step[twin->steps].time_s},
        {"final_loss", twin->step[twin->steps].loss},
        {"useful_s", useful_s},
        {"redundant_s", redundant_s},
        {"stale_s", stale_s},
        {"discarded_s", discarded_s},
        {"idle_s", idle_s},
    };
    return compare_row(setting, q, results, q, pairs, sizeof pairs / sizeof *pairs, twin->largest_weight);
}

static struct twin_result *run_twin(const struct setting *setting, size_t q) {
    const struct entry *entry = &setting->entry[q];
    struct twin_spec spec = {
        .problem = setting->problem,
        .scheme = entry->scheme,
        .workers = setting->workers,
        .stragglers = entry->stragglers,
        .copies = entry->copies,
        .wait = entry->wait,
        .late = setting->late,
        .compute_s = setting->circumstance->compute_s,
        .master_s = setting->circumstance->master_s,
        .delay_s = setting->delay_s,
        .rounds = ROUNDS,
        .steps = STEPS,
        .learning_rate = 0.0625,
        .seed = SEED,
    };
    return twin_run(&spec);
}

static void compare_results(const struct setting *setting) {
    struct results steps, workers, runs;
    size_t row = 0;
    results_init(&steps, &setting->scratch, "out/steps.csv");
    results_init(&workers, &setting->scratch, "out/workers.csv");
    results_init(&runs, &setting->scratch, "out/runs.csv");
    for (size_t q = 0; q < setting->entries; q++) {
        struct twin_result *twin = run_twin(setting, q);
        compare_status(setting, q, twin, &runs);
        /* A run that diverges works on beyond its last row, so its books hold more than the rows. */
        if (compare_steps(setting, q, twin, &steps, row) && !twin->diverged &&
            compare_workers(setting, q, twin, &workers))
            compare_run(setting, q, twin, &runs);
        row += twin->steps + 1;
        twin_result_free(twin);
    }
    cr_expect(eq(sz, steps.rows, row), "steps.csv has other rows than the twin");
    results_fini(&steps);
    results_fini(&workers);
    results_fini(&runs);
}

static void compare_scenario(struct setting *setting) {
    static const char *const arguments[] = {"run", "s.yaml", "-o", "out", "-q", NULL};
    scratch_init(&setting->scratch);
    add_entries(setting);
    write_trace(setting);
    write_scenario(setting);
    struct outcome outcome = scratch_run(&setting->scratch, arguments);
    cr_expect(eq(int, outcome.exit_code, 0), "%zu workers, %s, %s: %s", setting->workers,
              lates[setting->late], setting->circumstance->name, outcome.err);
    if (outcome.exit_code == 0)
        compare_results(setting);
    outcome_fini(&outcome);
    scratch_fini(&setting->scratch);
}

/* In each `stride`-th of the circumstances, under every late rule. */
static void compare_all(const struct twin_data *data, size_t workers, size_t stride) {
    static struct setting setting;
    struct twin_problem *problem = twin_problem_read(data);
    if (!problem)
        cr_skip_test("no %s", data->file);
    for (size_t q = 0; q < CIRCUMSTANCES; q += stride)
        for (enum twin_late late = TWIN_QUEUE; late <= TWIN_CANCEL; late++) {
            setting = (struct setting){.data = *data, .problem = problem, .workers = workers, .late = late};
            setting.circumstance = &circumstances[q];
            compare_scenario(&setting);
        }
    twin_problem_free(problem);
}

static const char *environment(const char *name) {
    const char *value = getenv(name);
    cr_assert(value != NULL, "%s is not set", name);
    return value;
}

static void compare_breast_cancer(size_t workers) {
    char file[512];
    snprintf(file, sizeof file, "%s/scenarios/data/breast-cancer.csv", environment("LAGGARD_SOURCE"));
    compare_all(&(struct twin_data){file, "benign", TWIN_LOGISTIC, true, true, .01}, workers, 1);
}

Test(twin, breast_cancer_12, .timeout = 300) {
    compare_breast_cancer(12);
}
Test(twin, breast_cancer_5, .timeout = 300) {
    compare_breast_cancer(5);
}
Test(twin, breast_cancer_3, .timeout = 300) {
    compare_breast_cancer(3);
}
Test(twin, breast_cancer_2, .timeout = 300) {
    compare_breast_cancer(2);
}
Test(twin, breast_cancer_1, .timeout = 300) {
    compare_breast_cancer(1);
}

/* The data are not part of the project: LAGGARD_SHARED, or ../shared beside it, may hold them. */
Test(twin, wine_12, .timeout = 300) {
    const char *shared = getenv("LAGGARD_SHARED");
    char file[512];
    if (shared)
        snprintf(file, sizeof file, "%s/data/wine-red.csv", shared);
    else
        snprintf(file, sizeof file, "%s/../shared/data/wine-red.csv", environment("LAGGARD_SOURCE"));
    compare_all(&(struct twin_data){file, "quality", TWIN_LINEAR, true, true, .01}, 12, 3);
}
