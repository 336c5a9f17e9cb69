#include "fit_call.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdint.h>
#include <string.h>

/* The 32 high bits of splitmix64 (Steele, Lea & Flood 2014) of the place. */
double share_at(int round, int worker) {
    uint64_t bits = (uint64_t)(round * 1000 + worker + 1) * 0x9e3779b97f4a7c15;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    return ((double)((bits ^ bits >> 31) >> 32) + 0.5) / 4294967296.0;
}

void fit_expect(const struct outcome *outcome, const char *name, int code, const char *text) {
    cr_expect(eq(int, outcome->exit_code, code), "%s: %s", name, outcome->err);
    cr_expect(ne(ptr, strstr(outcome->err, text), NULL), "%s: '%s' is not in '%s'", name, text, outcome->err);
}

void fit_expect_runs(struct scratch *scratch, const char *cluster) {
    scratch_write_text(scratch, "scenario.yaml", cluster);
    scratch_append(scratch, "scenario.yaml",
                   "problem: {loss: none}\nstop: {steps: 50}\nschemes: [{type: uncoded}]\n");
    struct outcome outcome =
        scratch_run(scratch, (const char *const[]){"run", "scenario.yaml", "--force", "-q", NULL});
    cr_expect(zero(int, outcome.exit_code), "%s", outcome.err);
    outcome_fini(&outcome);
}
