/* late_set.h: who of many comes after a deadline, as a set of bits, and how early and late they come.
 * Knows only numbers: not NAN. The same bits on every processor. */
#ifndef LAGGARD_LATE_SET_H
#define LAGGARD_LATE_SET_H
#include <stddef.h>
#include <stdint.h>

/* Of count > 0 numbers. */
double least_of(const double *value, size_t count);
void extremes_find(const double *value, size_t count, double *least, double *most);

/* What begins at `begin_s` and takes some seconds is late when it ends after `until_s`. It is due at `due_s`, which is no later. */
struct time_limit {
    double begin_s, due_s, until_s;
};
/* Writes who is late, number i to bit i % 64 of word i / 64, the bits after the last to 0; returns when the last of the others
 * ends, but due_s where that is earlier or there are none. */
double late_set_find(const double *seconds, size_t count, const struct time_limit *limit, uint64_t *late);
#endif
