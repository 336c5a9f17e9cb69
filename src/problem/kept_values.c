#include "kept_values.h"
#include <math.h>

static const struct param params[] = {
    {.name = "fraction",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct kept_values, fraction),
     .fallback = "",
     .maximum = 1,
     .above_minimum = true,
     .help = "of the values that is sent: the nearest whole number of them, at least 1"},
    {.name = "coordinates",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct kept_values, coordinates),
     .fallback = "",
     .minimum = 1,
     .unit = "values",
     .help = "how many are sent, in place of a fraction"},
};

static const char *check(const void *values, struct sentence *why) {
    const struct kept_values *kept = values;
    bool fraction = !isnan(kept->fraction), coordinates = kept->coordinates != PARAM_ABSENT;
    if (fraction != coordinates)
        return NULL;
    sentence_set(why, fraction ? "stands in place of fraction: give one of the two"
                               : "needs fraction or coordinates: how much of a message is sent");
    return fraction ? "coordinates" : "";
}

const struct param_table kept_values_table = {PARAM_TABLE(struct kept_values, params), .check = check};

size_t kept_values_count(const struct kept_values *kept, size_t values) {
    if (kept->coordinates != PARAM_ABSENT)
        return kept->coordinates;
    double nearest = floor(kept->fraction * (double)values + 0.5);
    return nearest > 1 ? (size_t)nearest : 1;
}

bool kept_values_refuses(const void *params_read, size_t values, struct sentence *why) {
    const struct kept_values *kept = params_read;
    if (kept->coordinates == PARAM_ABSENT || kept->coordinates <= values)
        return false;
    sentence_set(why, "coordinates = %u must be at most the %zu values of a message", kept->coordinates,
                 values);
    return true;
}
