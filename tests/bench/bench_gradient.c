/* Gradient passes against the two limits of the machine that runs them: read bandwidth at the size of the data, and the
 * peak of fused multiply-adds, each measured in turn with the pass. Thread time, medians of REPEATS. Prints a table, or
 * with --json a list of its rows; with --gate fails where a row is below its gate, which leaves a third for noise. */
#include "cloned.h"
#include "gram.h"
#include "memory.h"
#include "objective.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef double narrow __attribute__((vector_size(32), aligned(8), may_alias));
typedef double wide __attribute__((vector_size(64), aligned(8), may_alias));
enum { LANES = 8, REPEATS = 9, BYTES_PER_REPEAT = 1 << 28 };
#define FLOPS_PER_REPEAT 5e8

enum layout { ROWS, SINGLE, MATRICES, SPARSE };
static const char *const layouts[] = {"rows", "f32 rows", "matrices", "sparse"};
enum { SPARSE_PART = 10 }; /* of that many features a sparse row stores one */

struct shape {
    enum layout layout;
    const char *loss;
    uint32_t samples, features, partitions, columns;
    double read_gate, peak_gate; /* fractions of the limits; 0: none */
};

/* What is timed: `runs` runs over `subject`. */
struct work {
    void (*run)(void *subject);
    void *subject;
    size_t runs;
};

static double thread_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double seconds_of(const struct work *work) {
    const double begin = thread_s();
    for (size_t run = 0; run < work->runs; run++)
        work->run(work->subject);
    return (thread_s() - begin) / (double)work->runs;
}

static double median(double *value) {
    qsort(value, REPEATS, sizeof *value, compare);
    return value[REPEATS / 2];
}

/* Median seconds of one run. */
static double median_s(struct work work) {
    double seconds[REPEATS];
    work.run(work.subject);
    for (int repeat = 0; repeat < REPEATS; repeat++)
        seconds[repeat] = seconds_of(&work);
    return median(seconds);
}

/* Where results go, so that no compiler leaves out what makes them. */
static volatile double sink;

struct array {
    const double *value;
    size_t length;
};

/* Eight sums in flight, as one would wait for every addition. */
CLONED static double read_array(const struct array *array) {
    enum { WIDTH = sizeof(narrow) / sizeof(double) };
    narrow sum[8] = {{0}}, total = {0};
    for (size_t j = 0; j + 8 * WIDTH <= array->length; j += 8 * WIDTH)
        for (size_t v = 0; v < 8; v++)
            sum[v] += ((const narrow *)(array->value + j))[v];
    for (size_t v = 0; v < 8; v++)
        total += sum[v];
    return total[0];
}

static void read_once(void *subject) {
    sink = read_array(subject);
}

enum { LINKS = 1 << 20 };

/* Chains of fma, each of its own numbers: equal ones would be merged. */
#define CHAINS(vector)                                                                                       \
    vector sum[14], factor = 0.999 - (vector){0}, total = {0};                                               \
    for (int v = 0; v < 14; v++)                                                                             \
        sum[v] = 1.0 + v - (vector){0};                                                                      \
    for (int link = 0; link < LINKS; link++)                                                                 \
        for (int v = 0; v < 14; v++) {                                                                       \
            LANE_LOOP                                                                                        \
            for (size_t l = 0; l < sizeof(vector) / sizeof(double); l++)                                     \
                sum[v][l] = __builtin_fma(sum[v][l], factor[l], factor[l]);                                  \
        }                                                                                                    \
    for (int v = 0; v < 14; v++)                                                                             \
        total += sum[v];                                                                                     \
    return total[0];

CLONED static double narrow_chains(void){CHAINS(narrow)}

CLONED static double wide_chains(void) {
    CHAINS(wide)
}

static void narrow_once(void *subject) {
    (void)subject;
    sink = narrow_chains();
}

static void wide_once(void *subject) {
    (void)subject;
    sink = wide_chains();
}

/* Two operations per number and link. Processors differ in the width that they do most with. */
static struct work peak_work(double *flops) {
    struct work narrow_work = {narrow_once, NULL, 1}, wide_work = {wide_once, NULL, 1};
    const double narrow_s = median_s(narrow_work), wide_s = median_s(wide_work);
    const bool is_narrow = sizeof(narrow) / narrow_s > sizeof(wide) / wide_s;
    *flops = 2.0 * 14 * LINKS * (double)(is_narrow ? sizeof(narrow) : sizeof(wide)) / sizeof(double);
    return is_narrow ? narrow_work : wide_work;
}

struct pass {
    struct objective objective;
    struct workspace *workspace;
    size_t columns;
    double *w, *gradient, *loss;
};

