/* The fused gradient pass against the two limits of the machine that runs it: read bandwidth at the size of the data,
 * and the peak of fused multiply-adds. Thread time, median of REPEATS. Prints a table; never fails. */
#include "cloned.h"
#include "memory.h"
#include "objective.h"
#include "stream.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef double narrow __attribute__((vector_size(32), aligned(8), may_alias));
typedef double wide __attribute__((vector_size(64), aligned(8), may_alias));
enum { LANES = 8, REPEATS = 7, BYTES_PER_REPEAT = 1 << 30 };

struct shape {
    uint32_t samples, features, partitions;
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

/* Median seconds of one run. */
static double median_s(struct work work) {
    double seconds[REPEATS];
    work.run(work.subject);
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const double begin = thread_s();
        for (size_t run = 0; run < work.runs; run++)
            work.run(work.subject);
        seconds[repeat] = (thread_s() - begin) / (double)work.runs;
    }
    qsort(seconds, REPEATS, sizeof *seconds, compare);
    return seconds[REPEATS / 2];
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
static double peak_flops(void) {
    const double narrow_flops = sizeof(narrow) / median_s((struct work){narrow_once, NULL, 4});
    const double wide_flops = sizeof(wide) / median_s((struct work){wide_once, NULL, 4});
    return 2.0 * 14 * LINKS / sizeof(double) * (narrow_flops > wide_flops ? narrow_flops : wide_flops);
}

struct pass {
    struct objective objective;
    struct workspace *workspace;
    double *w, *gradient, *loss;
};

static void pass_once(void *subject) {
    struct pass *pass = subject;
    objective_gradients(&pass->objective, pass->workspace, 1, pass->w, pass->gradient, pass->loss);
    sink = pass->loss[0];
}

static struct dataset *made_data(struct shape shape) {
    struct dataset *data = memory_zeroed(1, sizeof *data);
    *data = (struct dataset){.samples = shape.samples, .features = shape.features};
    data->stride = (shape.features + LANES - 1) / LANES * LANES;
    data->row = memory_zeroed_huge(shape.samples * data->stride, sizeof(double));
    data->label = memory_zeroed(shape.samples, sizeof(double));
    uint64_t bits = 1;
    for (size_t r = 0; r < shape.samples; r++) {
        for (size_t j = 0; j < shape.features; j++) {
            bits = bits * 6364136223846793005 + 1442695040888963407;
            data->row[r * data->stride + j] = (double)(bits >> 11) * 0x1p-52 - 1;
        }
        data->label[r] = bits >> 63 ? 1 : -1;
    }
    return data;
}

static void pass_report(struct shape shape, const struct loss *loss, double flops) {
    struct dataset *data = made_data(shape);
    struct pass pass = {.objective = {.data = data, .loss = loss, .partitions = shape.partitions}};
    pass.workspace = workspace_new(&pass.objective);
    pass.w = memory_zeroed(data->stride, sizeof(double));
    pass.gradient = memory_zeroed(shape.partitions * data->stride, sizeof(double));
    pass.loss = memory_zeroed(shape.partitions, sizeof(double));
    for (size_t j = 0; j < shape.features; j++)
        pass.w[j] = 0.1;
    const double bytes = (double)shape.samples * (double)data->stride * sizeof(double);
    const size_t runs = (size_t)(BYTES_PER_REPEAT / bytes) + 1;
    struct array array = {data->row, shape.samples * data->stride};
    const double read_s = median_s((struct work){read_once, &array, runs});
    const double pass_s = median_s((struct work){pass_once, &pass, runs});
    printf("%-9s %7u x %4u %8.1f %9.3f %7.1f %7.1f %5.0f %%  %7.1f %5.0f %%\n", loss->head.name,
           shape.samples, shape.features, bytes * 1e-6, pass_s * 1e3, bytes / pass_s * 1e-9,
           bytes / read_s * 1e-9, 100 * read_s / pass_s, bytes / 2 / pass_s * 1e-9,
           100 * bytes / 2 / pass_s / flops);
    free(data->row);
    free(data->label);
    free(data);
    free(pass.w);
    free(pass.gradient);
    free(pass.loss);
    workspace_free(pass.workspace);
}

int main(void) {
    static const struct shape shapes[] = {
        {2000, 100, 12}, {12000, 100, 12}, {100000, 100, 12}, {20000, 1000, 20}, {200000, 20, 12}};
    const double flops = peak_flops();
    printf("fma peak %.1f GFLOP/s; one core\n", flops * 1e-9);
    printf("%-9s %-14s %8s %9s %7s %7s %7s  %7s %7s\n", "loss", "samples", "MB", "ms/pass", "GB/s", "read",
           "of read", "GFLOP/s", "of peak");
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (const struct variant *const *loss = loss_family.variants; *loss; loss++)
            pass_report(shapes[s], (const struct loss *)*loss, flops);
    return 0;
}
