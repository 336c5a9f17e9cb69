#include "trajectory.h"
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Of models that a trajectory keeps. When they are reached every other one goes, and between those kept the way is walked again. */
#define MODELS_BYTES 8e6
/* Of trajectories that nobody is on. */
#define IDLE_BYTES 256e6

enum {
    FIRST_MARKS = 256, /* in the first block; each has twice as many as the one before */
    BLOCKS = 25,
};

/* What a version is known by. */
struct mark {
    double loss, turn;
};

struct trajectory {
    struct objective objective; /* its cut is the trajectory's own */
    const struct optimizer_spec *optimizer;
    atomic_uint reached;        /* versions; marks before it are read without the lock */
    struct mark *block[BLOCKS]; /* they never move */
    pthread_mutex_t lock;       /* of all below */
    struct model *head;         /* at the last version, or after trajectory_want at the one that is wanted */
    struct gradients *first, *at_head;
    double *estimate;
    struct model **kept; /* [count]: at versions 0, spacing, 2 spacing, … */
    size_t count, capacity;
    uint32_t spacing;
    struct trajectory *next; /* in the list, whose lock guards it and what follows */
    uint32_t users;
    uint64_t left; /* by the clock of the list, when the last user left */
};

struct trajectories {
    pthread_mutex_t lock;
    struct trajectory *first;
    uint64_t clock;
};

struct trajectories *trajectories_new(void) {
    struct trajectories *trajectories = memory_zeroed(1, sizeof *trajectories);
    pthread_mutex_init(&trajectories->lock, NULL);
    return trajectories;
}

static struct model_spec model_spec_of(const struct trajectory *trajectory) {
    return (struct model_spec){.objective = &trajectory->objective, .optimizer = trajectory->optimizer};
}

static size_t params_size(const struct picked *picked) {
    return picked->type->params ? picked->type->params->size : 0;
}

/* The cut belongs to the run that makes the trajectory, and the trajectory outlives it. */
static struct objective own_objective(const struct objective *objective) {
    struct objective own = *objective;
    if (objective->cut) {
        size_t bytes = (objective->pieces + 1) * sizeof *objective->cut;
        own.cut = memcpy(memory_zeroed(1, bytes), objective->cut, bytes);
    }
    return own;
}

static struct trajectory *trajectory_new(const struct objective *objective,
                                         const struct optimizer_spec *optimizer) {
    struct trajectory *trajectory = memory_zeroed(1, sizeof *trajectory);
    trajectory->objective = own_objective(objective);
    trajectory->optimizer = optimizer;
    struct model_spec spec = model_spec_of(trajectory);
    pthread_mutex_init(&trajectory->lock, NULL);
    trajectory->head = model_new(&spec);
    trajectory->first = gradients_new(&trajectory->objective);
    trajectory->at_head = gradients_new(&trajectory->objective);
    trajectory->estimate = memory_zeroed(trajectory->objective.data->stride, sizeof(double));
    trajectory->capacity = (size_t)fmax(2, MODELS_BYTES / (double)model_bytes(&spec));
    trajectory->kept = memory_zeroed(trajectory->capacity, sizeof *trajectory->kept);
    trajectory->spacing = 1;
    return trajectory;
}

static void trajectory_free(struct trajectory *trajectory) {
    for (size_t q = 0; q < trajectory->count; q++)
        model_free(trajectory->kept[q]);
    for (size_t b = 0; b < BLOCKS; b++)
        free(trajectory->block[b]);
    model_free(trajectory->head);
    gradients_free(trajectory->first);
    gradients_free(trajectory->at_head);
    pthread_mutex_destroy(&trajectory->lock);
    free(trajectory->kept);
    free(trajectory->estimate);
    free((void *)(uintptr_t)trajectory->objective.cut);
    free(trajectory);
}

void trajectories_free(struct trajectories *trajectories) {
    for (struct trajectory *trajectory = trajectories->first, *next; trajectory; trajectory = next) {
        next = trajectory->next;
        trajectory_free(trajectory);
    }
    pthread_mutex_destroy(&trajectories->lock);
    free(trajectories);
}

/* Where a version's mark is: block b begins at version FIRST_MARKS (2^b - 1). */
struct mark_place {
    size_t block, mark;
};
static struct mark_place place_of(uint32_t version) {
    const size_t block = (size_t)(63 - __builtin_clzll((uint64_t)version / FIRST_MARKS + 1));
    return (struct mark_place){block, version - FIRST_MARKS * (((size_t)1 << block) - 1)};
}

