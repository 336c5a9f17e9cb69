#include "fitter.h"
#include <math.h>
#include <stdlib.h>

#define FIT(name) extern const struct fitter fit_##name;
#include "fits.def"
#undef FIT

#define FIT(name) &fit_##name,
const struct fitter *const fitters[] = {
#include "fits.def"
    NULL};
#undef FIT

double fit_log_likelihood(const struct fitter *fitter, const double *theta, const struct sample *sample) {
    double sum = 0;
    for (size_t v = 0; v < sample->count; v++)
        sum += fitter->log_density(theta, sample->value_s[v],
                                   sample->logarithm ? sample->logarithm[v] : (double)NAN);
    return sum;
}

struct node *written_law(struct arena *arena, const char *type) {
    struct node *mapping = node_mapping(arena, (struct place){0});
    node_append(arena, mapping, "type", node_scalar(arena, (struct place){0}, type));
    return mapping;
}

void written_number(struct arena *arena, struct node *mapping, const char *key, double number) {
    const char *text = arena_format(arena, "%.8g", number);
    node_append(arena, mapping, key, node_scalar(arena, (struct place){0}, text));
}

void written_bound(struct arena *arena, struct node *mapping, const char *key, double bound) {
    const char *text = "";
    for (int digits = 6; digits <= 17; digits++) {
        text = arena_format(arena, "%.*g", digits, bound);
        double back = strtod(text, NULL);
        if (back <= bound && back >= bound)
            break;
    }
    node_append(arena, mapping, key, node_scalar(arena, (struct place){0}, text));
}
