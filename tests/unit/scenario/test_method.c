/* method: beta is taken where the time that closes a step can be drawn by itself, and refused with a sentence elsewhere. */
#include "memory.h"
#include "sample.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#define ALIKE "workers: [{count: 12, delay: {type: exponential, mean: 1s}}]"

struct row {
    const char *problem, *cluster, *scheme, *record;
    const char *message; /* NULL: it is taken */
};

static const struct row rows[] = {
    {"{loss: none}", "{late: cancel, " ALIKE "}", "{type: ignore, stragglers: 2}", "{}", NULL},
    {"{loss: none}", "{late: cancel, " ALIKE "}", "{type: gc-cr, stragglers: 2, wait: {type: decodable}}",
     "{}", NULL},
    {"{loss: none}", "{late: cancel, " ALIKE "}", "{type: isgc-cr, stragglers: 2}", "{}", NULL},
    {"{loss: logistic, data: {type: synthetic, samples: 120, features: 4}}\noptimizer: {learning_rate: 1}",
     "{late: cancel, " ALIKE "}", "{type: uncoded}", "{}",
     "2:9: error: method: beta draws the times of steps alone"},
    {"{loss: none}", "{late: cancel, " ALIKE "}", "{type: uncoded}", "{events: true}",
     "record.events: method: beta draws no worker"},
    {"{loss: none}", "{late: queue, " ALIKE "}", "{type: uncoded}", "{}",
     "schemes[0].late: method: beta needs cancel"},
    {"{loss: none}", "{" ALIKE "}", "{type: uncoded, late: latest}", "{}",
     "schemes[0].late: method: beta needs cancel"},
    {"{loss: none}", "{late: cancel, " ALIKE "}", "{type: gc-fr, stragglers: 2, wait: {type: decodable}}",
     "{}",
     "schemes[0].wait: method: beta draws the time of a certain result, and decodable closes at no certain "
     "one"},
    {"{loss: none}", "{late: cancel, " ALIKE "}", "{type: pgc-fr, stragglers: 2}", "{}",
     "schemes[0].type: method: beta draws rounds of one whole task for every worker, and pgc-fr has others"},
    {"{loss: none}", "{late: cancel, workers: [{count: 2}, {count: 3}]}", "{type: uncoded}", "{}",
     "2:9: error: method: beta needs a step's times to be independent draws of one law, and the cluster has "
     "workers that differ"},
};

Test(method, beta_is_refused_where_it_is_not_exact) {
    for (size_t q = 0; q < sizeof rows / sizeof *rows; q++) {
        struct sample sample;
        char *text =
            memory_format("name: m\nmethod: beta\nstop: {steps: 5}\nproblem: %s\ncluster: %s\nschemes: [%s]\n"
                          "record: %s\n",
                          rows[q].problem, rows[q].cluster, rows[q].scheme, rows[q].record);
        sample_read_text(&sample, text);
        char *told = sample_messages(&sample);
        bool taken = sample.scenario != NULL, wanted = rows[q].message == NULL;
        cr_expect(taken == wanted, "%s%s", text, told);
        cr_expect(rows[q].message ? strstr(told, rows[q].message) != NULL : *told == 0, "%s%s", text, told);
        free(told);
        free(text);
        sample_fini(&sample);
    }
}
