/* step_times.h: what the steps of a run took, for their quantiles: all of them, or of a long run that can be begun again those
 * near the quantiles alone, in room that does not grow with the run. The quantiles are exact either way. Knows no clock. */
#ifndef LAGGARD_STEP_TIMES_H
#define LAGGARD_STEP_TIMES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum step_quantile { STEP_P50, STEP_P95, STEP_P99, STEP_QUANTILES };

/* Zeroed at first: all are kept. */
struct step_times {
    size_t count;
    double *seconds; /* [kept]: of all; none once there is `nearby` */
    size_t kept, capacity;
    size_t expected;       /* at most, if it is not 0 */
    bool narrows;          /* those far from the quantiles will only be counted */
    struct nearby *nearby; /* [STEP_QUANTILES]; NULL: all are kept */
};
void step_times_fini(struct step_times *times);
/* From now on, as there are none yet, those far from the quantiles may only be counted, once there are STEP_TIMES_ALL; by then
 * the run should have come into its stride. */
#define STEP_TIMES_ALL (1 << 19)
void step_times_narrow(struct step_times *times);
/* Else there will be room for so many when the first comes, which takes no memory before they do. */
void step_times_expect(struct step_times *times, size_t count);

void step_times_add(struct step_times *times, double seconds);
void step_times_add_all(struct step_times *times, const double *seconds, size_t count);

/* Whether the quantiles can be told; else times that they need were only counted. */
bool step_times_settled(const struct step_times *times);
/* Between the two times around it. There is one at least, and they are settled. */
double step_times_quantile(const struct step_times *times, enum step_quantile quantile);
/* All of them: quantile[STEP_QUANTILES]. */
void step_times_quantiles(const struct step_times *times, double *quantile);
#endif
