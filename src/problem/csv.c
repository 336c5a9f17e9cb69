#include "csv_file.h"
#include "source.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct csv_wish {
    const char *path, *label;
    bool standardize, intercept;
    struct param_list columns;
};

/* Which columns of the table become what. */
struct layout {
    size_t label;
    size_t *feature; /* [features] */
    size_t features;
};

static const char *column_wished(const struct csv_wish *wish, size_t c) {
    return ((const char *const *)wish->columns.items)[c];
}

/* Only what is used must be numbers: NULL, all columns, unless the features are listed. */
static const char **numbers_new(const struct csv_wish *wish) {
    size_t columns = wish->columns.count;
    if (columns == 0)
        return NULL;
    const char **numbers = memory_zeroed(columns + 2, sizeof *numbers);
    for (size_t c = 0; c < columns; c++)
        numbers[c] = column_wished(wish, c);
    numbers[columns] = wish->label;
    return numbers;
}

static struct csv *read_table(const struct csv_wish *wish, struct diag *diag) {
    const char **numbers = numbers_new(wish);
    struct csv *csv = csv_read(diag, wish->path, &(struct csv_request){.numbers = numbers, .header = true});
    free(numbers);
    return csv;
}

/* The column of that name, or csv->columns after telling. */
static size_t column_found(const struct csv *csv, const char *name, struct diag *diag,
                           const struct node *node) {
    size_t column = csv_column(csv, name);
    if (column < csv->columns)
        return column;
    const char **names = memory_zeroed(csv->columns + 1, sizeof *names);
    memcpy(names, csv->name, csv->columns * sizeof *names);
    const char *near = nearest_name(name, names);
    node_error(diag, node, "%s has no column '%s'%s%s%s", csv->file, name, near ? " (did you mean '" : "",
               near ? near : "", near ? "'?)" : "");
    free(names);
    return column;
}

/* The node of the list's element c, where the user wrote it. */
static const struct node *element_node(const struct data_request *request, size_t c) {
    const struct node *element = node_child(request->node, "columns");
    for (element = element ? element->first : NULL; element && c > 0; element = element->next)
        c--;
    return element ? element : request->node;
}

static bool lay_listed(struct layout *layout, const struct csv *csv, const struct csv_wish *wish,
                       const struct data_request *request) {
    size_t before = diag_errors(request->diag);
    bool *used = memory_zeroed(csv->columns + 1, sizeof *used);
    used[layout->label] = true;
    for (size_t c = 0; c < wish->columns.count; c++) {
        const struct node *node = element_node(request, c);
        size_t column = column_found(csv, column_wished(wish, c), request->diag, node);
        if (column < csv->columns && used[column])
            node_error(request->diag, node,
                       column == layout->label ? "'%s' is the label, it cannot be a feature"
                                               : "'%s' is listed twice",
                       csv->name[column]);
        used[column] = true;
        layout->feature[layout->features++] = column;
    }
    free(used);
    return diag_errors(request->diag) == before;
}

static bool lay_others(struct layout *layout, const struct csv *csv, const struct data_request *request) {
    for (size_t c = 0; c < csv->columns; c++)
        if (c != layout->label)
            layout->feature[layout->features++] = c;
    if (layout->features == 0)
        node_error(request->diag, source_node(request, "path"), "%s has no column beside the label '%s'",
                   csv->file, csv->name[layout->label]);
    return layout->features > 0;
}

static bool layout_init(struct layout *layout, const struct csv *csv, const struct csv_wish *wish,
                        const struct data_request *request) {
    size_t room = csv->columns > wish->columns.count ? csv->columns : wish->columns.count;
    *layout =
        (struct layout){.label = csv->columns - 1, .feature = memory_zeroed(room, sizeof *layout->feature)};
    if (wish->label)
        layout->label = column_found(csv, wish->label, request->diag, source_node(request, "label"));
    if (wish->columns.count > 0)
        return lay_listed(layout, csv, wish, request) && layout->label < csv->columns;
    return layout->label < csv->columns && lay_others(layout, csv, request);
}

/* A label that was not named was not asked to be numbers. */
static bool label_numeric(const struct csv *csv, size_t label, struct diag *diag) {
    const char *word = csv->text[label];
    if (!word)
        return true;
    double number;
    size_t r = 0;
    for (; csv_number(word, strlen(word), &number); r++)
        word += strlen(word) + 1;
    diag_error(diag, (struct place){.file = csv->file, .line = csv->line[r]}, NULL,
               "field %zu (%s): the label, as the last column, must be a finite number, found '%.40s'",
               label + 1, csv->name[label], word);
    return false;
}

/* A header of numbers is most likely a first row that lost its header. */
static void check_header(const struct csv *csv, struct diag *diag) {
    double number;
    for (size_t c = 0; c < csv->columns; c++)
        if (!csv_number(csv->name[c], strlen(csv->name[c]), &number))
            return;
    struct place place = {.file = csv->file, .line = 1, .column = 1};
    diag_warning(diag, place, NULL, "the first line is taken for column names, but holds only numbers");
}

