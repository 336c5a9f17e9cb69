#include "curve_axes.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

static const struct {
    const char *name;
    size_t count;
    struct curve_end end[5];
    double last;
} ends[] = {
    {"all reach the target", 3, {{100, true}, {80, true}, {90, true}}, 100},
    {"nobody has a target", 3, {{100, false}, {80, false}, {90, false}}, 100},
    {"one never reaches it: a quarter more is shown", 3, {{100, true}, {80, true}, {2000, false}}, 125},
    {"one gives up a little later", 3, {{100, true}, {80, true}, {110, false}}, 110},
    {"one gives up before", 3, {{100, true}, {80, true}, {50, false}}, 100},
    {"a slow one that reaches it is kept up to four times the upper median",
     4,
     {{100, true}, {80, true}, {90, true}, {390, true}},
     390},
    {"a much slower one is cut", 4, {{100, true}, {80, true}, {90, true}, {4000, true}}, 500},
    {"of two neither is too slow", 2, {{10, true}, {4000, true}}, 4000},
    {"a slow one without a target is cut", 3, {{10, false}, {12, false}, {4000, false}}, 60},
    {"no time passes", 2, {{0, true}, {0, true}}, 0},
};

Test(curve_axes, the_x_axis_ends_with_the_curves_that_matter) {
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        cr_expect(eq(dbl, x_axis_end(ends[i].end, ends[i].count), ends[i].last), "%s", ends[i].name);
}

static const struct {
    const char *name;
    struct loss_extent extent;
    bool logarithmic, cut;
    double within_low, within_high; /* both must be in the picture, with a margin of at most a seventh */
} axes[] = {
    {"a small ratio is linear", {0.5, 0.89, 0.89, NAN}, false, false, 0.5, 0.89},
    {"from 1.8 logarithmic", {0.369, 0.693, 0.693, NAN}, true, false, 0.369, 0.693},
    {"what diverges is cut at three times the first", {0.1, 1e9, 1, NAN}, true, true, 0.1, 3},
    {"a target near by is shown", {0.1, 0.7, 0.7, 0.08}, true, false, 0.08, 0.7},
    {"a target far below is not", {0.1, 0.7, 0.7, 1e-6}, true, false, 0.1, 0.7},
    {"a target of 0 is not on a logarithmic axis", {0.1, 0.7, 0.7, 0}, true, false, 0.1, 0.7},
    {"nor far below on a linear one", {0.6, 0.7, 0.7, 0.1}, false, false, 0.6, 0.7},
    {"negative", {-3, 3, 3, NAN}, false, false, -3, 3},
};

Test(curve_axes, the_loss_axis_fits_the_losses) {
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        struct loss_axis axis = loss_axis_of(&axes[i].extent);
        double low = axes[i].within_low, high = axes[i].within_high;
        cr_expect(axis.logarithmic == axes[i].logarithmic, "%s", axes[i].name);
        cr_expect(axis.cut == axes[i].cut, "%s", axes[i].name);
        double length = axis.logarithmic ? log(axis.high / axis.low) : axis.high - axis.low;
        double inside = axis.logarithmic ? log(high / low) : high - low;
        cr_expect(axis.low < low && axis.high > high, "%s: %g to %g", axes[i].name, axis.low, axis.high);
        cr_expect(le(dbl, length, inside * 8 / 7), "%s: %g to %g", axes[i].name, axis.low, axis.high);
    }
}

Test(curve_axes, one_loss_is_an_axis) {
    struct loss_axis axis = loss_axis_of(&(struct loss_extent){0.5, 0.5, 0.5, NAN});
    cr_expect(axis.low < 0.5 && axis.high > 0.5);
    axis = loss_axis_of(&(struct loss_extent){0, 0, 0, NAN});
    cr_expect(eq(dbl, axis.low, 0));
    cr_expect(lt(dbl, 0, axis.high));
}
