#include "trace_table.h"
#include "csv_column.h"
#include "measurement.h"
#include <math.h>
#include <stdlib.h>

/* A matrix with more holes per measurement than this has the wrong columns; small ones may be as empty as they
 * like. */
#define HOLES    64
#define SMALL    ((size_t)1 << 20)
#define MISTAKES 20

/* One measurement. */
struct entry {
    double round, worker, value;
    uint32_t row, column; /* of its value in the CSV */
};

struct entries {
    struct entry *entry;
    size_t count;
    size_t round_column, worker_column;          /* of the CSV; a wide file has no column of workers */
    struct rank_names round_names, worker_names; /* handed to the table */
};

static void table_free(void *item) {
    struct trace_table *table = item;
    free(table->round_label);
    free(table->worker_label);
    rank_names_free(&table->round_names);
    rank_names_free(&table->worker_names);
    free(table->value);
    free(table->line);
    free(table);
}

static struct rank_names names_taken(struct row_labels *labels) {
    struct rank_names names = labels->names;
    labels->names = (struct rank_names){0};
    row_labels_free(labels);
    return names;
}

/* Entries of a long file; count 0 after telling which column is absent or mixed. */
static struct entries long_entries(const struct csv *csv, const struct trace_source *source,
                                   const struct law_files *files) {
    const struct node *names = node_child(files->node, "columns");
    const struct trace_columns *columns = source->columns;
    size_t round = csv_column_asked(files->diag, csv, node_child(names, "round"), columns->round);
    size_t worker = csv_column_asked(files->diag, csv, node_child(names, "worker"), columns->worker);
    size_t value = csv_column_asked(files->diag, csv, node_child(names, "value"), columns->value);
    if (round == csv->columns || worker == csv->columns || value == csv->columns)
        return (struct entries){0};
    struct row_labels rounds, workers;
    struct entries all = {.round_column = round, .worker_column = worker};
    bool told = !row_labels_read(&rounds, csv, round, files->diag);
    if (row_labels_read(&workers, csv, worker, files->diag) && !told)
        all.entry = memory_zeroed(all.count = csv->rows, sizeof *all.entry);
    for (size_t r = 0; r < all.count; r++)
        all.entry[r] = (struct entry){rounds.label[r], workers.label[r],
                                      csv->number[r * csv->columns + value], (uint32_t)r, (uint32_t)value};
    all.round_names = names_taken(&rounds);
    all.worker_names = names_taken(&workers);
    return all;
}

/* The column of a wide file that ranks its rows; csv->columns where there is none. A name that was written, not the usual
 * one, must be there: false after telling that it is not. */
static bool wide_round(const struct csv *csv, const char *name, const struct law_files *files,
                       size_t *round) {
    const struct node *asked = node_child(node_child(files->node, "columns"), "round");
    bool written = asked && !asked->implied;
    *round = written ? csv_column_asked(files->diag, csv, asked, name) : csv_column(csv, name);
    return !written || *round < csv->columns;
}

/* Entries of a wide file; count 0 after telling that rounds are all it has, or that there are none. */
static struct entries wide_entries(const struct csv *csv, const char *round_name,
                                   const struct law_files *files) {
    size_t round;
    struct diag *diag = files->diag;
    if (!wide_round(csv, round_name, files, &round))
        return (struct entries){0};
    size_t workers = csv->columns - (round < csv->columns);
    if (workers == 0)
        diag_error(diag, (struct place){.file = csv->file}, NULL, "the trace has no column of a worker");
    struct entries all = {.entry = memory_zeroed(csv->rows * workers, sizeof *all.entry),
                          .round_column = round};
    for (size_t c = 0; c < csv->columns; c++)
        if (c != round)
            rank_names_add(&all.worker_names, csv->name[c]);
    for (size_t r = 0; r < csv->rows; r++) {
        const double *row = &csv->number[r * csv->columns];
        double label = round < csv->columns ? row[round] : (double)r;
        for (size_t c = 0, worker = 0; c < csv->columns; c++)
            if (c != round)
                all.entry[all.count++] =
                    (struct entry){label, (double)worker++, row[c], (uint32_t)r, (uint32_t)c};
    }
    return all;
}

static bool entries_valid(const struct entries *all, const struct csv *csv, struct diag *diag) {
    size_t mistakes = 0;
    for (size_t e = 0; e < all->count && mistakes < MISTAKES; e++) {
        const struct entry *entry = &all->entry[e];
        bool nameless = isnan(entry->round);
        if (nameless || isnan(entry->worker))
            diag_error(diag, csv_place(csv, entry->row, nameless ? all->round_column : all->worker_column),
                       NULL, "the row does not say its %s", nameless ? "round" : "worker");
        else if (measurement_valid(diag, csv, entry->row, entry->column))
            continue;
        mistakes++;
    }
    return mistakes == 0;
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Sorts the labels and drops repetitions; returns how many are left. Names are sorted already: their ranks are labels. */
static size_t distinct(double *label, size_t count, const struct rank_names *names) {
    for (size_t q = 0; q < names->count; q++)
        label[q] = (double)q;
    if (names->count > 0)
        return names->count;
    qsort(label, count, sizeof *label, ascending);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || label[i] > label[kept - 1])
            label[kept++] = label[i];
    return kept;
}

