#include "csv_file.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A decimal as written: digits * 10^exponent. `exact`: all digits are in `digits`. */
struct decimal {
    uint64_t digits;
    int64_t exponent;
    bool negative, exact;
};

static inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Adds the digits from `at`; returns the first place after them. */
static const char *take_digits(const char *at, const char *end, struct decimal *decimal) {
    for (; at < end && is_digit(*at); at++) {
        /* 10 * 2^59 + 9 still fits 64 bits; beyond, the number takes the slow path. */
        if (decimal->digits >= UINT64_C(1) << 59)
            decimal->exact = false;
        else
            decimal->digits = decimal->digits * 10 + (uint64_t)(*at - '0');
    }
    return at;
}

/* An optional exponent at `at`; NULL when it is malformed. */
static const char *take_exponent(const char *at, const char *end, struct decimal *decimal) {
    if (at == end || (*at != 'e' && *at != 'E'))
        return at;
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

/* The grammar [+-] digits [. digits] [e [+-] digits] with at least one digit before the exponent. */
static bool decimal_parse(const char *text, size_t length, struct decimal *decimal) {
    const char *at = text, *end = text + length;
    *decimal = (struct decimal){.negative = length > 0 && *text == '-', .exact = true};
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    const char *whole = at;
    at = take_digits(at, end, decimal);
    size_t digits = (size_t)(at - whole);
    if (at < end && *at == '.') {
        const char *fraction = at + 1;
        at = take_digits(fraction, end, decimal);
        decimal->exponent = -(int64_t)(at - fraction);
        digits += (size_t)(at - fraction);
    }
    return digits > 0 && (at = take_exponent(at, end, decimal)) && at == end;
}

/* Correctly rounded by one operation: both factors are exact doubles (Clinger 1990). */
static bool decimal_exact(const struct decimal *decimal, double *number) {
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (!decimal->exact || decimal->digits > UINT64_C(1) << 53 || decimal->exponent < -22 ||
        decimal->exponent > 22)
        return false;
    double digits = (double)decimal->digits;
    double value =
        decimal->exponent < 0 ? digits / power[-decimal->exponent] : digits * power[decimal->exponent];
    *number = decimal->negative ? -value : value;
    return true;
}

/* strtod wants a NUL after the number, which a field in the middle of a text lacks. */
static double decimal_rounded(const char *text, size_t length) {
    char shelf[128], *copy = length < sizeof shelf ? shelf : memory_zeroed(length + 1, 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    double number = strtod(copy, NULL);
    if (copy != shelf)
        free(copy);
    return number;
}

bool csv_number(const char *text, size_t length, double *number) {
    struct decimal decimal;
    if (!decimal_parse(text, length, &decimal))
        return false;
    if (decimal_exact(&decimal, number))
        return true;
    *number = decimal_rounded(text, length);
    return isfinite(*number);
}
