/* kept_values.h: how many values of a message topk and randk keep. */
#ifndef LAGGARD_KEPT_VALUES_H
#define LAGGARD_KEPT_VALUES_H
#include "param.h"

/* One of the two is given. */
struct kept_values {
    double fraction;      /* NAN: not given */
    uint32_t coordinates; /* PARAM_ABSENT: not given */
};
extern const struct param_table kept_values_table;

/* k of d values: `coordinates`, or the whole number nearest to fraction d, at least 1. */
size_t kept_values_count(const struct kept_values *kept, size_t values);
/* As struct compressor's. */
bool kept_values_refuses(const void *params, size_t values, struct sentence *why);
#endif
