/* Moments in order, and the stretches of time that they amount to, on histories small enough to follow by hand. */
#include "json.h"
#include "stretch.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

static struct moment_log log_of(const struct moment *moment, size_t count) {
    struct moment_log log = {0};
    for (size_t m = 0; m < count; m++)
        moment_log_add(&log, moment[m]);
    moment_log_settle(&log);
    return log;
}
#define LOG_OF(list) log_of(list, sizeof list / sizeof *list)

Test(moment, in_the_order_of_time_then_as_told_up_to_the_end) {
    const struct moment told[] = {
        {2, 0, 0, MOMENT_START}, {5, NONE, 0, MOMENT_CLOSE}, {3, 1, 0, MOMENT_LATE},
        {2, 1, 0, MOMENT_START}, {6, 1, NONE, MOMENT_UP},    {5, NONE, NONE, MOMENT_END},
    };
    static const enum moment_kind wanted[] = {MOMENT_START, MOMENT_START, MOMENT_LATE, MOMENT_CLOSE,
                                              MOMENT_END};
    struct moment_log log = LOG_OF(told);
    cr_assert(eq(sz, log.count, 5));
    for (size_t m = 0; m < 5; m++)
        cr_expect(eq(int, (int)log.moment[m].kind, (int)wanted[m]), "moment %zu", m);
    cr_expect(eq(u32, log.moment[0].worker, 0));
    moment_log_fini(&log);
}

Test(moment, names_are_found_again) {
    for (int kind = 0; kind < MOMENTS; kind++)
        cr_expect(eq(int, (int)moment_named(moment_types[kind].name), kind), "%s", moment_types[kind].name);
    cr_expect(eq(int, (int)moment_named("nothing"), MOMENTS));
}

struct wanted {
    const char *name;
    double begin_s, end_s;
    uint32_t worker, step;
};

static void expect_stretches(const struct moment *moment, size_t moments, const struct wanted *wanted,
                             size_t count) {
    struct moment_log log = log_of(moment, moments);
    struct stretches stretches;
    stretches_init(&stretches, &log, 2);
    cr_assert(eq(sz, stretches.count, count));
    for (size_t s = 0; s < count; s++) {
        const struct stretch *stretch = &stretches.stretch[s];
        cr_expect_str_eq(stretch_name(stretch), wanted[s].name, "stretch %zu", s);
        cr_expect(eq(dbl, stretch->begin_s, wanted[s].begin_s), "stretch %zu", s);
        cr_expect(eq(dbl, stretch->end_s, wanted[s].end_s), "stretch %zu", s);
        cr_expect(eq(u32, stretch->worker, wanted[s].worker), "stretch %zu", s);
        cr_expect(eq(u32, stretch->step, wanted[s].step), "stretch %zu", s);
    }
    stretches_fini(&stretches);
    moment_log_fini(&log);
}
#define EXPECT_STRETCHES(moments, wanted)                                                                    \
    expect_stretches(moments, sizeof moments / sizeof *moments, wanted, sizeof wanted / sizeof *wanted)

Test(stretch, a_step_of_two_workers) {
    const struct moment moments[] = {
        {0, NONE, 0, MOMENT_OPEN},   {0, 0, 0, MOMENT_START},     {0, 1, 0, MOMENT_START},
        {2, 0, 0, MOMENT_FINISH},    {3, 0, 0, MOMENT_HEARD},     {3, NONE, 0, MOMENT_CLOSE},
        {3, 0, 0, MOMENT_USED},      {4, NONE, 0, MOMENT_UPDATE}, {4, 1, 0, MOMENT_DROPPED},
        {4, NONE, NONE, MOMENT_END},
    };
    const struct wanted wanted[] = {{"compute", 0, 2, 0, 0},
                                    {"upload", 2, 3, 0, 0},
                                    {"step", 0, 3, NONE, 0},
                                    {"update", 3, 4, NONE, 0},
                                    {"discarded", 0, 4, 1, 0}};
    EXPECT_STRETCHES(moments, wanted);
}

