#include "curves.h"
#include "figure.h"

static const struct column column[] = {
    {"panel", COLUMN_COUNT, offsetof(struct curve_row, panel)},
    {"curve", COLUMN_COUNT, offsetof(struct curve_row, curve)},
    {"step", COLUMN_NUMBER, offsetof(struct curve_row, x)},
    {"loss_spread_median", COLUMN_NUMBER, offsetof(struct curve_row, median)},
    {"loss_spread_p10", COLUMN_NUMBER, offsetof(struct curve_row, low)},
    {"loss_spread_p90", COLUMN_NUMBER, offsetof(struct curve_row, high)},
    {"runs", COLUMN_COUNT, offsetof(struct curve_row, runs)},
    {"point", COLUMN_COUNT, offsetof(struct curve_row, point)},
    {"scheme", COLUMN_TEXT, offsetof(struct curve_row, scheme)},
};
static const struct columns columns = {column, sizeof column / sizeof *column};

static int tabulate(const struct plot_request *plot, struct chart *chart, struct sentence *why) {
    return curves_tabulate(&(struct curves_request){plot, "step", AXIS_STEPS, &columns, "loss_spread"}, chart,
                           why);
}

const struct figure figure_loss_spread = {
    .head = {.name = "loss-spread",
             .summary =
                 "largest less smallest loss of the workers' own models over steps, where it was audited"},
    .title = "Spread of the loss between the workers' own models",
    .file = "partitions.csv",
    .rare = true,
    .tabulate = tabulate,
};
