#include "csv_column.h"
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

/* What is asked of a file, and what is known of it once its header line was read. */
struct asking {
    const struct csv_wish *wish;
    const struct data_request *request;
    struct layout layout;
};

static const char *column_wished(const struct csv_wish *wish, size_t c) {
    return ((const char *const *)wish->columns.items)[c];
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
        size_t column = csv_column_asked(request->diag, csv, node, column_wished(wish, c));
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

/* Finds the columns before any row is read: a label that is not there explains words better than each of them. */
static bool choose(void *context, const struct csv *csv, bool *numeric) {
    struct asking *asking = context;
    const struct csv_wish *wish = asking->wish;
    const struct data_request *request = asking->request;
    struct layout *layout = &asking->layout;
    size_t room = csv->columns > wish->columns.count ? csv->columns : wish->columns.count;
    free(layout->feature);
    *layout =
        (struct layout){.label = csv->columns - 1, .feature = memory_zeroed(room, sizeof *layout->feature)};
    if (wish->label)
        layout->label = csv_column_asked(request->diag, csv, source_node(request, "label"), wish->label);
    bool listed = wish->columns.count > 0 ? lay_listed(layout, csv, wish, request)
                                          : layout->label < csv->columns && lay_others(layout, csv, request);
    if (!listed || layout->label == csv->columns)
        return false;
    for (size_t j = 0; j < layout->features; j++)
        numeric[layout->feature[j]] = true;
    numeric[layout->label] = request->labels == LABEL_REAL;
    return true;
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

static struct dataset *dataset_of_table(const struct csv *csv, const struct asking *asking) {
    const struct layout *layout = &asking->layout;
    struct diag *diag = asking->request->diag;
    check_header(csv, diag);
    struct dataset *dataset = filled_dataset(csv, layout, asking->wish->intercept);
    bool usable = !csv->text[layout->label] || dataset_set_words(dataset, csv, layout->label, diag);
    if (usable && (!asking->wish->standardize || standardize(dataset, csv, layout, diag)))
        return dataset;
    dataset_free(dataset);
    return NULL;
}

static struct dataset *read(const void *params, const struct data_request *request) {
    struct asking asking = {.wish = params, .request = request};
    struct csv_request columns = {
        .header = true, .choose = choose, .context = &asking, .images = request->images};
    struct csv *csv = csv_read(request->diag, asking.wish->path, &columns);
    struct dataset *dataset = csv ? dataset_of_table(csv, &asking) : NULL;
    free(asking.layout.feature);
    csv_release(csv);
    return dataset;
}

#define AT(field) offsetof(struct csv_wish, field)
static const struct param list[] = {
    {"path", PARAM_PATH, AT(path), NULL, .help = "a file with one header line, plain or .gz"},
    {"label", PARAM_TEXT, AT(label), "",
     .help = "column of the label, of numbers or for classes of words; left out: the last one"},
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
