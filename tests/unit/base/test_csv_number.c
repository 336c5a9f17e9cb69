/* Numbers as CSV files write them, and what is text in UTF-8. */
#include "csv_file.h"
#include "utf8.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A text that may hold NUL bytes. */
#define TEXT(literal) literal, sizeof(literal) - 1

Test(csv_number, accepts) {
    static const struct {
        const char *text;
        double number;
    } cases[] = {
        {"0", 0},
        {"-0", -0.0},
        {"1", 1},
        {"+1", 1},
        {"1.5", 1.5},
        {".5", 0.5},
        {"5.", 5},
        {"1e3", 1000},
        {"1E-3", 0.001},
        {"1e+22", 1e22},
        {"1e23", 1e23},
        {"0.1", 0.1},
        {"-123.456", -123.456},
        {"9007199254740993", 9007199254740992.0}, /* 2^53 + 1 rounds to even */
        {"0.30000000000000004", 0.30000000000000004},
        {"1e-400", 0},
        {"4.9e-324", 4.9e-324},
        {"1.7976931348623157e308", 1.7976931348623157e308},
        {"000000000000000000000000000001", 1},
        {"179769313486231570000000000000000000000e270", 1.7976931348623157e308},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double number = NAN;
        cr_expect(csv_number(cases[c].text, strlen(cases[c].text), &number), "%s is refused", cases[c].text);
        cr_expect(memcmp(&number, &cases[c].number, sizeof number) == 0, "%s reads as %.17g", cases[c].text,
                  number);
    }
}

Test(csv_number, refuses) {
    static const char *const cases[] = {"",
                                        "+",
                                        "-",
                                        ".",
                                        "e1",
                                        "1e",
                                        "1e+",
                                        "nan",
                                        "inf",
                                        "-inf",
                                        "0x10",
                                        " 1",
                                        "1 ",
                                        "1,0",
                                        "1..2",
                                        "--1",
                                        "1e5.",
                                        "1e999",
                                        "1f",
                                        "NaN",
                                        "1_0",
                                        "１",
                                        "1e99999999999999999999"};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double number;
        cr_expect(not(csv_number(cases[c], strlen(cases[c]), &number)), "'%s' is accepted", cases[c]);
    }
}

Test(csv_number, stops_at_length) {
    double number;
    cr_expect(csv_number("12345678901234567890123", 2, &number) && number == 12);
    char *digits = memory_zeroed(2000, 1);
    memset(digits, '7', 1000);
    memset(digits + 300, '.', 1);
    cr_expect(csv_number(digits, 300, &number) && number == strtod("7.7777777777777777777777e299", NULL));
    cr_expect(csv_number(digits, 1000, &number) && isfinite(number));
    free(digits);
}

/* The fast path and strtod must agree on every bit, as both promise the nearest double. Up to 18 digits and
 * exponents to 40 lie on both sides of what the fast path takes. */
Test(csv_number, equals_strtod) {
    uint64_t state = 1;
    for (int c = 0; c < 200000; c++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        int exponent = (int)(state >> 58) % 41 * (c & 1 ? 1 : -1), digits = 1 + c % 18;
        uint64_t whole = (state >> 3) % (uint64_t)pow(10, digits);
        char text[64];
        if (c % 3 == 0)
            snprintf(text, sizeof text, "-%lu.%05lue%d", whole / 100000, whole % 100000, exponent);
        else
            snprintf(text, sizeof text, "%lue%d", whole, exponent);
        double number, expected = strtod(text, NULL);
        cr_assert(csv_number(text, strlen(text), &number), "%s is refused", text);
        cr_assert(memcmp(&number, &expected, sizeof number) == 0, "%s reads as %.17g", text, number);
    }
}

Test(csv_number, utf8) {
    static const struct {
        const char *text;
        size_t length;
        bool valid;
    } cases[] = {
        {TEXT(""), true},
        {TEXT("abc"), true},
        {TEXT("\xc3\xa4"), true},
        {TEXT("\xe2\x82\xac"), true},
        {TEXT("\xf0\x9f\x98\x80"), true},
        {TEXT("\xf4\x8f\xbf\xbf"), true},
        {TEXT("\xc0\x80"), false},
        {TEXT("\xc1\xbf"), false},
        {TEXT("\xe0\x9f\xbf"), false},
        {TEXT("\xed\xa0\x80"), false},
        {TEXT("\xf4\x90\x80\x80"), false},
        {TEXT("\xf5\x80\x80\x80"), false},
        {TEXT("\xc3"), false},
        {TEXT("\xe2\x82"), false},
        {TEXT("\x80"), false},
        {TEXT("\xc3("), false},
        {TEXT("a\xff"), false},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        cr_expect(eq(int, utf8_valid(cases[c].text, cases[c].length), cases[c].valid), "case %zu", c);
    cr_expect(eq(int, utf8_start("a\xe2\x82\xac", 4, 3), 1));
    cr_expect(eq(int, utf8_start("a\xe2\x82\xac", 4, 4), 4));
}
