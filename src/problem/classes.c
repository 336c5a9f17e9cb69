#include "source.h"
#include "utf8.h"
#include <stdlib.h>
#include <string.h>

/* More distinct values than these are not listed. */
enum { LISTED = 6 };

/* The distinct labels in order of appearance, at most LISTED + 1. */
static size_t distinct_labels(const struct dataset *dataset, double found[LISTED + 1]) {
    size_t count = 0;
    for (size_t r = 0; r < dataset->samples && count <= LISTED; r++) {
        size_t known = 0;
        while (known < count && found[known] != dataset->label[r])
            known++;
        if (known == count)
            found[count++] = dataset->label[r];
    }
    return count;
}

static int by_size(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* A label as the file has it; heap. */
static char *label_name(const struct dataset *dataset, double label) {
    if (dataset->label_word)
        return memory_format("%s", dataset->label_word[(size_t)label]);
    return memory_format("%.15g", label);
}

/* How much of a label is quoted in a list of them. */
#define QUOTED 24

static void tell_values(const struct dataset *dataset, const struct data_request *request,
                        const double *found, size_t count) {
    struct sentence list = {""};
    for (size_t v = 0; v < count && v < LISTED; v++) {
        struct sentence before = list;
        char *name = label_name(dataset, found[v]);
        sentence_set(&list, "%s%s%.*s", before.text, v ? ", " : "", utf8_start(name, strlen(name), QUOTED),
                     name);
        free(name);
    }
    node_error(request->diag, source_node(request, "label"),
               "two classes need labels of exactly two values, the data has %s%s%s",
               count == 1 ? "only " : "", list.text, count > LISTED ? " and more" : "");
}

bool dataset_set_classes(struct dataset *dataset, const struct data_request *request) {
    double found[LISTED + 1];
    size_t count = distinct_labels(dataset, found);
    qsort(found, count, sizeof *found, by_size);
    if (count != 2) {
        tell_values(dataset, request, found, count);
        return false;
    }
    for (size_t v = 0; v < 2; v++)
        dataset->class_name[v] = label_name(dataset, found[v]);
    for (size_t r = 0; r < dataset->samples; r++)
        dataset->label[r] = dataset->label[r] == found[1] ? 1 : -1;
    return true;
}
