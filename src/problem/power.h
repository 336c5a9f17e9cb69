/* power.h: whole powers, the same bits on every machine. */
#ifndef LAGGARD_POWER_H
#define LAGGARD_POWER_H
#include <stdint.h>

/* x^exponent by squaring; 1 when the exponent is 0. Relative error about `exponent` roundings. */
static inline double whole_power(double x, uint32_t exponent) {
    double power = 1;
    for (; exponent > 0; exponent >>= 1, x *= x)
        if (exponent & 1)
            power *= x;
    return power;
}
#endif
