#include "bisection.h"
#include "elementary.h"
#include <math.h>

/* Doubles from 0 up are ordered like their bits, so halving the range of bits reaches every double. */
double bisected_quantile(double (*cdf)(const void *params, double seconds), const void *params, double p) {
    uint64_t low = elementary_bits(0.0), high = elementary_bits(HUGE_VAL);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (cdf(params, elementary_from_bits(middle)) >= p)
            high = middle;
        else
            low = middle + 1;
    }
    return elementary_from_bits(high);
}
