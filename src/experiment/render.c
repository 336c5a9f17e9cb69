#include "render.h"

void rendering_init(struct rendering *rendering, const struct plan *plan) {
    sheet_init(&rendering->steps, &step_columns, NULL, 0);
    sheet_init(&rendering->runs, &run_columns, plan->swept_key, plan->swept_keys);
    sheet_init(&rendering->workers, &worker_columns, NULL, 0);
    sheet_init(&rendering->events, &event_columns, NULL, 0);
}

void rendering_fini(struct rendering *rendering) {
    sheet_fini(&rendering->steps);
    sheet_fini(&rendering->runs);
    sheet_fini(&rendering->workers);
    sheet_fini(&rendering->events);
}

void rendering_headers(struct rendering *rendering, const struct plan *plan) {
    sheet_header(&rendering->steps);
    sheet_header(&rendering->runs);
    sheet_header(&rendering->workers);
    if (plan_records_events(plan))
        sheet_header(&rendering->events);
}

static void add_events(struct sheet *events, const struct contest *contest, uint32_t replication,
                       const struct moment_log *moments) {
    struct event_row row = {
        .point = contest->point->index, .scheme = contest->entry->label, .replication = replication};
    for (size_t m = 0; m < moments->count; m++) {
        const struct moment *moment = &moments->moment[m];
        const struct moment_type *type = &moment_types[moment->kind];
        row.time_s = moment->time_s;
        row.event = type->name;
        row.worker = moment->worker;
        row.step = moment->step;
        row.part = type->of_part ? moment->part : UINT32_MAX;
        sheet_row(events, &row);
    }
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
    if (result->moments)
        add_events(&rendering->events, contest, replication, result->moments);
}
