#include "measurement.h"
#include "param.h"
#include <math.h>

bool measurement_valid(struct diag *diag, const struct csv *csv, size_t row, size_t column) {
    double value = csv->number[row * csv->columns + column];
    if (!(value < 0))
        return true;
    diag_error(diag, csv_place(csv, row, column), NULL, "a measured time must be at least 0, found %.15g",
               value);
    return false;
}

bool measurement_finite(struct diag *diag, const struct node *node, double largest, double scale_s) {
    if (largest * scale_s <= PARAM_SECONDS_MAX)
        return true;
    node_error(diag, node, "%.15g times %.15g s is too large for a time", largest, scale_s);
    return false;
}