static void add_mark(struct trajectory *trajectory, struct mark mark) {
    const uint32_t version = atomic_load_explicit(&trajectory->reached, memory_order_relaxed);
    const struct mark_place place = place_of(version);
    if (!trajectory->block[place.block])
        trajectory->block[place.block] = memory_zeroed((size_t)FIRST_MARKS << place.block, sizeof mark);
    trajectory->block[place.block][place.mark] = mark;
    atomic_store_explicit(&trajectory->reached, version + 1, memory_order_release);
}

static void keep_model(struct trajectory *trajectory) {
    const uint32_t version = model_version(trajectory->head);
    if (version % trajectory->spacing != 0)
        return;
    if (trajectory->count == trajectory->capacity) {
        for (size_t q = 0; q < trajectory->count; q++)
            if (q % 2 == 0)
                trajectory->kept[q / 2] = trajectory->kept[q];
            else
                model_free(trajectory->kept[q]);
        trajectory->count = (trajectory->count + 1) / 2;
        trajectory->spacing *= 2;
    }
    if (version % trajectory->spacing != 0)
        return;
    struct model_spec spec = model_spec_of(trajectory);
    trajectory->kept[trajectory->count] = model_new(&spec);
    model_copy(trajectory->kept[trajectory->count++], trajectory->head);
}

/* By the full gradient at the present version; true: w has moved. */
static bool advance(struct trajectory *trajectory, struct model *model, const struct gradients *gradients) {
    memset(trajectory->estimate, 0, trajectory->objective.data->stride * sizeof *trajectory->estimate);
    gradients_add_all(gradients, trajectory->estimate);
    return model_update(model, trajectory->estimate, 1);
}

/* The head is at the next version, and its gradients are known. */
static void note_reached(struct trajectory *trajectory) {
    const uint32_t version = model_version(trajectory->head);
    if (version == 0)
        gradients_copy(trajectory->first, trajectory->at_head);
    keep_model(trajectory);
    add_mark(trajectory,
             (struct mark){gradients_loss(trajectory->at_head) +
                               objective_penalty(&trajectory->objective, model_w(trajectory->head)),
                           model_turn(trajectory->head)});
}

/* Takes the head to the next version; true: gradients are wanted there. */
static bool step_ahead(struct trajectory *trajectory) {
    return atomic_load_explicit(&trajectory->reached, memory_order_relaxed) == 0 ||
           advance(trajectory, trajectory->head, trajectory->at_head);
}

bool trajectory_reaches(const struct trajectory *trajectory, uint32_t version) {
    return version < atomic_load_explicit(&trajectory->reached, memory_order_acquire);
}

static void extend(struct trajectory *trajectory, uint32_t version) {
    pthread_mutex_lock(&trajectory->lock);
    while (!trajectory_reaches(trajectory, version)) {
        if (step_ahead(trajectory))
            gradients_take(trajectory->at_head, model_w(trajectory->head));
        note_reached(trajectory);
    }
    pthread_mutex_unlock(&trajectory->lock);
}

static struct mark mark_at(struct trajectory *trajectory, uint32_t version) {
    const struct mark_place place = place_of(version);
    if (!trajectory_reaches(trajectory, version))
        extend(trajectory, version);
    return trajectory->block[place.block][place.mark];
}

double trajectory_loss(struct trajectory *trajectory, uint32_t version) {
    return mark_at(trajectory, version).loss;
}

double trajectory_turn(struct trajectory *trajectory, uint32_t version) {
    return mark_at(trajectory, version).turn;
}

bool trajectory_want(struct trajectory *trajectory, uint32_t version, struct wanted_gradients *wanted) {
    if (pthread_mutex_trylock(&trajectory->lock) != 0)
        return false;
    if (!trajectory_reaches(trajectory, version)) {
        if (step_ahead(trajectory)) {
            *wanted = (struct wanted_gradients){trajectory->at_head, model_w(trajectory->head)};
            return true;
        }
        note_reached(trajectory);
    }
    pthread_mutex_unlock(&trajectory->lock);
    return false;
}

void trajectory_reach(struct trajectory *trajectory) {
    note_reached(trajectory);
    pthread_mutex_unlock(&trajectory->lock);
}

