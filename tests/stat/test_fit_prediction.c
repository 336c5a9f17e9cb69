/* Prediction on measured times: a cluster is fitted to the first half of a trace's rounds, K-sync steps are simulated on
 * it for many K, and their mean time is compared with that of the second half, where a step lasts until the K-th
 * smallest time of a round. Bounds are those that a reader may rely on: 3 % up to a share of K of the workers. With
 * --verbose the errors of every model are printed beside the drift between the halves themselves, which no model of one
 * half can foresee. The table in README.md is held to them, row by row. Skipped without LAGGARD_SHARED, the folder whose data/traces holds the files. */
#include "cluster_fit.h"
#include "study_of.h"
#include "yaml_tree.h"
#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct prediction {
    const char *file;
    const char *title; /* in README's table */
    struct trace_columns columns;
    double scale_s;
    double share; /* of the workers up to which the error is bounded; 0: none */
};

#define LAMBDA {"round", "worker", "seconds"}, 1
#define PAI    {"time", "worker", "batch_time_norm"}, 1e-3
static const struct prediction predictions[] = {
    {"lambda-cnn-load000.csv", "lambda, load 000", LAMBDA, 0.6},
    {"lambda-cnn-load050.csv", "lambda, load 050", LAMBDA, 0.95},
    {"lambda-cnn-load100.csv", "lambda, load 100", LAMBDA, 0.8},
    {"pai-job1.csv", "pai-job1", PAI, 0},
    {"pai-job4.csv", "pai-job4", PAI, 0},
};

static const double shares[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1};
#define SHARES (sizeof shares / sizeof *shares)
#define BOUND  0.03

/* The last is what the program prints. */
static const struct {
    const char *name;
    const char *title; /* in README's table; NULL: not there */
    enum model model;
    enum slowness_form slowness;
} models[] = {
    {"independent", "i.i.d.", MODEL_INDEPENDENT, SLOWNESS_LAW},
    {"persistent", "persistent", MODEL_PERSISTENT, SLOWNESS_LAW},
    {"own speeds", NULL, MODEL_PERSISTENT, SLOWNESS_OWN},
    {"regime", "regime", MODEL_REGIME, SLOWNESS_LAW},
    {"regime, own", NULL, MODEL_REGIME, SLOWNESS_OWN},
    {"printed, own", "regime, each worker's own factor (`--own`)", MODEL_SHOWN, SLOWNESS_OWN},
    {"as printed", NULL, MODEL_SHOWN, SLOWNESS_LAW},
};
#define MODELS (sizeof models / sizeof *models)

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Rounds [first, first + rounds) of the times. */
static struct measured_times rounds_of(const struct measured_times *times, size_t first, size_t rounds) {
    struct measured_times part = *times;
    part.rounds = rounds;
    part.value_s = times->value_s + first * times->workers;
    part.count = 0;
    for (size_t c = 0; c < rounds * times->workers; c++)
        part.count += !isnan(part.value_s[c]);
    return part;
}

static size_t wanted(double share, size_t workers) {
    size_t k = (size_t)floor(share * (double)workers + 1e-9);
    return k < 1 ? 1 : k;
}

/* Means over the complete rounds of the K-th smallest time. */
static void order_means(const struct measured_times *times, double *mean_s) {
    double *row = malloc(times->workers * sizeof *row), rounds = 0;
    memset(mean_s, 0, SHARES * sizeof *mean_s);
    for (size_t r = 0; r < times->rounds; r++) {
        bool complete = true;
        for (size_t i = 0; i < times->workers; i++) {
            row[i] = times->value_s[r * times->workers + i];
            complete &= !isnan(row[i]);
        }
        if (!complete)
            continue;
        qsort(row, times->workers, sizeof *row, ascending);
        rounds += 1;
        for (size_t s = 0; s < SHARES; s++)
            mean_s[s] += row[wanted(shares[s], times->workers) - 1];
    }
    for (size_t s = 0; s < SHARES; s++)
        mean_s[s] /= rounds;
    free(row);
}

static char *schemes_text(size_t workers) {
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (size_t s = 0; s < SHARES; s++)
        fprintf(out, "  - {type: ignore, stragglers: %zu, late: cancel, label: 'k%zu'}\n",
                workers - wanted(shares[s], workers), s);
    fclose(out);
    return text;
}

static void simulated_means(const struct measured_times *times, size_t model, double *mean_s) {
    struct cluster_fit *fit =
        cluster_fit_new(times, &(struct cluster_request){.model = models[model].model,
                                                         .slowness = models[model].slowness,
                                                         .bootstrap = {.seed = 1},
                                                         .workers = (uint32_t)times->workers});
    char *cluster = yaml_text(fit->cluster, NULL), *schemes = schemes_text(times->workers);
    size_t steps = times->workers > 100 ? 20 : 100;
    struct study *study = study_of("replications: 20\nseed: 3\nproblem: {loss: none}\nstop: {steps: %zu}\n"
                                   "%sschemes:\n%s",
                                   steps, cluster, schemes);
    size_t count;
    const struct summary *summary = study_summaries(study, &count);
    for (size_t s = 0; s < SHARES; s++)
        mean_s[s] = summary[s].measure[MEASURE_STEP_MEAN].mean;
    study_free(study);
    free(cluster);
    free(schemes);
    cluster_fit_free(fit);
}

static void print_row(const char *name, const double *found_s, const double *truth_s) {
    char line[256] = "";
    size_t length = 0;
    for (size_t s = 0; s < SHARES; s++)
        length += (size_t)snprintf(line + length, sizeof line - length, "%+7.1f",
                                   100 * (found_s[s] / truth_s[s] - 1));
    cr_log_info("%-12s%s", name, line);
}

