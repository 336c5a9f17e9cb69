/* The whole table: every scheme x wait rule x late rule x load rule x kind of delay, timing only and trained; then every
 * scheme x late rule x all else that a cluster can be. Each either runs or is refused before the run. See walk.h. */
#include "scheme.h"
#include "walk.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(list) (sizeof(list) / sizeof *(list))

static const struct scheme_row {
    const char *type, *values;
    uint32_t workers;
} schemes[] = {
    {"uncoded", "", 6},
    {"ignore", ", stragglers: 2", 6},
    {"ignore", ", stragglers: 5", 6},
    {"gc-fr", ", stragglers: 2", 6},
    {"gc-fr", ", stragglers: 5", 6},
    {"gc-cr", ", stragglers: 2", 6},
    {"gc-cr", ", stragglers: 2, decode: real", 6},
    {"gc-mds", ", stragglers: 2", 7},
    {"gc-mds", ", stragglers: 3, field: complex, decode: real", 6},
    {"isgc-fr", ", stragglers: 2, copies: 3", 6},
    {"isgc-cr", ", stragglers: 2, copies: 3", 6},
    {"isgc-hr", ", stragglers: 2, copies: 3, copies_local: 2, groups: 2", 6},
    {"pgc-fr", ", stragglers: 2", 6},
    {"pgc-fr", ", stragglers: 2, warmup: timed", 6},
    {"pgc-cr", ", stragglers: 2", 6},
    {"pgc-cr", ", stragglers: 5, warmup: timed", 6},
    {"pgc-cr-naive", ", stragglers: 2", 6},
    {"gc-deadline", ", stragglers: 2, mu: 1", 6},
    {"gc-deadline", ", stragglers: 2, mu: 0, tolerance: strict, decode: real", 6},
    {"sr-sgc", ", B: 2, W: 3, lambda: 3", 6},
    {"sr-sgc", ", B: 1, W: 2, lambda: 4, models: all, decode: real", 6},
    {"m-sgc", ", B: 2, W: 3, lambda: 3", 6},
    {"m-sgc", ", B: 1, W: 3, lambda: 6, models: all, decode: real", 6},
    {"bgc", ", stragglers: 2, density: 2", 6},
    {"bgc", ", stragglers: 2, density: 2, decoder: least-squares", 6},
    {"sgc", ", replication: 2, stragglers: 2", 6},
    {"erasurehead", ", copies: 2, results: 4", 6},
    {"bibd", ", stragglers: 2, blocks: ../../scenarios/data/fano-plane.csv", 7},
    {"bibd", ", stragglers: 3, blocks: ../../scenarios/data/pairs-of-six.csv", 10},
    {"code", ", stragglers: 2, matrix: ../unit/scheme/matrix.csv, decoder: least-squares", 6},
    {"code", ", stragglers: 2, matrix: ../unit/scheme/matrix.csv, decoder: one-step", 6},
    {"multi-message", ", copies: 3", 6},
    {"multi-message", ", copies: 6, order: staircase", 6},
    {"multi-message", ", copies: 2, order: random", 6},
    {"partial-fr", ", stragglers: 2, pieces: 4", 6},
    {"partial-fr", ", stragglers: 1, pieces: 3, delay_per: message", 6},
    {"partial-cr", ", stragglers: 2, pieces: 5", 6},
    {"partial-cr", ", stragglers: 2, pieces: 4, delay_per: message, decode: real", 6},
    {"async", "", 6},
    {"k-async", ", k: 3", 6},
    {"k-batch-async", ", k: 8", 6},
    {"k-batch-sync", ", k: 4", 6},
    {"ssp", ", bound: 1", 6},
    {"ssp", ", bound: 0, on_bound: drop", 6},
    {"ringmaster", ", max_age: 4", 6},
    {"dsag", ", fresh: 3", 6},
    {"dsag", ", fresh: 2, staleness: {type: delay-compensated, lambda: 0.5}", 6},
    {"ssp", ", bound: 1, staleness: {type: inverse}", 6},
    {"ssp", ", bound: 2, staleness: {type: delay-compensated, lambda: 0.5}", 6},
    {"async", ", staleness: {type: inverse}", 6},
    {"async", ", staleness: {type: delay-compensated, lambda: 0.5}", 6},
    {"local", ", local_steps: 3", 6},
    {"local", ", local_steps: 2, stragglers: 2", 6},
    {"adaptive-k", ", k: 2, burn_in: 1, threshold: 0, increment: 2", 6},
    {"pgc-cr", ", stragglers: 2, staleness: {type: polynomial}", 6},
    {"anytime", ", seconds: 1.3", 6},
    {"anytime", "", 6},
};

