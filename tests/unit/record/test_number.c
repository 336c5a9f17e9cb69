#include "sheet.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    double value;
    const char *text;
} known[] = {
    {0, "0"},
    {-0.0, "0"},
    {1, "1"},
    {-2.5, "-2.5"},
    {0.1, "0.1"},
    {1.0 / 3, "0.3333333333333333"},
    {2.0 / 3, "0.6666666666666666"},
    {0.1 + 0.2, "0.30000000000000004"},
    {123456.789, "123456.789"},
    {100, "100"},
    {1e15, "1000000000000000"},
    {9007199254740991, "9007199254740991"},
    {2251799813685249.5, "2251799813685249.5"},
    {1e16, "1e+16"},
    {1e22, "1e+22"},
    {1e23, "1e+23"},
    {0.0001, "0.0001"},
    {0.00001, "1e-05"},
    {1.5e-10, "1.5e-10"},
    {1.2345678901234567e-13, "1.2345678901234566e-13"},
    {1e-15, "1e-15"},
    {5e-324, "5e-324"},
    {2.2250738585072014e-308, "2.2250738585072014e-308"},
    {DBL_MAX, "1.7976931348623157e+308"},
    {9.5367431640625e-07, "9.5367431640625e-07"}, /* 2^-20: a power of two, its neighbour below is nearer */
};

Test(number, prints_known_values) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[32];
        size_t length = number_print(text, known[i].value);
        cr_expect(eq(str, text, (char *)known[i].text));
        cr_expect(eq(sz, length, strlen(text)), "%s", known[i].text);
    }
}

static uint64_t scrambled(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* The fewest significant digits that printf needs. */
static int fewest_digits(double value) {
    char text[40];
    for (int digits = 1; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        if (strtod(text, NULL) == value)
            return digits;
    }
    return 17;
}

static int digits_of(const char *text) {
    int digits = 0, zeros = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && digits == 0))
            continue;
        digits++;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return digits - zeros;
}

/* The reference tries every precision of printf, which rounds to nearest: no shorter decimal exists than the first
 * that it reads back. */
static void compare(double value) {
    char text[32];
    number_print(text, value);
    cr_expect(eq(dbl, strtod(text, NULL), value), "%s for %a", text, value);
    cr_expect(le(int, digits_of(text), fewest_digits(value)), "%s for %a", text, value);
}

Test(number, is_shortest_for_any_size) {
    uint64_t state = 88172645463325252;
    for (int i = 0; i < 100000; i++)
        compare(ldexp((double)(scrambled(&state) >> 11), -(int)(scrambled(&state) % 130)));
}

Test(number, is_shortest_for_any_bits) {
    uint64_t state = 1234567;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = scrambled(&state);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            compare(value);
    }
}

Test(number, is_shortest_around_powers_of_two) {
    for (int exponent = -60; exponent < 54; exponent++) {
        compare(ldexp(1, exponent));
        compare(nextafter(ldexp(1, exponent), 0));
        compare(nextafter(ldexp(1, exponent), INFINITY));
    }
}
