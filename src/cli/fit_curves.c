#include "fit_curves.h"
#include <math.h>

#define BEST   3
#define POINTS 200 /* per curve and panel */

/* A row of fit.csv; NAN where a column does not apply. */
struct point {
    const char *curve; /* distribution, tail, quantiles */
    const char *law;   /* NULL: what was measured */
    double time_s;     /* measured; of a law's own curve, the law's */
    double share;      /* of times up to that, in a tail of longer ones */
    double law_s;      /* the law's time for the same share */
};
static const struct column column[] = {
    {"curve", COLUMN_TEXT, offsetof(struct point, curve)},
    {"law", COLUMN_TEXT, offsetof(struct point, law)},
    {"time_s", COLUMN_NUMBER, offsetof(struct point, time_s)},
    {"share", COLUMN_NUMBER, offsetof(struct point, share)},
    {"law_s", COLUMN_NUMBER, offsetof(struct point, law_s)},
};
static const struct columns columns = {column, sizeof column / sizeof *column};

/* Ranks from the front for the first half of the points, even and then ever denser towards the largest. */
static size_t rank_at(size_t point, size_t count) {
    double share = (double)point / (POINTS - 1), rank = 0;
    if (share < 0.5)
        rank = 2 * share * 0.9 * (double)(count - 1);
    else
        rank = (double)(count - 1) - pow(0.1 * (double)count, 2 - 2 * share) + 1;
    return rank < 0 ? 0 : rank > (double)(count - 1) ? count - 1 : (size_t)rank;
}

/* Rank r of n stands for the share (r + 1/2) / n. */
static double share_at(size_t rank, const struct sample *sample) {
    return ((double)rank + 0.5) / (double)sample->count;
}

static void fill_measured(struct sheet *sheet, const struct sample *sample) {
    for (size_t p = 0, last = SIZE_MAX; p < POINTS; p++) {
        size_t rank = rank_at(p, sample->count);
        if (rank == last)
            continue;
        last = rank;
        double time_s = sample->value_s[rank], share = share_at(rank, sample);
        sheet_row(sheet, &(struct point){"distribution", NULL, time_s, share, (double)NAN});
        sheet_row(sheet, &(struct point){"tail", NULL, time_s, 1 - share, (double)NAN});
    }
}

static void fill_law(struct sheet *sheet, const struct fitted *law, const struct sample *sample) {
    const char *name = law->fitter->name;
    for (size_t p = 0, last = SIZE_MAX; p < POINTS; p++) {
        size_t rank = rank_at(p, sample->count);
        if (rank == last)
            continue;
        last = rank;
        double share = share_at(rank, sample), law_s = law_quantile(&law->law, share);
        sheet_row(sheet, &(struct point){"distribution", name, law_s, share, (double)NAN});
        sheet_row(sheet, &(struct point){"tail", name, law_s, 1 - share, (double)NAN});
        sheet_row(sheet, &(struct point){"quantiles", name, sample->value_s[rank], share, law_s});
    }
}

void fit_curves_fill(struct sheet *sheet, const struct ranking *ranking, const struct sample *sample) {
    sheet_init(sheet, &columns, NULL, 0);
    sheet_header(sheet);
    fill_measured(sheet, sample);
    for (size_t l = 0; l < ranking->laws && l < BEST; l++)
        fill_law(sheet, &ranking->fitted[l], sample);
}