static const char *const waits[] = {
    "",
    "{type: all}",
    "{type: count}",
    "{type: count, results: 1}",
    "{type: count, results: 4}",
    "{type: count, results: 6}",
    "{type: count, results: 8}",
    "{type: decodable}",
    "{type: enough}",
    "{type: count-or-decodable}",
    "{type: count-or-decodable, results: 2}",
    "{type: deadline, factor: 1}",
    "{type: deadline, factor: 2, else: all}",
    "{type: deadline, seconds: 0}",
    "{type: deadline, seconds: 0, min: 0}",
    "{type: deadline, seconds: 1s, min: 0}",
    "{type: deadline, seconds: 1.5s, min: 3}",
    "{type: deadline, seconds: 1e9}",
};
static const char *const lates[] = {"queue", "latest", "cancel"};
static const char *const loads[] = {"additive", "multiplicative", "independent"};

/* The workers, of which there are `%u`, %u being one less. */
#define COMPUTE "compute: {type: constant, value: 200ms}"
#define RANDOM  COMPUTE ", delay: {type: exponential, mean: 1}"
static const struct world {
    const char *what, *most, *last;
} worlds[] = {
    {"equal", COMPUTE ", delay: {type: constant, value: 1}", COMPUTE ", delay: {type: constant, value: 1}"},
    {"zero", "speed: 1", "speed: 1"},
    {"delays alone", "delay: {type: exponential, mean: 1}", "delay: {type: pareto, minimum: 1, shape: 1}"},
    {"random", RANDOM, RANDOM},
    {"one never", RANDOM, COMPUTE ", delay: {type: never}"},
    {"one at once", RANDOM, "speed: 1"},
    {"all but one never", "delay: {type: never}", RANDOM},
    {"all fail for good", RANDOM ", failure: {mean_time_to_failure: 6, mean_time_to_repair: never}",
     RANDOM ", failure: {mean_time_to_failure: 6, mean_time_to_repair: never}"},
};

#define TIMING "problem: {loss: none, message_bytes: 16}\nstop: {steps: 9}\n"
#define LEARNS(more)                                                                                         \
    "problem: {loss: logistic, l2: 0.01, data: {type: synthetic, samples: 84, features: 2}" more             \
    "}\noptimizer: {learning_rate: 0.2}\nstop: {steps: 9}\n"

static const char *cluster_text(const struct scheme_row *scheme, const struct world *world,
                                const char *more) {
    static char text[2048];
    snprintf(text, sizeof text, "workers: [{count: %u, %s}, {count: 1, %s}]%s", scheme->workers - 1,
             world->most, world->last, more);
    return text;
}

static const char *scheme_text(const struct scheme_row *scheme) {
    static char text[256];
    snprintf(text, sizeof text, "type: %s%s", scheme->type, scheme->values);
    return text;
}

/* All schemes, wait rules and late rules meet; of the kinds of delay and load rules, or of delays and problems, every so
 * many-th pair is walked, and every one with LAGGARD_WALK=all. */
static bool is_walked(size_t place, size_t axis) {
    const char *walked = getenv("LAGGARD_WALK");
    return (walked && strcmp(walked, "all") == 0) || place % axis == 0;
}

/* Of every scheme, late rule and wait rule some combination runs. */
struct walk_count {
    size_t run, refused, scheme[LENGTH(schemes)], wait[LENGTH(waits)], late[LENGTH(lates)];
};

static void walk_rules(const char *problem, const struct world *world, const char *load,
                       struct walk_count *count) {
    char more[32];
    snprintf(more, sizeof more, ", load: %s", load);
    for (size_t s = 0; s < LENGTH(schemes); s++)
        for (size_t w = 0; w < LENGTH(waits); w++)
            for (size_t l = 0; l < LENGTH(lates); l++) {
                struct combination combination = {.problem = problem,
                                                  .cluster = cluster_text(&schemes[s], world, more),
                                                  .scheme = scheme_text(&schemes[s]),
                                                  .wait = waits[w],
                                                  .late = lates[l],
                                                  .mistakes = 3};
                bool run = walk(&combination) == WALKED_RUN;
                count->run += run;
                count->refused += !run;
                count->scheme[s] += run;
                count->wait[w] += run;
                count->late[l] += run;
            }
}

