#include "advice_text.h"
#include "number_text.h"
#include "text_table.h"
#include <math.h>
#include <string.h>

#define ROWS_MAX  12
#define ALIKE_MAX 3

static const struct text_column columns[] = {
    {"", RIGHT},        {"scheme", LEFT},           {"reached", RIGHT},
    {"seconds", RIGHT}, {"behind the best", RIGHT}, {"worse for sure", RIGHT}};
static const struct text_column exact_columns[] = {{"", RIGHT},
                                                   {"scheme", LEFT},
                                                   {"seconds/step", RIGHT},
                                                   {"behind the best", RIGHT},
                                                   {"worse for sure", RIGHT}};
static const struct text_column change_columns[] = {{NULL, LEFT}, {NULL, LEFT}};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *estimate_text(struct arena *arena, const struct estimate *estimate) {
    return interval_text(arena, estimate->mean, (estimate->high - estimate->low) / 2);
}

static const char *sure_text(struct arena *arena, double sure) {
    if (isnan(sure))
        return "";
    return sure > 0.9995 ? "> 99.9 %" : arena_format(arena, "%.1f %%", 100 * sure);
}

static void standing_row(struct arena *arena, struct text_table *table, const struct advice *advice,
                         size_t place) {
    const struct standing *standing = &advice->standing[place];
    const char *cells[6] = {standing->equal ? "=" : arena_format(arena, "%zu", place + 1), standing->name};
    size_t next = 2;
    if (!advice->exact_only)
        cells[next++] = arena_format(arena, "%.0f of %u", standing->reached * standing->runs, standing->runs);
    cells[next++] = estimate_text(arena, &standing->cost);
    cells[next++] = place == 0 ? "" : estimate_text(arena, &standing->behind);
    cells[next] = place == 0 ? "" : sure_text(arena, standing->sure);
    text_table_row(table, cells);
}

/* Of settings that came to the same in every run the first ones. */
static void standing_rows(struct arena *arena, struct text_table *table, const struct advice *advice) {
    size_t alike = 0;
    for (size_t q = 0, rows = 0; q < advice->standings && rows < ROWS_MAX; q++) {
        alike = advice->standing[q].equal ? alike + 1 : 0;
        bool last = q + 1 == advice->standings || !advice->standing[q + 1].equal;
        const char *cells[6] = {"=", arena_format(arena, "and %zu more", alike - (ALIKE_MAX - 1))};
        if (alike < ALIKE_MAX)
            standing_row(arena, table, advice, q);
        else if (last)
            text_table_row(table, cells);
        rows += alike < ALIKE_MAX || last;
    }
}

static void standings_print(struct arena *arena, const struct advice *advice, FILE *stream) {
    struct text_table *table = advice->exact_only ? text_table_new(exact_columns, COUNT(exact_columns))
                                                  : text_table_new(columns, COUNT(columns));
    standing_rows(arena, table, advice);
    text_table_print(table, stream, "");
    text_table_free(table);
    fprintf(
        stream,
        "\nmean over %u runs ± half of its 95 %% interval; behind: the paired difference over the same "
        "draws;\nworse for sure: probability that its mean is above the best one's, by the t distribution of "
        "that difference;\n=: the same as the one above in every run\n",
        advice->standing[0].runs);
}

static void sureness_print(struct arena *arena, const struct advice *advice, FILE *stream) {
    const struct standing *best = &advice->standing[0], *second = &advice->standing[advice->runner_up];
    fprintf(stream, "\nbest: %s\n", best->name);
    if (!advice->exact_only && !(best->reached > 0))
        fputs("no setting reached the target: the one of the smallest loss at the end stands first\n",
              stream);
    if (advice->runner_up == 0)
        fputs("runner-up: none that differs from it\n", stream);
    else if (second->reached < best->reached)
        fprintf(stream, "runner-up: %s, which reached the target in %.0f of %u runs, the best in %.0f\n",
                second->name, second->reached * second->runs, second->runs, best->reached * best->runs);
    else
        fprintf(stream, "runner-up: %s, %s s behind: %s by the 95 %% interval of the paired difference\n",
                second->name, estimate_text(arena, &second->behind),
                second->behind.low > 0 ? "the best is ahead" : "it may as well be the best");
}

/* Schemes that treat late work differently are not compared by their codes alone. */
static void late_rules_print(const struct advice *advice, FILE *stream) {
    const struct standing *best = &advice->standing[0], *other = best;
    for (size_t q = 1; q < advice->standings && other == best; q++)
        if (strcmp(advice->standing[q].late, best->late) != 0)
            other = &advice->standing[q];
    if (other != best)
        fprintf(
            stream,
            "late rules differ: %s for the best, %s for %s; --set cluster.late=%s compares all under one\n",
            best->late, other->late, other->name, best->late);
}

static const char *change_text(struct arena *arena, const struct change *change) {
    if (!change->first)
        return arena_format(arena, "not tried: %s", change->why);
    if (!isfinite(change->first_cost))
        return "no finalist reaches the target";
    if (change->same)
        return arena_format(arena, "the same is best, %s s", number_text(arena, change->first_cost));
    if (isnan(change->now_cost))
        return arena_format(arena, "%s is best, %s s; the present best cannot be used", change->first,
                            number_text(arena, change->first_cost));
    return arena_format(arena, "%s is best, %s s against %s", change->first,
                        number_text(arena, change->first_cost), number_text(arena, change->now_cost));
}

static void changes_print(struct arena *arena, const struct advice *advice, FILE *stream) {
    if (advice->changes == 0)
        return;
    struct text_table *table = text_table_new(change_columns, COUNT(change_columns));
    fputs("\nwhat would change the answer, among the first finalists, with more or fewer workers also at "
          "counts that go with them\n",
          stream);
    for (size_t q = 0; q < advice->changes; q++) {
        const char *cells[] = {advice->change[q].what, change_text(arena, &advice->change[q])};
        text_table_row(table, cells);
    }
    text_table_print(table, stream, "  ");
    text_table_free(table);
}

void advice_print(struct arena *arena, const struct advice *advice, FILE *stream) {
    standings_print(arena, advice, stream);
    sureness_print(arena, advice, stream);
    late_rules_print(advice, stream);
    changes_print(arena, advice, stream);
    fprintf(stream, "\n%zu candidates raced over %zu runs, where all in all %u replications would be %zu",
            advice->candidates, advice->runs, advice->replications, advice->grid_runs);
    if (advice->changes > 0)
        fprintf(stream, "; %zu runs for what would change", advice->change_runs);
    fputc('\n', stream);
    if (advice->exact_only)
        fprintf(
            stream,
            "without a loss only seconds per step can be told: compared are schemes whose every step is the "
            "exact\ngradient at the present model; %zu other settings were left out\n",
            advice->inexact);
    if (advice->places > 1)
        fprintf(stream,
                "each setting ran with %zu values of what tune names; shown is the best of those that came "
                "to the end\n",
                advice->places);
}
