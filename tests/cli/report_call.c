#include "report_call.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

struct outcome report_run(const struct scratch *scratch, int exit_code, const char *const *arguments) {
    struct outcome outcome = scratch_run(scratch, arguments);
    cr_assert(eq(int, outcome.exit_code, exit_code), "laggard %s %s: %s%s", arguments[0], arguments[1],
              outcome.out, outcome.err);
    return outcome;
}

void report_run_quietly(const struct scratch *scratch, int exit_code, const char *const *arguments) {
    struct outcome outcome = report_run(scratch, exit_code, arguments);
    outcome_fini(&outcome);
}
