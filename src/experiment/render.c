#include "render.h"

void rendering_init(struct rendering *rendering, const struct plan *plan) {
    sheet_init(&rendering->steps, &step_columns, NULL, 0);
    sheet_init(&rendering->runs, &run_columns, plan->swept_key, plan->swept_keys);
    sheet_init(&rendering->workers, &worker_columns, NULL, 0);
}

void rendering_fini(struct rendering *rendering) {
    sheet_fini(&rendering->steps);
    sheet_fini(&rendering->runs);
    sheet_fini(&rendering->workers);
}

void rendering_headers(struct rendering *rendering) {
    sheet_header(&rendering->steps);
    sheet_header(&rendering->runs);
    sheet_header(&rendering->workers);
}

void rendering_add(struct rendering *rendering, const struct contest *contest, uint32_t replication,
                   const struct result *result) {
    uint32_t point = contest->point->index;
    const char *scheme = contest->entry->label;
    for (size_t s = 0; s < result->steps; s++) {
        struct step_row row = result->step[s];
        row.point = point;
        row.scheme = scheme;
        row.replication = replication;
        sheet_row(&rendering->steps, &row);
    }
    struct run_row run = result->run;
    run.point = point;
    run.swept = contest->point->swept;
    run.scheme = scheme;
    run.parameters = contest->entry->parameters;
    run.replication = replication;
    sheet_row(&rendering->runs, &run);
    for (uint32_t i = 0; i < result->workers; i++) {
        struct worker_row row = result->worker[i];
        row.point = point;
        row.scheme = scheme;
        row.replication = replication;
        sheet_row(&rendering->workers, &row);
    }
}
