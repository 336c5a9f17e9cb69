#include "comparison.h"
#include "number_text.h"
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

double ratio_half_width(const struct summary *summary, const struct summary *first) {
    enum measure measure = measure_compared(first);
    const struct estimate *difference = &summary->difference[measure];
    return (difference->high - difference->low) / 2 / fabs(first->measure[measure].mean);
}

const char *runs_averaged_text(struct arena *arena, const struct study *study) {
    size_t count;
    const struct summary *summary = study_summaries(study, &count);
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t c = 0; c < count; c++) {
        least = summary[c].runs < least ? summary[c].runs : least;
        most = summary[c].runs > most ? summary[c].runs : most;
    }
    return least == most ? count_text(arena, most, "run") : arena_format(arena, "%u to %u runs", least, most);
}