/* README.md's table of predictions, which a reader takes for measured. */
struct readme {
    char *text;
    char *head;  /* of the table */
    size_t told; /* rows that were compared */
};

static struct readme readme_read(void) {
    char path[4096];
    struct readme readme = {0};
    size_t length = 0;
    snprintf(path, sizeof path, "%s/README.md", getenv("LAGGARD_SOURCE"));
    FILE *file = fopen(path, "r");
    cr_assert(ne(ptr, file, NULL), "%s", path);
    ssize_t bytes = getdelim(&readme.text, &length, '\0', file);
    fclose(file);
    cr_assert(gt(long, bytes, 1), "%s is empty", path);
    readme.head = strstr(readme.text, "| trace | model | K/n");
    cr_assert(ne(ptr, readme.head, NULL), "%s has no table of predictions", path);
    return readme;
}

static const char *next_line(const char *line) {
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* The cells after `| | model |`, or `| trace | model |`; NULL where the trace has no such row. */
static const char *row_of(const struct readme *readme, const char *trace, const char *model) {
    char first[128], later[128];
    int first_bytes = snprintf(first, sizeof first, "| %s |", trace);
    int later_bytes = snprintf(later, sizeof later, " %s |", model);
    bool inside = false;
    for (const char *line = next_line(next_line(readme->head)); *line == '|'; line = next_line(line)) {
        bool opens = strncmp(line, first, (size_t)first_bytes) == 0;
        bool goes_on = strncmp(line, "| |", 3) == 0;
        inside = opens || (inside && goes_on);
        const char *cell = line + (opens ? first_bytes : 3);
        if (inside && strncmp(cell, later, (size_t)later_bytes) == 0)
            return cell + later_bytes;
    }
    return NULL;
}

/* A number with a minus sign of its own, or a hyphen; `half` is half a unit of its last digit. */
static double number_of(const char **cell, double *half) {
    static const char minus[] = "−";
    char *end;
    *cell += strspn(*cell, " |");
    bool negative = strncmp(*cell, minus, strlen(minus)) == 0;
    double number = strtod(*cell + (negative ? strlen(minus) : 0), &end);
    *half = memchr(*cell, '.', (size_t)(end - *cell)) ? 0.05 : 0.5;
    *cell = end;
    return negative ? -number : number;
}

/* A tenth beyond what rounding gives is for other compilers' rounding of the errors themselves. */
static void expect_told(struct readme *readme, const char *trace, const char *model, const double *found_s,
                        const double *truth_s) {
    static const double told[] = {0.1, 0.3, 0.5, 0.6, 0.8, 0.9, 1};
    const char *cell = model ? row_of(readme, trace, model) : NULL;
    if (!cell)
        return;
    readme->told++;
    for (size_t t = 0, s = 0; t < sizeof told / sizeof *told; t++) {
        double half, number = number_of(&cell, &half);
        while (shares[s] < told[t])
            s++;
        double error = 100 * (found_s[s] / truth_s[s] - 1);
        cr_expect(le(dbl, fabs(number - error), 1.1 * half),
                  "%s, %s, K = %g n: README says %g, measured %.2f", trace, model, told[t], number, error);
    }
}

static void expect_all_told(struct readme *readme) {
    size_t rows = 0;
    for (const char *line = next_line(next_line(readme->head)); *line == '|'; line = next_line(line))
        rows++;
    cr_expect(eq(sz, readme->told, rows), "rows of README's table that are no model's here");
    free(readme->text);
}

static void expect_prediction(const struct prediction *prediction, const struct measured_times *times,
                              struct readme *readme) {
    size_t half = times->rounds / 2;
    struct measured_times first = rounds_of(times, 0, half);
    struct measured_times second = rounds_of(times, half, times->rounds - half);
    double before_s[SHARES], truth_s[SHARES], found_s[MODELS][SHARES];
    order_means(&first, before_s);
    order_means(&second, truth_s);
    cr_log_info("%s: error in %% at K / n = 0.1 … 0.9, 0.95, 1", prediction->file);
    print_row("drift", before_s, truth_s);
    expect_told(readme, prediction->title, "drift", before_s, truth_s);
    for (size_t m = 0; m < MODELS; m++) {
        simulated_means(&first, m, found_s[m]);
        print_row(models[m].name, found_s[m], truth_s);
        expect_told(readme, prediction->title, models[m].title, found_s[m], truth_s);
    }
    for (size_t s = 0; s < SHARES && shares[s] <= prediction->share; s++) {
        double error = fabs(found_s[MODELS - 1][s] / truth_s[s] - 1);
        cr_expect(le(dbl, error, BOUND), "%s, K = %g n: off by %.1f %%", prediction->file, shares[s],
                  100 * error);
    }
}

Test(fit, predicts_the_second_half, .timeout = 110) {
    const char *shared = getenv("LAGGARD_SHARED");
    if (!shared)
        cr_skip_test("LAGGARD_SHARED names no folder of traces");
    struct readme readme = readme_read();
    for (size_t p = 0; p < sizeof predictions / sizeof *predictions; p++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/data/traces/%s", shared, predictions[p].file);
        struct diag *diag = diag_new();
        struct measured_times *times = measured_times_read(
            diag, &(struct measured_request){
                      .file = path, .columns = predictions[p].columns, .scale_s = predictions[p].scale_s});
        diag_print(diag, stderr);
        diag_free(diag);
        cr_assert(ne(ptr, times, NULL), "%s", path);
        expect_prediction(&predictions[p], times, &readme);
        measured_times_free(times);
    }
    expect_all_told(&readme);
}
