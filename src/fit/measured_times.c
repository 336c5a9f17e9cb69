#include "measured_times.h"
#include "csv_column.h"
#include "measurement.h"
#include "memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The columns as the mapping of a scenario, so that a mistake in them is told like one there. */
static struct node *columns_node(struct arena *arena, const struct measured_request *request) {
    const struct trace_columns *columns = &request->columns;
    struct place place = {.file = request->named_in ? request->named_in : request->file};
    const char *const named[][2] = {
        {"round", columns->round}, {"worker", columns->worker}, {"value", columns->value}};
    struct node *root = node_mapping(arena, place), *names = node_mapping(arena, place);
    node_append(arena, root, "columns", names);
    for (size_t c = 0; c < sizeof named / sizeof *named; c++) {
        if (!named[c][1])
            continue;
        struct node *name = node_scalar(arena, place, named[c][1]);
        name->implied = !request->named_in;
        node_append(arena, names, named[c][0], name);
    }
    return root;
}

static struct measured_times *times_new(size_t rounds, size_t workers) {
    struct measured_times *times = memory_zeroed(1, sizeof *times);
    times->rounds = rounds;
    times->workers = workers;
    times->value_s = memory_zeroed(rounds * workers, sizeof *times->value_s);
    return times;
}

/* Whether a worker has a time at all. */
static bool present(const struct trace_table *table, size_t worker) {
    for (size_t r = 0; r < table->rounds; r++)
        if (!isnan(table->value[r * table->workers + worker]))
            return true;
    return false;
}

/* The columns of the workers that have times, in order; returns how many. Warns of the others, by name. */
static size_t kept_workers(const struct trace_table *table, const char *file, struct diag *diag,
                           size_t *kept) {
    size_t count = 0;
    for (size_t i = 0; i < table->workers; i++)
        if (present(table, i))
            kept[count++] = i;
    for (size_t i = 0, next = 0; count > 0 && i < table->workers; i++) {
        struct sentence name;
        if (next < count && kept[next] == i) {
            next++;
            continue;
        }
        label_describe(&table->worker_names, table->worker_label[i], &name);
        diag_warning(diag, (struct place){.file = file}, NULL,
                     "worker %s has no time and is left out: the times are of %zu workers of %zu", name.text,
                     count, table->workers);
    }
    return count;
}

static struct measured_times *read_trace(const struct measured_request *request,
                                         const struct law_files *files) {
    const struct trace_source source = {request->file, request->layout, &request->columns};
    const struct trace_table *table = trace_table_read(&source, files);
    if (!table)
        return NULL;
    size_t *kept = memory_zeroed(table->workers, sizeof *kept);
    size_t workers = kept_workers(table, request->file, files->diag, kept);
    struct measured_times *times = times_new(table->rounds, workers);
    times->labelled = true;
    for (size_t r = 0; r < table->rounds; r++)
        for (size_t i = 0; i < workers; i++)
            times->value_s[r * workers + i] = table->value[r * table->workers + kept[i]];
    free(kept);
    return times;
}

static struct measured_times *read_column(const struct measured_request *request,
                                          const struct law_files *files) {
    const char *numbers[] = {request->columns.value, NULL};
    struct csv *csv = csv_read(files->diag, request->file,
                               &(struct csv_request){.numbers = numbers, .header = true, .missing = true});
    if (!csv)
        return NULL;
    const struct node *name = node_child(node_child(files->node, "columns"), "value");
    size_t column = csv_column_asked(files->diag, csv, name, request->columns.value), mistakes = 0;
    struct measured_times *times = column < csv->columns ? times_new(csv->rows, 1) : NULL;
    for (size_t r = 0; times && r < csv->rows && mistakes < CSV_MISTAKES; r++) {
        times->value_s[r] = csv->number[r * csv->columns + column];
        mistakes += !measurement_valid(files->diag, csv, r, column);
    }
    csv_release(csv);
    if (mistakes == 0)
        return times;
    measured_times_free(times);
    return NULL;
}

