/* Schemes without a barrier against their twin: the same replayed delays, failures, joins and departures, row by row and
 * worker by worker. */
#include "pushes_twin.h"
#include "results.h"
#include "stream.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 2, STEPS = 30, ENTRIES = 128, SEED = 11 };

/* Delays of a task and a worker. Times that meet are whole quarters of a second, exact in any order of additions. */
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

/* Who comes and goes. Times of joining and leaving tie with those of tasks. */
enum crowd { STAYS, CHANGES, IS_REPAIRED, DIES, CROWDS };
static const char *const crowds[] = {"all stay", "some join and leave", "failures are repaired",
                                     "failures are final"};

static const struct circumstance {
    const char *name;
    double (*delay_s)(struct draw *draw);
    double compute_s, master_s;
} circumstances[] = {
    {"exponential delays", exponential, .5, 0},
    {"exponential delays, a slow master", exponential, .5, .5},
    {"delays that tie", small_whole, .25, 0},
    {"delays that tie, a slow master", small_whole, .25, 1},
    {"delays that tie, no work", small_whole, 0, 0},
    {"equal delays", equal, .5, 0},
    {"equal delays, a slow master", equal, .5, 1},
    {"no time at all", zero, 0, 0},
    {"no time but the master's", zero, 0, .5},
};
enum { CIRCUMSTANCES = sizeof circumstances / sizeof *circumstances };

static const struct {
    const char *words, *end;
} schemes[] = {
    [PUSH_K_ASYNC] = {"k-async, k: ", ""},
    [PUSH_K_BATCH_ASYNC] = {"k-batch-async, k: ", ""},
    [PUSH_K_BATCH_SYNC] = {"k-batch-sync, k: ", ""},
    [PUSH_RINGMASTER] = {"ringmaster, max_age: ", ""},
    [PUSH_SSP_WAIT] = {"ssp, bound: ", ""},
    [PUSH_SSP_DROP] = {"ssp, bound: ", ", on_bound: drop"},
    [PUSH_DSAG] = {"dsag, fresh: ", ""},
};

struct entry {
    enum pushing pushing;
    size_t number;
    bool reassigned;
};
static const char *on_leave(const struct entry *entry) {
    return entry->reassigned ? ", on_leave: reassigned" : "";
}

struct setting {
    struct scratch scratch;
    struct twin_data data;
    const struct twin_problem *problem;
    const struct circumstance *circumstance;
    enum crowd crowd;
    size_t workers, entries;
    struct entry entry[ENTRIES];
    double delay_s[ROUNDS * TWIN_WORKERS], joins_s[TWIN_WORKERS], leaves_s[TWIN_WORKERS];
    struct results steps, workers_rows, runs;
};

static void add_entries(struct setting *setting) {
    size_t n = setting->workers;
    const size_t numbers[] = {0, 1, 2, 3, n, n + 2, 2 * n};
    setting->entries = 0;
    for (enum pushing pushing = PUSH_K_ASYNC; pushing <= PUSH_DSAG; pushing++)
        for (size_t q = 0; q < sizeof numbers / sizeof *numbers; q++) {
            bool counts = pushing <= PUSH_K_BATCH_SYNC || pushing == PUSH_DSAG;
            bool workers = pushing == PUSH_K_ASYNC || pushing == PUSH_DSAG;
            if ((counts && numbers[q] == 0) || (workers && numbers[q] > n))
                continue;
            cr_assert(lt(sz, setting->entries + 1, ENTRIES));
            setting->entry[setting->entries++] = (struct entry){pushing, numbers[q], false};
            if (setting->crowd == CHANGES || setting->crowd == DIES)
                setting->entry[setting->entries++] = (struct entry){pushing, numbers[q], true};
        }
}

