#include "design.h"
#include "csv_file.h"
#include <math.h>
#include <stdlib.h>

/* The reading of one file. */
struct reading {
    struct diag *diag;
    const struct csv *csv;
    struct design *design;
};

static struct place whole_file(const struct reading *reading) {
    return (struct place){.file = reading->csv->file};
}

/* A partition as the file calls it. */
static uint32_t named(const struct reading *reading, uint32_t partition) {
    return partition + reading->design->base;
}

static bool side_fits(const struct reading *reading, const char *what, double side) {
    if (side <= DESIGN_SIDE)
        return true;
    diag_error(reading->diag, whole_file(reading), NULL, "a design may have %d %s, this one has %.15g",
               DESIGN_SIDE, what, side);
    return false;
}

/* Every number is a partition; sets base and k. */
static bool numbers_valid(struct reading *reading) {
    const struct csv *csv = reading->csv;
    double least = (double)INFINITY, most = 0;
    size_t mistakes = 0;
    for (size_t r = 0; r < csv->rows; r++)
        for (size_t q = 0; q < csv->columns && mistakes < CSV_MISTAKES; q++) {
            double number = csv->number[r * csv->columns + q];
            least = fmin(least, number);
            most = fmax(most, number);
            if (number >= 0 && number == floor(number))
                continue;
            diag_error(reading->diag, csv_place(csv, r, q), NULL,
                       "field %zu: a partition is a whole number from 0 or from 1 on, found %.15g", q + 1,
                       number);
            mistakes++;
        }
    if (mistakes > 0 || !side_fits(reading, "workers", (double)csv->rows) ||
        !side_fits(reading, "partitions", most))
        return false;
    reading->design->base = least >= 1;
    reading->design->listing.workers = (uint32_t)csv->rows;
    reading->design->listing.partitions = (uint32_t)most + 1 - reading->design->base;
    return true;
}

