#include "csv_column.h"
#include "ecdf.h"
#include "law.h"
#include "measurement.h"
#include <stdlib.h>

struct empirical {
    const char *path, *column;
    double scale_s;
    const struct ecdf *values; /* unscaled, on the shelf */
};

static struct moments moments(const void *params) {
    const struct empirical *empirical = params;
    return (struct moments){.mean_s = empirical->values->mean * empirical->scale_s,
                            .deviation_s = empirical->values->deviation * empirical->scale_s};
}

static double quantile(const void *params, double p) {
    const struct empirical *empirical = params;
    return ecdf_quantile(empirical->values, p) * empirical->scale_s;
}

static double cdf(const void *params, double seconds) {
    const struct empirical *empirical = params;
    return ecdf_share(empirical->values, empirical->scale_s, seconds);
}

static double jump(const void *params, double after_s) {
    const struct empirical *empirical = params;
    return ecdf_next(empirical->values, empirical->scale_s, after_s);
}

static struct ecdf *column_values(const struct csv *csv, const struct law_files *files) {
    const struct node *name = node_child(files->node, "column");
    size_t column = csv_column_asked(files->diag, csv, name, name->text);
    if (column == csv->columns)
        return NULL;
    double *value = memory_zeroed(csv->rows, sizeof *value);
    size_t mistakes = 0;
    for (size_t r = 0; r < csv->rows && mistakes < CSV_MISTAKES; r++) {
        value[r] = csv->number[r * csv->columns + column];
        mistakes += !measurement_valid(files->diag, csv, r, column);
    }
    struct ecdf *values = mistakes == 0 ? ecdf_new(value, csv->rows) : NULL;
    free(value);
    return values;
}

static const struct ecdf *values_read(const struct empirical *empirical, const struct law_files *files) {
    char *key = memory_format("empirical\n%s\n%s", empirical->path, empirical->column);
    struct ecdf *values = shelf_find(files->shelf, key);
    if (!values) {
        const char *numbers[] = {empirical->column, NULL};
        struct csv *csv =
            csv_read(files->diag, empirical->path, &(struct csv_request){.numbers = numbers, .header = true});
        values = csv ? column_values(csv, files) : NULL;
        csv_release(csv);
        if (values)
            shelf_put(files->shelf, key, values, ecdf_free);
    }
    free(key);
    return values;
}

static bool load(void *params, const struct law_files *files) {
    struct empirical *empirical = params;
    empirical->values = values_read(empirical, files);
    if (!empirical->values)
        return false;
    double largest = empirical->values->value[empirical->values->count - 1];
    return measurement_finite(files->diag, node_child(files->node, "scale"), largest, empirical->scale_s);
}

static const struct param list[] = {
    {.name = "path",
     .kind = PARAM_PATH,
     .offset = offsetof(struct empirical, path),
     .help = "CSV file with a header line, plain or .gz"},
    {.name = "column",
     .kind = PARAM_TEXT,
     .offset = offsetof(struct empirical, column),
     .fallback = "seconds",
     .help = "name of the column of times"},
    {.name = "scale",
     .kind = PARAM_SECONDS,
     .offset = offsetof(struct empirical, scale_s),
     .fallback = "1",
     .above_minimum = true,
     .unit = "s",
     .help = "how long a value of 1 is, such as 1ms"},
};
static const struct param_table table = {PARAM_TABLE(struct empirical, list)};

const struct law law_empirical = {
    .head = {.name = "empirical",
             .summary = "one of the measured times of a file, each as likely (a step function)",
             .source = "empirical distribution function: van der Vaart, Asymptotic Statistics, chapter 19",
             .params = &table},
    .moments = moments,
    .quantile = quantile,
    .cdf = cdf,
    .jump = jump,
    .load = load,
};
