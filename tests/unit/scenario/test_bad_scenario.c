#include "sample.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGES_MAX 4
#define X20          "xxxxxxxxxxxxxxxxxxxx"
#define X80          X20 X20 X20 X20

/* A line of the sample that is wrong, and what must be said of it: line:column, key path and the first
 * words of the sentence; nothing else may be said. */
static const struct mistake {
    int line;
    const char *text;
    const char *message[MESSAGES_MAX];
} mistakes[] = {
    {LINE_NAME, "name: a/b", {"1:7: error: name: must be usable as the name of a folder: without '/',"}},
    {LINE_NAME, "name: '..'", {"1:7: error: name: must be usable as the name of a folder: without '/',"}},
    {LINE_NAME, "name: a.partial", {"1:7: error: name: must not end in .partial or .replaced,"}},
    {LINE_NAME, "name: .replaced", {"1:7: error: name: must not end in .partial or .replaced,"}},
    {LINE_NAME, "name: ''", {"1:7: error: name: must be a line of text, found the quoted text \"\""}},
    {LINE_NAME,
     "name: \"a\\nb\"",
     {"1:7: error: name: must be a line of text, found the quoted text \"a\\nb\""}},
    {LINE_NAME, "name: " X80 "x", {"1:7: error: name: must have at most 80 bytes, has 81"}},
    {LINE_NAME, "nmae: base", {"1:1: error: unknown key 'nmae' (did you mean 'name'?)"}},
    {LINE_SEED, "seed: -1", {"2:7: error: seed: must be a whole number in [0, 18446744073709551615],"}},
    {LINE_SEED,
     "seed: 18446744073709551616",
     {"2:7: error: seed: must be a whole number in [0, 18446744073709551615],"}},
    {LINE_REPLICATIONS,
     "replications: {max: 20}",
     {"3:15: error: replications: key 'half_width' is missing (a number in (0, 1])"}},
    {LINE_REPLICATIONS,
     "replications: {half_width: 0, max: 1}",
     {"3:28: error: replications.half_width: must be a number in (0, 1], found 0",
      "3:36: error: replications.max: must be a whole number in [2, 1000000],"}},
    {LINE_REPLICATIONS,
     "replications: 0",
     {"3:15: error: replications: must be a whole number in [1, 1000000],"}},
    {LINE_REPLICATIONS,
     "replications: 1.5",
     {"3:15: error: replications: must be a whole number in [1, 1000000],"}},
    {LINE_REPLICATIONS,
     "tune: {learning_rate: [1, 0.1]}",
     {"3:23: error: tune.learning_rate: must be an interval [low, high] with low below high, found [1, "
      "0.1]"}},
    {LINE_REPLICATIONS,
     "tune: {learning_rate: [0, 1]}",
     {"3:23: error: tune.learning_rate: must be an interval [low, high], both a number above 0"}},
    {LINE_REPLICATIONS,
     "tune: {learning_rate: 1}",
     {"3:23: error: tune.learning_rate: must be an interval [low, high], both a number above 0"}},
    {LINE_REPLICATIONS,
     "tune: {momentum: [0, 0.9]}",
     {"3:18: error: tune.momentum: is no number of optimizer.type: sgd, so it cannot be tuned"}},
    {LINE_REPLICATIONS, "tune: {rate: [0.1, 1]}", {"3:8: error: tune: unknown key 'rate'"}},
    {LINE_REPLICATIONS, "tune: {}", {"3:7: error: tune: must name learning_rate or momentum, or both"}},
    {LINE_REPLICATIONS,
     "skip_invalid: maybe",
     {"3:15: error: skip_invalid: must be true | false, found maybe"}},
    {LINE_PROBLEM, "", {"1:1: error: key 'problem' is missing (loss, data, partitions)"}},
    {LINE_PROBLEM,
     "problem: logistic",
     {"4:10: error: problem: expected a mapping of loss, l2, data, partitions,"}},
    {LINE_PROBLEM, "problem:", {"4:9: error: problem: has no value (expected loss, data, partitions)"}},
    {LINE_PROBLEM,
     "problem: {loss: logstic, data: {type: synthetic, samples: 120, features: 4}}",
     {"4:17: error: problem.loss: unknown loss 'logstic' (did you mean"}},
    {LINE_PROBLEM,
     "problem: {loss: hinge, data: {type: synthetic, samples: 120, features: 4}}",
     {"4:17: error: problem.loss: unknown loss 'hinge'; must be logistic |"}},
    {LINE_PROBLEM,
     "problem: {loss: logistic}",
     {"4:10: error: problem.data: is required with loss: logistic"}},
    {LINE_PROBLEM,
     "problem: {loss: none}",
     {"5:12: error: optimizer: has no meaning with problem.loss: none, which"}},
    {LINE_PROBLEM,
     "problem: {loss: none, data: {type: synthetic, samples: 120, features: 4}, batch: 4, l2: 1, shuffle: "
     "true}",
     {"4:29: error: problem.data: has no meaning with loss: none, which reads",
      "4:82: error: problem.batch: has no meaning with loss: none, which",
      "4:89: error: problem.l2: has no meaning with loss: none",
      "4:101: error: problem.shuffle: has no meaning with loss: none, which"}},
    {LINE_PROBLEM,
     "problem: {loss: logistic, partitions: 6, data: {type: synthetic, samples: 120, features: 4}}",
     {"4:39: error: problem.partitions: must be the number of workers, 12, for"}},
    {LINE_PROBLEM,
     "problem: {loss: logistic, data: {type: synthetic, samples: 11, features: 4}}",
     {"4:10: error: problem.partitions: 12 partitions (one for each worker)"}},
    {LINE_PROBLEM,
     "problem: {loss: logistic, batch: 11, data: {type: synthetic, samples: 120, features: 4}}",
     {"4:34: error: problem.batch: must be at most the 10 samples of a"}},
    {LINE_PROBLEM,
     "problem: {loss: logistic, batch: all, data: {type: synthetic, samples: 120, features: 4}}",
     {"4:34: error: problem.batch: must be a whole number in [1, 1000000000]"}},
    {LINE_PROBLEM,
     "problem: {loss: logistic, precision: f16, data: {type: synthetic, samples: 120, features: 4}}",
     {"4:38: error: problem.precision: must be f64 | f32, found f16"}},
    {LINE_PROBLEM,
     "problem: {loss: none, precision: f32}",
     {"4:34: error: problem.precision: has no meaning with loss: none"}},
    {LINE_PROBLEM,
     "problem: {loss: logistic, l2: -1, data: {type: synthetic, samples: 120, features: 4}}",
     {"4:31: error: problem.l2: must be a number of at least 0, found -1"}},
    {LINE_PROBLEM,
     "problem: {loss: logistic, l2: nan, data: {type: synthetic, samples: 120, features: 4}}",
     {"4:31: error: problem.l2: must be a number of at least 0, found nan"}},
    {LINE_PROBLEM,
     "problem: {loss: logistic, message_bytes: 8, data: {type: synthetic, samples: 120, features: 4}}",
     {"4:42: error: problem.message_bytes: goes with loss: none"}},
    {LINE_PROBLEM,
     "problem: {loss: logistic, result_bytes: 8, data: {type: synthetic, samples: 120, features: 4}}",
     {"4:41: error: problem.result_bytes: goes with loss: none; with a loss optimizer.compression says"}},
    {LINE_PROBLEM,
     "problem: {loss: logistic, data: {type: csv, path: missing.csv, label: y}}",
     {"4:51: error: problem.data.path: missing.csv cannot be read: No such"}},
    {LINE_OPTIMIZER, "", {"1:1: error: optimizer: is required with problem.loss: logistic"}},
    {LINE_OPTIMIZER,
     "optimizer: {type: sdg, learning_rate: 0.5}",
     {"5:19: error: optimizer.type: unknown optimizer 'sdg' (did you mean"}},
    {LINE_OPTIMIZER,
     "optimizer: {type: sgd}",
     {"5:12: error: optimizer: key 'learning_rate' is missing (a number above"}},
    {LINE_OPTIMIZER,
     "optimizer: {learning_rate: 0}",
     {"5:28: error: optimizer.learning_rate: must be a number above 0, found 0"}},
    {LINE_OPTIMIZER,
     "optimizer: {learning_rate: 1, clip_norm: -1}",
     {"5:42: error: optimizer.clip_norm: must be"}},
    {LINE_OPTIMIZER,
     "optimizer: {learning_rate: 1, compression: {type: topk, coordinates: 5}}",
     {"5:70: error: optimizer.compression.coordinates: coordinates = 5 must be at most the 4 values"}},
    {LINE_OPTIMIZER,
     "optimizer: {learning_rate: 1, compression: {type: topk, coordinates: 2, fraction: 0.5}}",
     {"5:70: error: optimizer.compression.coordinates: stands in place of fraction: give one of the two"}},
    {LINE_OPTIMIZER,
     "optimizer: {learning_rate: 1, compression: {type: randk}}",
     {"5:44: error: optimizer.compression: needs fraction or coordinates: how much of a message is sent"}},
    {LINE_STOP, "", {"1:1: error: key 'stop' is missing (when a run ends)"}},
    {LINE_STOP, "stop: {}", {"6:7: error: stop: at least one of steps and seconds is required, so"}},
    {LINE_STOP, "stop: {loss: 0.3}", {"6:7: error: stop: at least one of steps and seconds is required, so"}},
    {LINE_STOP, "stop: {steps: 0}", {"6:15: error: stop.steps: must be a whole number in [1, 1000000000],"}},
    {LINE_STOP, "stop: {steps: 10, loss: 0}", {"6:25: error: stop.loss: must be a number above 0, found 0"}},
    {LINE_STOP,
     "stop: {seconds: -1s}",
     {"6:17: error: stop.seconds: must be seconds in (0, 1e+15], found -1s"}},
    {LINE_STOP,
     "stop: {seconds: 2 weeks}",
     {"6:17: error: stop.seconds: must be seconds in (0, 1e+15], found 2 weeks"}},
    {LINE_STOP,
     "stop: {steps: 1e10}",
     {"6:15: error: stop.steps: must be a whole number in [1, 1000000000],"}},
    {LINE_CLUSTER, "", {"1:1: error: key 'cluster' is missing (workers and master)"}},
    {LINE_CLUSTER, "cluster: {}", {"7:10: error: cluster: key 'workers' is missing (a list, each entry a"}},
    {LINE_CLUSTER,
     "cluster: {workers: []}",
     {"7:20: error: cluster.workers: expected a list, each entry a mapping of"}},
    {LINE_CLUSTER,
     "cluster: {workers: 12}",
     {"7:20: error: cluster.workers: expected a list, each entry a mapping of"}},
    {LINE_CLUSTER,
     "cluster: {workers: [{count: 0}]}",
     {"7:29: error: cluster.workers[0].count: must be a whole number in [1,"}},
    {LINE_CLUSTER,
     "cluster: {workers: [{count: 600000}, {count: 600000}]}",
     {"7:20: error: cluster.workers: all groups together may have 1000000"}},
    {LINE_CLUSTER,
     "cluster: {order: interleave, workers: [{count: 12, compute: {type: constant, value: 1s}}]}",
     {"7:18: error: cluster.order: "}},
    {LINE_CLUSTER,
     "cluster: {topology: star, workers: [{count: 12, compute: {type: constant, value: 1s}}]}",
     {"7:21: error: cluster.topology: must be parameter-server | ring, found star"}},
    {LINE_CLUSTER,
     "cluster: {overlap: yes, workers: [{count: 12, compute: {type: constant, value: 1s}}]}",
     {"7:20: error: cluster.overlap: must be true | false, found yes"}},
    {LINE_CLUSTER,
     "cluster: {network: {up: {latency: -1ms}}, workers: [{count: 12, compute: {type: constant, value: "
     "1s}}]}",
     {"7:35: error: cluster.network.up.latency: "}},
    {LINE_CLUSTER,
     "cluster: {rack_shock: {probability: 2, type: constant, value: 1s}, workers: [{count: 12, compute: "
     "{type: constant, value: 1s}}]}",
     {"7:37: error: cluster.rack_shock.probability: must be a number in [0, 1], found 2"}},
    {LINE_CLUSTER,
     "cluster: {master: {link: {bandwidth: 0}}, workers: [{count: 12, compute: {type: constant, value: "
     "1s}}]}",
     {"7:38: error: cluster.master.link.bandwidth: "}},
    {LINE_CLUSTER,
     "cluster: {master: {decode: -1s}, workers: [{count: 12, compute: {type: constant, value: 1s}}]}",
     {"7:28: error: cluster.master.decode: must be seconds in [0, 1e+15],"}},
    {LINE_CLUSTER,
     "cluster: {load: aditive, workers: [{count: 12, compute: {type: constant, value: 1s}}]}",
     {"7:17: error: cluster.load: must be additive | multiplicative |"}},
    {LINE_CLUSTER,
     "cluster: {late: drop, workers: [{count: 12, compute: {type: constant, value: 1s}}]}",
     {"7:17: error: cluster.late: must be queue | latest | cancel, found drop"}},
    {LINE_CLUSTER,
     "cluster: {workers: [{count: 12, joins: 5s, leaves: 5s}]}",
     {"7:52: error: cluster.workers[0].leaves: must be after joins = 5 s"}},
    {LINE_CLUSTER,
     "cluster: {workers: [{count: 12, delay: {type: paretto, minimum: 1, shape: 2}}]}",
     {"7:47: error: cluster.workers[0].delay.type: unknown law 'paretto' (did"}},
    {LINE_CLUSTER,
     "cluster: {workers: [{count: 12, delay: {type: trace, path: none.csv}}]}",
     {"7:60: error: cluster.workers[0].delay.path: none.csv cannot be read: No"}},
    {LINE_CLUSTER,
     "cluster: {load: independent, workers: [{count: 12, delay: {type: trace, path: none.csv}}]}",
     {"7:66: error: cluster.workers[0].delay.type: a trace has one time per"}},
    {LINE_CLUSTER,
     "cluster: {workers: [{count: 11}]}",
     {"8:54: error: schemes[1].stragglers: stragglers + 1 = 3 must divide"}},
    {LINE_SCHEMES, "", {"1:1: error: key 'schemes' is missing (what is compared)"}},
    {LINE_SCHEMES,
     "schemes: [{type: gc-deadline, stragglers: 2, mu: 0.5, wait: {type: all}}]",
     {"8:61: error: schemes[0].wait: is not taken by gc-deadline, whose parameters make its rule: here "
      "{type: "
      "deadline, factor: 1.5, else: all}; leave it out"}},
    {LINE_SCHEMES,
     "schemes: [{type: sr-sgc, B: 2, W: 4, lambda: 2}]",
     {"8:29: error: schemes[0].B: B = 2 must divide W - 1 = 3"}},
    {LINE_SCHEMES,
     "schemes: [{type: m-sgc, B: 1, W: 2, lambda: 13}]",
     {"8:45: error: schemes[0].lambda: lambda = 13 must be at most workers = 12"}},
    {LINE_SCHEMES,
     "schemes: [{type: anytime}]",
     {"8:18: error: schemes[0].type: anytime needs seconds, or a wait rule"}},
    {LINE_SCHEMES,
     "schemes: [{type: gc-deadline, stragglers: 0, tolerance: strict}]",
     {"8:43: error: schemes[0].stragglers: stragglers = 0 can never keep a deadline under tolerance: "
      "strict"}},
    {LINE_SCHEMES,
     "schemes: [{type: isgc-hr, stragglers: 2, copies: 2, groups: 2, copies_local: 3}]",
     {"8:78: error: schemes[0].copies_local: copies_local = 3 must be at most copies = 2"}},
    {LINE_SCHEMES,
     "schemes: [{type: gc-deadline, stragglers: 2, late: queue}]",
     {"8:52: error: schemes[0].late: gc-deadline does not accept queue: its default is cancel"}},
    {LINE_SCHEMES, "schemes: []", {"8:10: error: schemes: expected a list of schemes such as [{type:"}},
    {LINE_SCHEMES,
     "schemes: {type: uncoded}",
     {"8:10: error: schemes: expected a list of schemes such as [{type:"}},
    {LINE_SCHEMES,
     "schemes: [uncoded]",
     {"8:11: error: schemes[0]: expected a mapping such as {type: uncoded},"}},
    {LINE_SCHEMES,
     "schemes: [{type: gc-ft, stragglers: 1}]",
     {"8:18: error: schemes[0].type: unknown scheme 'gc-ft' (did you mean"}},
    {LINE_SCHEMES,
     "schemes: [{type: gc-fr}]",
     {"8:11: error: schemes[0]: key 'stragglers' is missing (a whole number in"}},
    {LINE_SCHEMES,
     "schemes: [{type: gc-fr, stragglers: 4}]",
     {"8:37: error: schemes[0].stragglers: stragglers + 1 = 5 must divide"}},
    {LINE_SCHEMES,
     "schemes: [{type: gc-cr, stragglers: 12}]",
     {"8:37: error: schemes[0].stragglers: stragglers = 12 must be below"}},
    {LINE_SCHEMES,
     "schemes: [{type: gc-cr, stragler: 1}]",
     {"8:11: error: schemes[0]: key 'stragglers' is missing (a whole number in",
      "8:25: error: schemes[0]: unknown key 'stragler' (did you mean"}},
    {LINE_SCHEMES,
     "schemes: [{type: gc-cr, stragglers: 2, wait: {type: count, results: 9}}]",
     {"8:46: error: schemes[0].wait: count may close with 9 of 12 results, but"}},
    {LINE_SCHEMES,
     "schemes: [{type: gc-cr, stragglers: 2, wait: {type: count, results: 13}}]",
     {"8:46: error: schemes[0].wait: results = 13 must be in [1, 12], the"}},
    {LINE_SCHEMES,
     "schemes: [{type: ignore, stragglers: 2, wait: {type: decodable}}]",
     {"8:47: error: schemes[0].wait: decodable would never close a step: no"}},
    {LINE_SCHEMES,
     "schemes: [{type: gc-cr, stragglers: 2, wait: count}]",
     {"8:46: error: schemes[0].wait: expected a mapping such as {type: count},"}},
    {LINE_SCHEMES,
     "schemes: [{type: uncoded}, {type: uncoded}]",
     {"8:28: error: schemes[1].label: schemes[0] is called 'uncoded' too; give"}},
    {LINE_SCHEMES,
     "schemes: [{type: uncoded, label: x}, {type: ignore, stragglers: 1, label: x}]",
     {"8:75: error: schemes[1].label: schemes[0] is called 'x' too; give each"}},
    {LINE_SCHEMES,
     "schemes: [{type: uncoded, label: \"a\\tb\"}]",
     {"8:34: error: schemes[0].label: must be a line of text, found the quoted"}},
    {LINE_SCHEMES,
     "schemes: [{type: uncoded, label: ''}]",
     {"8:34: error: schemes[0].label: must be a line of text, found the quoted"}},
    {LINE_SCHEMES,
     "schemes: [{type: uncoded, late: drop}]",
     {"8:33: error: schemes[0].late: must be queue | latest | cancel, found"}},
    {LINE_SCHEMES,
     "schemes: [{type: uncoded, decode: fast}]",
     {"8:35: error: schemes[0].decode: must be shared | real, found fast"}},
    {LINE_SCHEMES,
     "schemes: [{type: uncoded, staleness: {type: old}}]",
     {"8:45: error: schemes[0].staleness.type: unknown staleness rule 'old'"}},
    {LINE_SCHEMES,
     "schemes: [{type: pgc-cr, stragglers: 2, staleness: {type: delay-compensated, lambda: 1}}]",
     {"8:52: error: schemes[0].staleness: delay-compensated needs the model that a gradient was"}},
    {LINE_SCHEMES,
     "schemes: [{type: adaptive-k, k: 13}]",
     {"8:33: error: schemes[0].k: k = 13 must be at most workers = 12"}},
    {LINE_SCHEMES, "schemes: [{type: adaptive-k, wait: {type: all}}]", {"8:36: error: schemes[0].wait: "}},
    {LINE_SCHEMES,
     "schemes: [{type: isgc-fr, stragglers: 1, copies: 5}]",
     {"8:50: error: schemes[0].copies: copies = 5 must divide workers = 12"}},
    {LINE_RECORD,
     "record: {every: 0}",
     {"9:17: error: record.every: must be a whole number in [1, 1000000000] or"}},
    {LINE_RECORD, "record: {audit: maybe}", {"9:17: error: record.audit: must be true | false, found maybe"}},
    {LINE_RECORD,
     "record: {events: maybe}",
     {"9:18: error: record.events: must be true | false, found maybe"}},
    {LINE_RECORD,
     "record: {every: sometimes}",
     {"9:17: error: record.every: must be a whole number in [1, 1000000000] or"}},
    {LINE_SCHEMES,
     "schemes:\n  - {type: gc-fr, stragglers: 4}\n  - {type: gc-ft}\n  - {type: uncoded, late: drop}",
     {"9:31: error: schemes[0].stragglers: stragglers + 1 = 5 must divide",
      "10:12: error: schemes[1].type: unknown scheme 'gc-ft' (did you mean",
      "11:27: error: schemes[2].late: must be queue | latest | cancel, found"}},
    {LINE_CLUSTER,
     "cluster: {load: independent, workers: [{count: 1200, compute: {type: constant, value: "
     "1s}}]}\nskip_invalid: false",
     {"4:10: error: problem.partitions: 1200 partitions (one for each worker)"}},
};

