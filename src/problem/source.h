/* source.h: what the sources of data share while they fill a data set. For the files of this folder alone. */
#ifndef LAGGARD_SOURCE_H
#define LAGGARD_SOURCE_H
#include "csv_file.h"
#include "dataset.h"

/* A data set of zeros with `features` columns beside the intercept, whose ones are in place. Freed with
 * dataset_free, as is the copy of `file` (NULL: none). */
struct dataset *dataset_dense_new(uint32_t samples, uint32_t features, bool intercept);
/* The same without arrays, for sparse sources, which fill start, column, value and label. */
struct dataset *dataset_sparse_new(uint32_t samples, uint32_t features, bool intercept);
/* Notes the file that was read. */
void dataset_set_file(struct dataset *dataset, const char *file);

/* Puts row order[r] at r, labels too. Dense rows move in place, along the cycles of the permutation, through one row
 * of scratch; `order` is used up. */
void dataset_permute(struct dataset *dataset, uint32_t *order);

/* Labels of a column of words: their ranks in alphabetical order, which dataset_set_classes names. False after telling
 * of an empty field, or of words and numbers in one column. */
bool dataset_set_words(struct dataset *dataset, const struct csv *csv, size_t column, struct diag *diag);
void dataset_drop_words(struct dataset *dataset);

/* Maps labels of two values to -1 and +1 and notes their names; else tells what was found and returns false. */
bool dataset_set_classes(struct dataset *dataset, const struct data_request *request);

/* Where the user wrote `key` of the data mapping, or the mapping when it was left out. */
const struct node *source_node(const struct data_request *request, const char *key);
#endif
