#include "csv_file.h"
#include "powers_of_ten.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* A decimal as written: digits * 10^exponent. */
struct decimal {
    uint64_t digits;
    int64_t exponent;
    bool negative, exact; /* exact: all its digits are in `digits` */
};

/* So many digits always fit 64 bits. */
#define DIGITS 19

static inline bool is_digit(char c) {
    return (unsigned char)(c - '0') < 10;
}

static inline uint64_t eight_bytes(const char *at) {
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

/* Marks the bytes that are no digits, exactly up to the first of them. */
static inline uint64_t no_digits(uint64_t bytes) {
    bytes ^= 0x3030303030303030;
    return (bytes | (bytes + 0x7676767676767676)) & 0x8080808080808080;
}

/* The number that eight digits are, a byte of 0 being one; the first digit stands lowest. Neighbours are joined: to pairs,
 * fours, eight. */
static inline uint64_t eight_digits(uint64_t bytes) {
    bytes = (bytes & 0x0f0f0f0f0f0f0f0f) * (10 << 8 | 1) >> 8;
    bytes = (bytes & 0x00ff00ff00ff00ff) * (100 << 16 | 1) >> 16;
    return (bytes & 0x0000ffff0000ffff) * ((uint64_t)10000 << 32 | 1) >> 32;
}

/* Eight digits at once, then those before the first byte that is none, on machines that keep the first byte lowest. Leaves
 * the last bytes before the end. */
static inline const char *take_eights(const char *at, const char *end, uint64_t *digits) {
    static const uint32_t power[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    while (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && end - at >= 8) {
        uint64_t bytes = eight_bytes(at), others = no_digits(bytes);
        if (others == 0) {
            *digits = *digits * 100000000 + eight_digits(bytes);
            at += 8;
            continue;
        }
        int count = __builtin_ctzll(others) / 8;
        if (count > 0)
            *digits = *digits * power[count] + eight_digits(bytes << (64 - 8 * count));
        return at + count;
    }
    return at;
}

/* Adds the digits from `at`, which wrap around where they are too many; returns the first place after them. */
static inline const char *take_digits(const char *at, const char *end, struct decimal *decimal) {
    uint64_t digits = decimal->digits;
    for (; at < end && is_digit(*at); at++)
        digits = digits * 10 + (uint64_t)(*at - '0');
    decimal->digits = digits;
    return at;
}

/* The exponent at the letter `at`; NULL when it is malformed. */
static const char *take_exponent(const char *at, const char *end, struct decimal *decimal) {
    at++;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    const char *first = at;
    int64_t exponent = 0;
    for (; at < end && is_digit(*at); at++)
        if (exponent < 1000000)
            exponent = exponent * 10 + (*at - '0');
    decimal->exponent += negative ? -exponent : exponent;
    return at == first ? NULL : at;
}

/* Digits, of which there are `count` from `at` on, that count: those in front are not zeros. */
static size_t significant(const char *at, size_t count) {
    for (; count > 0 && (*at == '0' || *at == '.'); at++)
        count -= *at == '0';
    return count;
}

/* The grammar [+-] digits [. digits] [e [+-] digits] with at least one digit before the exponent. Returns the first byte
 * after it; NULL when it is malformed. */
static inline const char *decimal_parse(const char *at, const char *end, struct decimal *decimal) {
    *decimal = (struct decimal){.negative = at < end && *at == '-'};
    at += at < end && (*at == '-' || *at == '+');
    const char *whole = at;
    at = take_digits(at, end, decimal);
    size_t digits = (size_t)(at - whole);
    if (at < end && *at == '.') {
        const char *fraction = at + 1;
        at = take_digits(take_eights(fraction, end, &decimal->digits), end, decimal);
        decimal->exponent = -(int64_t)(at - fraction);
        digits += (size_t)(at - fraction);
    }
    decimal->exact = digits <= DIGITS || significant(whole, digits) <= DIGITS;
    if (digits == 0)
        return NULL;
    return at < end && (*at == 'e' || *at == 'E') ? take_exponent(at, end, decimal) : at;
}

/* Correctly rounded by one operation: both factors are exact doubles (Clinger 1990). */
static inline bool rounded_once(const struct decimal *decimal, double *size) {
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (decimal->digits > UINT64_C(1) << 53 || decimal->exponent < -22 || decimal->exponent > 22)
        return false;
    double digits = (double)decimal->digits;
    *size = decimal->exponent < 0 ? digits / power[-decimal->exponent] : digits * power[decimal->exponent];
    return true;
}

/* The first 64 bits of `digits` * 10^`exponent` or more: `digits` has its first bit set. False where the digits of the
 * power that are not in the table might carry into the bits that a double keeps. */
static bool product(uint64_t digits, int exponent, wide *bits) {
    struct power power = power_of_ten(exponent);
    wide high = (wide)digits * power.high;
    *bits = high;
    if (((uint64_t)(high >> 64) & 0x1ff) != 0x1ff || (uint64_t)high + digits >= digits)
        return true;
    wide low = (wide)digits * power.low;
    *bits = high + (uint64_t)(low >> 64);
    return ((uint64_t)(*bits >> 64) & 0x1ff) != 0x1ff || (uint64_t)*bits != UINT64_MAX ||
           (uint64_t)low + digits >= digits;
}

/* Correctly rounded from 128 bits of the power of ten (D. Lemire, "Number parsing at a gigabyte per second", 2021; after
 * M. Eisel): false where they do not decide, or the result is not a normal double. */
static bool rounded_product(const struct decimal *decimal, double *size) {
    if (decimal->digits == 0 || decimal->exponent < POWER_LEAST || decimal->exponent > POWER_MOST)
        return false;
    int exponent = (int)decimal->exponent, zeros = __builtin_clzll(decimal->digits);
    wide bits;
    if (!product(decimal->digits << zeros, exponent, &bits))
        return false;
    uint64_t high = (uint64_t)(bits >> 64);
    int shift = 9 + (int)(high >> 63); /* leaves 54 bits: one more than a double has */
    uint64_t significand = high >> shift;
    if ((uint64_t)bits == 0 && (high & 0x1ff) == 0 && significand % 4 == 1)
        return false; /* half-way as far as the bits say */
    significand = (significand + significand % 2) >> 1;
    int power = power_of_two(exponent) + 2 - zeros + shift; /* of the last bit of the significand */
    if (power < -1074 || power > 971)
        return false;
    /* Its first bit, and a carry out of it, add to the exponent. */
    uint64_t assembled = ((uint64_t)(power + 1074) << 52) + significand;
    memcpy(size, &assembled, sizeof *size);
    return true;
}

/* strtod wants a NUL after the number, which a field in the middle of a text lacks. */
static double rounded_slowly(const char *text, size_t length) {
    char shelf[128], *copy = length < sizeof shelf ? shelf : memory_zeroed(length + 1, 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    double number = strtod(copy, NULL);
    if (copy != shelf)
        free(copy);
    return number;
}

const char *csv_number_read(const char *text, const char *end, double *number) {
    struct decimal decimal;
    const char *after = decimal_parse(text, end, &decimal);
    if (!after)
        return NULL;
    double size;
    if (decimal.exact && (rounded_once(&decimal, &size) || rounded_product(&decimal, &size)))
        *number = decimal.negative ? -size : size;
    else
        *number = rounded_slowly(text, (size_t)(after - text));
    return isfinite(*number) ? after : NULL;
}

bool csv_number(const char *text, size_t length, double *number) {
    return csv_number_read(text, text + length, number) == text + length;
}