static size_t count_lines(const char *text) {
    size_t count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

static void check_mistake(const struct mistake *mistake) {
    struct sample sample;
    sample_read(&sample, mistake->line, mistake->text);
    char *messages = sample_messages(&sample);
    size_t expected = 0;
    for (; expected < MESSAGES_MAX && mistake->message[expected]; expected++) {
        char *wanted;
        cr_assert(asprintf(&wanted, "s.yaml:%s", mistake->message[expected]) > 0);
        cr_expect(strstr(messages, wanted) != NULL, "'%s' must be refused with\n  %s\nbut gave\n  %s",
                  mistake->text, wanted, messages);
        free(wanted);
    }
    cr_expect(count_lines(messages) == expected, "'%s' gave more than was wrong:\n  %s", mistake->text,
              messages);
    cr_expect(sample.scenario == NULL, "'%s' was accepted", mistake->text);
    free(messages);
    sample_fini(&sample);
}

Test(bad_scenario, every_mistake_is_told_at_its_place) {
    for (size_t q = 0; q < sizeof mistakes / sizeof *mistakes; q++)
        check_mistake(&mistakes[q]);
}

/* Each section is read whatever became of the others. */
Test(bad_scenario, all_mistakes_of_a_file_are_told_at_once) {
    static const char *const wanted[] = {"s.yaml:1:7: error: seed",
                                         "s.yaml:2:17: error: problem.loss",
                                         "s.yaml:3:28: error: optimizer.learning_rate",
                                         "s.yaml:4:7: error: stop",
                                         "s.yaml:5:18: error: cluster.order",
                                         "s.yaml:6:18: error: schemes[0].type",
                                         "s.yaml:7:17: error: record.every"};
    struct sample sample;
    sample_read_text(&sample, "seed: -1\n"
                              "problem: {loss: logstic}\n"
                              "optimizer: {learning_rate: 0}\n"
                              "stop: {}\n"
                              "cluster: {order: shuffle, workers: [{count: 2}]}\n"
                              "schemes: [{type: gc-ft}]\n"
                              "record: {every: 0}\n");
    char *messages = sample_messages(&sample);
    for (size_t q = 0; q < sizeof wanted / sizeof *wanted; q++)
        cr_expect(strstr(messages, wanted[q]) != NULL, "missing: %s\nin\n%s", wanted[q], messages);
    cr_expect(eq(sz, count_lines(messages), sizeof wanted / sizeof *wanted));
    free(messages);
    sample_fini(&sample);
}

Test(bad_scenario, long_tasks_of_independent_draws_are_refused) {
    struct sample sample;
    sample_read_text(&sample, "problem: {loss: none}\nstop: {steps: 1}\n"
                              "cluster: {load: independent, workers: [{count: 1200}]}\n"
                              "schemes: [{type: isgc-cr, copies: 1000, stragglers: 1, label: a},"
                              " {type: isgc-cr, copies: 1001, stragglers: 1, label: b}]\n");
    char *messages = sample_messages(&sample);
    cr_expect(strstr(messages, "schemes[1].type: a task of 1001 partitions") != NULL, "%s", messages);
    cr_expect(eq(sz, count_lines(messages), 1));
    free(messages);
    sample_fini(&sample);
}

static void expect_refused(const char *text, const char *wanted) {
    struct sample sample;
    sample_read_text(&sample, text);
    char *messages = sample_messages(&sample);
    cr_expect(strstr(messages, wanted) != NULL, "wanted '%s', got\n%s", wanted, messages);
    cr_expect(sample.scenario == NULL);
    free(messages);
    sample_fini(&sample);
}

/* What only learning gives a meaning is refused where there is none. */
Test(bad_scenario, learning_without_a_loss_is_refused) {
    expect_refused("problem: {loss: none}\nstop: {steps: 1, loss: 0.3}\ncluster: {workers: [{count: 2}]}\n"
                   "schemes: [{type: uncoded}]\n",
                   "s.yaml:2:24: error: stop.loss: has no meaning with problem.loss: none");
    expect_refused("problem: {loss: none}\noptimizer: {learning_rate: 1}\nstop: {steps: 1}\n"
                   "cluster: {workers: [{count: 2}]}\nschemes: [{type: uncoded}]\n",
                   "s.yaml:2:12: error: optimizer: has no meaning with problem.loss: none");
    expect_refused("problem: {loss: none}\nrecord: {audit: true}\nstop: {steps: 1}\n"
                   "cluster: {workers: [{count: 2}]}\nschemes: [{type: uncoded}]\n",
                   "s.yaml:2:17: error: record.audit: has no meaning with problem.loss: none");
}

/* The default of `name` is the file's, which may be anything. */
Test(bad_scenario, a_name_from_the_file_is_checked_too) {
    struct sample sample = {diag_new(), arena_new(), shelf_new(), NULL};
    struct place place = {"dir/a\nb.yaml", 1, 1};
    struct node *tree = node_mapping(sample.arena, place);
    sample.scenario = scenario_read(sample.diag, sample.arena, sample.shelf, tree);
    char *messages = sample_messages(&sample);
    cr_expect(strstr(messages, "name: must not hold a control character") != NULL, "%s", messages);
    free(messages);
    sample_fini(&sample);
}

/* Rounds that bring the last updates to an end are counted from the last one. */
Test(bad_scenario, codes_of_several_updates_need_stop_steps) {
    struct sample sample;
    sample_read_text(&sample,
                     "problem: {loss: none}\n"
                     "stop: {seconds: 1h}\n"
                     "cluster: {workers: [{count: 4, compute: {type: constant, value: 1s}}]}\n"
                     "schemes: [{type: gc-deadline, stragglers: 1},\n"
                     "  {type: sr-sgc, B: 1, W: 2, lambda: 2}, {type: m-sgc, B: 1, W: 2, lambda: 2}]\n");
    char *messages = sample_messages(&sample);
    static const char *const wanted[] = {
        "s.yaml:5:10: error: schemes[1].type: sr-sgc works on several updates at a time and must know the "
        "last one: "
        "it needs stop.steps\n",
        "s.yaml:5:49: error: schemes[2].type: m-sgc works on several updates"};
    for (size_t q = 0; q < sizeof wanted / sizeof *wanted; q++)
        cr_expect(strstr(messages, wanted[q]) != NULL, "missing: %s\nin\n%s", wanted[q], messages);
    cr_expect(eq(sz, count_lines(messages), 2), "%s", messages);
    free(messages);
    sample_fini(&sample);
}

/* Every job is an update; a ring has no master to make whole messages of what it is sent. */
Test(bad_scenario, what_goes_around_a_gradient_must_fit_the_scheme) {
    struct sample sample;
    sample_read_text(&sample, "problem: {loss: linear, data: {type: synthetic, samples: 120, features: 4}}\n"
                              "optimizer: {learning_rate: 1, accumulate: 2}\n"
                              "stop: {steps: 10}\n"
                              "cluster: {workers: [{count: 4, compute: {type: constant, value: 1s}}]}\n"
                              "schemes: [{type: uncoded}, {type: async},\n"
                              "  {type: sr-sgc, B: 1, W: 2, lambda: 2}]\n");
    char *messages = sample_messages(&sample);
    cr_expect(
        eq(str, messages,
           (char *)"s.yaml:6:10: error: schemes[2].type: every job of sr-sgc makes an update: it does not go "
                   "with optimizer.accumulate\n"));
    free(messages);
    sample_fini(&sample);
    sample_read_text(
        &sample, "problem: {loss: linear, data: {type: synthetic, samples: 120, features: 4}}\n"
                 "optimizer: {learning_rate: 1, compression: {type: qsgd, levels: 4}}\n"
                 "stop: {steps: 10}\n"
                 "cluster: {topology: ring, workers: [{count: 4, compute: {type: constant, value: 1s}}]}\n"
                 "schemes: [{type: uncoded}]\n");
    messages = sample_messages(&sample);
    cr_expect(
        eq(str, messages,
           (char *)"s.yaml:2:51: error: optimizer.compression.type: qsgd needs a master; cluster.topology: "
                   "ring adds up whole messages on their way\n"));
    free(messages);
    sample_fini(&sample);
}
