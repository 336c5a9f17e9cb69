/* Each comment derives, before any run, which answers are right and how far behind the next one is: by closed forms of the
 * time of a step (order statistics) and of what a step makes of the error.
 *
 * Notation: n = 12 workers and as many partitions; c partitions on each worker; s stragglers; h = step size times curvature, so
 * that a step along the full gradient makes (1 - h) e of an error e. A scale is what an estimate is times the gradient.
 * H_q = 1 + 1/2 + … + 1/q: the q-th of n exponential times of mean 1 comes after H_n - H_(n-q) in the mean. */
#include "known_best.h"
#include "memory.h"
#include "stream.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORKERS 12

/* One row on each partition, all alike: any gradient is the full one. */
static void row_alike(size_t row, size_t *feature, double *value) {
    (void)row;
    *feature = 0;
    *value = 1;
}
static const struct known_data alike_to_a_tenth = {WORKERS, 1, row_alike, 1e-2};
static const struct known_data alike_to_a_ten_thousandth = {WORKERS, 1, row_alike, 1e-8};

/* Two rows on each partition, the same two on all, of curvature 1 and 1/10: half of the square of the value, as each is one
 * row of two. */
static void row_of_two(size_t row, size_t *feature, double *value) {
    *feature = row % 2;
    *value = row % 2 == 0 ? sqrt(2) : sqrt(0.2);
}
static const struct known_data two_curvatures = {2 * WORKERS, 2, row_of_two, 1e-4};

/* Each partition has a feature of its own, of which nobody else knows anything; its curvature is 1/12. */
static void row_of_its_own(size_t row, size_t *feature, double *value) {
    *feature = row;
    *value = 1;
}
static const struct known_data of_its_own = {WORKERS, WORKERS, row_of_its_own, 1e-8};