/* Returns the largest. */
static double scale(struct measured_times *times, double scale_s) {
    double largest_s = 0;
    for (size_t c = 0; c < times->rounds * times->workers; c++) {
        times->value_s[c] *= scale_s;
        if (isnan(times->value_s[c]))
            continue;
        times->count++;
        times->zeros += times->value_s[c] <= 0;
        largest_s = fmax(largest_s, times->value_s[c]);
    }
    return largest_s;
}

/* Too few times above 0 for any law: false after telling how many there are. */
static bool enough(const struct measured_times *times, const struct measured_request *request,
                   struct diag *diag) {
    struct place place = {.file = request->file};
    struct sentence where = {"the file"};
    if (request->layout == TRACE_LONG)
        sentence_set(&where, "column '%s'", request->columns.value);
    if (times->count - times->zeros >= MEASURED_LEAST)
        return true;
    if (times->count == 0)
        diag_error(diag, place, NULL, "%s has no times: every cell is empty", where.text);
    else if (times->zeros == times->count)
        diag_error(diag, place, NULL, "all times are 0");
    else if (times->zeros > 0)
        diag_error(diag, place, NULL, "a law needs at least %d times above 0: %s has %zu, beside %zu of 0",
                   MEASURED_LEAST, where.text, times->count - times->zeros, times->zeros);
    else
        diag_error(diag, place, NULL, "a law needs at least %d times: %s has %zu", MEASURED_LEAST, where.text,
                   times->count);
    return false;
}

/* Scales the times and counts them; false after telling why they are refused. */
static bool settle(struct measured_times *times, const struct measured_request *request, struct diag *diag) {
    double largest_s = scale(times, request->scale_s);
    size_t cells = times->rounds * times->workers;
    if (!enough(times, request, diag))
        return false;
    if (times->count < cells)
        diag_warning(diag, (struct place){.file = request->file}, NULL,
                     "%zu of %zu cells %s missing: fitted without them", cells - times->count, cells,
                     cells - times->count == 1 ? "is" : "are");
    if (largest_s <= PARAM_SECONDS_MAX)
        return true;
    diag_error(diag, (struct place){.file = request->file}, NULL,
               "a time of %.15g s is longer than %g s, the longest that a scenario takes", largest_s,
               PARAM_SECONDS_MAX);
    return false;
}

struct measured_times *measured_times_read(struct diag *diag, const struct measured_request *request) {
    struct arena *arena = arena_new();
    struct shelf *shelf = shelf_new();
    struct law_files files = {
        .diag = diag, .shelf = shelf, .node = columns_node(arena, request), .members = 1};
    struct measured_times *times =
        request->columns.round ? read_trace(request, &files) : read_column(request, &files);
    if (times && !settle(times, request, diag)) {
        measured_times_free(times);
        times = NULL;
    }
    shelf_free(shelf);
    arena_free(arena);
    return times;
}

void measured_times_free(struct measured_times *times) {
    if (times)
        free(times->value_s);
    free(times);
}

struct measured_times *measured_times_copy(const struct measured_times *times) {
    struct measured_times *copy = times_new(times->rounds, times->workers);
    double *value_s = copy->value_s;
    memcpy(value_s, times->value_s, times->rounds * times->workers * sizeof *value_s);
    *copy = *times;
    copy->value_s = value_s;
    return copy;
}

double *measured_times_all(const struct measured_times *times) {
    double *all = memory_zeroed(times->count, sizeof *all);
    size_t count = 0;
    for (size_t c = 0; c < times->rounds * times->workers; c++)
        if (!isnan(times->value_s[c]))
            all[count++] = times->value_s[c];
    return all;
}

void measured_times_logarithms(const struct measured_times *times, struct log_matrix *matrix) {
    *matrix = (struct log_matrix){.workers = times->workers, .rounds = times->rounds};
    matrix->value = memory_zeroed(times->rounds * times->workers, sizeof *matrix->value);
    for (size_t r = 0; r < times->rounds; r++)
        for (size_t i = 0; i < times->workers; i++) {
            double time_s = times->value_s[r * times->workers + i];
            matrix->value[i * times->rounds + r] = time_s > 0 ? log(time_s) : (double)NAN;
        }
}
