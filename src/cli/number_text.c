#include "number_text.h"
#include <math.h>

/* A half-width that is a smaller share of its mean is of rounding alone. */
#define NARROW 1e-6
/* Digits after the point; what needs more is written with a power of ten. */
#define DIGITS 12

const char *number_text(struct arena *arena, double value) {
    if (isnan(value))
        return "–";
    if (isinf(value))
        return value > 0 ? "infinite" : "-infinite";
    double size = fabs(value);
    if (size >= 1e3 && size < 1e9)
        return arena_format(arena, "%.0f", value);
    return arena_format(arena, "%.4g", value);
}

const char *interval_text(struct arena *arena, double mean, double half_width) {
    if (!isfinite(mean) || !isfinite(half_width) || half_width <= 0)
        return number_text(arena, mean);
    if (half_width < NARROW * fabs(mean))
        return arena_format(arena, "%.6g", mean);
    int digits = 1 - (int)floor(log10(half_width));
    if (digits > DIGITS)
        return arena_format(arena, "%.4g ± %.2g", mean, half_width);
    digits = digits < 0 ? 0 : digits;
    return arena_format(arena, "%.*f ± %.*f", digits, mean, digits, half_width);
}

struct unit {
    double size;
    const char *name;
};

/* In the largest unit that the amount reaches; `unit` is ascending, ended by a size of 0. */
static const char *unit_text(struct arena *arena, double amount, const struct unit *unit) {
    while (unit[1].size > 0 && amount >= unit[1].size)
        unit++;
    double count = amount / unit->size;
    return arena_format(arena, "%.*f %s", count < 9.95 ? 1 : 0, count, unit->name);
}

const char *bytes_text(struct arena *arena, double bytes) {
    static const struct unit units[] = {{1, "B"}, {1024, "KiB"}, {1048576, "MiB"}, {1073741824, "GiB"}, {0}};
    return unit_text(arena, bytes, units);
}

const char *duration_text(struct arena *arena, double seconds) {
    static const struct unit units[] = {{1e-6, "µs"}, {1e-3, "ms"},    {1, "s"}, {60, "min"},
                                        {3600, "h"},  {86400, "days"}, {0}};
    return unit_text(arena, seconds, units);
}

const char *count_text(struct arena *arena, size_t count, const char *noun) {
    return arena_format(arena, "%zu %s%s", count, noun, count == 1 ? "" : "s");
}
