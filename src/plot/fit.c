#include "chart.h"
#include "csv_file.h"
#include "figure.h"
#include "memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* fit.csv of `laggard fit`: points of curves, the measured one without a law. */

#define CURVES 3

/* Of times: the middle 99 % of those measured, all of them, and those of the laws at the same shares too. */
enum range { MIDDLE, ALL, WITH_LAWS, RANGES };

static const char *const curve_names[CURVES] = {"distribution", "tail", "quantiles"};

struct mark {
    uint32_t panel, curve; /* curve 0: measured */
    const char *law;
    double x, y;
};
static const struct column column[] = {
    {"panel", COLUMN_COUNT, offsetof(struct mark, panel)},
    {"curve", COLUMN_COUNT, offsetof(struct mark, curve)},
    {"law", COLUMN_TEXT, offsetof(struct mark, law)},
    {"x", COLUMN_NUMBER, offsetof(struct mark, x)},
    {"y", COLUMN_NUMBER, offsetof(struct mark, y)},
};
static const struct columns columns = {column, sizeof column / sizeof *column};

/* The file as it is walked through. */
struct reading {
    const struct csv *csv;
    size_t time, share, law_time;
    const char *curve, *law; /* words of the present row */
    const char *laws[CURVES];
    size_t law_count;
    double least; /* share in the measured tail */
    double low[RANGES], high[RANGES];
};

static bool columns_found(struct reading *reading) {
    const struct csv *csv = reading->csv;
    size_t curve = csv_column(csv, "curve"), law = csv_column(csv, "law");
    reading->time = csv_column(csv, "time_s");
    reading->share = csv_column(csv, "share");
    reading->law_time = csv_column(csv, "law_s");
    if (curve == csv->columns || law == csv->columns || reading->time == csv->columns ||
        reading->share == csv->columns || reading->law_time == csv->columns)
        return false;
    reading->curve = csv->text[curve];
    reading->law = csv->text[law];
    return reading->curve && reading->law;
}

/* 0: measured; else 1 + the law's index, a new law taking the next. */
static uint32_t curve_of(struct reading *reading, const char *law) {
    if (!*law)
        return 0;
    for (size_t l = 0; l < reading->law_count; l++)
        if (strcmp(reading->laws[l], law) == 0)
            return (uint32_t)l + 1;
    if (reading->law_count == CURVES)
        return UINT32_MAX;
    reading->laws[reading->law_count++] = law;
    return (uint32_t)reading->law_count;
}

/* Takes a time into a range and into all that are wider. */
static void widen(struct reading *reading, enum range narrowest, double time_s) {
    for (int range = (int)narrowest; range < RANGES; range++) {
        reading->low[range] = fmin(reading->low[range], time_s);
        reading->high[range] = fmax(reading->high[range], time_s);
    }
}

static void take_row(struct reading *reading, size_t row, struct chart *chart) {
    const double *number = &reading->csv->number[row * reading->csv->columns];
    struct mark mark = {.law = *reading->law ? reading->law : NULL};
    while (mark.panel < CURVES && strcmp(reading->curve, curve_names[mark.panel]) != 0)
        mark.panel++;
    mark.curve = curve_of(reading, reading->law);
    bool quantiles = mark.panel == CURVES - 1;
    mark.x = quantiles ? number[reading->law_time] : number[reading->time];
    mark.y = quantiles ? number[reading->time] : number[reading->share];
    if (quantiles)
        widen(reading, WITH_LAWS, mark.x);
    if (mark.panel++ == 0 && mark.curve == 0)
        widen(reading, mark.y > 0.005 && mark.y < 0.995 ? MIDDLE : ALL, mark.x);
    if (mark.panel == 2 && mark.curve == 0)
        reading->least = fmin(reading->least, mark.y);
    if (mark.panel <= CURVES && mark.curve != UINT32_MAX)
        sheet_row(&chart->table, &mark);
    reading->curve += strlen(reading->curve) + 1;
    reading->law += strlen(reading->law) + 1;
}

static void put_settings(const struct reading *reading, struct chart *chart) {
    chart_texts(chart, "laws", reading->laws, reading->law_count);
    chart_numbers(chart, "low", reading->low, RANGES);
    chart_numbers(chart, "high", reading->high, RANGES);
    chart_number(chart, "least", reading->least / 2);
    const char *caption[] = {
        "Laws in the order of Akaike's criterion; where points lie on the thin grey line, a law is right."};
    chart_texts(chart, "caption", caption, 1);
}

static int draw_rows(struct reading *reading, struct chart *chart, struct sentence *why) {
    sheet_init(&chart->table, &columns, NULL, 0);
    sheet_header(&chart->table);
    for (size_t r = 0; r < reading->csv->rows; r++)
        take_row(reading, r, chart);
    if (reading->law_count > 0 && reading->low[MIDDLE] < reading->high[MIDDLE]) {
        put_settings(reading, chart);
        return 1;
    }
    sentence_set(why, "all times are equal");
    return 0;
}

static int tabulate(const struct plot_request *request, struct chart *chart, struct sentence *why) {
    static const char *const numbers[] = {"time_s", "share", "law_s", NULL};
    char *path = memory_format("%s/fit.csv", request->folder);
    struct diag *unheard = diag_new();
    int found = access(path, R_OK) == 0 ? -1 : 0;
    struct csv *csv = NULL;
    if (found < 0)
        csv = csv_read(unheard, path,
                       &(struct csv_request){.numbers = numbers, .header = true, .missing = true});
    struct reading reading = {.csv = csv,
                              .least = 1,
                              .low = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                              .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    sentence_set(why, "%s",
                 found == 0 ? "there is no fit.csv: 'laggard fit --plot' makes it"
                            : "fit.csv is not as 'laggard fit' writes it");
    if (csv && columns_found(&reading))
        found = draw_rows(&reading, chart, why);
    csv_release(csv);
    diag_free(unheard);
    free(path);
    return found;
}

const struct figure figure_fit = {
    .head = {.name = "fit",
             .summary = "measured times against the best three laws: distribution, tail, quantiles"},
    .title = "Measured times and fitted laws",
    .file = "fit.csv",
    .tabulate = tabulate,
};
