/* What is refused of schemes without a barrier. */
#include "sample.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nothing is computed beside an upload where a task begins when the last result has arrived; a ring has no master. */
static const struct {
    const char *cluster, *scheme, *message;
} refused[] = {
    {"", "k-async, k: 13", "error: schemes[0].k: k = 13 must be at most workers = 12: each waits"},
    {"", "dsag, fresh: 13", "error: schemes[0].fresh: fresh = 13 must be at most workers = 12"},
    {"", "k-batch-async, k: 0", "error: schemes[0].k: must be a whole number in [1, 1000000]"},
    {"", "k-batch-sync, k: 3, late: queue", "error: schemes[0].late: k-batch-sync does not accept queue"},
    {"", "ssp, bound: 3, wait: {type: all}", "error: schemes[0].wait: is not taken by ssp, whose"},
    {"", "ssp, bound: 3, on_bound: stop", "error: schemes[0].on_bound: must be wait | drop, found stop"},
    {"overlap: true, ", "async", "error: schemes[0].type: async gives a worker its next task when"},
    {"topology: ring, ", "async", "error: schemes[0].type: async needs a master"},
};

Test(without_barrier, what_cannot_be_is_refused_in_its_line) {
    for (size_t q = 0; q < sizeof refused / sizeof *refused; q++) {
        struct sample sample;
        char text[256];
        snprintf(text, sizeof text,
                 "problem: {loss: none}\nstop: {steps: 9}\ncluster: {%sworkers: [{count: 12}]}\nschemes: "
                 "[{type: %s}]\n",
                 refused[q].cluster, refused[q].scheme);
        sample_read_text(&sample, text);
        char *messages = sample_messages(&sample);
        cr_expect(strstr(messages, refused[q].message) && strncmp(messages, "s.yaml:4:", 9) == 0, "%s: %s",
                  refused[q].scheme, messages);
        free(messages);
        sample_fini(&sample);
    }
}
