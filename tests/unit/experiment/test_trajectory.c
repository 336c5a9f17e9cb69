/* Paths of versions: what they tell is what a model tells that is moved by full gradients one after another, whoever extends
 * them, however far back one leaves, and only equal ones are shared. */
#include "trajectory.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A few rows of so many features that a trajectory cannot keep a model for every version. */
enum { SAMPLES = 9, WIDE = 24000, NARROW = 8, VERSIONS = 100 };

static struct dataset *data_new(uint32_t features) {
    struct dataset *data = memory_zeroed(1, sizeof *data);
    *data = (struct dataset){.samples = SAMPLES, .features = features, .stride = features};
    data->row = memory_zeroed((size_t)SAMPLES * features, sizeof(double));
    data->label = memory_zeroed(SAMPLES, sizeof(double));
    for (size_t q = 0; q < (size_t)SAMPLES * features; q++)
        data->row[q] = sin(1.7 * (double)q) / sqrt(features);
    for (int r = 0; r < SAMPLES; r++)
        data->label[r] = r % 3 == 0 ? 1 : -1;
    return data;
}

static void data_free(struct dataset *data) {
    free(data->row);
    free(data->label);
    free(data);
}

static const struct variant *named(const struct family *family, const char *name) {
    const struct variant *const *variant = family->variants;
    while (strcmp((*variant)->name, name) != 0)
        variant++;
    return *variant;
}

/* momentum's and adam's parameters are numbers alone; those of a constant schedule none. */
static struct picked schedule;
static double numbers[2][4] = {{0.9}, {0.9, 0.999, 1e-8}};
static struct optimizer_spec optimizer_of(const char *name, uint32_t accumulate) {
    schedule = (struct picked){.type = named(&schedule_family, "constant")};
    return (struct optimizer_spec){
        .optimizer = {named(&optimizer_family, name), numbers[strcmp(name, "adam") == 0]},
        .learning_rate = 0.3,
        .schedule = &schedule,
        .clip_norm = (double)INFINITY,
        .accumulate = accumulate};
}

static struct objective objective_of(const struct dataset *data) {
    return (struct objective){.data = data,
                              .loss = (const struct loss *)named(&loss_family, "logistic"),
                              .l2 = 0.01,
                              .partitions = 4};
}

/* The slow way: every version, one after another. */
struct versions {
    double loss[VERSIONS], turn[VERSIONS], *w; /* [VERSIONS * features] */
};

static void walk(const struct model_spec *spec, struct versions *versions) {
    const struct objective *objective = spec->objective;
    const size_t length = objective->data->stride;
    struct model *model = model_new(spec);
    struct workspace *workspace = workspace_new(objective);
    double *gradient = memory_zeroed(objective->partitions * length, sizeof(double)), loss[8];
    double *estimate = memory_zeroed(length, sizeof(double));
    versions->w = memory_zeroed(VERSIONS * length, sizeof(double));
    for (uint32_t v = 0; v < VERSIONS; v++) {
        memcpy(versions->w + v * length, model_w(model), length * sizeof(double));
        objective_gradients(objective, workspace, 1, model_w(model), gradient, loss);
        versions->loss[v] = 0;
        memset(estimate, 0, length * sizeof *estimate);
        for (uint32_t p = 0; p < objective->partitions; p++) {
            versions->loss[v] += loss[p];
            vector_add_scaled(estimate, 1, gradient + p * length, length);
        }
        versions->loss[v] += objective_penalty(objective, model_w(model));
        versions->turn[v] = model_turn(model);
        model_update(model, estimate, 1);
    }
    workspace_free(workspace);
    free(gradient);
    free(estimate);
    model_free(model);
}

static void expect_mark(struct trajectory *trajectory, const struct versions *versions, uint32_t v,
                        const char *name) {
    double turn = trajectory_turn(trajectory, v);
    cr_expect(eq(dbl, trajectory_loss(trajectory, v), versions->loss[v]), "%s: loss at version %u", name, v);
    cr_expect(turn == versions->turn[v] || (isnan(turn) && isnan(versions->turn[v])),
              "%s: turn at version %u", name, v);
}

static void expect_model(struct trajectory *trajectory, const struct model_spec *spec,
                         const struct versions *versions, uint32_t v, const char *name) {
    const size_t length = spec->objective->data->stride;
    struct model *model = model_new(spec);
    trajectory_leave(trajectory, v, model);
    cr_expect(eq(u32, model_version(model), v), "%s", name);
    cr_expect(memcmp(model_w(model), versions->w + v * length, length * sizeof(double)) == 0,
              "%s: w at version %u", name, v);
    model_free(model);
}

struct trajectory_case {
    const char *name, *optimizer;
    uint32_t features, accumulate;
};
static const struct trajectory_case cases[] = {
    {"sgd", "sgd", NARROW, 1},
    {"three estimates an update", "momentum", NARROW, 3},
    {"wide", "momentum", WIDE, 1},
    {"wide, four estimates an update", "adam", WIDE, 4},
};
enum { CASES = sizeof cases / sizeof *cases };

