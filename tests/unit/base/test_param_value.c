#include "param.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

/* NAN: not a duration. */
static const struct {
    const char *text;
    double seconds_s;
} durations[] = {
    {"3", 3},         {"20ms", 0.02},   {"9ms", 0.009},  {"1.5 s", 1.5},  {"5 min", 300}, {"1h", 3600},
    {"1e-3s", 0.001}, {"007ms", 0.007}, {"-1s", -1},     {"", NAN},       {"s", NAN},     {"1 ", NAN},
    {" 1s", NAN},     {"1us", NAN},     {"1S", NAN},     {"1s ", NAN},    {"1s2", NAN},   {"nans", NAN},
    {"infs", NAN},    {"0x1s", NAN},    {"1e400s", NAN}, {"1e308h", NAN}, {"1m", NAN},    {"1e s", NAN},
    {"+.5s", 0.5},    {"1\tms", NAN},
};

Test(param_value, reads_seconds) {
    for (size_t i = 0; i < sizeof durations / sizeof *durations; i++) {
        double seconds_s = NAN;
        bool read = param_seconds(durations[i].text, &seconds_s);
        cr_expect(read == !isnan(durations[i].seconds_s), "'%s'", durations[i].text);
        if (read)
            cr_expect(eq(dbl, seconds_s, durations[i].seconds_s), "'%s'", durations[i].text);
    }
}

/* NAN: not a number. */
static const struct {
    const char *text;
    double number;
} numbers[] = {
    {"0", 0},       {"010", 10},   {"-1.5", -1.5}, {"+2", 2},    {"1e3", 1000}, {"1E-3", 0.001},
    {".5", 0.5},    {"5.", 5},     {"1e+2", 100},  {"", NAN},    {".", NAN},    {"-", NAN},
    {"e3", NAN},    {"1e", NAN},   {"1e+", NAN},   {"1 ", NAN},  {" 1", NAN},   {"1_000", NAN},
    {"1,5", NAN},   {"0x10", NAN}, {"nan", NAN},   {"inf", NAN}, {"-inf", NAN}, {"infinity", NAN},
    {"1e309", NAN}, {"--1", NAN},  {"1.2.3", NAN}, {"1d3", NAN},
};

Test(param_value, reads_numbers) {
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double number = NAN;
        bool read = param_number(numbers[i].text, &number);
        cr_expect(read == !isnan(numbers[i].number), "'%s'", numbers[i].text);
        if (read)
            cr_expect(eq(dbl, number, numbers[i].number), "'%s'", numbers[i].text);
    }
}

static const char *const orders[] = {"listed", "shuffled", NULL};
static const struct variant uniform = {"uniform"}, never = {"never"};
static const struct variant *const laws[] = {&uniform, &never, NULL};
static const struct family open_family = {"law", laws, NULL}, law_family = {"law", laws, "never"};
static const struct param_table law_table = {.size = sizeof(struct picked), .family = &law_family};
static const struct param_table open_table = {.size = sizeof(struct picked), .family = &open_family};
static const struct param link_params[] = {{"latency", PARAM_SECONDS}, {"bandwidth", PARAM_NUMBER}};
static const struct param_table link_table = {.param = link_params, .count = 2};
static const struct param_word parts[] = {{"full", 0}, {"half", 0}, {NULL, 0}};

Test(param_value, says_ranges_in_words) {
    static const struct {
        struct param param;
        const char *words;
    } ranges[] = {
        {{.kind = PARAM_NUMBER}, "a number of at least 0"},
        {{.kind = PARAM_NUMBER, .minimum = -HUGE_VAL}, "a number"},
        {{.kind = PARAM_NUMBER, .minimum = -HUGE_VAL, .maximum = 1}, "a number of at most 1"},
        {{.kind = PARAM_NUMBER, .above_minimum = true}, "a number above 0"},
        {{.kind = PARAM_SECONDS, .above_minimum = true}, "seconds in (0, 1e+15]"},
        {{.kind = PARAM_COUNT, .minimum = 1, .maximum = 1000000}, "a whole number in [1, 1000000]"},
        {{.kind = PARAM_NUMBER, .minimum = 1e-4, .maximum = 0.1}, "a number in [0.0001, 0.1]"},
        {{.kind = PARAM_CHOICE, .choices = orders}, "listed | shuffled"},
        {{.kind = PARAM_FLAG}, "true | false"},
        {{.kind = PARAM_STRUCT, .table = &law_table}, "a mapping such as {type: never}"},
        {{.kind = PARAM_STRUCT, .table = &open_table}, "a mapping such as {type: uniform}"},
        {{.kind = PARAM_STRUCT, .table = &link_table}, "a mapping of latency, bandwidth"},
        {{.kind = PARAM_LIST, .table = &link_table}, "a list, each entry a mapping of latency, bandwidth"},
        {{.kind = PARAM_COUNT, .minimum = 1, .maximum = 9, .words = parts},
         "a whole number in [1, 9] or full or half"},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        struct sentence words;
        param_range(&ranges[i].param, &words);
        cr_expect(eq(str, words.text, (char *)ranges[i].words));
    }
}
