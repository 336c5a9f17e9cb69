/* powers_of_ten.h: powers of ten to 128 bits, for decimals that are read and written exactly. The table is made while
 * the program is built, from exact integers (powers_of_ten.py). Knows no text. */
#ifndef LAGGARD_POWERS_OF_TEN_H
#define LAGGARD_POWERS_OF_TEN_H
#include <stdint.h>

/* 10^e = (high 2^64 + low) 2^(power_of_two(e) - 127) rounded down, with the first bit of `high` set; exact from 10^0 to
 * 10^55. */
struct power {
    uint64_t high, low;
};
enum { POWER_LEAST = -342, POWER_MOST = 324 };
extern const struct power powers_of_ten[];

/* e from POWER_LEAST to POWER_MOST. */
static inline struct power power_of_ten(int e) {
    return powers_of_ten[e - POWER_LEAST];
}

/* floor(log2(10^e)): 1741647 / 2^19 is log2(10) to eight digits, enough for |e| <= 1233. */
static inline int power_of_two(int e) {
    return (e * 1741647) >> 19;
}
#endif
