#include "runs.h"
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void run_scenario(const struct scratch *scratch, const char *out, const char *threads, const char *format,
                  ...) {
    char text[8192];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    cr_assert(length > 0 && (size_t)length < sizeof text);
    scratch_write_text(scratch, "scenario.yaml", text);
    const char *const arguments[] = {"run", "scenario.yaml", "-o", out, "-j", threads, "-q", NULL};
    struct outcome outcome = scratch_run(scratch, arguments);
    cr_assert(outcome.exit_code == 0, "exit %d: %s\n%s", outcome.exit_code, outcome.err, text);
    outcome_fini(&outcome);
}

static int of_run(const struct results *results, size_t row, const char *scheme, const char *replication) {
    return strcmp(results_cell(results, row, "scheme"), scheme) == 0 &&
           strcmp(results_cell(results, row, "replication"), replication) == 0;
}

size_t run_series(const struct results *steps, const char *scheme, const char *replication,
                  const char *column, double *value, size_t room) {
    size_t count = 0;
    for (size_t row = 0; row < steps->rows && count < room; row++)
        if (of_run(steps, row, scheme, replication))
            value[count++] = results_number(steps, row, column);
    return count;
}

size_t run_row(const struct results *results, const char *scheme, const char *replication) {
    for (size_t row = 0; row < results->rows; row++)
        if (of_run(results, row, scheme, replication))
            return row;
    cr_assert_fail("no row of %s, replication %s", scheme, replication);
    return 0;
}
