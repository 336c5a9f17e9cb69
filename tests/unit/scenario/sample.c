#include "sample.h"
#include "yaml_tree.h"
#include <stdlib.h>

static const char *const lines[LINES + 1] = {
    [LINE_NAME] = "name: base",
    [LINE_SEED] = "seed: 1",
    [LINE_REPLICATIONS] = "replications: 2",
    [LINE_PROBLEM] = "problem: {loss: logistic, data: {type: synthetic, samples: 120, features: 4}}",
    [LINE_OPTIMIZER] = "optimizer: {type: sgd, learning_rate: 0.5}",
    [LINE_STOP] = "stop: {steps: 10}",
    [LINE_CLUSTER] = "cluster: {workers: [{count: 12, compute: {type: constant, value: 500ms}, "
                     "delay: {type: exponential, mean: 1s}}]}",
    [LINE_SCHEMES] = "schemes: [{type: uncoded}, {type: gc-fr, stragglers: 2}]",
    [LINE_RECORD] = "record: {every: 1}",
};

void sample_read_text(struct sample *sample, const char *text) {
    *sample = (struct sample){.diag = diag_new(), .arena = arena_new(), .shelf = shelf_new()};
    struct node *tree = yaml_read_text(sample->diag, sample->arena, "s.yaml", text);
    if (tree)
        sample->scenario = scenario_read(sample->diag, sample->arena, sample->shelf, tree);
}

void sample_read(struct sample *sample, int line, const char *text) {
    struct arena *arena = arena_new();
    const char *whole = "";
    for (int q = 1; q <= LINES; q++)
        whole = arena_format(arena, "%s%s\n", whole, q == line ? text : lines[q]);
    sample_read_text(sample, whole);
    arena_free(arena);
}

void sample_fini(struct sample *sample) {
    diag_free(sample->diag);
    shelf_free(sample->shelf);
    arena_free(sample->arena);
}

char *sample_messages(const struct sample *sample) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    diag_print(sample->diag, stream);
    fclose(stream);
    return text;
}
