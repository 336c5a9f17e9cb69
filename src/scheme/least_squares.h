/* least_squares.h: the weights of messages that bring their sum nearest to the gradient.
 * Knows no placement and no scheme: any listing of partitions and coefficients.
 *
 * Notation: B_R the rows of B of the messages used, a one weight for each. The error that is made least is
 * |a B_R - 1|_2: the norm of the map from the stacked partition gradients to the error of the estimate.
 * Source: optimal decoding of Charles, Papailiopoulos and Ellenberg, arXiv 1711.06771, and of Glasgow and Wootters,
 * arXiv 2006.09638. */
#ifndef LAGGARD_LEAST_SQUARES_H
#define LAGGARD_LEAST_SQUARES_H
#include "listed.h"

/* Most entries n k of a matrix that is solved: 800 MB. */
#define LEAST_SQUARES_ENTRIES 100000000

/* True, after writing why, when the matrix is too large to be solved. */
bool least_squares_refuses(struct shape shape, struct sentence *why);

struct least_squares;
/* In `arena`, of which it takes n max(n, k) doubles at the first solution. */
struct least_squares *least_squares_begin(const struct listing *listing, struct arena *arena);

/* Sets the weights of the used messages to the shortest a of least |a B_R - 1|_2, unique whatever the rank, so that
 * workers of equal rows weigh the same; and residual max_p |(a B_R)_p - 1| and largest weight. By a complete orthogonal
 * decomposition with column pivoting, the rank decided at rounding level: O(max(k, |R|) |R|^2). */
void least_squares_weigh(struct least_squares *squares, const struct message *message, uint32_t messages,
                         struct decoding *out);
#endif