const struct known_cluster known_clusters[] = {
    /* Exact schemes by time. A task of c partitions takes c seconds. uncoded has c = 1: 1 s. So has the first message
     * of multi-message, whose worker i begins with partition i whatever c: after 1 s every partition was heard. Codes
     * have c >= 2; partial codes take P/(P - s), 11/10 at least on the grid. Margin: 10 %, and no variance. */
    {"constant times",
     "problem: {loss: none}\nstop: {steps: 50}\n"
     "cluster: {workers: [{count: 12, compute: {type: constant, value: 1s}}]}\n",
     NULL,
     {"uncoded", "multi-message*"},
     1,
     1e-12},
    /* Exact schemes by time; a message takes 1.5 s on its worker's line, one after another. Workers 10 and 11 never
     * answer: what they hold is on a third worker with c >= 3 only, in windows (worker 9) and in groups (9, 10, 11).
     * A code takes c + 1.5 s: 4.5 s with s = 2, 5.5 s with s = 3. Of multi-message the third message of worker 9,
     * ready at 3 s, follows its first two: 1 + 3 * 1.5 = 5.5 s. gc-deadline waits for twice its fastest time; partial
     * and sequential codes wait for workers that straggle always. So the three codes with s = 2, whose times differ
     * by the delays of 10 ms alone. Margin: 22 %. */
    {"two workers out, slow lines",
     "problem: {loss: none, message_bytes: 1500000}\nstop: {steps: 50}\n"
     "cluster: {network: {up: {latency: 0s, bandwidth: 1e6}},\n"
     "          workers: [{count: 10, compute: {type: constant, value: 1s}, delay: {type: exponential, mean: "
     "10ms}},\n"
     "                    {count: 2, speed: 0.0001, compute: {type: constant, value: 1s}}]}\n",
     NULL,
     {"gc-fr stragglers=2", "gc-cr stragglers=2", "gc-mds stragglers=2"},
     4.5,
     0.01},
    /* Exact schemes by time; computing takes next to nothing, late work is dropped. A code takes H_12 - H_(12-q) of
     * the mean delay for q = 12 - s results: 1/12 with s = 11, where whoever comes first has everything; 0.385 with s
     * = 8, the next on the grid. By groups (gc-fr, decodable): 1/6 (1 + 1/2) = 0.25 with two of 6. multi-message of
     * 11 copies needs a second worker: 1/12 + 1/11 = 0.174. gc-deadline waits for twice the first: 0.167. Margin: 2. */
    {"free computing",
     "problem: {loss: none}\nstop: {steps: 50}\n"
     "cluster: {late: cancel, workers: [{count: 12, compute: {type: constant, value: 0.001ms},\n"
     "                                   delay: {type: exponential, mean: 1s}}]}\n",
     NULL,
     {"gc-fr stragglers=11", "gc-cr stragglers=11", "gc-mds stragglers=11"},
     1 / 12.0,
     0.16},
    /* Partitions alike, curvatures 1 and 1/10, h = 2/1.1 of the larger: the step size at which descent is fastest,
     * both errors shrinking by 0.818 a step, 23 steps to 0.01 of them. A scale of 1.1 diverges, one below 1 is slower
     * (0.9: 0.836 a step, 26 steps; 1/2: 0.909, 48 steps); old gradients diverge (async, 11 versions old; stored ones
     * of c >= 3, stable up to h = 1.5) or crawl (c = 2: modulus 0.954). So what counts is the time of a fresh step,
     * and that is the least where the first of 12 results closes it and all begin anew: k-batch-sync with K = 1, 1/12
     * of the mean time of computing, 1.9 s in all; K = 2 takes twice as long. Where late workers go on with old
     * tasks, round t ends when the first worker has done t of them: 15 s for 23 (ignore, s = 11), and local with H =
     * 8 needs 3 of 8 times the length: 8 * 0.90 = 7.2 s. Margin: 2. */
    {"equal data at the best step size",
     "optimizer: {learning_rate: 1.8181818181818181}\nstop: {steps: 100, loss: %.17g}\n"
     "cluster: {workers: [{count: 12, compute: {type: exponential, mean: 1s}}]}\n",
     &two_curvatures,
     {"k-batch-sync k=1"},
     23 / 12.0,
     0.25},
    /* Partitions alike, h = 0.005: some 460 updates to a tenth of the error, whoever makes them and however old the
     * gradients (30 versions: h * 30 = 0.15, far from unstable). Six workers take 1 s, six take 4 s: 7.5 results a
     * second. async makes an update of each, of gradients that are 11 versions old in the mean, which hurries it a
     * little: the error falls by exp(-r) with r = h exp(11 r), 434 updates; and as all begin at once 6 results are
     * missing to a steady flow: 440/7.5 = 58.7 s. k-async and k-batch-async with K = 1 are the same. K = 2: half as
     * many updates. Rounds make one in 0.9 s or more: above 400 s; one scaled too far, sgc with s = 11 that waits for
     * all, is 12 updates in 4.4 s: 164 s. ssp's updates are of g_i, a twelfth. ringmaster, of max_age 11 at most on
     * the grid, discards what slow workers do, some 28 updates old: 6 a second. Margin: 25 % to that one, 2 to
     * others. */
    {"equal data in small steps",
     "optimizer: {learning_rate: 0.005}\nstop: {steps: 2000, loss: %.17g}\n"
     "cluster: {workers: [{count: 6, compute: {type: uniform, low: 0.9s, high: 1.1s}},\n"
     "                    {count: 6, speed: 0.25, compute: {type: uniform, low: 0.9s, high: 1.1s}}]}\n",
     &alike_to_a_tenth,
     {"async", "k-async k=1", "k-batch-async k=1"},
     440 / 7.5,
     0.03},
    /* Each partition with a feature of its own, h = 1/3, workers 10 and 11 never answer. Without copies of what they
     * hold the loss stays above 2 * 0.25/(2 * 0.25 + 10 * 2.25) = 0.02 of its beginning, so c >= 3 as above. Exact
     * codes of c = 3 take 3 s a step, 23 of which make 10^-4 of the errors (ln(10^4)/ln(1.5)). A worker of pgc-fr
     * evaluates one partition a step, 1 s, and each gradient is applied c times before the next: c steps make (1 - c
     * h) e, which with c = 3 is 0. All errors are 0 after 5 steps. c = 4: -1/3 in 4 steps, 34 steps; c = 6: -1; c =
     * 12: -3. pgc-cr, s = 2: partition 11 has one of its three workers, scale 0.4, 0.6 in 3 steps, 54 steps; s = 3:
     * some have scale 1.2, -0.6 in 4 steps, 72 steps. sgc on two workers each, if no two are both out: 2 s a step of
     * scale 0.6 for some, 41 steps. Margin: above 4. */
    {"own data, two workers out",
     "optimizer: {learning_rate: 4}\nstop: {steps: 100, loss: %.17g}\n"
     "cluster: {workers: [{count: 10, compute: {type: constant, value: 1s}, delay: {type: exponential, mean: "
     "50ms}},\n"
     "                    {count: 2, speed: 0.0001, compute: {type: constant, value: 1s}}]}\n",
     &of_its_own,
     {"pgc-fr stragglers=2"},
     5 * (1 + 0.05 * 2.929),
     0.05},
    /* Partitions alike, h = 0.4: 19 steps to 10^-4 of the error; computing takes 10 ms, an answer 10 s in the mean.
     * local makes H steps for one answer: with H = 11, the most on the grid, two rounds. With s = 11 the second ends
     * when the first worker has given two answers: the least of 12 sums of two exponential times, whose mean, the
     * integral of ((1 + t) exp(-t))^12, is 0.42: 4.2 s, and 0.2 s of computing. H = 8 needs three answers: 0.90 in
     * the same way, 9.0 s. s = 8 waits for the fourth worker each time: above 3.85 + 2.9 s. k-batch-sync, 19 times
     * the first of twelve: 15.8 s. async is unstable at h = 0.4 and 11 versions. Margin: 1.5. */
    {"equal data, slow answers",
     "optimizer: {learning_rate: 0.4}\nstop: {steps: 60, loss: %.17g}\n"
     "cluster: {workers: [{count: 12, compute: {type: constant, value: 10ms}, delay: {type: exponential, "
     "mean: 10s}}]}\n",
     &alike_to_a_ten_thousandth,
     {"local stragglers=11 local_steps=11"},
     4.2 + 0.22,
     0.65},
};
const size_t known_cluster_count = sizeof known_clusters / sizeof *known_clusters;

