#include "drawn.h"
#include "../base/sketch.h"
#include "elementary.h"
#include "law.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sample *drawn_sample(const char *text, size_t count, uint64_t seed) {
    struct arena *arena = arena_new();
    struct diag *diag = diag_new();
    struct binder binder = {.diag = diag, .arena = arena};
    struct picked law = {0};
    cr_assert(param_bind(&binder, sketch(arena, text), &law_table, &law), "%s", text);
    double *value_s = malloc(count * sizeof *value_s);
    for (size_t v = 0; v < count; v++) {
        struct occasion occasion = {
            .draw = {.stream = {.seed = seed, .purpose = PURPOSE_DELAY}, .step = (uint32_t)v}};
        value_s[v] = law_sample(&law, occasion);
    }
    struct sample *sample = sample_new(value_s, count);
    free(value_s);
    diag_free(diag);
    arena_free(arena);
    return sample;
}

static double unit_at(uint64_t seed, enum purpose purpose, size_t worker, size_t round) {
    struct draw draw = {
        .stream = {.seed = seed, .purpose = purpose}, .worker = (uint32_t)worker, .step = (uint32_t)round};
    return draw_unit(&draw);
}

double *drawn_times(const struct drawn_cluster *cluster) {
    double *value_s = malloc(cluster->rounds * cluster->workers * sizeof *value_s);
    for (size_t i = 0; i < cluster->workers; i++) {
        double factor = cluster->slowness * normal_quantile(unit_at(cluster->seed, PURPOSE_SLOWNESS, i, 0));
        double stationary = cluster->p_slow / (cluster->p_slow + cluster->p_recover);
        bool slow = unit_at(cluster->seed, PURPOSE_RACK, i, 0) < stationary;
        for (size_t r = 0; r < cluster->rounds; r++) {
            double noise = normal_quantile(unit_at(cluster->seed, PURPOSE_DELAY, i, r));
            value_s[r * cluster->workers + i] =
                exp(factor + cluster->deviation * noise) * (slow ? cluster->slowdown : 1);
            double change = slow ? cluster->p_recover : cluster->p_slow;
            slow ^= unit_at(cluster->seed, PURPOSE_REGIME, i, r) < change;
        }
    }
    return value_s;
}

const struct fitter *fitter_named(const char *name) {
    for (size_t f = 0; fitters[f]; f++)
        if (strcmp(fitters[f]->name, name) == 0)
            return fitters[f];
    cr_assert_fail("no fitter is called %s", name);
    return NULL;
}
