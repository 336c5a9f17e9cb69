#include "source.h"
#include <stdlib.h>

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

static void tell_values(const struct data_request *request, const double *found, size_t count) {
    char list[LISTED * 32] = "";
    int length = 0;
    for (size_t v = 0; v < count && v < LISTED; v++)
        length += snprintf(list + length, sizeof list - (size_t)length, "%s%.15g", v ? ", " : "", found[v]);
    node_error(request->diag, source_node(request, "label"),
               "two classes need labels of exactly two values, the data has %s%s%s",
               count == 1 ? "only " : "", list, count > LISTED ? " and more" : "");
}

bool dataset_set_classes(struct dataset *dataset, const struct data_request *request) {
    double found[LISTED + 1];
    size_t count = distinct_labels(dataset, found);
    qsort(found, count, sizeof *found, by_size);
    if (count != 2) {
        tell_values(request, found, count);
        return false;
    }
    dataset->class_value[0] = found[0];
    dataset->class_value[1] = found[1];
    for (size_t r = 0; r < dataset->samples; r++)
        dataset->label[r] = dataset->label[r] == found[1] ? 1 : -1;
    return true;
}
