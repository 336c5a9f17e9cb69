/* objective.h: the objective F(w) = (1/m) sum_i loss(x_i . w, y_i) + (l2/2) |w|^2 over partitioned data, and its
 * partial gradients. Knows no worker, message or time.
 *
 * Notation: m samples, d features, k partitions; partition p holds rows floor(p m/k) .. floor((p+1) m/k) - 1;
 * g_p(w) = (1/m) sum_{i in p} grad loss_i, so sum_p g_p = grad F - l2 w whatever the partition sizes.
 * Order of additions, the same for every kernel and every number of columns: a dot product is 8 strided fma lanes
 * (lane l takes positions l, l+8, …: features of a dense row, stored entries of a sparse one) and the fixed tree
 * ((0+4)+(2+6))+((1+5)+(3+7)); a partition adds its rows in order, feature by feature, by fma; 1/m is applied to the
 * partition's sum; losses add rows in order within a partition, then partitions in order. A factor is rounded once
 * (1/m; for batches (1/m)(rows of p / rows used)) and then multiplied. |w|^2 is added as a dot product is.
 * Two things depart from it, chosen by the data alone: sums of squares over many rows have matrices (gram.h), and data in
 * single precision is multiplied and added in it over blocks of 32 rows, blocks in double precision. A gradient then errs
 * by some 1e-7 of the largest where rows are many, and by up to 2^-24 (d/8 + 4) times the size of its terms. */
#ifndef LAGGARD_OBJECTIVE_H
#define LAGGARD_OBJECTIVE_H
#include "dataset.h"

/* A loss by rows: logistic, linear. */
struct loss {
    struct variant head;
    enum label_kind labels;
    bool least_squares; /* it is (z - y)^2 / 2, whose sums have a closed form: gram.h */
    /* In place: score[r] = x_r . w becomes dloss/dscore; loss[r] gets the row's loss. `label` as in struct dataset.
     * Neither overflows before the loss itself does: the logistic loss is finite at any finite score, the linear
     * one up to |z - y| = 1e154. A score that is not finite gives a loss that is not. */
    void (*slopes)(double *score, double *loss, const double *label, size_t rows);
    /* Second derivative in the score, whatever the label, and its bounds over all scores. NULL: it has none that are
     * known not to be negative. */
    double (*bend)(double score);
    double bend_least, bend_most;
};
extern const struct family loss_family; /* logistic, linear; "none" is a word of the problem table */

struct objective {
    const struct dataset *data;
    const struct loss *loss;
    double l2; /* does not touch the intercept */
    uint32_t partitions;
    const uint32_t
        *cut; /* [pieces + 1] units before each piece of a part of the data; NULL: not cut, see below */
    uint32_t pieces;
    uint32_t batch; /* rows per partition and gradient; 0: all */
    uint64_t seed;
};

/* Where the data is cut further, a partition is a piece: partition p = q pieces + u holds the rows from
 * floor((q U + cut[u]) m/(q' U)) on, U = cut[pieces] being the units of the q' = partitions / pieces parts. */
uint32_t partition_begin(const struct objective *objective, uint32_t partition);
uint32_t partition_rows(const struct objective *objective, uint32_t partition);

/* The first rows of a partition. */
struct prefix {
    uint32_t partition, rows;
};

/* Scratch of one thread. */
struct workspace;
struct workspace *workspace_new(const struct objective *objective);
void workspace_free(struct workspace *workspace);

/* One pass over all data: gradient[p * stride + j] = g_p(w)_j for every partition, and the sum of losses / m
 * of each partition in loss[p]. `w` and each gradient row have data->stride doubles, padding zero on return.
 * `columns` weight vectors side by side: w[c * stride + j], gradient[(c * partitions + p) * stride + j],
 * loss[c * partitions + p]. Each column gets the bits that it gets alone. */
void objective_gradients(const struct objective *objective, struct workspace *workspace, size_t columns,
                         const double *w, double *gradient, double *loss);

/* g_p(w) on the rows of (partition, batch) in `replication`, scaled by (rows of p) / (rows used); all rows when the
 * objective has no batch or the partition has no more rows than a batch: then the bits of objective_gradients.
 * A pass without replacement: epoch e = floor(batch / batches per epoch) has a seeded order, in which its batches
 * are added; a short last batch counts as one.
 * The order is the Fisher-Yates shuffle of the partition's n rows in which position i = 0, 1, …, n - 2 changes places
 * with i + (a draw below n - i), drawn from PURPOSE_BATCH at worker = p + k floor(i / 2^16), step = e,
 * draw = i mod 2^16: no two positions share a draw. The workspace keeps the last order of each partition, so that
 * batches asked for in turn cost one shuffle an epoch. */
void objective_batch_gradient(const struct objective *objective, struct workspace *workspace,
                              uint32_t replication, uint32_t partition, uint32_t batch, const double *w,
                              double *gradient);

/* The sum of grad loss_i / m over the first `rows` rows of the partition. */
void objective_prefix_gradient(const struct objective *objective, struct workspace *workspace,
                               struct prefix prefix, const double *w, double *gradient);

/* (l2/2) |w|^2 without the intercept. */
double objective_penalty(const struct objective *objective, const double *w);
/* gradient += l2 w without the intercept. */
void objective_add_penalty_gradient(const struct objective *objective, const double *w, double *gradient);

/* y += a x over `length` doubles by fma, in order. */
void vector_add_scaled(double *y, double a, const double *x, size_t length);
/* |x|: squares are added as a dot product is, by 8 strided lanes. */
double vector_norm(const double *x, size_t length);
#endif
