#include "curve_axes.h"
#include "memory.h"
#include <math.h>
#include <stdlib.h>

#define SLOW_RATIO 4.0
/* What is shown beyond the last curve that reached the target. */
#define BEYOND    1.25
#define LOG_RATIO 1.8
/* Share of the axis left free above and below the curves. */
#define MARGIN 0.06

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double x_axis_end(const struct curve_end *end, size_t count) {
    double *useful = memory_zeroed(count, sizeof *useful), last = 0;
    size_t reached = 0, kept = 0;
    for (size_t i = 0; i < count; i++)
        reached += end[i].reached ? 1 : 0;
    for (size_t i = 0; i < count; i++) {
        last = fmax(last, end[i].x);
        if (reached == 0 || end[i].reached)
            useful[kept++] = end[i].x;
    }
    qsort(useful, kept, sizeof *useful, ascending);
    double most = useful[kept - 1], slow = SLOW_RATIO * useful[kept / 2];
    free(useful);
    double until = most > slow && slow > 0 ? slow : most;
    return fmin(last, last > until ? BEYOND * until : until);
}

static bool target_shown(const struct loss_extent *extent, double high) {
    double low = extent->lowest, target = extent->target;
    if (!(target < low) || !(low < high))
        return !(target < low);
    if (low > 0 && high > LOG_RATIO * low)
        return target > 0 && log(low / target) <= log(high / low);
    return low - target <= high - low;
}

struct loss_axis loss_axis_of(const struct loss_extent *extent) {
    double low = extent->lowest, high = extent->highest, limit = CURVES_GROWTH * extent->start;
    struct loss_axis axis = {.cut = extent->start > 0 && high > limit};
    high = axis.cut ? limit : high;
    if (target_shown(extent, high)) {
        low = fmin(low, extent->target);
        high = fmax(high, extent->target);
    }
    axis.logarithmic = low > 0 && high > LOG_RATIO * low;
    if (axis.logarithmic) {
        double margin = pow(high / low, MARGIN);
        axis.low = low / margin;
        axis.high = high * margin;
    } else {
        double margin = high > low ? MARGIN * (high - low) : fmax(0.1 * fabs(high), 1e-3);
        axis.low = low >= 0 ? fmax(low - margin, 0) : low - margin;
        axis.high = high + margin;
    }
    return axis;
}