static void pass_once(void *subject) {
    struct pass *pass = subject;
    objective_gradients(&pass->objective, pass->workspace, pass->columns, pass->w, pass->gradient,
                        pass->loss);
    sink = pass->loss[0];
}

static double drawn(uint64_t *bits) {
    *bits = *bits * 6364136223846793005 + 1442695040888963407;
    return (double)(*bits >> 11) * 0x1p-52 - 1;
}

static void fill_dense(struct dataset *data) {
    uint64_t bits = 1;
    data->row = memory_zeroed_huge(data->samples * data->stride, sizeof(double));
    for (size_t r = 0; r < data->samples; r++)
        for (size_t j = 0; j < data->features; j++)
            data->row[r * data->stride + j] = drawn(&bits);
}

static void fill_sparse(struct dataset *data) {
    uint64_t bits = 1;
    const size_t entries = data->features / SPARSE_PART;
    data->sparse = true;
    data->start = memory_zeroed_huge(data->samples + (size_t)1, sizeof *data->start);
    data->column = memory_zeroed_huge(data->samples * entries, sizeof *data->column);
    data->value = memory_zeroed_huge(data->samples * entries, sizeof *data->value);
    for (size_t e = 0; e < data->samples * entries; e++) {
        data->value[e] = drawn(&bits);
        data->column[e] = (uint32_t)(e % entries * SPARSE_PART + bits % SPARSE_PART);
    }
    for (size_t r = 0; r <= data->samples; r++)
        data->start[r] = r * entries;
}

static struct dataset *made_data(const struct shape *shape) {
    struct dataset *data = memory_zeroed(1, sizeof *data);
    uint64_t bits = 2;
    *data = (struct dataset){.samples = shape->samples, .features = shape->features};
    data->stride = (shape->features + LANES - 1) / LANES * LANES;
    data->label = memory_zeroed(shape->samples, sizeof(double));
    for (size_t r = 0; r < shape->samples; r++)
        data->label[r] = drawn(&bits) < 0 ? -1 : 1;
    if (shape->layout == SPARSE)
        fill_sparse(data);
    else
        fill_dense(data);
    if (shape->layout == MATRICES)
        data->grams = gram_store_new();
    if (shape->layout == SINGLE)
        dataset_narrow(data);
    return data;
}

static struct pass pass_of(const struct shape *shape) {
    struct dataset *data = made_data(shape);
    const size_t cells = (size_t)shape->columns * shape->partitions;
    struct pass pass = {.objective = {.data = data,
                                      .loss = (const struct loss *)family_find(&loss_family, shape->loss),
                                      .partitions = shape->partitions},
                        .columns = shape->columns};
    pass.workspace = workspace_new(&pass.objective);
    pass.w = memory_zeroed(shape->columns * data->stride, sizeof(double));
    pass.gradient = memory_zeroed(cells * data->stride, sizeof(double));
    pass.loss = memory_zeroed(cells, sizeof(double));
    for (size_t c = 0; c < shape->columns; c++)
        for (size_t j = 0; j < shape->features; j++)
            pass.w[c * data->stride + j] = 0.1 / (double)(c + 1);
    return pass;
}

static void pass_end(struct pass *pass) {
    workspace_free(pass->workspace);
    free(pass->w);
    free(pass->gradient);
    free(pass->loss);
    dataset_free((struct dataset *)pass->objective.data);
}

/* The numbers that a pass reads once. A sparse entry has half as much again for its column. */
static struct array read_by(const struct pass *pass) {
    const struct dataset *data = pass->objective.data;
    const struct gram *gram = gram_matrices(&pass->objective);
    if (gram)
        return (struct array){gram->square.row, data->features * data->stride};
    if (data->sparse)
        return (struct array){data->value, data->start[data->samples]};
    if (data->single)
        return (struct array){(const double *)(const void *)data->single, data->samples * data->stride / 2};
    return (struct array){data->row, data->samples * data->stride};
}

/* Multiplications and additions of a pass: two halves on rows, one on matrices. The peak is that of double precision. */
static double pass_flops(const struct shape *shape) {
    const double d = shape->features, m = shape->samples, columns = shape->columns;
    if (shape->layout == MATRICES)
        return 2 * columns * shape->partitions * d * d;
    return 4 * columns * m * (shape->layout == SPARSE ? (double)(shape->features / SPARSE_PART) : d);
}

/* A row of the table: seconds of a pass, and fractions of what the machine does at best. */
struct outcome {
    double pass_s, of_read, of_peak, peak_flops;
};

