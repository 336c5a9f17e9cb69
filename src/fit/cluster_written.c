#include "cluster_written.h"

static struct node *written_regime(struct arena *arena, const struct regime_fit *fit) {
    struct node *regime = node_mapping(arena, (struct place){0});
    written_number(arena, regime, "p_slow", fit->p_slow);
    written_number(arena, regime, "p_recover", fit->p_recover);
    written_number(arena, regime, "slowdown", fit->slowdown);
    return regime;
}

/* A mixture of 0 and the law. */
static struct node *beside_zeros(const struct cluster_fit *fit, struct node *law) {
    double share = (double)fit->zeros / (double)fit->count;
    struct node *parts = node_list(fit->arena, (struct place){0}),
                *zero = written_law(fit->arena, "constant");
    written_number(fit->arena, zero, "value", 0);
    written_number(fit->arena, zero, "weight", share);
    written_number(fit->arena, law, "weight", 1 - share);
    node_append(fit->arena, parts, NULL, zero);
    node_append(fit->arena, parts, NULL, law);
    struct node *mixture = written_law(fit->arena, "mixture");
    node_append(fit->arena, mixture, "parts", parts);
    return mixture;
}

static void write_laws(const struct cluster_fit *fit, const struct cluster_request *request,
                       struct node *group) {
    struct node *law = node_clone(fit->arena, fit->chosen->node);
    if (fit->zeros > 0)
        law = beside_zeros(fit, law);
    if (!request->loaded) {
        node_append(fit->arena, group, "compute", law);
        return;
    }
    struct node *compute = written_law(fit->arena, "constant");
    written_number(fit->arena, compute, "value", fit->line.played_s);
    node_append(fit->arena, group, "compute", compute);
    node_append(fit->arena, group, "delay", law);
}

static struct node *written_group(const struct cluster_fit *fit, const struct cluster_request *request) {
    struct node *group = node_mapping(fit->arena, (struct place){0});
    bool own = request->slowness == SLOWNESS_OWN && fit->factor;
    written_number(fit->arena, group, "count", own ? 1 : request->workers);
    write_laws(fit, request, group);
    if (fit->spells)
        node_append(fit->arena, group, "regime", written_regime(fit->arena, fit->regime));
    if (!own && fit->slowness)
        node_append(fit->arena, group, "slowness", fit->slowness);
    return group;
}

/* Groups of one worker; a list of equal laws is long but says all there is. */
static void write_workers(const struct cluster_fit *fit, const struct cluster_request *request,
                          struct node *workers) {
    if (request->slowness != SLOWNESS_OWN || !fit->factor) {
        node_append(fit->arena, workers, NULL, written_group(fit, request));
        return;
    }
    for (uint32_t i = 0; i < request->workers; i++) {
        struct node *group = written_group(fit, request), *slowness = written_law(fit->arena, "constant");
        written_number(fit->arena, slowness, "value", fit->factor[i]);
        node_append(fit->arena, group, "slowness", slowness);
        node_append(fit->arena, workers, NULL, group);
    }
}

struct node *cluster_written(const struct cluster_fit *fit, const struct cluster_request *request) {
    struct arena *arena = fit->arena;
    struct node *root = node_mapping(arena, (struct place){0});
    struct node *cluster = node_mapping(arena, (struct place){0});
    struct node *workers = node_list(arena, (struct place){0});
    write_workers(fit, request, workers);
    node_append(arena, root, "cluster", cluster);
    node_append(arena, cluster, "workers", workers);
    return root;
}
