#include "chart.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

static const struct {
    const char *text, *quoted;
} quotes[] = {
    {"plain", "t = 'plain'\n"},
    {"it's", "t = 'it''s'\n"},
    {"`rm` \"$x\" \\n", "t = '`rm` \"$x\" \\n'\n"},
    {"two\nlines\ttab", "t = 'two lines tab'\n"},
    {"λ ≤ 2", "t = 'λ ≤ 2'\n"},
    {"", "t = ''\n"},
};

Test(chart, quotes_text_for_gnuplot) {
    for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++) {
        struct chart chart;
        chart_init(&chart);
        chart_text(&chart, "t", quotes[i].text);
        chart_close(&chart);
        cr_expect(eq(str, chart.text, (char *)quotes[i].quoted));
        chart_fini(&chart);
    }
}

/* What a font may lack must not reach a terminal, which may draw a black block over the page. */
static const struct {
    const char *name, *text, *quoted;
    bool substituted;
} glyphs[] = {
    {"Latin, Greek, Cyrillic", "Größe λ щ Ő ḿ", "t = 'Größe λ щ Ő ḿ'\n", false},
    {"punctuation, arrows and signs", "“a” — … → ∑ ≤ ₂ € □", "t = '“a” — … → ∑ ≤ ₂ € □'\n", false},
    {"Japanese", "日本 x", "t = '□□ x'\n", true},
    {"an emoji", "🚀it's", "t = '□it''s'\n", true},
    {"Arabic", "ب", "t = '□'\n", true},
    {"a mark that turns the direction of writing", "a\u202eb", "t = 'a□b'\n", true},
    {"a C1 control character", "a\xc2\x85", "t = 'a□'\n", true},
    {"bytes that are not UTF-8", "a\xff\xc3z", "t = 'a□□z'\n", true},
    {"a character cut off", "a\xe6\x97", "t = 'a□□'\n", true},
    {"control characters are blanks", "a\tb", "t = 'a b'\n", false},
};

Test(chart, draws_a_box_for_what_the_font_may_lack) {
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++) {
        struct chart chart;
        chart_init(&chart);
        chart_text(&chart, "t", glyphs[i].text);
        chart_close(&chart);
        cr_expect(strcmp(chart.text, glyphs[i].quoted) == 0, "%s: %s", glyphs[i].name, chart.text);
        cr_expect(chart.substituted == glyphs[i].substituted, "%s", glyphs[i].name);
        chart_fini(&chart);
    }
}

Test(chart, keeps_lines_that_are_not_empty) {
    static const char *const lines[] = {"", "a", "", "b"}, *const none[] = {"", ""};
    struct chart chart;
    chart_init(&chart);
    chart_lines(&chart, lines, 4);
    chart_lines(&chart, none, 2);
    chart_close(&chart);
    cr_expect(eq(str, chart.text, (char *)"array caption[2] = ['a', 'b']\narray caption[1] = ['']\n"));
    chart_fini(&chart);
}

Test(chart, writes_arrays_and_numbers) {
    struct chart chart;
    const char *const texts[] = {"a", "b'c"};
    const double numbers[] = {1.5, NAN, 3};
    chart_init(&chart);
    chart_number(&chart, "n", 0.1);
    chart_texts(&chart, "t", texts, 2);
    chart_numbers(&chart, "x", numbers, 3);
    chart_close(&chart);
    cr_expect(
        eq(str, chart.text, (char *)"n = 0.1\narray t[2] = ['a', 'b''c']\narray x[3] = [1.5, NaN, 3]\n"));
    chart_fini(&chart);
}

static const struct {
    const char *text, *label;
    size_t characters;
} labels[] = {
    {"short", "short", 5},
    {"Größe", "Größe", 5},
    {"12345678901234567890123456789012345678901234", "12345678901234567890123456789012345678901234", 44},
    {"123456789012345678901234567890123456789012345", "1234567890123456789012…567890123456789012345", 44},
    {"ääääääääääääääääääääääääääääääääääääääääääääääää=1", "ääääääääääääääääääääää…äääääääääääääääääää=1",
     44},
};

Test(chart, shortens_labels_in_the_middle) {
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        char label[4 * CHART_LABEL + 1];
        size_t characters = chart_label(label, labels[i].text, CHART_LABEL);
        cr_expect(eq(str, label, (char *)labels[i].label));
        cr_expect(eq(sz, characters, labels[i].characters), "%s", labels[i].text);
    }
}

static const struct {
    double seconds_s;
    const char *text;
} durations[] = {
    {0, "0 s"},       {2, "2.00 s"},      {0.0123, "0.0123 s"}, {99.9, "99.9 s"},
    {99.96, "100 s"}, {1234.4, "1234 s"}, {1e-7, "1.00e-07 s"},
};

Test(chart, prints_seconds_with_three_digits) {
    for (size_t i = 0; i < sizeof durations / sizeof *durations; i++) {
        char text[32];
        chart_seconds(text, durations[i].seconds_s);
        cr_expect(eq(str, text, (char *)durations[i].text));
    }
}