static struct dataset *filled_dataset(const struct csv *csv, const struct layout *layout, bool intercept) {
    struct dataset *dataset = dataset_dense_new((uint32_t)csv->rows, (uint32_t)layout->features, intercept);
    for (size_t r = 0; r < csv->rows; r++) {
        const double *from = csv->number + r * csv->columns;
        double *to = dataset->row + r * dataset->stride;
        for (size_t j = 0; j < layout->features; j++)
            to[j] = from[layout->feature[j]];
        dataset->label[r] = from[layout->label];
    }
    dataset_set_file(dataset, csv->file);
    return dataset;
}

/* Means, then population standard deviations, of the first `features` columns. */
struct moments {
    double *mean, *deviation;
    bool *constant;
};

static void moments_init(struct moments *moments, const struct dataset *dataset, size_t features) {
    size_t samples = dataset->samples;
    double *mean = moments->mean = memory_zeroed(features, sizeof *mean);
    double *deviation = moments->deviation = memory_zeroed(features, sizeof *deviation);
    bool *constant = moments->constant = memory_zeroed(features, sizeof *constant);
    for (size_t j = 0; j < features; j++)
        constant[j] = true;
    for (size_t r = 0; r < samples; r++)
        for (size_t j = 0; j < features; j++) {
            mean[j] += dataset->row[r * dataset->stride + j];
            constant[j] &= dataset->row[r * dataset->stride + j] == dataset->row[j];
        }
    for (size_t j = 0; j < features; j++)
        mean[j] /= (double)samples;
    for (size_t r = 0; r < samples; r++)
        for (size_t j = 0; j < features; j++) {
            double off = dataset->row[r * dataset->stride + j] - mean[j];
            deviation[j] += off * off;
        }
    for (size_t j = 0; j < features; j++)
        deviation[j] = sqrt(deviation[j] / (double)samples);
}

static void moments_fini(struct moments *moments) {
    free(moments->mean);
    free(moments->deviation);
    free(moments->constant);
}

/* Squares of values near 1e154 and above leave the range of a double, near 1e-162 they vanish. */
static bool moments_usable(const struct moments *moments, const struct csv *csv, const struct layout *layout,
                           struct diag *diag) {
    bool usable = true;
    for (size_t j = 0; j < layout->features; j++) {
        if (moments->constant[j] || (isfinite(moments->deviation[j]) && moments->deviation[j] > 0))
            continue;
        diag_error(diag, (struct place){.file = csv->file}, NULL,
                   "field %zu (%s): values too large or too small to be standardized", layout->feature[j] + 1,
                   csv->name[layout->feature[j]]);
        usable = false;
    }
    return usable;
}

static bool standardize(struct dataset *dataset, const struct csv *csv, const struct layout *layout,
                        struct diag *diag) {
    struct moments moments;
    moments_init(&moments, dataset, layout->features);
    bool usable = moments_usable(&moments, csv, layout, diag);
    for (size_t r = 0; usable && r < dataset->samples; r++) {
        double *x = dataset->row + r * dataset->stride;
        for (size_t j = 0; j < layout->features; j++)
            x[j] = moments.constant[j] ? 0 : (x[j] - moments.mean[j]) / moments.deviation[j];
    }
    moments_fini(&moments);
    return usable;
}

static struct dataset *dataset_of_table(const struct csv *csv, const struct csv_wish *wish,
                                        const struct data_request *request) {
    struct layout layout;
    struct dataset *dataset = NULL;
    check_header(csv, request->diag);
    if (layout_init(&layout, csv, wish, request) && label_numeric(csv, layout.label, request->diag))
        dataset = filled_dataset(csv, &layout, wish->intercept);
    if (dataset && wish->standardize && !standardize(dataset, csv, &layout, request->diag)) {
        dataset_free(dataset);
        dataset = NULL;
    }
    free(layout.feature);
    return dataset;
}

static struct dataset *read(const void *params, const struct data_request *request) {
    const struct csv_wish *wish = params;
    struct csv *csv = read_table(wish, request->diag);
    struct dataset *dataset = csv ? dataset_of_table(csv, wish, request) : NULL;
    csv_release(csv);
    return dataset;
}

#define AT(field) offsetof(struct csv_wish, field)
static const struct param list[] = {
    {"path", PARAM_PATH, AT(path), NULL, .help = "a file with one header line, plain or .gz"},
    {"label", PARAM_TEXT, AT(label), "", .help = "column of the label; left out: the last one"},
    {"standardize", PARAM_FLAG, AT(standardize), "false",
     .help =
         "give each feature mean 0 and population standard deviation 1, constant ones 0 (no key of libsvm: "
         "centring would fill sparse data)"},
    {"intercept", PARAM_FLAG, AT(intercept), "false", .help = "add a last column of ones"},
    {"columns", PARAM_TEXTS, AT(columns), "", .help = "columns of the features; left out: all but the label"},
};
static const struct param_table table = {PARAM_TABLE(struct csv_wish, list)};

const struct source source_csv = {
    .head = {"csv", "rows of a delimited text with named columns", "RFC 4180", &table},
    .read = read,
};
