/* LIBSVM: as classes and as real labels, with an intercept, with fewer features than a file may have. */
#include "dataset.h"
#include "given.h"
#include <math.h>

/* Rows follow each other, columns ascend, everything is finite. */
static void look(const struct dataset *data) {
    for (uint32_t r = 0; r < data->samples; r++) {
        if (!isfinite(data->label[r]) || data->start[r + 1] < data->start[r])
            fault("a row that is none", data->file);
        for (uint64_t e = data->start[r]; e < data->start[r + 1]; e++)
            if (data->column[e] >= data->features || !isfinite(data->value[e]) ||
                (e > data->start[r] && data->column[e] <= data->column[e - 1]))
                fault("an entry that is none", data->file);
    }
}

static void read_as(const char *const *pairs, enum label_kind labels) {
    struct arena *arena = arena_new();
    struct diag *diag = diag_new();
    struct node *mapping = given_mapping(arena, pairs);
    struct binder binder = {.diag = diag, .arena = arena};
    struct picked source;
    if (!param_bind(&binder, mapping, &source_table, &source))
        fault("these parameters are fine", "libsvm");
    struct data_request request = {
        .diag = diag, .node = mapping, .labels = labels, .shuffle = labels == LABEL_REAL, .partitions = 1};
    struct dataset *data = dataset_read(&source, &request);
    expect_places(diag, data == NULL);
    if (data)
        look(data);
    dataset_free(data);
    diag_free(diag);
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    const char *file = given_file(bytes, length);
    const char *const plain[] = {"type", "libsvm", "path", file, NULL};
    const char *const few[] = {"type", "libsvm", "path", file, "features", "3", "intercept", "true", NULL};
    read_as(plain, LABEL_CLASSES);
    read_as(few, LABEL_REAL);
    return 0;
}
