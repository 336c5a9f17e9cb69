#include "sheet.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 17 significant digits always tell two doubles apart. */
#define DIGITS 17
static const uint64_t LEAST = 10000000000000000; /* of 17 digits */

/* |value| < 2^53 and at least 1e-14: there its 17 digits and both ends of the interval that rounds to it are whole
 * numbers over a power of two below 2^128, so that the shortest digits come from exact integer arithmetic. */
#define EXACT_BELOW 9007199254740992.0
#define EXACT_FROM  1e-14

__extension__ typedef unsigned __int128 wide;

/* digits * 10^exponent. */
struct decimal {
    uint64_t digits;
    int exponent;
};

/* The numbers that round to significand * 2^exponent, times 10^decimals: between low and high, over 2^shift. Whether the
 * ends round to it too does not matter: each has 18 digits or more, so that none is tried. */
struct interval {
    wide low, middle, high;
    int shift;
};

/* For exponents up to 31. */
static wide power_of_5(int exponent) {
    static const uint64_t power[] = {1,         5,          25,         125,        625,     3125,
                                     15625,     78125,      390625,     1953125,    9765625, 48828125,
                                     244140625, 1220703125, 6103515625, 30517578125};
    return (wide)power[exponent % 16] * (exponent < 16 ? 1 : 5 * power[15]);
}

static struct interval interval_of(double value, int decimals) {
    int exponent;
    uint64_t significand = (uint64_t)ldexp(frexp(value, &exponent), 53);
    exponent -= 53;
    /* Below a power of two the neighbours are half as far. */
    uint64_t below = significand == (uint64_t)1 << 52 ? 1 : 2;
    wide five = power_of_5(decimals);
    return (struct interval){.low = five * (4 * significand - below),
                             .middle = five * (4 * significand),
                             .high = five * (4 * significand + 2),
                             .shift = 2 - exponent - decimals};
}

/* The multiple of `unit` from low to high that is nearest to the middle; there is at least one. */
static uint64_t nearest_multiple(const struct interval *interval, uint64_t unit, uint64_t low,
                                 uint64_t high) {
    uint64_t below = (uint64_t)(interval->middle >> interval->shift) / unit * unit, above = below + unit;
    if (below < low)
        return above;
    if (above > high)
        return below;
    wide to_below = interval->middle - ((wide)below << interval->shift);
    wide to_above = ((wide)above << interval->shift) - interval->middle;
    bool even = below / unit % 2 == 0;
    return to_below < to_above || (to_below == to_above && even) ? below : above;
}

/* The shortest digits of a value in [EXACT_FROM, EXACT_BELOW): the coarsest power of ten with a multiple among the
 * numbers that round to it. */
static struct decimal shortest(double value) {
    int binary;
    frexp(value, &binary);
    int decimals = DIGITS - 1 - (int)floor((binary - 1) * 0.30102999566398119);
    struct interval interval = interval_of(value, decimals);
    if ((uint64_t)(interval.middle >> interval.shift) >= 10 * LEAST)
        interval = interval_of(value, --decimals);
    uint64_t low = (uint64_t)(interval.low >> interval.shift) + 1;
    uint64_t high = (uint64_t)(interval.high >> interval.shift);
    uint64_t unit = 1;
    int exponent = -decimals;
    while (high / (10 * unit) * (10 * unit) >= low) {
        unit *= 10;
        exponent++;
    }
    return (struct decimal){nearest_multiple(&interval, unit, low, high) / unit, exponent};
}

size_t whole_print(char *out, uint64_t number) {
    char reversed[20];
    size_t length = 0;
    do
        reversed[length++] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    for (size_t i = 0; i < length; i++)
        out[i] = reversed[length - 1 - i];
    return length;
}

/* d.ddde-07, as %g. `magnitude`: the exponent of the first digit, from -14 to -5 here. */
static size_t scientific_print(char *out, const char *digits, size_t count, int magnitude) {
    size_t length = 0;
    out[length++] = digits[0];
    if (count > 1) {
        out[length++] = '.';
        memcpy(out + length, digits + 1, count - 1);
        length += count - 1;
    }
    memcpy(out + length, "e-", 2);
    out[length + 2] = (char)('0' - magnitude / 10);
    out[length + 3] = (char)('0' - magnitude % 10);
    return length + 4;
}

static size_t fixed_print(char *out, const char *digits, size_t count, int exponent) {
    int point = (int)count + exponent; /* digits before the point */
    size_t length = 0;
    if (point <= 0) {
        memcpy(out, "0.000", 5);
        length = (size_t)(2 - point);
        memcpy(out + length, digits, count);
        return length + count;
    }
    memcpy(out, digits, (size_t)point);
    length = (size_t)point;
    if (exponent < 0) {
        out[length++] = '.';
        memcpy(out + length, digits + point, count - (size_t)point);
        length += count - (size_t)point;
    }
    return length;
}

/* Outside the exact range: the fewest digits of %g that read back. The program sets no locale, so the point is one. */
static size_t rare_print(char *out, double value) {
    int few = 1, enough = DIGITS;
    char text[40];
    while (few < enough) {
        int middle = (few + enough) / 2;
        snprintf(text, sizeof text, "%.*g", middle, value);
        if (strtod(text, NULL) == value)
            enough = middle;
        else
            few = middle + 1;
    }
    int length = snprintf(text, sizeof text, "%.*g", enough, value);
    memcpy(out, text, (size_t)length);
    return (size_t)length;
}

size_t number_print(char *out, double value) {
    size_t sign = value < 0 ? 1 : 0;
    double size = fabs(value);
    if (sign > 0)
        out[0] = '-';
    size_t length;
    if (size < EXACT_BELOW && size == floor(size)) {
        length = whole_print(out + sign, (uint64_t)size);
    } else if (size >= EXACT_BELOW || size < EXACT_FROM) {
        length = rare_print(out + sign, size);
    } else {
        struct decimal decimal = shortest(size);
        char digits[20];
        size_t count = whole_print(digits, decimal.digits);
        int magnitude = (int)count - 1 + decimal.exponent;
        length = magnitude < -4 ? scientific_print(out + sign, digits, count, magnitude)
                                : fixed_print(out + sign, digits, count, decimal.exponent);
    }
    out[sign + length] = '\0';
    return sign + length;
}