/* Every third worker joins late, every fourth leaves, one does both. */
static void gather_crowd(struct setting *setting) {
    for (size_t i = 0; i < setting->workers; i++) {
        bool changes = setting->crowd == CHANGES;
        setting->joins_s[i] = changes && i % 3 == 1 ? 2 + (double)i : 0;
        setting->leaves_s[i] = changes && i % 4 == 2 ? 3.5 + (double)i : (double)INFINITY;
        if (changes && i == 4)
            setting->leaves_s[i] = 9;
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

static void write_worker(const struct setting *setting, size_t i) {
    const struct scratch *scratch = &setting->scratch;
    scratch_append(scratch, "s.yaml",
                   "    - count: 1\n      compute: {type: constant, value: %.17g}\n"
                   "      delay: {type: trace, path: t.csv, first: %zu, beyond: wrap}\n      joins: %.17g\n",
                   setting->circumstance->compute_s, i, setting->joins_s[i]);
    if (isfinite(setting->leaves_s[i]))
        scratch_append(scratch, "s.yaml", "      leaves: %.17g\n", setting->leaves_s[i]);
    if (setting->crowd >= IS_REPAIRED)
        scratch_append(scratch, "s.yaml", "      failure: {mean_time_to_failure: %s}\n",
                       setting->crowd == DIES ? "20, mean_time_to_repair: never"
                                              : "4, mean_time_to_repair: 2");
}

static void write_scenario(const struct setting *setting) {
    const struct scratch *scratch = &setting->scratch;
    const struct twin_data *data = &setting->data;
    scratch_write_text(scratch, "s.yaml", "name: twin\n");
    scratch_append(scratch, "s.yaml",
                   "seed: %d\nreplications: 1\nproblem:\n  loss: logistic\n  l2: %.17g\n"
                   "  data: {type: csv, path: %s, label: %s, standardize: true, intercept: true}\n"
                   "optimizer: {type: sgd, learning_rate: 0.0625}\nstop: {steps: %d}\n",
                   SEED, data->l2, data->file, data->label, STEPS);
    scratch_append(scratch, "s.yaml", "cluster:\n  load: additive\n  master: {update: %.17g}\n  workers:\n",
                   setting->circumstance->master_s);
    for (size_t i = 0; i < setting->workers; i++)
        write_worker(setting, i);
    scratch_append(scratch, "s.yaml", "schemes:\n");
    for (size_t q = 0; q < setting->entries; q++) {
        const struct entry *entry = &setting->entry[q];
        scratch_append(scratch, "s.yaml", "  - {type: %s%zu%s%s, label: q%zu}\n",
                       schemes[entry->pushing].words, entry->number, schemes[entry->pushing].end,
                       on_leave(entry), q);
    }
}

static const char *words_of(const struct setting *setting, size_t q) {
    static char words[256];
    const struct entry *entry = &setting->entry[q];
    snprintf(words, sizeof words, "%s%zu%s%s, n=%zu, %s, %s", schemes[entry->pushing].words, entry->number,
             schemes[entry->pushing].end, on_leave(entry), setting->workers, setting->circumstance->name,
             crowds[setting->crowd]);
    return words;
}

/* Equal to 1e-9 of the larger: 30 updates of at most 1,000 additions each, and sums of a few hundred times; NAN equals NAN. */
static bool alike(double ours, double theirs) {
    return (isnan(ours) && isnan(theirs)) ||
           fabs(ours - theirs) <= 1e-9 * fmax(1, fmax(fabs(ours), fabs(theirs)));
}

struct pair {
    const char *column;
    double twin;
};

/* True when the row agrees; tells the first pair that does not. */
static bool compare_row(const struct setting *setting, size_t q, const struct results *results, size_t row,
                        const struct pair *pair, size_t pairs) {
    for (size_t c = 0; c < pairs; c++) {
        double ours = results_number(results, row, pair[c].column);
        cr_expect(alike(ours, pair[c].twin), "%s: %s of row %zu is %.12g, the twin's %.12g",
                  words_of(setting, q), pair[c].column, row, ours, pair[c].twin);
        if (!alike(ours, pair[c].twin))
            return false;
    }
    return true;
}
#define PAIRS(list) (list), sizeof(list) / sizeof *(list)

static bool compare_steps(const struct setting *setting, size_t q, const struct pushes_result *twin,
                          size_t first) {
    bool agree = true;
    for (size_t t = 0; t <= twin->steps && agree; t++) {
        const struct pushes_step *step = &twin->step[t];
        const struct pair pairs[] = {{"step", (double)t},
                                     {"time_s", step->time_s},
                                     {"loss", step->loss},
                                     {"responders", (double)step->responders},
                                     {"recovered", (double)step->recovered},
                                     {"staleness_mean", step->staleness_mean},
                                     {"staleness_max", step->staleness_max},
                                     {"aggregation_s", step->aggregation_s}};
        agree = compare_row(setting, q, &setting->steps, first + t, pairs,
                            t == 0 ? 3 : sizeof pairs / sizeof *pairs);
    }
    return agree;
}

static void compare_books(const struct setting *setting, size_t q, const struct pushes_result *twin) {
    bool agree = true;
    for (size_t i = 0; i < setting->workers && agree; i++) {
        const struct pushes_worker *worker = &twin->worker[i];
        const struct pair pairs[] = {{"used", (double)worker->used},
                                     {"evaluated", (double)worker->evaluated},
                                     {"skipped", (double)worker->skipped},
                                     {"busy_s", worker->busy_s}};
        agree = compare_row(setting, q, &setting->workers_rows, q * setting->workers + i, PAIRS(pairs));
    }
    const struct pair pairs[] = {{"steps", (double)twin->steps},
                                 {"useful_s", twin->useful_s},
                                 {"redundant_s", twin->redundant_s},
                                 {"stale_s", twin->stale_s},
                                 {"discarded_s", twin->discarded_s}};
    compare_row(setting, q, &setting->runs, q, PAIRS(pairs));
}

static struct pushes_result *run_twin(const struct setting *setting, size_t q) {
    static const double failures[][2] = {[IS_REPAIRED] = {4, 2},
                                         [DIES] = {20, INFINITY},
                                         [STAYS] = {INFINITY, INFINITY},
                                         [CHANGES] = {INFINITY, INFINITY}};
    struct pushes_spec spec = {
        .problem = setting->problem,
        .pushing = setting->entry[q].pushing,
        .number = setting->entry[q].number,
        .reassigned = setting->entry[q].reassigned,
        .workers = setting->workers,
        .rounds = ROUNDS,
        .steps = STEPS,
        .compute_s = setting->circumstance->compute_s,
        .master_s = setting->circumstance->master_s,
        .delay_s = setting->delay_s,
        .joins_s = setting->joins_s,
        .leaves_s = setting->leaves_s,
        .to_failure_s = failures[setting->crowd][0],
        .to_repair_s = failures[setting->crowd][1],
        .learning_rate = 0.0625,
        .seed = SEED,
    };
    return pushes_run(&spec);
}

static void compare_results(struct setting *setting) {
    size_t row = 0;
    results_init(&setting->steps, &setting->scratch, "out/steps.csv");
    results_init(&setting->workers_rows, &setting->scratch, "out/workers.csv");
    results_init(&setting->runs, &setting->scratch, "out/runs.csv");
    for (size_t q = 0; q < setting->entries; q++) {
        struct pushes_result *twin = run_twin(setting, q);
        const char *status = results_cell(&setting->runs, q, "status");
        bool stalled = strcmp(status, "stalled") == 0;
        cr_assert(eq(int, stalled, twin->stalled), "%s: %s", words_of(setting, q), status);
        cr_assert(eq(dbl, results_number(&setting->runs, q, "steps"), (double)twin->steps), "%s",
                  words_of(setting, q));
        if (compare_steps(setting, q, twin, row))
            compare_books(setting, q, twin);
        row += twin->steps + 1;
        pushes_result_free(twin);
    }
    cr_expect(eq(sz, setting->steps.rows, row), "steps.csv has other rows than the twin");
    results_fini(&setting->steps);
    results_fini(&setting->workers_rows);
    results_fini(&setting->runs);
}

static void compare_scenario(struct setting *setting) {
    static const char *const arguments[] = {"run", "s.yaml", "-o", "out", "-q", NULL};
    scratch_init(&setting->scratch);
    add_entries(setting);
    gather_crowd(setting);
    write_trace(setting);
    write_scenario(setting);
    struct outcome outcome = scratch_run(&setting->scratch, arguments);
    cr_expect(eq(int, outcome.exit_code, 0), "%zu workers, %s, %s: %s", setting->workers,
              setting->circumstance->name, crowds[setting->crowd], outcome.err);
    if (outcome.exit_code == 0)
        compare_results(setting);
    outcome_fini(&outcome);
    scratch_fini(&setting->scratch);
}

static void compare_all(size_t workers) {
    static struct setting setting;
    char file[512];
    snprintf(file, sizeof file, "%s/scenarios/data/breast-cancer.csv", getenv("LAGGARD_SOURCE"));
    struct twin_data data = {file, "benign", TWIN_LOGISTIC, true, true, .01};
    struct twin_problem *problem = twin_problem_read(&data);
    cr_assert(ne(ptr, problem, NULL));
    for (size_t q = 0; q < CIRCUMSTANCES; q++)
        for (enum crowd crowd = STAYS; crowd < CROWDS; crowd++) {
            setting = (struct setting){.data = data, .problem = problem, .workers = workers, .crowd = crowd};
            setting.circumstance = &circumstances[q];
            compare_scenario(&setting);
        }
    twin_problem_free(problem);
}

Test(pushes_twin, workers_8, .timeout = 300) {
    compare_all(8);
}
Test(pushes_twin, workers_5, .timeout = 300) {
    compare_all(5);
}
Test(pushes_twin, workers_3, .timeout = 300) {
    compare_all(3);
}
Test(pushes_twin, workers_1, .timeout = 300) {
    compare_all(1);
}