/* Entry of the model that fits the data. */
static double truth_at(uint64_t seed, size_t feature) {
    struct draw draw = {.stream = {.seed = seed, .purpose = PURPOSE_DATA}, .worker = (uint32_t)feature};
    double size = 0.5 + draw_unit(&draw);
    return draw_unit(&draw) < 0.5 ? -size : size;
}

char *known_data_csv(const struct known_data *data, uint64_t seed) {
    char *text = memory_format("%s", "");
    for (size_t line = 0; line <= data->rows; line++) {
        size_t own = 0;
        double value = 0;
        if (line > 0)
            data->row(line - 1, &own, &value);
        for (size_t f = 0; f <= data->features; f++) {
            const char *end = f < data->features ? "," : "\n";
            double number = f == data->features ? value * truth_at(seed, own) : f == own ? value : 0;
            char *longer = line > 0              ? memory_format("%s%.17g%s", text, number, end)
                           : f == data->features ? memory_format("%sy%s", text, end)
                                                 : memory_format("%sx%zu%s", text, f, end);
            free(text);
            text = longer;
        }
    }
    return text;
}

/* The loss to reach: at w = 0 it is half of the mean square of y. */
static double target_of(const struct known_data *data, uint64_t seed) {
    double squares = 0;
    for (size_t row = 0; row < data->rows; row++) {
        size_t feature;
        double value;
        data->row(row, &feature, &value);
        squares += pow(value * truth_at(seed, feature), 2);
    }
    return data->reached * squares / (2 * (double)data->rows);
}

char *known_scenario(const struct known_cluster *cluster, uint64_t seed, uint64_t data_seed,
                     const char *file) {
    if (!cluster->data)
        return memory_format("seed: %llu\nschemes: [{type: uncoded}]\n%s", (unsigned long long)seed,
                             cluster->scenario);
    const char *place = strstr(cluster->scenario, "%.17g");
    return memory_format("seed: %llu\nschemes: [{type: uncoded}]\n"
                         "problem: {loss: linear, data: {type: csv, path: '%s', label: y}}\n%.*s%.17g%s",
                         (unsigned long long)seed, file, (int)(place - cluster->scenario), cluster->scenario,
                         target_of(cluster->data, data_seed), place + strlen("%.17g"));
}

bool known_right(const struct known_cluster *cluster, const char *name) {
    for (size_t q = 0; q < sizeof cluster->right / sizeof *cluster->right && cluster->right[q]; q++) {
        const char *right = cluster->right[q];
        size_t length = strcspn(right, "*");
        if (strncmp(name, right, length) == 0 && (right[length] || !name[length] || name[length] == ','))
            return true;
    }
    return false;
}