/* Down from 1 to 3 while it computes, from 5 to 6 while it uploads, which goes on and has arrived before it is up. */
Test(stretch, a_failure_cuts_what_it_interrupts) {
    const struct moment moments[] = {
        {0, 0, 7, MOMENT_START},  {1, 0, NONE, MOMENT_DOWN}, {3, 0, NONE, MOMENT_UP},
        {4, 0, 7, MOMENT_FINISH}, {5, 0, NONE, MOMENT_DOWN}, {5.5, 0, 7, MOMENT_HEARD},
        {6, 0, NONE, MOMENT_UP},  {7, 0, 7, MOMENT_USED},    {8, NONE, NONE, MOMENT_END},
    };
    const struct wanted wanted[] = {{"compute", 0, 1, 0, 7},
                                    {"down", 1, 3, 0, NONE},
                                    {"compute", 3, 4, 0, 7},
                                    {"upload", 4, 5, 0, 7},
                                    {"down", 5, 6, 0, NONE}};
    EXPECT_STRETCHES(moments, wanted);
}

/* Computing until 2, its delay until 5, in which it is down from 3 to 4; a second task is all delay. */
Test(stretch, delays_follow_computing) {
    const struct moment moments[] = {
        {0, NONE, 0, MOMENT_OPEN}, {0, 0, 0, MOMENT_START},     {2, 0, 0, MOMENT_DELAY},
        {3, 0, NONE, MOMENT_DOWN}, {4, 0, NONE, MOMENT_UP},     {5, 0, 0, MOMENT_FINISH},
        {5, 0, 0, MOMENT_HEARD},   {5, NONE, 0, MOMENT_CLOSE},  {5, 0, 0, MOMENT_USED},
        {5, NONE, 1, MOMENT_OPEN}, {5, 0, 1, MOMENT_START},     {5, 0, 1, MOMENT_DELAY},
        {6, 0, 1, MOMENT_FINISH},  {6, 0, 1, MOMENT_HEARD},     {6, NONE, 1, MOMENT_CLOSE},
        {6, 0, 1, MOMENT_USED},    {6, NONE, NONE, MOMENT_END},
    };
    const struct wanted wanted[] = {{"compute", 0, 2, 0, 0}, {"delay", 2, 3, 0, 0},   {"down", 3, 4, 0, NONE},
                                    {"delay", 4, 5, 0, 0},   {"step", 0, 5, NONE, 0}, {"delay", 5, 6, 0, 1},
                                    {"step", 5, 6, NONE, 1}};
    EXPECT_STRETCHES(moments, wanted);
}

/* Worker 0 joins at 2; worker 1 is lost for good at 1, its task with it; what goes on at the end ends there. */
Test(stretch, joining_and_leaving) {
    const struct moment moments[] = {
        {0, 0, NONE, MOMENT_ABSENT}, {0, 1, 0, MOMENT_START},   {1, 1, 0, MOMENT_DROPPED},
        {1, 1, NONE, MOMENT_GONE},   {2, 0, NONE, MOMENT_JOIN}, {2, 0, 1, MOMENT_START},
        {5, NONE, NONE, MOMENT_END},
    };
    const struct wanted wanted[] = {{"discarded", 0, 1, 1, 0},
                                    {"down", 0, 2, 0, NONE},
                                    {"discarded", 2, 5, 0, 1},
                                    {"down", 1, 5, 1, NONE}};
    EXPECT_STRETCHES(moments, wanted);
}

/* Uploads of a worker go one after another, beside its computing. */
Test(stretch, overlapping_uploads_follow_each_other) {
    const struct moment moments[] = {
        {0, 0, 0, MOMENT_START},  {1, 0, 0, MOMENT_FINISH},    {1, 0, 1, MOMENT_START},
        {2, 0, 1, MOMENT_FINISH}, {4, 0, 0, MOMENT_HEARD},     {4, 0, 0, MOMENT_USED},
        {7, 0, 1, MOMENT_LATE},   {7, NONE, NONE, MOMENT_END},
    };
    const struct wanted wanted[] = {{"compute", 0, 1, 0, 0},
                                    {"discarded", 1, 2, 0, 1},
                                    {"upload", 1, 4, 0, 0},
                                    {"discarded", 4, 7, 0, 1}};
    EXPECT_STRETCHES(moments, wanted);
}

Test(json, text_is_escaped) {
    static const struct {
        const char *text, *wanted;
    } rows[] = {{"plain", "\"plain\""}, {"a\"b\\c", "\"a\\\"b\\\\c\""}, {"\n\t", "\"\\u000a\\u0009\""},
                {"é", "\"é\""},         {"\xff", "\"\\u00ff\""},        {NULL, "null"}};
    for (size_t q = 0; q < sizeof rows / sizeof *rows; q++) {
        char *text = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&text, &length);
        json_string(out, rows[q].text);
        fclose(out);
        cr_expect_str_eq(text, rows[q].wanted, "row %zu", q);
        free(text);
    }
}
