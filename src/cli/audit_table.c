#include "audit_table.h"
#include "number_text.h"
#include "text_table.h"

static const struct text_column columns[] = {
    {"scheme", LEFT},       {"gradient error", RIGHT}, {"least cosine", RIGHT}, {"residual", RIGHT},
    {"largest |a|", RIGHT}, {"weights", RIGHT},        {"mean weights", RIGHT}};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* "point 3, " where there is more than one. */
static const char *name_of(struct arena *arena, const struct study *study,
                           const struct audit_summary *audit) {
    if (study_points(study) == 1)
        return audit->scheme;
    return arena_format(arena, "point %u, %s", audit->point, audit->scheme);
}

static const char *span_text(struct arena *arena, double low, double high) {
    return arena_format(arena, "%s … %s", number_text(arena, low), number_text(arena, high));
}

static void add_row(struct arena *arena, struct text_table *table, const struct study *study,
                    const struct audit_summary *audit) {
    const char *cells[COLUMNS] = {name_of(arena, study, audit),
                                  arena_format(arena, "%.2g", audit->error_mean),
                                  number_text(arena, audit->cosine_min),
                                  arena_format(arena, "%.2g", audit->residual_max),
                                  number_text(arena, audit->largest_max),
                                  span_text(arena, audit->weight_min, audit->weight_max),
                                  span_text(arena, audit->weight_mean_min, audit->weight_mean_max)};
    text_table_row(table, cells);
}

/* How the measured curve lies to the bound, of the runs in which it is one. */
static const char *bound_text(struct arena *arena, const struct audit_summary *audit) {
    if (audit->exceeding == 0)
        return arena_format(arena, ", and F stays below the bound");
    return arena_format(
        arena, ", but F is above the bound in %u%s", audit->exceeding,
        audit->slower > 0 ? ": its rate is that of the largest learning rate allowed, and this one is smaller"
                          : "");
}

static void print_theorem(struct arena *arena, const struct study *study, const struct audit_summary *audit,
                          FILE *stream) {
    const char *name = name_of(arena, study, audit);
    if (audit->holding > 0)
        fprintf(stream, "%s: the conditions of %s hold in %u of %u runs%s\n", name, audit->theorem,
                audit->holding, audit->runs, bound_text(arena, audit));
    if (audit->holding < audit->runs)
        fprintf(stream, "%s: the conditions of %s fail in %u of %u runs: %s\n", name, audit->theorem,
                audit->runs - audit->holding, audit->runs, audit->reason.text);
}

void audit_table_print(const struct study *study, FILE *stream) {
    size_t count;
    const struct audit_summary *audit = study_audits(study, &count);
    if (count == 0)
        return;
    struct arena *arena = arena_new();
    struct text_table *table = text_table_new(columns, COLUMNS);
    for (size_t c = 0; c < count; c++)
        if (audit[c].runs > 0)
            add_row(arena, table, study, &audit[c]);
    fputc('\n', stream);
    text_table_print(table, stream, "");
    fputs("gradient error: mean over the updates whose full gradient is at least 1e-8 of the first: below, "
          "it is "
          "rounding\n"
          "residual: how far a partition's weight is from 1, and largest |a| a message's weight, at most\n"
          "weights: of a partition in an update, and their means\n",
          stream);
    for (size_t c = 0; c < count; c++)
        if (audit[c].theorem)
            print_theorem(arena, study, &audit[c], stream);
    text_table_free(table);
    arena_free(arena);
}
