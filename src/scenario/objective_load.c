/* Data for the problem: read once, shared over the points of a sweep. */
#include "section.h"
#include "yaml_tree.h"
#include <stdlib.h>
#include <string.h>

/* Everything the data set depends on. */
static const char *shelf_key(struct reading *reading, const struct node *data,
                             const struct data_request *request) {
    char *text = yaml_text(data, ".");
    const char *key =
        arena_format(reading->binder.arena, "data\n%s\nseed %llu, labels %d, shuffle %d, precision %d", text,
                     (unsigned long long)request->seed, (int)request->labels, (int)request->shuffle,
                     (int)request->precision);
    free(text);
    return key;
}

static const struct dataset *data_find(struct reading *reading, const struct picked *source,
                                       const struct data_request *request) {
    const char *key = shelf_key(reading, request->node, request);
    struct dataset *data = shelf_find(reading->shelf, key);
    if (!data) {
        size_t errors = file_errors(reading, request->node);
        data = dataset_read(source, request);
        if (data)
            shelf_put(reading->shelf, key, data, dataset_free);
        else
            file_blame(reading, request->node, errors);
    }
    return data;
}

/* Partitions that every scheme has but those with a file of their own. */
static bool common_partitions_fit(struct reading *reading, const struct node *mapping,
                                  const struct objective *objective) {
    if (objective->partitions <= objective->data->samples)
        return true;
    return key_error(reading, mapping, "partitions",
                     "%u partitions (one for each worker) need as many samples; the data has %u",
                     objective->partitions, objective->data->samples);
}

static bool batch_fits(struct reading *reading, const struct node *mapping, const struct objective *objective,
                       uint32_t partitions) {
    uint32_t samples = objective->data->samples;
    uint32_t rows = samples / partitions + (samples % partitions > 0);
    if (objective->batch > rows)
        return key_error(
            reading, mapping, "batch",
            "must be at most the %u sample%s of a partition (%u sample%s in %u partition%s), found %u", rows,
            plural(rows), samples, plural(samples), partitions, plural(partitions), objective->batch);
    return true;
}

/* Partitions of a scheme's own. */
static bool own_partitions_fit(struct reading *reading, const struct node *mapping, const struct node *scheme,
                               const struct objective *objective, uint32_t partitions) {
    if (partitions <= objective->data->samples)
        return batch_fits(reading, mapping, objective, partitions);
    return key_error(reading, scheme, "type", "%u partitions need as many samples; the data has %u",
                     partitions, objective->data->samples);
}

static bool objective_fits(struct reading *reading, const struct node *mapping,
                           const struct scenario *scenario, const struct objective *objective) {
    const struct node *scheme = scenario->schemes > 0 ? node_child(reading->tree, "schemes")->first : NULL;
    bool fine = common_partitions_fit(reading, mapping, objective) &&
                batch_fits(reading, mapping, objective, objective->partitions);
    for (uint32_t e = 0; e < scenario->schemes; e++, scheme = scheme->next) {
        uint32_t own = scenario->scheme[e].partitions;
        if (own > 0 && own != objective->partitions)
            fine &= own_partitions_fit(reading, mapping, scheme, objective, own);
    }
    return fine;
}

bool objective_load(struct reading *reading, struct node *mapping, const struct scenario *scenario,
                    struct objective *objective) {
    const struct problem_spec *problem = &scenario->problem;
    const struct loss *loss = (const struct loss *)problem->loss.type;
    struct data_request request = {.diag = reading->binder.diag,
                                   .node = node_child(mapping, "data"),
                                   .seed = scenario->seed,
                                   .labels = loss->labels,
                                   .shuffle = problem->shuffle,
                                   .images = shelf_keeps_images(reading->shelf),
                                   .precision = problem->precision,
                                   .partitions = problem->partitions};
    const struct dataset *data =
        files_check(reading, request.node) ? data_find(reading, problem->data, &request) : NULL;
    if (!data)
        return false;
    if (data->sparse && problem->precision == PRECISION_SINGLE)
        return key_error(reading, mapping, "precision", "f32 is for dense data; this is sparse");
    *objective = (struct objective){.data = data,
                                    .loss = loss,
                                    .l2 = problem->l2,
                                    .partitions = problem->partitions,
                                    .batch = problem->batch,
                                    .seed = scenario->seed};
    return objective_fits(reading, mapping, scenario, objective);
}