static int ascending(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* Where in the row a partition stands for the second time, from 0. */
static size_t second_field(const struct reading *reading, uint32_t worker, uint32_t partition) {
    const struct csv *csv = reading->csv;
    size_t q = 0;
    for (uint32_t seen = 0; q < csv->columns; q++) {
        seen += csv->number[worker * csv->columns + q] == named(reading, partition);
        if (seen == 2)
            break;
    }
    return q;
}

/* Takes the row as the worker's ascending list. */
static bool take_row(const struct reading *reading, uint32_t worker) {
    const struct csv *csv = reading->csv;
    struct listing *listing = &reading->design->listing;
    uint32_t *partition = listing->partition + worker * csv->columns;
    for (size_t q = 0; q < csv->columns; q++)
        partition[q] = (uint32_t)csv->number[worker * csv->columns + q] - reading->design->base;
    qsort(partition, csv->columns, sizeof *partition, ascending);
    listing->first[worker + 1] = (worker + (size_t)1) * csv->columns;
    for (size_t q = 1; q < csv->columns; q++)
        if (partition[q] == partition[q - 1]) {
            size_t field = second_field(reading, worker, partition[q]);
            diag_error(reading->diag, csv_place(csv, worker, field), NULL,
                       "field %zu: partition %u stands twice in the row", field + 1,
                       named(reading, partition[q]));
            return false;
        }
    return true;
}

static bool take_rows(const struct reading *reading) {
    struct design *design = reading->design;
    struct listing *listing = &design->listing;
    size_t entries = reading->csv->rows * reading->csv->columns;
    listing->first = arena_zeroed(design->arena, listing->workers + (size_t)1, sizeof *listing->first);
    listing->partition = arena_zeroed(design->arena, entries, sizeof *listing->partition);
    listing->common = 1;
    bool valid = true;
    for (uint32_t i = 0; i < listing->workers; i++)
        valid &= take_row(reading, i);
    return valid;
}

/* Who holds each partition: the listing with workers and partitions in each other's place. */
static struct listing transposed(const struct listing *listing, struct arena *arena) {
    size_t entries = listing->first[listing->workers];
    struct listing turned = {.workers = listing->partitions,
                             .partitions = listing->workers,
                             .first = arena_zeroed(arena, listing->partitions + (size_t)1, sizeof(size_t)),
                             .partition = arena_zeroed(arena, entries, sizeof(uint32_t))};
    /* Lengths two places on, then their sums, which filling moves one place on. */
    for (size_t e = 0; e < entries; e++)
        if (listing->partition[e] + 2 <= listing->partitions)
            turned.first[listing->partition[e] + 2]++;
    for (uint32_t p = 2; p <= listing->partitions; p++)
        turned.first[p] += turned.first[p - 1];
    for (uint32_t i = 0; i < listing->workers; i++)
        for (size_t e = listing->first[i]; e < listing->first[i + 1]; e++)
            turned.partition[turned.first[listing->partition[e] + 1]++] = i;
    return turned;
}

static bool copies_equal(const struct reading *reading, const struct listing *holders) {
    uint32_t copies = reading->design->copies = listing_length(holders, 0);
    for (uint32_t p = 1; p < holders->workers; p++) {
        if (listing_length(holders, p) == copies)
            continue;
        diag_error(reading->diag, whole_file(reading), NULL,
                   "partition %u is on %u workers and partition %u on %u; a design has every partition on as "
                   "many",
                   named(reading, 0), copies, named(reading, p), listing_length(holders, p));
        return false;
    }
    return true;
}

/* The first pair whose rows share another number of columns than rows 0 and 1 do. */
struct pair {
    uint32_t one, other;        /* rows; both 0: there is none */
    uint32_t shared, by_others; /* columns: of this pair, of rows 0 and 1 */
};

/* Writes to `shared` how many columns the row shares with each later one. */
static void count_shared(const struct listing *rows, const struct listing *columns, uint32_t row,
                         uint32_t *shared) {
    for (uint32_t other = row + 1; other < rows->workers; other++)
        shared[other] = 0;
    for (size_t e = rows->first[row]; e < rows->first[row + 1]; e++) {
        uint32_t column = rows->partition[e];
        for (size_t f = columns->first[column]; f < columns->first[column + 1]; f++)
            shared[columns->partition[f]]++;
    }
}

static struct pair unequal_pair(const struct listing *rows, const struct listing *columns,
                                struct arena *arena) {
    uint32_t *shared = arena_zeroed(arena, rows->workers, sizeof *shared);
    struct pair pair = {0};
    for (uint32_t row = 0; row + 1 < rows->workers; row++) {
        count_shared(rows, columns, row, shared);
        pair.by_others = row == 0 ? shared[1] : pair.by_others;
        for (uint32_t other = row + 1; other < rows->workers; other++)
            if (shared[other] != pair.by_others)
                return (struct pair){row, other, shared[other], pair.by_others};
    }
    return pair;
}

static bool pairs_equal(const struct reading *reading, const struct listing *holders, struct arena *arena) {
    const struct listing *listing = &reading->design->listing;
    struct pair workers = unequal_pair(listing, holders, arena);
    if (workers.other == 0)
        return true;
    struct pair partitions = unequal_pair(holders, listing, arena);
    if (partitions.other == 0)
        return true;
    diag_error(
        reading->diag, whole_file(reading), NULL,
        "no design: workers 0 and 1 share %u partitions, workers %u and %u share %u; and partitions %u "
        "and %u share %u workers, partitions %u and %u share %u",
        workers.by_others, workers.one, workers.other, workers.shared, named(reading, 0), named(reading, 1),
        partitions.by_others, named(reading, partitions.one), named(reading, partitions.other),
        partitions.shared);
    return false;
}

static bool design_fill(struct reading *reading) {
    if (!numbers_valid(reading) || !take_rows(reading))
        return false;
    struct arena *scratch = arena_new();
    struct listing holders = transposed(&reading->design->listing, scratch);
    bool valid = copies_equal(reading, &holders) && pairs_equal(reading, &holders, scratch);
    arena_free(scratch);
    return valid;
}

static void design_free(void *item) {
    struct design *design = item;
    arena_free(design->arena);
    free(design);
}

static struct design *design_loaded(const char *path, struct diag *diag) {
    struct csv *csv = csv_read(diag, path, &(struct csv_request){.header = false});
    if (!csv)
        return NULL;
    struct design *design = memory_zeroed(1, sizeof *design);
    design->arena = arena_new();
    bool valid = design_fill(&(struct reading){diag, csv, design});
    csv_release(csv);
    if (valid)
        return design;
    design_free(design);
    return NULL;
}

const struct design *design_read(const char *path, const struct scheme_files *files) {
    char *key = memory_format("design\n%s", path);
    struct design *design = shelf_find(files->shelf, key);
    if (!design) {
        design = design_loaded(path, files->diag);
        if (design)
            shelf_put(files->shelf, key, design, design_free);
    }
    free(key);
    return design;
}