/* Limits and pass in turn, so that both meet the same neighbours. */
static struct outcome measured(const struct shape *shape) {
    struct pass pass = pass_of(shape);
    pass_once(&pass);
    struct array array = read_by(&pass);
    const double bytes = (double)array.length * (shape->layout == SPARSE ? 12 : 8) *
                         (shape->layout == MATRICES ? shape->partitions : 1);
    const double flops = pass_flops(shape);
    double peak, pass_s[REPEATS], of_read[REPEATS], of_peak[REPEATS], speed[REPEATS];
    const struct work peak_run = peak_work(&peak);
    const struct work read_run = {read_once, &array,
                                  (size_t)(BYTES_PER_REPEAT / 8 / (double)array.length) + 1};
    const struct work pass_run = {pass_once, &pass, (size_t)(FLOPS_PER_REPEAT / flops) + 1};
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const double read_bytes_s = (double)array.length * 8 / seconds_of(&read_run);
        speed[repeat] = peak / seconds_of(&peak_run);
        pass_s[repeat] = seconds_of(&pass_run);
        of_read[repeat] = bytes / pass_s[repeat] / read_bytes_s;
        of_peak[repeat] = flops / pass_s[repeat] / speed[repeat];
    }
    pass_end(&pass);
    return (struct outcome){median(pass_s), median(of_read), median(of_peak), median(speed)};
}

static bool passes(const struct shape *shape, const struct outcome *outcome) {
    return outcome->of_read >= shape->read_gate && outcome->of_peak >= shape->peak_gate;
}

static void print_row(const struct shape *shape, const struct outcome *outcome) {
    printf("%-9s %-9s %7u x %4u %8u %10.4f %6.0f %% %6.0f %%%s\n", layouts[shape->layout], shape->loss,
           shape->samples, shape->features, shape->columns, outcome->pass_s * 1e3 / shape->columns,
           100 * outcome->of_read, 100 * outcome->of_peak, passes(shape, outcome) ? "" : "  below its gate");
}

static void print_json(const struct shape *shape, const struct outcome *outcome, bool first) {
    printf("%s\n  {\"layout\": \"%s\", \"loss\": \"%s\", \"samples\": %u, \"features\": %u, \"columns\": %u, "
           "\"column_ms\": %.6g, \"of_read\": %.4g, \"of_peak\": %.4g, \"peak_gflops\": %.4g}",
           first ? "[" : ",", layouts[shape->layout], shape->loss, shape->samples, shape->features,
           shape->columns, outcome->pass_s * 1e3 / shape->columns, outcome->of_read, outcome->of_peak,
           outcome->peak_flops * 1e-9);
}

static const struct shape shapes[] = {
    {ROWS, "logistic", 2000, 100, 12, 1, 0, 0},      {ROWS, "logistic", 12000, 100, 12, 1, .5, 0},
    {ROWS, "logistic", 100000, 100, 12, 1, .65, 0},  {ROWS, "linear", 100000, 100, 12, 1, .65, 0},
    {ROWS, "logistic", 20000, 1000, 20, 1, .55, 0},  {ROWS, "logistic", 200000, 20, 12, 1, 0, 0},
    {ROWS, "logistic", 12000, 100, 12, 8, 0, 0},     {ROWS, "logistic", 12000, 100, 12, 16, 0, .35},
    {ROWS, "linear", 12000, 100, 12, 16, 0, .45},    {ROWS, "logistic", 100000, 100, 12, 16, 0, .3},
    {ROWS, "logistic", 20000, 1000, 20, 16, 0, .4},  {SPARSE, "logistic", 20000, 1000, 12, 1, 0, 0},
    {SPARSE, "logistic", 20000, 1000, 12, 16, 0, 0}, {MATRICES, "linear", 12000, 100, 12, 1, 0, 0},
    {MATRICES, "linear", 12000, 100, 12, 16, 0, .4},
};

int main(int arguments, char **argument) {
    const bool json = arguments > 1 && strcmp(argument[1], "--json") == 0;
    const bool gate = arguments > 1 && strcmp(argument[1], "--gate") == 0;
    bool fine = true;
    if (!json)
        printf("%-9s %-9s %-14s %8s %10s %8s %8s\n", "data", "loss", "samples", "columns", "ms/column",
               "of read", "of peak");
    double peak = 0;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const struct outcome outcome = measured(&shapes[s]);
        fine &= passes(&shapes[s], &outcome);
        peak = outcome.peak_flops;
        if (json)
            print_json(&shapes[s], &outcome, s == 0);
        else
            print_row(&shapes[s], &outcome);
    }
    if (json)
        printf("\n]\n");
    else
        printf("peak of fused multiply-adds: %.1f GFLOP/s, one core\n", peak * 1e-9);
    return gate && !fine;
}
