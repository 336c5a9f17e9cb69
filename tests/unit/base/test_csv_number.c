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

static uint64_t scrambled(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

static void expect_strtod(const char *text) {
    double number, expected = strtod(text, NULL);
    bool taken = csv_number(text, strlen(text), &number);
    cr_assert(taken == isfinite(expected), "%s is %s", text, taken ? "accepted" : "refused");
    cr_assert(taken == false || memcmp(&number, &expected, sizeof number) == 0, "%s reads as %a", text,
              number);
}

/* Doubles of any bits in up to 25 digits, more digits than a double has at ordinary sizes, any digits at any power, zeros
 * in front and behind: two million texts. */
Test(csv_number, equals_strtod_for_texts_of_many_shapes) {
    uint64_t state = 88172645463325252;
    char text[400];
    for (int c = 0; c < 400000; c++) {
        uint64_t bits = scrambled(&state);
        double any, usual = ldexp((double)(scrambled(&state) >> 11), -(int)(scrambled(&state) % 80));
        memcpy(&any, &bits, sizeof any);
        if (isfinite(any)) {
            snprintf(text, sizeof text, "%.*e", (int)(scrambled(&state) % 25), any);
            expect_strtod(text);
        }
        snprintf(text, sizeof text, "%.*f", (int)(scrambled(&state) % 20), usual);
        expect_strtod(text);
        unsigned long digits = scrambled(&state) >> (scrambled(&state) % 64);
        snprintf(text, sizeof text, "%lu.%lue%d", digits, scrambled(&state) >> (scrambled(&state) % 64),
                 (int)(scrambled(&state) % 700) - 350);
        expect_strtod(text);
        snprintf(text, sizeof text, "0.%0*lu", (int)(scrambled(&state) % 30) + 1, digits);
        expect_strtod(text);
        snprintf(text, sizeof text, "%lu%0*d", digits, (int)(scrambled(&state) % 30) + 1, 0);
        expect_strtod(text);
    }
}

/* Half-way between two doubles, which only all digits tell, and the last bits around the smallest normal double. */
Test(csv_number, equals_strtod_half_way) {
    uint64_t state = 4711;
    char text[1200];
    for (int c = 0; c < 50000; c++) {
        uint64_t odd = UINT64_C(1) << 53 | 1 | scrambled(&state) >> 11;
        snprintf(text, sizeof text, "%lu", odd);
        expect_strtod(text);
        snprintf(text, sizeof text, "%lu.5", odd >> 1 | 1);
        expect_strtod(text);
        snprintf(text, sizeof text, "%lue%d", odd, (int)(scrambled(&state) % 10));
        expect_strtod(text);
        double small = ldexp((double)(scrambled(&state) >> 11), -1094 + (int)(scrambled(&state) % 80));
        snprintf(text, sizeof text, "%.*g", 1 + (int)(scrambled(&state) % 20), small);
        expect_strtod(text);
        snprintf(text, sizeof text, "%.800g", small);
        expect_strtod(text);
    }
}

/* The digits beyond the end of the text are none of its business, wherever it ends. */
Test(csv_number, reads_up_to_the_end_alone) {
    static const char digits[] = "12.3456789012345678901234567890e3";
    for (size_t length = 4; length <= sizeof digits - 1; length++) {
        char *text = memory_resized(NULL, length, 1), whole[64];
        memcpy(text, digits, length);
        snprintf(whole, sizeof whole, "%.*s", (int)length, digits);
        double number = NAN;
        const char *after = csv_number_read(text, text + length, &number);
        if (whole[length - 1] == 'e')
            cr_expect(eq(ptr, (void *)after, NULL));
        else
            cr_expect(after == text + length &&
                          memcmp(&number, (double[]){strtod(whole, NULL)}, sizeof number) == 0,
                      "%s reads as %.17g", whole, number);
        free(text);
    }
    double number;
    const char *list = "1.25,7";
    cr_expect(csv_number_read(list, list + 6, &number) == list + 4 && number == 1.25);
    cr_expect(csv_number_read(list + 4, list + 6, &number) == NULL);
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
