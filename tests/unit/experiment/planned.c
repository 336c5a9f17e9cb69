#include "planned.h"
#include <criterion/criterion.h>

static void plan_of(struct plan *plan, const char *problem, const char *more) {
    char text[1024];
    struct diag *diag = diag_new();
    snprintf(text, sizeof text,
             "{name: planned, problem: {%s}, stop: {steps: 4}, cluster: {workers: [{count: 4}]}, "
             "schemes: [{type: uncoded}, {type: ignore, stragglers: 1}], %s}",
             problem, more);
    struct plan_request request = {.file = "planned.yaml", .text = text};
    bool read = plan_read(plan, diag, &request);
    diag_print(diag, stderr);
    diag_free(diag);
    cr_assert(read, "%s", text);
}

void plan_init(struct plan *plan, const char *more) {
    plan_of(plan, "loss: none", more);
}

void plan_init_learning(struct plan *plan, const char *more) {
    plan_of(plan, "loss: linear, data: {type: synthetic, samples: 8, features: 2}", more);
}
