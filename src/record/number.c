/* Shortest decimals by the method of R. Giulietti, "The Schubfach way to render doubles" (2020): the powers of ten to 128
 * bits decide exactly which decimals round to a double. */
#include "powers_of_ten.h"
#include "sheet.h"
#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* Whole numbers below 2^53 are written as they are. */
#define WHOLE_BELOW 9007199254740992.0
#define FRACTION    52      /* bits of a double that are stored of its significand */
#define LOWEST      (-1074) /* exponent of the last of them, in the smallest doubles */

static const char pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445"
    "4647484950515253545556575859606162636465666768697071727374757677787980818283848586878889"
    "90919293949596979899";

/* digits * 10^exponent. */
struct decimal {
    uint64_t digits;
    int exponent;
};

/* The decimals that round to a double: from low to high, in quarters of 10^exponent; value is the double itself. Each is
 * rounded to odd, which keeps every comparison with a whole number of quarters exact. */
struct interval {
    uint64_t low, value, high;
    int exponent;
};

static uint64_t product_to_odd(struct power power, uint64_t factor) {
    wide low = (wide)power.low * factor, high = (wide)power.high * factor + (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* significand * 2^exponent. */
static struct interval interval_of(uint64_t significand, int exponent) {
    /* Below a power of two the neighbours are half as far, but for the smallest doubles. */
    bool narrow = significand == UINT64_C(1) << FRACTION && exponent > LOWEST;
    bool even = significand % 2 == 0; /* then the ends of the interval round to it too */
    /* floor(log10(2^exponent)), or of 3/4 of that: the interval is 1 to 10 units wide. */
    int decimal = (exponent * 1262611 - (narrow ? 524031 : 0)) >> 22;
    int shift = exponent + power_of_two(-decimal) + 1;
    struct power power = power_of_ten(-decimal);
    power.low++;
    uint64_t quarters = 4 * significand;
    return (struct interval){
        .low = product_to_odd(power, (quarters - 2 + narrow) << shift) + !even,
        .value = product_to_odd(power, quarters << shift),
        .high = product_to_odd(power, (quarters + 2) << shift) - !even,
        .exponent = decimal,
    };
}

/* The interval holds one multiple of ten units at most: if any, it is the shortest, else the nearest unit is. */
static struct decimal shortest_in(const struct interval *interval) {
    uint64_t below = interval->value / 4, tens = below / 10;
    bool tens_below = interval->low <= 40 * tens, tens_above = 40 * tens + 40 <= interval->high;
    if (tens > 0 && tens_below != tens_above)
        return (struct decimal){tens + tens_above, interval->exponent + 1};
    bool reaches_below = interval->low <= 4 * below, reaches_above = 4 * below + 4 <= interval->high;
    uint64_t middle = 4 * below + 2;
    bool nearer_above = interval->value > middle || (interval->value == middle && below % 2 == 1);
    bool above = reaches_below == reaches_above ? nearer_above : reaches_above;
    return (struct decimal){below + above, interval->exponent};
}

static struct decimal without_zeros(struct decimal decimal) {
    static const struct {
        uint64_t power;
        int zeros;
    } step[] = {{100000000, 8}, {10000, 4}, {100, 2}, {10, 1}};
    if (decimal.digits % 10 != 0)
        return decimal;
    for (size_t q = 0; q < sizeof step / sizeof *step; q++)
        if (decimal.digits % step[q].power == 0) {
            decimal.digits /= step[q].power;
            decimal.exponent += step[q].zeros;
        }
    return decimal;
}

/* Of a positive finite value. */
static struct decimal shortest(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t significand = bits & ((UINT64_C(1) << FRACTION) - 1);
    int exponent = (int)(bits >> FRACTION);
    if (exponent > 0)
        significand |= UINT64_C(1) << FRACTION;
    else
        exponent = 1;
    struct interval interval = interval_of(significand, exponent - 1 + LOWEST);
    return without_zeros(shortest_in(&interval));
}

/* Eight digits at `out`. */
static void eight_print(char *out, uint32_t number) {
    uint32_t high = number / 10000, low = number % 10000;
    memcpy(out, pairs + 2 * (high / 100), 2);
    memcpy(out + 2, pairs + 2 * (high % 100), 2);
    memcpy(out + 4, pairs + 2 * (low / 100), 2);
    memcpy(out + 6, pairs + 2 * (low % 100), 2);
}

static const uint64_t powers[] = {1,
                                  10,
                                  100,
                                  1000,
                                  10000,
                                  100000,
                                  1000000,
                                  10000000,
                                  100000000,
                                  1000000000,
                                  10000000000,
                                  100000000000,
                                  1000000000000,
                                  10000000000000,
                                  100000000000000,
                                  1000000000000000,
                                  10000000000000000,
                                  100000000000000000,
                                  1000000000000000000,
                                  10000000000000000000U};

/* How many digits a number has: 1233 / 2^12 is log10(2). */
static int digits_of(uint64_t number) {
    int guess = (64 - __builtin_clzll(number | 1)) * 1233 >> 12;
    return guess + (number >= powers[guess] || guess == 0);
}

/* The last `count` digits of `number`, each in its place at once: bytes that were just written are slow to copy. */
static void digits_print(char *out, uint64_t number, int count) {
    for (; count > 8; number /= 100000000)
        eight_print(out + (count -= 8), (uint32_t)(number % 100000000));
    uint32_t rest = (uint32_t)number;
    if (count == 8) {
        eight_print(out, rest);
        return;
    }
    for (; count >= 2; rest /= 100)
        memcpy(out + (count -= 2), pairs + 2 * (rest % 100), 2);
    if (count > 0)
        *out = (char)('0' + rest % 10);
}

size_t whole_print(char *out, uint64_t number) {
    int count = digits_of(number);
    digits_print(out, number, count);
    return (size_t)count;
}

/* d.ddde-07, as %g: at least two digits of exponent. `magnitude` is that of the first digit. */
static size_t scientific_print(char *out, uint64_t digits, int count, int magnitude) {
    size_t length = 1;
    out[0] = (char)('0' + digits / powers[count - 1]);
    if (count > 1) {
        out[1] = '.';
        digits_print(out + 2, digits % powers[count - 1], count - 1);
        length = (size_t)count + 1;
    }
    out[length++] = 'e';
    out[length++] = magnitude < 0 ? '-' : '+';
    unsigned size = (unsigned)(magnitude < 0 ? -magnitude : magnitude);
    if (size >= 100)
        out[length++] = (char)('0' + size / 100);
    memcpy(out + length, pairs + 2 * (size % 100), 2);
    return length + 2;
}

/* exponent <= 0. */
static size_t fixed_print(char *out, uint64_t digits, int count, int exponent) {
    int point = count + exponent; /* digits before the point */
    if (point <= 0) {
        memcpy(out, "0.000", 5);
        digits_print(out + 2 - point, digits, count);
        return (size_t)(2 - point + count);
    }
    if (exponent == 0) {
        digits_print(out, digits, count);
        return (size_t)count;
    }
    digits_print(out, digits / powers[-exponent], point);
    out[point] = '.';
    digits_print(out + point + 1, digits % powers[-exponent], -exponent);
    return (size_t)count + 1;
}

static size_t positive_print(char *out, double value) {
    struct decimal decimal = shortest(value);
    int count = digits_of(decimal.digits), magnitude = count - 1 + decimal.exponent;
    return magnitude < -4 || decimal.exponent > 0 ? scientific_print(out, decimal.digits, count, magnitude)
                                                  : fixed_print(out, decimal.digits, count, decimal.exponent);
}

size_t number_print(char *out, double value) {
    size_t sign = value < 0 ? 1 : 0;
    double size = fabs(value);
    out[0] = '-';
    bool whole = size < WHOLE_BELOW && (double)(uint64_t)size >= size;
    size_t length = whole ? whole_print(out + sign, (uint64_t)size) : positive_print(out + sign, size);
    out[sign + length] = '\0';
    return sign + length;
}
