/* Sequential codes on measured times: rounds of 256 functions, played without a clock. A worker's time is its load times
 * the seconds of a partition, plus the time measured; a round closes at (1 + mu) times its fastest time, or with its
 * slowest, if the scheme bears the stragglers, and with its slowest if not. Totals are known to the nanosecond. Skipped
 * without LAGGARD_SHARED, the folder that holds data/golden-lambda.csv and data/traces. */
#include "csv_file.h"
#include "rehearsal.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKERS     256
#define STEPS       20
#define MU          1.0
#define PARTITION_S (1.1217530061354162 / WORKERS)

struct total {
    double seconds_s;
    uint32_t waited; /* rounds that waited for all, though some were beyond the deadline */
};

static struct csv *read_shared(const char *name) {
    static char path[2][4096];
    static size_t next;
    char *file = path[next++ % 2];
    struct diag *diag = diag_new();
    snprintf(file, sizeof *path, "%s/data/%s", getenv("LAGGARD_SHARED"), name);
    struct csv *csv =
        csv_read(diag, file, &(struct csv_request){.numbers = (const char *const[]){NULL}, .header = true});
    diag_print(diag, stderr);
    diag_free(diag);
    cr_assert(ne(ptr, csv, NULL), "%s", file);
    return csv;
}

static double number(const struct csv *csv, size_t row, const char *column) {
    return csv->number[row * csv->columns + csv_column(csv, column)];
}

static const char *word(const struct csv *csv, size_t row, const char *column) {
    const char *at = csv->text[csv_column(csv, column)];
    for (size_t r = 0; r < row; r++)
        at += strlen(at) + 1;
    return at;
}

/* Seconds of the round, given the workers' times; adds up whether it waited. */
static double round_seconds(struct rehearsal *rehearsal, uint32_t round, const double *time_s,
                            uint32_t *waited) {
    uint32_t parts = rehearsal->parts, heard = 0;
    double *arrived_s = malloc(WORKERS * parts * sizeof *arrived_s);
    double fastest_s = INFINITY, slowest_s = 0;
    for (uint32_t i = 0; i < WORKERS; i++) {
        fastest_s = fmin(fastest_s, time_s[i]);
        slowest_s = fmax(slowest_s, time_s[i]);
    }
    double deadline_s = (1 + MU) * fastest_s;
    for (uint32_t slot = 0; slot < WORKERS * parts; slot++)
        arrived_s[slot] = time_s[slot / parts] <= deadline_s ? time_s[slot / parts] : INFINITY;
    rehearse(rehearsal, round, arrived_s);
    free(arrived_s);
    for (uint32_t m = 0; m < rehearsal->messages; m++)
        heard += rehearsal->message[m].step == round && rehearsal->message[m].part == 0;
    bool all = heard == WORKERS && slowest_s > deadline_s;
    *waited += all;
    return heard == 0 ? 0 : all ? slowest_s : fmin(deadline_s, slowest_s);
}

static struct total played(struct rehearsal *rehearsal, const struct csv *trace) {
    struct total total = {0};
    double time_s[WORKERS];
    uint32_t rounds = rehearsal->scheme->rounds ? rehearsal->scheme->rounds(rehearsal->params, STEPS) : STEPS;
    for (uint32_t r = 0; r < rounds; r++) {
        for (size_t row = (size_t)r * WORKERS; row < (size_t)(r + 1) * WORKERS; row++) {
            cr_assert(eq(dbl, number(trace, row, "round"), r));
            time_s[(size_t)number(trace, row, "worker")] =
                rehearsal->limits.work * PARTITION_S + number(trace, row, "seconds");
        }
        total.seconds_s += round_seconds(rehearsal, r, time_s, &total.waited);
    }
    return total;
}

/* "B=1;W=2;lambda=16" and "s=3" as parameters of a scenario. */
static const char *values_of(const char *parameters, char *text, size_t size) {
    bool plain = parameters[0] == 's';
    snprintf(text, size, "%s%s tolerance=strict mu=%g", plain ? "stragglers" : "", parameters + plain, MU);
    for (char *at = text; (at = strchr(at, ';'));)
        *at = ' ';
    return text;
}

static void check_row(const struct csv *golden, size_t row, const struct csv *trace) {
    char text[200];
    const char *name = word(golden, row, "scheme");
    const char *values = values_of(word(golden, row, "parameters"), text, sizeof text);
    struct arena *arena = arena_new();
    struct setting setting = {.shape = {WORKERS, WORKERS}, .late = LATE_CANCEL, .steps = STEPS};
    struct rehearsal rehearsal;
    rehearsal_begin(&rehearsal, name, params_bound(arena, scheme_named(name), values), setting);
    struct total total = played(&rehearsal, trace);
    cr_expect(epsilon_eq(dbl, rehearsal.limits.work / WORKERS, number(golden, row, "normalized_load"), 1e-6),
              "%s %s", name, values);
    cr_expect(epsilon_eq(dbl, total.seconds_s, number(golden, row, "total_seconds"), 1e-6), "%s %s", name,
              values);
    cr_expect(eq(u32, total.waited, (uint32_t)number(golden, row, "rounds_waiting_for_all")), "%s %s", name,
              values);
    cr_expect(eq(u32, rehearsal.updates, STEPS), "%s %s", name, values);
    rehearsal_end(&rehearsal);
    arena_free(arena);
}

Test(golden, measured_rounds, .timeout = 120) {
    if (!getenv("LAGGARD_SHARED"))
        cr_skip_test("LAGGARD_SHARED names no folder of traces");
    struct csv *golden = read_shared("golden-lambda.csv"),
               *trace = read_shared("traces/lambda-cnn-load000.csv");
    uint32_t rows = 0;
    for (size_t row = 0; row < golden->rows; row++)
        if (strcmp(word(golden, row, "scheme"), "uncoded") != 0) {
            check_row(golden, row, trace);
            rows++;
        }
    cr_expect(eq(u32, rows, 10));
    csv_release(golden);
    csv_release(trace);
}