/* Schemes that watch gradients are refused where there are none. */
static bool may_run(const char *problem, const char *type) {
    const struct scheme *scheme = (const struct scheme *)family_find(&scheme_family, type);
    return !scheme->learned || strcmp(problem, TIMING) != 0;
}

static void expect_all_ran(const struct walk_count *count, const char *problem) {
    for (size_t s = 0; s < LENGTH(schemes); s++)
        cr_expect(count->scheme[s] > 0 || !may_run(problem, schemes[s].type), "%s%s never ran",
                  schemes[s].type, schemes[s].values);
    for (size_t w = 0; w < LENGTH(waits); w++)
        cr_expect(strstr(waits[w], "results: 8") || count->wait[w] > 0, "%s never ran", waits[w]);
    for (size_t l = 0; l < LENGTH(lates); l++)
        cr_expect(lt(sz, 0, count->late[l]), "%s never ran", lates[l]);
    cr_expect(lt(sz, 0, count->refused), "nothing was refused");
}

Test(walk, names_every_variant) {
    for (const struct variant *const *variant = scheme_family.variants; *variant; variant++) {
        size_t rows = 0;
        for (size_t s = 0; s < LENGTH(schemes); s++)
            rows += strcmp(schemes[s].type, (*variant)->name) == 0;
        cr_expect(lt(sz, 0, rows), "no row of scheme %s", (*variant)->name);
    }
    for (const struct variant *const *variant = wait_family.variants; *variant; variant++) {
        size_t rows = 0, length = strlen((*variant)->name);
        for (size_t w = 1; w < LENGTH(waits); w++)
            rows += strncmp(waits[w] + strlen("{type: "), (*variant)->name, length) == 0 &&
                    strcspn(waits[w] + strlen("{type: "), ",}") == length;
        cr_expect(lt(sz, 0, rows), "no row of wait rule %s", (*variant)->name);
    }
    cr_expect(eq(sz, LENGTH(lates), LATE_RULES));
}

static void walk_loads(const char *problem, size_t shift) {
    struct walk_count count = {0};
    for (size_t d = 0; d < LENGTH(worlds); d++)
        for (size_t q = 0; q < LENGTH(loads); q++)
            if (is_walked(d + q + shift, 2 * LENGTH(loads)))
                walk_rules(problem, &worlds[d], loads[q], &count);
    expect_all_ran(&count, problem);
}

Test(walk, rules_by_the_clock, .timeout = 300) {
    walk_loads(TIMING, 0);
}

Test(walk, rules_trained, .timeout = 300) {
    walk_loads(LEARNS(""), 1);
}

/* What else a cluster can be: what all the workers are besides, what the last one is, and the rest. */
static const struct surroundings {
    const char *what, *most, *last, *rest;
} surroundings[] = {
    {"repair", ", failure: {mean_time_to_failure: 3, mean_time_to_repair: 2}", "", ""},
    {"repair and a network", ", failure: {mean_time_to_failure: 2, mean_time_to_repair: 1}", "",
     ", network: {down: {latency: 300ms}, up: {latency: 200ms, bandwidth: 32}}"},
    {"repair and overlap", ", failure: {mean_time_to_failure: 2, mean_time_to_repair: 1}", "",
     ", overlap: true, network: {down: {latency: 300ms}, up: {latency: 200ms, bandwidth: 16}}"},
    {"one joins", "", ", joins: 2.5s", ""},
    {"one joins, a network", "", ", joins: 2s", ", network: {down: {latency: 400ms, bandwidth: 64}}"},
    {"one leaves", "", ", leaves: 4s", ""},
    {"one leaves in a round", "", ", leaves: 1.3s",
     ", network: {up: {latency: 500ms}}, master: {decode: 250ms}"},
    {"all leave", ", leaves: 5s", ", leaves: 7s", ""},
    {"all fail, a network", ", failure: {mean_time_to_failure: 5, mean_time_to_repair: never}", "",
     ", network: {down: {latency: 300ms}, up: {latency: 1s, bandwidth: 32}}"},
    {"a network", "", "", ", network: {down: {latency: 100ms, bandwidth: 160}, up: {bandwidth: 20}}"},
    {"a slow way down", "", "", ", network: {down: {latency: 3s}}"},
    {"a shared link, one after another", "", "", ", master: {link: {bandwidth: 40, sharing: fifo}}"},
    {"a shared link, all at once", "", "",
     ", master: {link: {bandwidth: 40, sharing: fair}}, network: {up: {latency: 200ms, bandwidth: 30}}"},
    {"a shared link, overlap", "", "", ", overlap: true, master: {link: {bandwidth: 30, sharing: fair}}"},
    {"a shared link, failures", ", failure: {mean_time_to_failure: 4, mean_time_to_repair: 1}",
     ", leaves: 3s", ", master: {update: 100ms, link: {bandwidth: 40, sharing: fifo}}"},
    {"overlap", "", "", ", overlap: true, network: {up: {bandwidth: 12}}"},
    {"overlap, a long way", "", "", ", overlap: true, network: {up: {latency: 4s}}"},
    {"a ring", "", "", ", topology: ring, network: {up: {latency: 100ms, bandwidth: 80}}"},
    {"a slow master", "", "", ", master: {decode: 1s, update: 2s}"},
    {"one joins while the master is busy", "", ", joins: 2.9s", ", master: {decode: 900ms, update: 900ms}"},
    {"one joins while the master is busy, a network", "", ", joins: 3.5s",
     ", overlap: true, master: {decode: 2s}, network: {down: {latency: 100ms}, up: {latency: 300ms}}"},
    {"repair while the master is busy", ", failure: {mean_time_to_failure: 2, mean_time_to_repair: 1}", "",
     ", master: {decode: 1s}"},
    {"slowness, regimes, shocks", ", slowness: {type: uniform, low: 1, high: 3}, rack: 0",
     ", regime: {p_slow: 0.3, p_recover: 0.5, slowdown: 4}, rack: 1",
     ", rack_shock: {probability: 0.3, type: constant, value: 2}"},
};

