#include "law.h"
#include <math.h>

/* The head is a law's first member. */
static const struct law *law_of(const struct picked *law) {
    return (const struct law *)law->type;
}

double law_sample(const struct picked *law, struct occasion occasion) {
    if (law_of(law)->sample)
        return law_of(law)->sample(law->params, occasion);
    return law_of(law)->quantile(law->params, draw_unit(&occasion.draw));
}

bool law_sample_all(const struct picked *law, const struct draw *draw, uint32_t members, double *seconds) {
    if (!law_of(law)->sample_all)
        return false;
    law_of(law)->sample_all(law->params, draw, members, seconds);
    return true;
}

bool law_stored(const struct picked *law, const struct draw *draw, uint32_t members, struct stored_row *row) {
    return law_of(law)->stored && law_of(law)->stored(law->params, draw, members, row);
}

bool law_fixed(const struct picked *law) {
    return law_of(law)->fixed;
}

bool law_inverts(const struct picked *law) {
    return !law_of(law)->sample;
}

enum draw_form law_form(const struct picked *law) {
    return law_of(law)->fill_logs ? DRAW_LOG : DRAW_UNIT;
}

void law_fill(const struct picked *law, enum draw_form form, double *value, size_t count) {
    if (law_of(law)->fill) {
        (form == DRAW_LOG ? law_of(law)->fill_logs : law_of(law)->fill)(law->params, value, count);
        return;
    }
    for (size_t q = 0; q < count; q++)
        value[q] = law_of(law)->quantile(law->params, value[q]);
}

struct moments law_moments(const struct picked *law) {
    return law_of(law)->moments(law->params);
}

double law_quantile(const struct picked *law, double p) {
    return law_of(law)->quantile(law->params, p);
}

double law_cdf(const struct picked *law, double seconds) {
    return law_of(law)->cdf(law->params, seconds);
}

double law_survival(const struct picked *law, double seconds) {
    if (law_of(law)->survival)
        return law_of(law)->survival(law->params, seconds);
    return 1 - law_of(law)->cdf(law->params, seconds);
}

double law_jump(const struct picked *law, double after_s) {
    return law_of(law)->jump ? law_of(law)->jump(law->params, after_s) : (double)INFINITY;
}

bool law_dependent(const struct picked *law) {
    return law_of(law)->replays || (law_of(law)->dependent && law_of(law)->dependent(law->params));
}

bool law_replays(const struct picked *law) {
    return law_of(law)->replays || (law_of(law)->replays_within && law_of(law)->replays_within(law->params));
}

bool law_skips(const struct picked *law) {
    return law_of(law)->skips && law_of(law)->skips(law->params);
}

uint32_t law_rounds(const struct picked *law) {
    return law_of(law)->rounds ? law_of(law)->rounds(law->params) : UINT32_MAX;
}

bool law_load(const struct picked *law, const struct law_files *files) {
    return !law_of(law)->load || law_of(law)->load(law->params, files);
}