static size_t rank_of(double label, const double *labels, size_t count) {
    return (size_t)((const double *)bsearch(&label, labels, count, sizeof label, ascending) - labels);
}

void cell_describe(const struct trace_table *table, size_t round, size_t worker, struct sentence *out) {
    struct sentence round_text, worker_text;
    label_describe(&table->round_names, table->round_label[round], &round_text);
    label_describe(&table->worker_names, table->worker_label[worker], &worker_text);
    sentence_set(out, "round %s of worker %s", round_text.text, worker_text.text);
}

static struct trace_table *labelled(struct entries *all) {
    struct trace_table *table = memory_zeroed(1, sizeof *table);
    table->round_names = all->round_names;
    table->worker_names = all->worker_names;
    all->round_names = all->worker_names = (struct rank_names){0};
    table->round_label = memory_zeroed(all->count, sizeof *table->round_label);
    table->worker_label = memory_zeroed(all->count, sizeof *table->worker_label);
    for (size_t e = 0; e < all->count; e++) {
        table->round_label[e] = all->entry[e].round;
        table->worker_label[e] = all->entry[e].worker;
    }
    table->rounds = distinct(table->round_label, all->count, &table->round_names);
    table->workers = distinct(table->worker_label, all->count, &table->worker_names);
    return table;
}

static bool table_dense(const struct trace_table *table, const struct entries *all, const struct csv *csv,
                        struct diag *diag) {
    size_t cells = table->rounds * table->workers;
    if (table->rounds < UINT32_MAX && cells / HOLES <= all->count + SMALL / HOLES)
        return true;
    diag_error(
        diag, (struct place){.file = csv->file}, NULL,
        "%zu rows make %zu rounds of %zu workers, mostly holes: are these the columns of rounds and workers?",
        csv->rows, table->rounds, table->workers);
    return false;
}

static bool table_fill(struct trace_table *table, const struct entries *all, const struct csv *csv,
                       struct diag *diag) {
    size_t cells = table->rounds * table->workers, mistakes = 0;
    table->value = memory_zeroed(cells, sizeof *table->value);
    table->line = memory_zeroed(cells, sizeof *table->line);
    for (size_t c = 0; c < cells; c++)
        table->value[c] = (double)NAN;
    for (size_t e = 0; e < all->count && mistakes < MISTAKES; e++) {
        const struct entry *entry = &all->entry[e];
        size_t round = rank_of(entry->round, table->round_label, table->rounds);
        size_t worker = rank_of(entry->worker, table->worker_label, table->workers);
        size_t cell = round * table->workers + worker;
        uint32_t line = csv->line[entry->row];
        if (table->line[cell] > 0) {
            struct sentence named;
            cell_describe(table, round, worker, &named);
            diag_error(diag, csv_place(csv, entry->row, entry->column), NULL, "%s stands on line %u already",
                       named.text, table->line[cell]);
            mistakes++;
            continue;
        }
        table->value[cell] = entry->value;
        table->line[cell] = line;
    }
    return mistakes == 0;
}

static struct trace_table *table_of(struct entries *all, const struct csv *csv, struct diag *diag) {
    if (all->count == 0 || !entries_valid(all, csv, diag))
        return NULL;
    struct trace_table *table = labelled(all);
    if (table_dense(table, all, csv, diag) && table_fill(table, all, csv, diag))
        return table;
    table_free(table);
    return NULL;
}

static struct trace_table *table_loaded(const struct trace_source *source, const struct law_files *files) {
    const struct trace_columns *columns = source->columns;
    const char *numbers[] = {columns->value, NULL};
    bool wide = source->layout == TRACE_WIDE;
    struct csv *csv = csv_read(files->diag, source->path,
                               &(struct csv_request){.numbers = wide ? NULL : numbers,
                                                     .header = true,
                                                     .missing = true,
                                                     .images = shelf_keeps_images(files->shelf)});
    if (!csv)
        return NULL;
    struct entries all = wide ? wide_entries(csv, columns->round, files) : long_entries(csv, source, files);
    struct trace_table *table = table_of(&all, csv, files->diag);
    rank_names_free(&all.round_names);
    rank_names_free(&all.worker_names);
    free(all.entry);
    csv_release(csv);
    return table;
}

char *trace_source_key(const struct trace_source *source) {
    const struct trace_columns *columns = source->columns;
    return memory_format("trace\n%s\n%d\n%s\n%s\n%s", source->path, (int)source->layout, columns->round,
                         columns->worker, columns->value);
}

const struct trace_table *trace_table_read(const struct trace_source *source, const struct law_files *files) {
    char *key = trace_source_key(source);
    struct trace_table *table = shelf_find(files->shelf, key);
    if (!table) {
        table = table_loaded(source, files);
        if (table)
            shelf_put(files->shelf, key, table, table_free);
    }
    free(key);
    return table;
}