static const struct delays {
    const char *what, *most, *last;
} delays[] = {
    {"random", RANDOM, RANDOM},
    {"equal", COMPUTE ", delay: {type: constant, value: 800ms}",
     COMPUTE ", delay: {type: constant, value: 800ms}"},
    {"a trace with gaps", COMPUTE ", delay: {type: trace, path: gaps.csv, missing: skip}",
     COMPUTE ", delay: {type: exponential, mean: 1}"},
    {"a trace that ends", COMPUTE ", delay: {type: trace, path: gaps.csv, missing: median, beyond: stop}",
     RANDOM},
};

static const char *const problems[] = {
    TIMING,
    LEARNS(""),
    LEARNS(", batch: 3"),
};

static size_t walk_late_rules(const struct scheme_row *scheme, const char *problem, const char *cluster) {
    size_t run = 0;
    for (size_t l = 0; l < LENGTH(lates); l++)
        run += walk(&(struct combination){.problem = problem,
                                          .cluster = cluster,
                                          .scheme = scheme_text(scheme),
                                          .wait = strcmp(scheme_text(scheme), "type: anytime") == 0
                                                      ? "{type: deadline, seconds: 700ms, min: 2}"
                                                      : "",
                                          .late = lates[l],
                                          .mistakes = 3}) == WALKED_RUN;
    return run;
}

static void walk_surroundings(const struct surroundings *around) {
    size_t run = 0, place = 0;
    for (size_t d = 0; d < LENGTH(delays); d++)
        for (size_t s = 0; s < LENGTH(schemes); s++) {
            char most[512], last[512];
            snprintf(most, sizeof most, "%s%s", delays[d].most, around->most);
            snprintf(last, sizeof last, "%s%s", delays[d].last, around->last);
            struct world world = {"", most, last};
            for (size_t p = 0; p < LENGTH(problems); p++)
                if (is_walked(place++, 8))
                    run += walk_late_rules(&schemes[s], problems[p],
                                           cluster_text(&schemes[s], &world, around->rest));
        }
    cr_expect(lt(sz, 0, run), "%s: nothing ran", around->what);
}

Test(walk, surroundings, .timeout = 300) {
    for (size_t q = 0; q < LENGTH(surroundings); q++)
        walk_surroundings(&surroundings[q]);
}

/* Studies of several schemes at once, in threads. */
Test(walk, the_same_bytes_in_one_thread_and_in_four, .timeout = 1000) {
    static const char *const kinds[] = {
        "record: {events: true}\nreplications: 2\n" TIMING,
        "record: {audit: true}\nreplications: 2\n" LEARNS(""),
    };
    static struct combination combination[LENGTH(schemes) * LENGTH(lates)];
    static char texts[LENGTH(schemes)][256], cluster[2048];
    for (size_t k = 0; k < LENGTH(kinds); k++) {
        size_t combinations = 0;
        struct world world = {"", RANDOM ", failure: {mean_time_to_failure: 9, mean_time_to_repair: 1}",
                              RANDOM};
        strcpy(cluster, cluster_text(&schemes[0], &world, ""));
        for (size_t s = 0; s < LENGTH(schemes); s++)
            for (size_t l = 0; l < LENGTH(lates); l++) {
                strcpy(texts[s], scheme_text(&schemes[s]));
                combination[combinations++] = (struct combination){.problem = kinds[k],
                                                                   .cluster = cluster,
                                                                   .scheme = texts[s],
                                                                   .wait = "",
                                                                   .late = lates[l]};
            }
        walk_together(combination, combinations);
    }
}

