/* The problem: loss, data, partitions. */
#include "section.h"
#include <math.h>
#include <string.h>

#define LOSSES_MAX 32

struct problem_values {
    const char *loss;
    double l2;
    const struct picked *data;
    uint32_t partitions, batch, precision;
    bool shuffle;
    double message_bytes, result_bytes;
};

static const struct param_word batch_words[] = {{"full", 0}, {NULL, 0}};
static const char *const precisions[] = {"f64", "f32", NULL}; /* as enum precision */

#define AT(member) offsetof(struct problem_values, member)
static const struct param problem_params[] = {
    {"loss", PARAM_TEXT, AT(loss), .help = "loss of one sample, or none: only time is simulated"},
    {"l2", PARAM_NUMBER, AT(l2), "0", .help = "lambda of (lambda/2) |w|^2, which spares the intercept"},
    {"data", PARAM_STRUCT, AT(data), "", .help = "where samples come from", .table = &source_table},
    {"partitions", PARAM_COUNT, AT(partitions), "", .minimum = 1, .maximum = 1000000,
     .help = "parts of the data; the number of workers, but where a scheme's file says otherwise"},
    {"batch", PARAM_COUNT, AT(batch), "full", .minimum = 1, .maximum = 1e9, .unit = "samples",
     .help = "samples per partition and gradient", .words = batch_words},
    {"precision", PARAM_CHOICE, AT(precision), "f64",
     .help = "numbers of dense data and of the sums over 32 rows; f32 is good to some 1e-6 of a gradient",
     .choices = precisions},
    {"shuffle", PARAM_FLAG, AT(shuffle), "false",
     .help = "rows in a seeded order before they are partitioned"},
    {"message_bytes", PARAM_NUMBER, AT(message_bytes), "", .minimum = 0, .maximum = 1e15, .unit = "bytes",
     .help = "size of a model and of a result, for loss: none; else 8 bytes a feature"},
    {"result_bytes", PARAM_NUMBER, AT(result_bytes), "", .minimum = 0, .maximum = 1e15, .unit = "bytes",
     .help = "size of a result, for loss: none, where it is not that of a model: compressed, say"},
};
static const struct param_table problem_table = {PARAM_TABLE(struct problem_values, problem_params)};

static bool unknown_loss(struct reading *reading, const struct node *mapping, const char *loss) {
    const char *names[LOSSES_MAX + 2] = {NULL};
    struct sentence choices = {""};
    for (size_t l = 0; loss_family.variants[l] && l < LOSSES_MAX; l++) {
        names[l] = loss_family.variants[l]->name;
        names[l + 1] = "none";
        size_t length = strlen(choices.text);
        snprintf(choices.text + length, sizeof choices.text - length, "%s | ", names[l]);
    }
    const char *near = nearest_name(loss, names);
    if (near)
        return key_error(reading, mapping, "loss", "unknown loss '%s' (did you mean '%s'?)", loss, near);
    return key_error(reading, mapping, "loss", "unknown loss '%s'; must be %snone", loss, choices.text);
}

/* Keys that only learning gives a meaning. Judged by value: a scenario with every default written out
 * runs. */
static bool refuse_learning(struct reading *reading, const struct node *mapping,
                            const struct problem_values *values) {
    bool fine = true;
    if (values->data)
        fine = key_error(reading, mapping, "data", "has no meaning with loss: none, which reads no data");
    if (values->batch)
        fine = key_error(reading, mapping, "batch",
                         "has no meaning with loss: none, which computes no gradient");
    if (values->l2 > 0)
        fine = key_error(reading, mapping, "l2", "has no meaning with loss: none");
    if (values->precision != PRECISION_DOUBLE)
        fine =
            key_error(reading, mapping, "precision", "has no meaning with loss: none, which reads no data");
    if (values->shuffle)
        fine = key_error(reading, mapping, "shuffle", "has no meaning with loss: none, which reads no data");
    return fine;
}

bool problem_read(struct reading *reading, struct node *mapping, struct problem_spec *problem) {
    struct problem_values values = {0};
    if (!param_bind(&reading->binder, mapping, &problem_table, &values))
        return false;
    *problem = (struct problem_spec){.l2 = values.l2,
                                     .data = values.data,
                                     .partitions = values.partitions,
                                     .batch = values.batch,
                                     .shuffle = values.shuffle,
                                     .precision = values.precision,
                                     .message_bytes = values.message_bytes,
                                     .result_bytes = values.result_bytes};
    if (strcmp(values.loss, "none") == 0)
        return refuse_learning(reading, mapping, &values);
    problem->loss.type = family_find(&loss_family, values.loss);
    if (!problem->loss.type)
        return unknown_loss(reading, mapping, values.loss);
    if (!isnan(values.message_bytes))
        return key_error(reading, mapping, "message_bytes",
                         "goes with loss: none; with a loss it is 8 bytes a feature");
    if (!isnan(values.result_bytes))
        return key_error(reading, mapping, "result_bytes",
                         "goes with loss: none; with a loss optimizer.compression says what is sent");
    if (!values.data)
        return key_error(reading, mapping, "data", "is required with loss: %s", values.loss);
    return true;
}

/* Every scheme takes its partitions from a file that has this many. */
static bool schemes_have(const struct scenario *scenario, uint32_t partitions) {
    for (uint32_t e = 0; e < scenario->schemes; e++)
        if (scenario->scheme[e].partitions != partitions)
            return false;
    return scenario->schemes > 0;
}

bool problem_partition(struct reading *reading, struct node *mapping, struct scenario *scenario) {
    struct problem_spec *problem = &scenario->problem;
    uint32_t workers = scenario->cluster.workers;
    if (problem->partitions == PARAM_ABSENT) {
        problem->partitions = workers;
        write_derived(reading, mapping, "partitions", arena_format(reading->binder.arena, "%u", workers));
        return true;
    }
    if (problem->partitions == workers || schemes_have(scenario, problem->partitions))
        return true;
    return key_error(reading, mapping, "partitions",
                     "must be the number of workers, %u, for the schemes there are, found %u", workers,
                     problem->partitions);
}
