/* Combinations drawn from everything at once: shapes, parameters, rules, workers of several kinds, networks. */
#include "draws.h"
#include "walk.h"
#include <string.h>

#define LENGTH(list) (sizeof(list) / sizeof *(list))

/* A scheme and its keys: `key<` is drawn below n, `key+` from 1 to n, `key*` from 1 to 4; others stand as they are, or one
 * of those between bars does. */
static const char *const schemes[] = {
    "uncoded",
    "ignore stragglers<",
    "gc-fr stragglers< decode:shared|real",
    "gc-cr stragglers< decode:shared|real",
    "gc-mds stragglers< field:real|complex decode:shared|real",
    "isgc-fr stragglers< copies*",
    "isgc-cr stragglers< copies+",
    "isgc-hr stragglers< copies* copies_local* groups*",
    "pgc-fr stragglers< warmup:free|timed",
    "pgc-cr stragglers< warmup:free|timed",
    "pgc-cr-naive stragglers< warmup:free|timed",
    "gc-deadline stragglers< mu:0|0.5|2 tolerance:paper|strict",
    "sr-sgc B:1|2 W:2|3|5 lambda< mu:0|1 models:1|all decode:shared|real",
    "m-sgc B* W:2|3|4|6 lambda+ mu:0|1 models:1|all decode:shared|real",
    "bgc stragglers< density:1|2 decoder:constant|one-step|least-squares",
    "sgc stragglers< replication+ p:0|0.2",
    "erasurehead copies* results+",
    "multi-message copies+ order:cyclic|staircase|random",
    "partial-fr stragglers< pieces:3|5|8 delay_per:task|message",
    "partial-cr stragglers< pieces:3|5|8 delay_per:task|message decode:shared|real",
    "anytime seconds:0.1|1|5",
    "anytime",
    "async on_leave:lost|reassigned",
    "k-async k+ on_leave:lost|reassigned",
    "k-batch-async k:1|3|9 on_leave:lost|reassigned",
    "k-batch-sync k:1|3|9 on_leave:lost|reassigned",
    "ssp bound:0|1|3 on_bound:wait|drop on_leave:lost|reassigned",
    "ringmaster max_age:0|2|9 on_leave:lost|reassigned",
    "dsag fresh+ on_leave:lost|reassigned",
    "local stragglers< local_steps*",
    "adaptive-k k+ burn_in:0|2 threshold:0|1 increment:1|2",
};
static const char *const stalenesses[] = {
    "{type: inverse}",
    "{type: polynomial}",
    "{type: delay-compensated, lambda: 0.3}",
};
/* What may go around the gradient. */
static const char *const optimizer_keys[] = {
    "clip_norm: 0.5",
    "scale_lr: linear",
    "accumulate: 2",
    "accumulate: 3, compression: {type: topk, coordinates: 1}",
    "compression: {type: topk, coordinates: 1, error_feedback: true}",
    "compression: {type: randk, fraction: 0.5}",
    "compression: {type: qsgd, levels: 2, error_feedback: true}",
};
static const char *const waits[] = {
    "",
    "",
    "",
    "{type: all}",
    "{type: count}",
    "{type: count, results: 1}",
    "{type: decodable}",
    "{type: count-or-decodable}",
    "{type: deadline, factor: 1.5}",
    "{type: deadline, seconds: 0.7, min: 0}",
    "{type: deadline, seconds: 1.5, min: 1}",
    "{type: deadline, seconds: 2}",
};
static const char *const lates[] = {"", "", "queue", "latest", "cancel"};
static const char *const laws[] = {
    "{type: constant, value: 0}",
    "{type: constant, value: 500ms}",
    "{type: exponential, mean: 1}",
    "{type: exponential, mean: 300ms}",
    "{type: pareto, minimum: 100ms, shape: 0.8}",
    "{type: mixture, parts: [{weight: 0.7, type: constant, value: 0}, {weight: 0.3, type: never}]}",
    "{type: trace, path: gaps.csv, missing: skip}",
};
/* What a group of workers may have besides. */
static const char *const worker_keys[] = {
    "speed: 0.25",
    "slowness: {type: uniform, low: 0.5, high: 3}",
    "regime: {p_slow: 0.2, p_recover: 0.4, slowdown: 5}",
    "failure: {mean_time_to_failure: 3, mean_time_to_repair: 1}",
    "failure: {mean_time_to_failure: 20, mean_time_to_repair: never}",
    "joins: 1.5",
    "joins: 1.5, leaves: 6",
    "leaves: 3",
    "rack: 0",
    "network: {down: {latency: 50ms}, up: {bandwidth: 100}}",
};
static const char *const cluster_keys[] = {
    "load: multiplicative",
    "load: independent",
    "order: shuffled",
    "overlap: true",
    "network: {down: {latency: 300ms}, up: {latency: 200ms, bandwidth: 40}}",
    "network: {up: {latency: 2s}}",
    "master: {decode: 200ms, update: 300ms}",
    "master: {link: {bandwidth: 60, sharing: fifo}}",
    "master: {update: 1s, link: {bandwidth: 60, sharing: fair}}",
    "rack_shock: {probability: 0.4, type: constant, value: 1}",
    "topology: ring",
};

