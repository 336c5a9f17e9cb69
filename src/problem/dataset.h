/* dataset.h: samples and labels, dense or sparse, and where they come from. One file per source
 * (synthetic, csv, libsvm). Knows no loss, no partition of work, no time. */
#ifndef LAGGARD_DATASET_H
#define LAGGARD_DATASET_H
#include "param.h"
#include "shelf.h"
#include "stream.h"

/* Immutable once read. Features include the intercept, which is the last column, of ones. */
struct dataset {
    uint32_t samples, features;
    bool intercept;
    bool sparse;
    /* dense: row-major, rows `stride` doubles apart (features rounded up to 8, padded by zeros), 64-byte aligned */
    size_t stride;
    double *row;
    float *single; /* the same rows in single precision, and `row` is NULL; else NULL */
    /* sparse (CSR): entries start[r] .. start[r+1]-1 of row r; column ascending within a row */
    uint64_t *start;
    uint32_t *column;
    double *value;
    /* [samples]: -1 or +1 for two classes (the larger number, or the later word in alphabetical order, is +1), the value
     * itself else */
    double *label;
    struct gram_store
        *grams; /* matrices that sums of squares need in place of the rows, as they are first asked for, by
                                 any thread; NULL: none are kept */
    char *class_name[2]; /* the two values of the file that became -1 and +1; NULL for real labels */
    char **
        label_word; /* while the data set is filled, labels being ranks: the words ranked, ended by NULL; else NULL */
    const char *file; /* NULL: synthetic */
};

/* What labels mean to the loss. */
enum label_kind { LABEL_CLASSES, LABEL_REAL };

enum precision { PRECISION_DOUBLE, PRECISION_SINGLE };

/* What reading data needs beside its parameters. */
struct data_request {
    struct diag *diag;
    const struct node *node; /* the data mapping, for places */
    uint64_t seed;           /* the scenario's, where the data has none of its own */
    enum label_kind labels;
    bool shuffle;             /* rows in a seeded order (PURPOSE_SHUFFLE) */
    bool images;              /* files may be read from, and kept in, binary images beside them (image.h) */
    enum precision precision; /* of dense rows; sparse data is of double precision */
    uint32_t partitions;      /* for skew between partitions; at most samples */
};

struct source {
    struct variant head;
    /* The data set, or NULL after telling why. */
    struct dataset *(*read)(const void *params, const struct data_request *request);
};
extern const struct family source_family;     /* synthetic, csv, libsvm */
extern const struct param_table source_table; /* fills a struct picked */

struct dataset *dataset_read(const struct picked *source, const struct data_request *request);
void dataset_free(void *dataset);
/* Rounds the rows of a dense data set to single precision. */
void dataset_narrow(struct dataset *dataset);
/* Row r of a dense data set, in `wide` [stride] where it is of single precision. */
const double *dataset_row(const struct dataset *dataset, size_t r, double *wide);
/* Bytes held by the arrays. */
size_t dataset_bytes(const struct dataset *dataset);
#endif
