/* mds_code.h: the cyclic MDS code on CR windows: the matrix B and the vectors a with a B_R = 1, in closed form.
 * Knows no gradients and no times.
 *
 * Notation: n workers, s stragglers, c = s + 1, alpha = e^(2 pi i / n). g(x) = prod (x - alpha^t) over s consecutive
 * exponents t, none of them 0 mod n, = sum_j gamma_j x^j; B_i,(i+j) = gamma_j / gamma_0 for j = 0 … s, so B is circulant
 * with B_ii = 1. Any n - s of its rows are independent and 1 is in their span. S are the workers left out.
 *
 *     real:    exponents about n/2, so the roots lie about -1; n - s must be odd (or s = 0)
 *     complex: exponents 1 … s; any s
 *
 * Source: Raviv et al., arXiv 1707.03858, cyclic MDS codes. */
#ifndef LAGGARD_MDS_CODE_H
#define LAGGARD_MDS_CODE_H
#include "scheme.h"

enum mds_field { MDS_REAL, MDS_COMPLEX };

/* Above, entries of B, which are at most the binomial coefficient of s over s / 2, would leave the range of numbers. */
#define MDS_MOST_STRAGGLERS 1000

struct mds_code {
    uint32_t workers, stragglers;
    enum mds_field field;
    double *row;              /* [2 * (s + 1)]: the row of B by position, real parts, then imaginary parts */
    double *real, *imaginary; /* [n]: a of the last decoding; 0 of workers left out */
    double *sine_table, *cosecant_table; /* [2 n]: of pi d / n at n + d */
    uint32_t *left_out;                  /* [s]: S of the last decoding, ascending */
    double *share;                       /* [s]: while decoding, the part of each of S in the sum */
};

/* Computes B. O(n + s). */
void mds_code_begin(struct mds_code *code, uint32_t workers, uint32_t stragglers, struct arena *arena);

/* Writes a for these messages, of at least n - s workers, by worker; each worker's may have several parts. Where fewer
 * than s workers are silent, others are left out too, so as to be spread round the ring, which keeps weights small; where
 * nobody is silent, nobody is left out. In the real form further weights can be 0: those that differ from it by
 * rounding alone are set to 0. O(n s). */
void mds_code_decode(struct mds_code *code, const struct message *message, uint32_t messages);
#endif