/* One of those between bars. */
static void add_one_of(struct text *text, const char *choices, size_t length) {
    uint32_t bars = 0;
    for (size_t q = 0; q < length; q++)
        bars += choices[q] == '|';
    for (uint32_t skip = draw(bars + 1); skip > 0; skip--) {
        size_t first = strcspn(choices, "|") + 1;
        choices += first;
        length -= first;
    }
    size_t own = strcspn(choices, "| ");
    text_add(text, "%.*s", (int)(own < length ? own : length), choices);
}

static void add_key(struct text *text, const char *key, uint32_t workers) {
    size_t length = strcspn(key, " "), name = strcspn(key, "<+*: ");
    text_add(text, ", %.*s: ", (int)name, key);
    if (key[name] == '<')
        text_add(text, "%u", draw(workers < 4 || draw(4) == 0 ? workers : workers / 2));
    else if (key[name] == '+')
        text_add(text, "%u", 1 + draw(workers));
    else if (key[name] == '*')
        text_add(text, "%u", 1 + draw(4));
    else
        add_one_of(text, key + name + 1, length - name - 1);
}

static void draw_scheme(struct text *text, uint32_t workers) {
    const char *scheme = schemes[draw(LENGTH(schemes))];
    text_add(text, "type: %.*s", (int)strcspn(scheme, " "), scheme);
    for (const char *key = strchr(scheme, ' '); key; key = strchr(key + 1, ' '))
        add_key(text, key + 1, workers);
    if (draw(5) == 0)
        text_add(text, ", staleness: %s", stalenesses[draw(LENGTH(stalenesses))]);
}

static void add_group(struct text *text, uint32_t count) {
    text_add(text, "{count: %u, compute: %s, delay: %s", count, laws[draw(5)], laws[draw(LENGTH(laws))]);
    if (draw(2) == 0)
        text_add(text, ", %s", worker_keys[draw(LENGTH(worker_keys))]);
    text_add(text, "}");
}

static void draw_cluster(struct text *text, uint32_t workers) {
    uint32_t some = draw(workers);
    text_add(text, "workers: [");
    add_group(text, workers - some);
    if (some > 0) {
        text_add(text, ", ");
        add_group(text, some);
    }
    text_add(text, "]");
    uint32_t one = draw(LENGTH(cluster_keys)), other = draw(LENGTH(cluster_keys));
    text_add(text, ", %s", cluster_keys[one]);
    if (strncmp(cluster_keys[one], cluster_keys[other], 4) != 0)
        text_add(text, ", %s", cluster_keys[other]);
}

static void draw_problem(struct text *text) {
    static const char *const limits_s[] = {"", "", "", ", seconds: 12", ", seconds: 0.7", ", seconds: 3.21"};
    text_add(text, "seed: %u\nstop: {steps: %u%s}\n", draw(1000), 1 + draw(30),
             limits_s[draw(LENGTH(limits_s))]);
    if (draw(2) == 0) {
        text_add(text, "problem: {loss: none, message_bytes: %u}\n", 8 * draw(4));
        return;
    }
    text_add(text,
             "problem: {loss: %s, l2: 0.01, data: {type: synthetic, samples: %u, features: 2}%s}\n"
             "optimizer: {type: %s, learning_rate: %s",
             draw(2) == 0 ? "logistic" : "linear", 96 + draw(20), draw(3) == 0 ? ", batch: 2" : "",
             draw(2) == 0 ? "sgd" : "adam", draw(20) == 0 ? "1e6" : "0.1");
    if (draw(3) == 0)
        text_add(text, ", %s", optimizer_keys[draw(LENGTH(optimizer_keys))]);
    text_add(text, "}\n");
    if (draw(3) == 0)
        text_add(text, "record: {audit: true}\n");
}

enum walked walk_freely(void) {
    static const uint32_t sizes[] = {1, 2, 3, 4, 6, 6, 8, 9, 12, 12};
    struct text problem = {""}, cluster = {""}, scheme = {""};
    uint32_t workers = sizes[draw(LENGTH(sizes))];
    draw_problem(&problem);
    draw_cluster(&cluster, workers);
    draw_scheme(&scheme, workers);
    return walk(&(struct combination){.problem = problem.bytes,
                                      .cluster = cluster.bytes,
                                      .scheme = scheme.bytes,
                                      .wait = waits[draw(LENGTH(waits))],
                                      .late = lates[draw(LENGTH(lates))],
                                      .mistakes = 8});
}