Test(trajectory, tells_what_full_gradients_make, .timeout = 60) {
    for (size_t c = 0; c < CASES; c++) {
        struct dataset *data = data_new(cases[c].features);
        struct objective objective = objective_of(data);
        struct optimizer_spec optimizer = optimizer_of(cases[c].optimizer, cases[c].accumulate);
        struct model_spec spec = {.objective = &objective, .optimizer = &optimizer};
        struct versions versions;
        walk(&spec, &versions);
        struct trajectories *trajectories = trajectories_new();
        struct trajectory *trajectory = trajectory_join(trajectories, &objective, &optimizer);
        for (uint32_t v = 0; v < VERSIONS; v += v % 7 == 0 ? 13 : 2)
            expect_mark(trajectory, &versions, v, cases[c].name);
        for (uint32_t v = VERSIONS; v-- > 0;) {
            expect_mark(trajectory, &versions, v, cases[c].name);
            expect_model(trajectory, &spec, &versions, v, cases[c].name);
        }
        trajectory_part(trajectories, trajectory);
        trajectories_free(trajectories);
        free(versions.w);
        data_free(data);
    }
}

/* Extended beside others: while one takes it to a version nobody else does. */
Test(trajectory, is_extended_by_one_at_a_time, .timeout = 60) {
    struct dataset *data = data_new(NARROW);
    struct objective objective = objective_of(data);
    struct optimizer_spec optimizer = optimizer_of("sgd", 1);
    struct model_spec spec = {.objective = &objective, .optimizer = &optimizer};
    struct versions versions;
    walk(&spec, &versions);
    struct trajectories *trajectories = trajectories_new();
    struct trajectory *trajectory = trajectory_join(trajectories, &objective, &optimizer);
    for (uint32_t v = 0; v < VERSIONS; v++) {
        struct wanted_gradients wanted, other;
        cr_expect(not(trajectory_reaches(trajectory, v)));
        cr_assert(trajectory_want(trajectory, v, &wanted));
        cr_expect(not(trajectory_want(trajectory, v, &other)));
        gradients_take(wanted.gradients, wanted.w);
        trajectory_reach(trajectory);
        cr_expect(trajectory_reaches(trajectory, v));
        cr_expect(not(trajectory_want(trajectory, v, &other)));
        expect_mark(trajectory, &versions, v, "beside others");
    }
    trajectory_part(trajectories, trajectory);
    trajectories_free(trajectories);
    free(versions.w);
    data_free(data);
}

Test(trajectory, only_equals_share_one) {
    struct dataset *data = data_new(NARROW), *copy = data_new(NARROW);
    const uint32_t cut[] = {0, 1, 3}, same_cut[] = {0, 1, 3}, other_cut[] = {0, 2, 3};
    struct objective objective = objective_of(data),
                     apart[] = {objective, objective, objective, objective, objective};
    struct optimizer_spec optimizer = optimizer_of("momentum", 1),
                          others[] = {optimizer, optimizer, optimizer};
    double decay[4] = {0.8};
    apart[0].l2 = 0;
    apart[1].partitions = 5;
    apart[2].data = copy;
    apart[3].cut = cut;
    apart[4].cut = other_cut;
    apart[3].pieces = apart[4].pieces = 2;
    others[0].learning_rate = 0.1;
    others[1].optimizer.params = decay;
    others[2].accumulate = 2;
    struct trajectories *trajectories = trajectories_new();
    struct trajectory *trajectory = trajectory_join(trajectories, &objective, &optimizer);
    for (int q = 0; q < 5; q++)
        cr_expect(ne(ptr, trajectory_join(trajectories, &apart[q], &optimizer), trajectory), "objective %d",
                  q);
    for (int q = 0; q < 3; q++)
        cr_expect(ne(ptr, trajectory_join(trajectories, &objective, &others[q]), trajectory), "optimizer %d",
                  q);
    double same_decay[4] = {0.9};
    struct optimizer_spec same = optimizer;
    same.optimizer.params = same_decay;
    cr_expect(eq(ptr, trajectory_join(trajectories, &objective, &same), trajectory));
    struct trajectory *pieces = trajectory_join(trajectories, &apart[3], &optimizer);
    apart[3].cut = same_cut;
    cr_expect(eq(ptr, trajectory_join(trajectories, &apart[3], &optimizer), pieces));
    objective.batch = 1;
    cr_expect(eq(ptr, trajectory_join(trajectories, &objective, &optimizer), NULL));
    objective.batch = 0;
    optimizer.scale_lr = SCALE_LR_LINEAR;
    cr_expect(eq(ptr, trajectory_join(trajectories, &objective, &optimizer), NULL));
    trajectories_free(trajectories);
    data_free(data);
    data_free(copy);
}