/* The smallest, the largest and the odd: what runs and what is refused. */
static const struct size_row {
    const char *scheme;
    uint32_t workers;
    enum walked walked;
} sizes[] = {
    {"type: uncoded", 1, WALKED_RUN},
    {"type: ignore, stragglers: 0", 1, WALKED_RUN},
    {"type: ignore, stragglers: 1", 1, WALKED_REFUSED},
    {"type: gc-fr, stragglers: 0", 1, WALKED_RUN},
    {"type: gc-cr, stragglers: 0", 1, WALKED_RUN},
    {"type: gc-mds, stragglers: 0", 1, WALKED_RUN},
    {"type: isgc-cr, stragglers: 0, copies: 1", 1, WALKED_RUN},
    {"type: isgc-hr, stragglers: 0, copies: 1, copies_local: 1, groups: 1", 1, WALKED_RUN},
    {"type: isgc-hr, stragglers: 0, copies: 2, copies_local: 1, groups: 1", 1, WALKED_REFUSED},
    {"type: pgc-fr, stragglers: 0, warmup: timed", 1, WALKED_RUN},
    {"type: pgc-cr, stragglers: 0", 1, WALKED_RUN},
    {"type: gc-deadline, stragglers: 0", 1, WALKED_RUN},
    {"type: gc-deadline, stragglers: 0, tolerance: strict", 1, WALKED_REFUSED},
    {"type: sr-sgc, B: 1, W: 2, lambda: 0", 1, WALKED_RUN},
    {"type: sr-sgc, B: 1, W: 2, lambda: 1", 1, WALKED_REFUSED},
    {"type: m-sgc, B: 1, W: 2, lambda: 0", 1, WALKED_RUN},
    {"type: m-sgc, B: 1, W: 2, lambda: 1", 1, WALKED_RUN},
    {"type: m-sgc, B: 1, W: 2, lambda: 2", 1, WALKED_REFUSED},
    {"type: bgc, stragglers: 0, density: 1", 1, WALKED_RUN},
    {"type: sgc, stragglers: 0, replication: 1", 1, WALKED_RUN},
    {"type: erasurehead, copies: 1, results: 1", 1, WALKED_RUN},
    {"type: multi-message, copies: 1", 1, WALKED_RUN},
    {"type: partial-fr, stragglers: 0, pieces: 2", 1, WALKED_RUN},
    {"type: partial-cr, stragglers: 0, pieces: 2, delay_per: message", 1, WALKED_RUN},
    {"type: anytime, seconds: 1", 1, WALKED_RUN},
    {"type: async", 1, WALKED_RUN},
    {"type: k-async, k: 1", 1, WALKED_RUN},
    {"type: k-batch-sync, k: 5", 1, WALKED_RUN},
    {"type: ssp, bound: 0", 1, WALKED_RUN},
    {"type: dsag, fresh: 1", 1, WALKED_RUN},
    {"type: gc-fr, stragglers: 1", 2, WALKED_RUN},
    {"type: gc-cr, stragglers: 1, decode: real", 2, WALKED_RUN},
    {"type: gc-mds, stragglers: 1, decode: real", 2, WALKED_RUN},
    {"type: pgc-cr, stragglers: 1", 2, WALKED_RUN},
    {"type: sr-sgc, B: 1, W: 2, lambda: 1", 2, WALKED_RUN},
    {"type: sr-sgc, B: 9, W: 10, lambda: 1", 2, WALKED_RUN},
    {"type: m-sgc, B: 9, W: 10, lambda: 1", 2, WALKED_RUN},
    {"type: m-sgc, B: 2, W: 2, lambda: 1", 2, WALKED_REFUSED},
    {"type: multi-message, copies: 2, order: staircase", 2, WALKED_RUN},
    {"type: partial-cr, stragglers: 1, pieces: 3", 2, WALKED_RUN},
    {"type: gc-cr, stragglers: 11", 12, WALKED_RUN},
    {"type: gc-cr, stragglers: 12", 12, WALKED_REFUSED},
    {"type: isgc-cr, stragglers: 11, copies: 12", 12, WALKED_RUN},
    {"type: pgc-fr, stragglers: 11", 12, WALKED_RUN},
    {"type: m-sgc, B: 3, W: 4, lambda: 12", 12, WALKED_RUN},
    {"type: m-sgc, B: 1, W: 4, lambda: 11", 12, WALKED_RUN},
    {"type: multi-message, copies: 12, order: random", 12, WALKED_RUN},
    {"type: partial-fr, stragglers: 11, pieces: 100", 12, WALKED_RUN},
    {"type: m-sgc, B: 60, W: 61, lambda: 5", 12, WALKED_RUN},
    {"type: gc-fr, stragglers: 19", 1000, WALKED_RUN},
    {"type: gc-cr, stragglers: 19", 1000, WALKED_RUN},
    {"type: isgc-hr, stragglers: 19, copies: 20, copies_local: 10, groups: 10", 1000, WALKED_RUN},
    {"type: pgc-cr, stragglers: 19", 1000, WALKED_RUN},
    {"type: sr-sgc, B: 2, W: 3, lambda: 40", 1000, WALKED_RUN},
    {"type: m-sgc, B: 2, W: 3, lambda: 40", 1000, WALKED_RUN},
    {"type: sgc, stragglers: 19, replication: 20", 1000, WALKED_RUN},
    {"type: multi-message, copies: 20", 1000, WALKED_RUN},
    {"type: partial-cr, stragglers: 19, pieces: 40", 1000, WALKED_RUN},
    {"type: async", 1000, WALKED_RUN},
    {"type: ssp, bound: 1000000", 1000, WALKED_RUN},
    {"type: k-batch-async, k: 2000", 1000, WALKED_RUN},
    /* What would not fit into memory. */
    {"type: m-sgc, B: 1, W: 1000000, lambda: 4", 12, WALKED_REFUSED},
    {"type: m-sgc, B: 999999, W: 1000000, lambda: 12", 12, WALKED_REFUSED},
    {"type: m-sgc, B: 50, W: 51, lambda: 600", 1000, WALKED_REFUSED},
    {"type: sr-sgc, B: 999999, W: 1000000, lambda: 900", 1000, WALKED_REFUSED},
    {"type: sr-sgc, B: 1, W: 1000000, lambda: 900000", 1000000, WALKED_REFUSED},
    {"type: sr-sgc, B: 5000, W: 5001, lambda: 400", 1000, WALKED_REFUSED},
    {"type: gc-cr, stragglers: 999999", 1000000, WALKED_REFUSED},
    {"type: pgc-fr, stragglers: 999999", 1000000, WALKED_REFUSED},
    {"type: isgc-cr, stragglers: 9, copies: 500000", 1000000, WALKED_REFUSED},
    {"type: multi-message, copies: 1000000", 1000000, WALKED_REFUSED},
    {"type: multi-message, copies: 10000", 20000, WALKED_REFUSED},
    {"type: partial-fr, stragglers: 1, pieces: 1000000", 1000, WALKED_REFUSED},
    {"type: partial-cr, stragglers: 499, pieces: 1000000", 1000, WALKED_REFUSED},
    {"type: sgc, stragglers: 1, replication: 1000000", 1000000, WALKED_REFUSED},
    {"type: bgc, stragglers: 1, density: 1000000", 1000000, WALKED_REFUSED},
    {"type: bgc, stragglers: 1, density: 2, decoder: least-squares", 1000000, WALKED_REFUSED},
    {"type: erasurehead, copies: 500000, results: 4", 1000000, WALKED_REFUSED},
};

static void walk_size(const struct size_row *row, const char *problem) {
    char cluster[256];
    snprintf(cluster, sizeof cluster, "workers: [{count: %u, %s}]", row->workers, RANDOM);
    enum walked walked = walk(&(struct combination){.problem = problem,
                                                    .cluster = cluster,
                                                    .scheme = row->scheme,
                                                    .wait = "",
                                                    .late = "",
                                                    .mistakes = 2});
    cr_expect(walked == row->walked, "{%s} with %u workers is %s", row->scheme, row->workers,
              walked == WALKED_RUN ? "run" : "refused");
}

Test(walk, sizes, .timeout = 300) {
    for (size_t q = 0; q < LENGTH(sizes); q++) {
        walk_size(&sizes[q], TIMING);
        if (sizes[q].workers <= 12)
            walk_size(&sizes[q], LEARNS(""));
    }
}
