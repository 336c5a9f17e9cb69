#include "comparison.h"
#include <math.h>

const char *measure_compared_name(const struct summary *summary) {
    return isnan(summary->reached) ? "seconds/step" : "seconds to loss";
}

double ratio_to_first(const struct summary *summary, const struct summary *first) {
    enum measure measure = measure_compared(first);
    if (summary->reached < 1 || first->reached < 1)
        return (double)NAN;
    double ratio = summary->measure[measure].mean / first->measure[measure].mean;
    return isfinite(ratio) ? ratio : (double)NAN;
}
