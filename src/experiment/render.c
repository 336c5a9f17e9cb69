#include "render.h"
#include "convergence.h"
#include <math.h>

#define FILES(FILE)                                                                                          \
    FILE(steps), FILE(runs), FILE(workers), FILE(events), FILE(staleness), FILE(partitions), FILE(bounds),   \
        FILE(theorems)

const char *const rendering_files[] = {
#define FILE_NAME(member) #member ".csv"
    FILES(FILE_NAME), NULL};

struct sheet *rendering_sheet(struct rendering *rendering, size_t file) {
#define FILE_SHEET(member) &rendering->member
    struct sheet *const sheets[] = {FILES(FILE_SHEET)};
    return sheets[file];
}

void rendering_blocks(const struct rendering *rendering, struct block *blocks) {
    const struct sheet *const sheets[] = {FILES(FILE_SHEET)};
    for (size_t f = 0; f < sizeof sheets / sizeof *sheets; f++)
        blocks[f] = (struct block){sheets[f]->text, sheets[f]->length};
}

void rendering_init(struct rendering *rendering, const struct plan *plan) {
    sheet_init(&rendering->steps, &step_columns, NULL, 0);
    sheet_init(&rendering->runs, &run_columns, plan->swept_column, plan->swept_keys);
    sheet_init(&rendering->workers, &worker_columns, NULL, 0);
    sheet_init(&rendering->events, &event_columns, NULL, 0);
    sheet_init(&rendering->staleness, &staleness_columns, NULL, 0);
    sheet_init(&rendering->partitions, &partition_columns, NULL, 0);
    sheet_init(&rendering->bounds, &bound_columns, NULL, 0);
    sheet_init(&rendering->theorems, &theorem_columns, NULL, 0);
}

void rendering_fini(struct rendering *rendering) {
    sheet_fini(&rendering->steps);
    sheet_fini(&rendering->runs);
    sheet_fini(&rendering->workers);
    sheet_fini(&rendering->events);
    sheet_fini(&rendering->staleness);
    sheet_fini(&rendering->partitions);
    sheet_fini(&rendering->bounds);
    sheet_fini(&rendering->theorems);
}

void rendering_headers(struct rendering *rendering, const struct plan *plan) {
    sheet_header(&rendering->steps);
    sheet_header(&rendering->runs);
    if (plan_books(plan))
        sheet_header(&rendering->workers);
    if (plan_records_events(plan))
        sheet_header(&rendering->events);
    if (plan_ages(plan))
        sheet_header(&rendering->staleness);
    if (plan_audits(plan))
        sheet_header(&rendering->partitions);
    if (plan_has_theorems(plan)) {
        sheet_header(&rendering->bounds);
        sheet_header(&rendering->theorems);
    }
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

static void add_staleness(struct sheet *staleness, const struct contest *contest, uint32_t replication,
                          const struct result *result) {
    struct staleness_row row = {
        .point = contest->point->index, .scheme = contest->entry->label, .replication = replication};
    for (size_t age = 0; age < result->ages; age++) {
        row.staleness = (uint32_t)age;
        row.count = result->aged[age];
        if (row.count > 0)
            sheet_row(staleness, &row);
    }
}

static void add_partitions(struct sheet *partitions, const struct contest *contest, uint32_t replication,
                           const struct audited *audited) {
    for (uint32_t p = 0; p < audited->partitions; p++) {
        struct partition_row row = audited->partition[p];
        row.point = contest->point->index;
        row.scheme = contest->entry->label;
        row.replication = replication;
        sheet_row(partitions, &row);
    }
}

static double finite_or_missing(double number) {
    return isfinite(number) ? number : (double)NAN;
}

static void add_theorem(struct sheet *theorems, const struct contest *contest, uint32_t replication,
                        const struct convergence *convergence) {
    struct theorem_row row = {.point = contest->point->index,
                              .scheme = contest->entry->label,
                              .replication = replication,
                              .theorem = convergence->theorem->name,
                              .smoothness = convergence->smoothness,
                              .convexity = convergence->convexity,
                              .xi = finite_or_missing(convergence->xi),
                              .gamma = finite_or_missing(convergence->gamma),
                              .learning_rate = convergence->learning_rate,
                              .learning_rate_limit = convergence->limit,
                              .holds = convergence->holds ? "yes" : "no",
                              .reason = convergence->holds ? NULL : convergence->reason.text,
                              .rate = convergence->rate,
                              .exceeded_step = convergence->exceeded_step};
    sheet_row(theorems, &row);
}

static void add_bounds(struct sheet *bounds, const struct contest *contest, uint32_t replication,
                       const struct result *result, const struct convergence *convergence) {
    struct bound_row row = {
        .point = contest->point->index, .scheme = contest->entry->label, .replication = replication};
    for (size_t s = 0; s < result->steps; s++) {
        row.step = result->step[s].step;
        row.excess_loss = convergence_excess(convergence, &result->step[s]);
        row.bound = convergence_bound(convergence, row.step);
        sheet_row(bounds, &row);
    }
}

static void add_audit(struct rendering *rendering, const struct contest *contest, uint32_t replication,
                      const struct result *result) {
    struct convergence convergence = convergence_of(contest, result);
    add_partitions(&rendering->partitions, contest, replication, result->audited);
    if (!convergence.theorem)
        return;
    add_theorem(&rendering->theorems, contest, replication, &convergence);
    add_bounds(&rendering->bounds, contest, replication, result, &convergence);
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
    add_staleness(&rendering->staleness, contest, replication, result);
    if (result->moments)
        add_events(&rendering->events, contest, replication, result->moments);
    if (result->audited)
        add_audit(rendering, contest, replication, result);
}