/* From a model kept before it, by the same arithmetic again. */
static void walk_to(struct trajectory *trajectory, uint32_t version, struct model *model) {
    struct gradients *gradients = gradients_new(&trajectory->objective);
    bool moved = true;
    while (model_version(model) < version) {
        if (moved)
            gradients_take(gradients, model_w(model));
        moved = advance(trajectory, model, gradients);
    }
    gradients_free(gradients);
}

void trajectory_leave(struct trajectory *trajectory, uint32_t version, struct model *model) {
    pthread_mutex_lock(&trajectory->lock);
    assert(trajectory_reaches(trajectory, version));
    bool at_head = model_version(trajectory->head) == version;
    model_copy(model, at_head ? trajectory->head : trajectory->kept[version / trajectory->spacing]);
    if (model_version(model) < version)
        walk_to(trajectory, version, model);
    pthread_mutex_unlock(&trajectory->lock);
}

bool trajectory_gradients(struct trajectory *trajectory, uint32_t version, struct gradients *gradients) {
    pthread_mutex_lock(&trajectory->lock);
    bool at_head = version == model_version(trajectory->head);
    if (version == 0 || at_head)
        gradients_copy(gradients, version == 0 ? trajectory->first : trajectory->at_head);
    pthread_mutex_unlock(&trajectory->lock);
    return version == 0 || at_head;
}

static bool same_picked(const struct picked *a, const struct picked *b) {
    return a->type == b->type && (params_size(a) == 0 || memcmp(a->params, b->params, params_size(a)) == 0);
}

static bool same_optimizer(const struct optimizer_spec *a, const struct optimizer_spec *b) {
    return same_picked(&a->optimizer, &b->optimizer) && same_picked(a->schedule, b->schedule) &&
           a->learning_rate == b->learning_rate && a->clip_norm == b->clip_norm &&
           a->accumulate == b->accumulate;
}

static struct trajectory *find(const struct trajectories *trajectories, const struct objective *objective,
                               const struct optimizer_spec *optimizer) {
    struct trajectory *trajectory = trajectories->first;
    while (trajectory &&
           !(objectives_alike(&trajectory->objective, objective) &&
             trajectory->objective.l2 == objective->l2 && same_optimizer(trajectory->optimizer, optimizer)))
        trajectory = trajectory->next;
    return trajectory;
}

struct trajectory *trajectory_join(struct trajectories *trajectories, const struct objective *objective,
                                   const struct optimizer_spec *optimizer) {
    if (objective->batch > 0 || optimizer->scale_lr != SCALE_LR_NONE)
        return NULL;
    pthread_mutex_lock(&trajectories->lock);
    struct trajectory *trajectory = find(trajectories, objective, optimizer);
    if (!trajectory) {
        trajectory = trajectory_new(objective, optimizer);
        trajectory->next = trajectories->first;
        trajectories->first = trajectory;
    }
    trajectory->users++;
    pthread_mutex_unlock(&trajectories->lock);
    return trajectory;
}

/* Of a trajectory that nobody is on. */
static double bytes_of(const struct trajectory *trajectory) {
    struct model_spec spec = model_spec_of(trajectory);
    return (double)trajectory->count * (double)model_bytes(&spec) +
           2 * gradients_bytes(&trajectory->objective) + (double)trajectory->reached * sizeof(struct mark);
}

/* The idle one that was left first; NULL while idle ones take little. */
static struct trajectory *oldest_idle(const struct trajectories *trajectories) {
    struct trajectory *oldest = NULL;
    double bytes = 0;
    for (struct trajectory *trajectory = trajectories->first; trajectory; trajectory = trajectory->next) {
        if (trajectory->users > 0)
            continue;
        bytes += bytes_of(trajectory);
        if (!oldest || trajectory->left < oldest->left)
            oldest = trajectory;
    }
    return bytes > IDLE_BYTES ? oldest : NULL;
}

static void drop(struct trajectories *trajectories, struct trajectory *dropped) {
    struct trajectory **link = &trajectories->first;
    while (*link != dropped)
        link = &(*link)->next;
    *link = dropped->next;
    trajectory_free(dropped);
}

void trajectory_part(struct trajectories *trajectories, struct trajectory *trajectory) {
    pthread_mutex_lock(&trajectories->lock);
    trajectory->users--;
    trajectory->left = ++trajectories->clock;
    for (struct trajectory *idle; (idle = oldest_idle(trajectories));)
        drop(trajectories, idle);
    pthread_mutex_unlock(&trajectories->lock);
}
