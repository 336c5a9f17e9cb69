/* cr_code.h: Tandon's random code on CR windows: the matrix B and the vectors a that solve a B_R = 1.
 * Knows no gradients and no times.
 *
 * Notation: n workers, s stragglers, c = s + 1; H is s x n with H 1 = 0, B is n x n with H B^T = 0, row i on worker i's
 * CR window with B_ii = 1; R the workers heard, S the others, |S| <= s.
 * Source: Tandon et al., arXiv 1612.03301, algorithms 1 and 2. */
#ifndef LAGGARD_CR_CODE_H
#define LAGGARD_CR_CODE_H
#include "scheme.h"

struct cr_solver;
struct cr_code {
    uint32_t workers, stragglers;
    double *entry; /* [workers * (stragglers + 1)]: B by worker and position in its window */
    struct arena *arena;
    struct cr_solver *solver; /* NULL before the first decoding */
};

/* Draws B. The first n - 1 columns of H are independent N(0, 1), the last is minus their sum: entry (row, column) of the
 * a-th attempt (from 0) is the normal quantile of the draw keyed (seed of `stream`, replication 0, CODE, worker = column,
 * step = row, draw = a). H is drawn anew while max |B| > 10 n. With s = 0, B = I. O(n s^3). Keeps `arena`.
 * Where only time counts (setting->rows is 0) nothing is drawn, every entry of a window is 1, and nothing may be weighed. */
void cr_code_begin(struct cr_code *code, const struct setting *setting, uint32_t stragglers,
                   struct stream stream, struct arena *arena);

/* Sets the weights of at least n - s messages, which come by worker index, the residual and the largest weight: the
 * vector of least norm with a B_R = 1, unique with n - s messages.
 *
 * All vectors with a B = 1 are a0 + N z, where a0 is the shortest and N an orthonormal basis of the s vectors with
 * N^T B = 0. Both come from one QR factorisation of B with column pivoting, of which the leading n - s columns are kept
 * because the rank of B is n - s by construction, never because a diagonal entry looks small. Then z is the shortest
 * solution of N_S z = -(a0)_S, by QR of N_S^T: |S| <= s equations in s unknowns. O(n^3) time and n^2 doubles at the first
 * decoding, O(n s + s^3) time at each. */
void cr_code_weigh(struct cr_code *code, const struct message *message, uint32_t messages,
                   struct decoding *out);
#endif
