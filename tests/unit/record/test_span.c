/* Moments in order, and the stretches of time that they amount to, on histories small enough to follow by hand. */
#include "json.h"
#include "span.h"
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

static void expect_spans(const struct moment *moment, size_t moments, const struct wanted *wanted,
                         size_t count) {
    struct moment_log log = log_of(moment, moments);
    struct spans spans;
    spans_init(&spans, &log, 2);
    cr_assert(eq(sz, spans.count, count));
    for (size_t s = 0; s < count; s++) {
        const struct span *span = &spans.span[s];
        cr_expect_str_eq(span_name(span), wanted[s].name, "span %zu", s);
        cr_expect(eq(dbl, span->begin_s, wanted[s].begin_s), "span %zu", s);
        cr_expect(eq(dbl, span->end_s, wanted[s].end_s), "span %zu", s);
        cr_expect(eq(u32, span->worker, wanted[s].worker), "span %zu", s);
        cr_expect(eq(u32, span->step, wanted[s].step), "span %zu", s);
    }
    spans_fini(&spans);
    moment_log_fini(&log);
}
#define EXPECT_SPANS(moments, wanted)                                                                        \
    expect_spans(moments, sizeof moments / sizeof *moments, wanted, sizeof wanted / sizeof *wanted)

Test(span, a_step_of_two_workers) {
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
    EXPECT_SPANS(moments, wanted);
}

/* Down from 1 to 3 while it computes, from 5 to 6 while it uploads, which goes on and has arrived before it is up. */
Test(span, a_failure_cuts_what_it_interrupts) {
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
    EXPECT_SPANS(moments, wanted);
}

/* Worker 0 joins at 2; worker 1 is lost for good at 1, its task with it; what goes on at the end ends there. */
Test(span, joining_and_leaving) {
    const struct moment moments[] = {
        {0, 0, NONE, MOMENT_ABSENT}, {0, 1, 0, MOMENT_START},   {1, 1, 0, MOMENT_DROPPED},
        {1, 1, NONE, MOMENT_GONE},   {2, 0, NONE, MOMENT_JOIN}, {2, 0, 1, MOMENT_START},
        {5, NONE, NONE, MOMENT_END},
    };
    const struct wanted wanted[] = {{"discarded", 0, 1, 1, 0},
                                    {"down", 0, 2, 0, NONE},
                                    {"discarded", 2, 5, 0, 1},
                                    {"down", 1, 5, 1, NONE}};
    EXPECT_SPANS(moments, wanted);
}

/* Uploads of a worker go one after another, beside its computing. */
Test(span, overlapping_uploads_follow_each_other) {
    const struct moment moments[] = {
        {0, 0, 0, MOMENT_START},  {1, 0, 0, MOMENT_FINISH},    {1, 0, 1, MOMENT_START},
        {2, 0, 1, MOMENT_FINISH}, {4, 0, 0, MOMENT_HEARD},     {4, 0, 0, MOMENT_USED},
        {7, 0, 1, MOMENT_LATE},   {7, NONE, NONE, MOMENT_END},
    };
    const struct wanted wanted[] = {{"compute", 0, 1, 0, 0},
                                    {"discarded", 1, 2, 0, 1},
                                    {"upload", 1, 4, 0, 0},
                                    {"discarded", 4, 7, 0, 1}};
    EXPECT_SPANS(moments, wanted);
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
