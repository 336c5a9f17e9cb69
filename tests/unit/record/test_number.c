#include "csv_file.h"
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

/* Nothing but the way back, which is quick; csv_number is compared with strtod in its own test. */
Test(number, reads_back_whatever_the_bits) {
    uint64_t state = 7654321;
    for (int i = 0; i < 10000000; i++) {
        uint64_t bits = scrambled(&state);
        double value, back;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        char text[NUMBER_BYTES];
        size_t length = number_print(text, value);
        cr_assert(csv_number(text, length, &back) && memcmp(&back, &value, sizeof value) == 0, "%s for %a",
                  text, value);
    }
}

/* Where the doubles lie closest, and furthest; the largest that are whole; decimals of few digits and their neighbours. */
Test(number, is_shortest_at_the_edges) {
    for (int i = 1; i < 3000; i++) {
        compare(i * 0x1p-1074);
        compare(0x1p-1022 - i * 0x1p-1074);
        compare(0x1p-1022 + i * 0x1p-1074);
        compare(DBL_MAX - i * 0x1p971);
        compare(0x1p53 - i);
        compare(0x1p53 + 2 * i);
    }
    for (int exponent = -323; exponent <= 308; exponent++)
        for (int digit = 1; digit < 10; digit++) {
            char text[16];
            snprintf(text, sizeof text, "%de%d", digit, exponent);
            double value = strtod(text, NULL);
            if (!isfinite(value))
                continue;
            compare(value);
            compare(nextafter(value, 0));
            compare(nextafter(value, INFINITY));
        }
}

/* At a power of two more numbers above round to it than below, so that the nearest decimal of %.16g may not, but the next
 * one does. */
Test(number, knows_that_intervals_are_lopsided) {
    static const struct {
        int exponent;
        const char *text;
    } cases[] = {
        {-44, "5.684341886080802e-14"}, {-1017, "7.120236347223045e-307"}, {-140, "7.174648137343064e-43"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[NUMBER_BYTES];
        number_print(text, ldexp(1, cases[c].exponent));
        cr_expect(eq(str, text, (char *)cases[c].text));
        cr_expect(eq(dbl, strtod(text, NULL), ldexp(1, cases[c].exponent)));
    }
}

Test(number, is_shortest_around_powers_of_two) {
    for (int exponent = -1074; exponent < 1024; exponent++) {
        compare(ldexp(1, exponent));
        compare(nextafter(ldexp(1, exponent), 0));
        compare(exponent < 1023 ? nextafter(ldexp(1, exponent), INFINITY) : DBL_MAX);
    }
}
