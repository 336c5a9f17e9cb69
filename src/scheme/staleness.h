/* staleness.h: what becomes of a gradient that is used at a later version of the model than it was taken at: scaled, or
 * moved towards the present one. One file per rule. The penalty's gradient is no affair of theirs.
 * Knows ages, no gradient.
 *
 * Notation: tau is the age, the updates between the version of a term and the present one; g = coefficient * g_p(w_used). */
#ifndef LAGGARD_STALENESS_H
#define LAGGARD_STALENESS_H
#include "param.h"

struct staleness {
    struct variant head;
    /* What g is multiplied by at age tau; 1 at age 0. NULL: 1 at every age. */
    double (*factor)(const void *params, uint32_t age);
    /* c of g + c g*g*(w_now - w_used), feature by feature: then w at the versions that may still be used is kept, which
     * only schemes without a barrier do. NULL: 0. */
    double (*compensation)(const void *params);
};
extern const struct family staleness_family;     /* none, inverse, polynomial, delay-compensated */
extern const struct param_table staleness_table; /* fills a struct picked */

double staleness_factor(const struct picked *staleness, uint32_t age);
double staleness_compensation(const struct picked *staleness);
#endif
