/* Why the gradient at a round's opening is taken at its first update of the model: nothing has moved the model before, and
 * later updates of the round find it kept. */
#include "trial_state.h"
#include <assert.h>
#include <math.h>

/* Against the first full gradient: where a smaller one is left, ratios to it are made of rounding and are not taken. */
#define GRADIENT_TINY 1e-8

/* A model as it was when the round opened. */
struct opening {
    uint32_t round;         /* of the last one taken; NO_STEP: none yet */
    double *sum, *gradient; /* sum_p g_p(w), grad F(w) */
};

struct audit {
    struct opening *opening; /* [models] */
    struct store
        *full;    /* grad F at the versions that a worker may still hold; NULL: the scheme has no theorem */
    double *mean; /* of stale gradients */
    double first_norm; /* |grad F(w_0)|^2 */
    double error_sum, cosine_sum;
    uint32_t errors, cosines;
};

static size_t length_of(const struct trial *trial) {
    return trial->spec.scenario->objective.data->stride;
}

static void begin_theorem(struct trial *trial) {
    struct audited *audited = trial->result->audited;
    audited->xi = audited->gamma = (double)NAN;
    if (!trial->scheme->theorem)
        return;
    assert(trial->models == 1 && trial->pieces == trial->setting.shape.partitions);
    audited->xi = audited->gamma = 0;
    struct run_sizes sizes = run_sizes(trial->spec.scenario, trial->spec.entry);
    trial->audit->full = store_new(sizes.versions, length_of(trial));
    trial->audit->mean = arena_zeroed(trial->arena, length_of(trial), sizeof(double));
}

void audit_begin(struct trial *trial) {
    if (!trial->spec.scenario->record.audit)
        return;
    struct audit *audit = trial->audit = arena_zeroed(trial->arena, 1, sizeof *audit);
    result_keep_audit(trial->result, trial->setting.shape.partitions);
    audit->opening = arena_zeroed(trial->arena, trial->models, sizeof *audit->opening);
    for (uint32_t q = 0; q < trial->models; q++) {
        audit->opening[q].round = NO_STEP;
        audit->opening[q].sum = arena_zeroed(trial->arena, length_of(trial), sizeof(double));
        audit->opening[q].gradient = arena_zeroed(trial->arena, length_of(trial), sizeof(double));
    }
    struct audited *audited = trial->result->audited;
    audited->cosine_min = audited->residual_max = audited->largest_max = (double)NAN;
    begin_theorem(trial);
}

static void copy_vector(double *to, const double *from, size_t length) {
    for (size_t j = 0; j < length; j++)
        to[j] = from[j];
}

static const struct opening *take_opening(struct trial *trial, uint32_t model) {
    struct opening *opening = &trial->audit->opening[model];
    struct learner *learner = trial->learner[model];
    size_t length = length_of(trial);
    if (opening->round == trial->round)
        return opening;
    opening->round = trial->round;
    for (size_t j = 0; j < length; j++)
        opening->sum[j] = 0;
    learner_add_gradients(learner, opening->sum);
    copy_vector(opening->gradient, opening->sum, length);
    objective_add_penalty_gradient(&trial->objective, learner_w(learner), opening->gradient);
    return opening;
}

static double square_distance(const double *a, const double *b, size_t length) {
    double sum = 0;
    for (size_t j = 0; j < length; j++)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

static double square_norm(const double *a, size_t length) {
    double sum = 0;
    for (size_t j = 0; j < length; j++)
        sum += a[j] * a[j];
    return sum;
}

static bool is_tiny(const struct trial *trial, const struct opening *opening) {
    double norm = square_norm(opening->gradient, length_of(trial));
    return norm < GRADIENT_TINY * GRADIENT_TINY * trial->audit->first_norm;
}

/* The penalty is the same in the estimate's gradient and in the full one, so their distance is that of the sums; taken
 * from the full gradient on, a small one does not drown in the rounding of large sums. */
static void measure_error(struct trial *trial, const struct opening *opening, const double *estimate) {
    size_t length = length_of(trial);
    double along = 0, norm = square_norm(opening->gradient, length), own = 0;
    double distance = square_distance(estimate, opening->sum, length);
    for (size_t j = 0; j < length; j++) {
        double estimated = opening->gradient[j] + (estimate[j] - opening->sum[j]);
        along += estimated * opening->gradient[j];
        own += estimated * estimated;
    }
    double error = sqrt(distance) / sqrt(norm), cosine = along / (sqrt(norm) * sqrt(own));
    struct audited *audited = trial->result->audited;
    if (isfinite(error)) {
        trial->row.gradient_error = error;
        trial->audit->error_sum += error;
        trial->audit->errors++;
    }
    if (isfinite(cosine)) {
        trial->row.gradient_cosine = fmax(-1, fmin(1, cosine));
        trial->audit->cosine_sum += trial->row.gradient_cosine;
        trial->audit->cosines++;
        audited->cosine_min = fmin(audited->cosine_min, trial->row.gradient_cosine);
    }
}

/* `weight_mean` and `participation` hold sums until the end. */
static void note_weight(struct partition_row *row, double weight, bool first) {
    row->participation += weight != 0;
    row->weight_mean += weight;
    row->weight_min = first ? weight : fmin(row->weight_min, weight);
    row->weight_max = first ? weight : fmax(row->weight_max, weight);
}

static void measure_weights(struct trial *trial) {
    struct audited *audited = trial->result->audited;
    for (uint32_t p = 0; p < audited->partitions; p++)
        note_weight(&audited->partition[p], effective_weights(trial)[p], audited->updates == 0);
    audited->residual_max = fmax(audited->residual_max, trial->decoding.residual);
    audited->largest_max = fmax(audited->largest_max, trial->decoding.largest_weight);
}

/* A gradient of 0 that everything else equals says nothing. */
static void note_largest(double *largest, double ratio) {
    if (!isnan(ratio) && ratio > *largest)
        *largest = ratio;
}

/* xi at the present w. A partition's own mean gradient is g_p m / (rows of p) + l2 w. */
static void measure_spread(struct trial *trial, const struct opening *opening) {
    size_t length = length_of(trial);
    double norm = square_norm(opening->gradient, length), samples = trial->objective.data->samples;
    for (uint32_t p = 0; p < trial->objective.partitions; p++) {
        const double *partial = learner_gradient(trial->learner[0], p);
        double scale = samples / partition_rows(&trial->objective, p);
        copy_vector(trial->audit->mean, opening->sum, length);
        vector_add_scaled(trial->audit->mean, -scale, partial, length);
        note_largest(&trial->result->audited->xi, square_norm(trial->audit->mean, length) / norm);
    }
}

static struct gradient_key full_key(uint32_t version) {
    return (struct gradient_key){0, 0, version};
}

static void mark_live(struct trial *trial, uint32_t worker) {
    const struct task *task = &trial->seat[worker].task;
    size_t terms = trial->scheme->kept(trial->state, worker, trial->kept);
    for (size_t e = 0; e < terms; e++)
        store_mark(trial->audit->full, full_key(trial->kept[e].version));
    for (uint32_t e = 0; e < task->evaluations; e++)
        store_mark(trial->audit->full, full_key(task->evaluation[e].version));
}

static void keep_gradient(struct trial *trial, const struct opening *opening) {
    struct store *full = trial->audit->full;
    uint32_t version = trial->step, span = trial->limits.span;
    if (store_room(full) == 0) {
        if (span > 0)
            store_mark_since(full, version + 1 > span ? version + 1 - span : 0);
        for (uint32_t i = 0; span == 0 && i < trial->setting.shape.workers; i++)
            mark_live(trial, i);
        store_sweep(full);
    }
    copy_vector(store_add(full, full_key(version)), opening->gradient, length_of(trial));
}

/* The full gradients at the versions of what is used. */
struct stale_gradients {
    struct trial *trial;
    const double *present;
    double farthest; /* largest square distance from the present one */
    size_t terms;    /* their sum is the audit's `mean` */
};

static void add_stale(struct stale_gradients *stale, const struct letter *letter) {
    struct audit *audit = stale->trial->audit;
    size_t length = length_of(stale->trial);
    for (size_t e = 0; letter->used && e < letter->terms; e++) {
        const double *gradient = store_find(audit->full, full_key(letter->term[e].version));
        assert(gradient);
        stale->farthest = fmax(stale->farthest, square_distance(gradient, stale->present, length));
        vector_add_scaled(audit->mean, 1, gradient, length);
        stale->terms++;
    }
}

/* gamma at this update. */
static void measure_lag(struct trial *trial, const struct opening *opening) {
    struct stale_gradients stale = {.trial = trial, .present = opening->gradient};
    size_t length = length_of(trial);
    double *mean = trial->audit->mean, norm = square_norm(opening->gradient, length);
    for (size_t j = 0; j < length; j++)
        mean[j] = 0;
    for (uint32_t m = 0; m < trial->mailbox.messages; m++)
        add_stale(&stale, trial->mailbox.of[m]);
    for (size_t j = 0; j < length; j++)
        mean[j] /= (double)stale.terms;
    double distance = trial->scheme->theorem->stale == STALE_EACH
                          ? stale.farthest
                          : square_distance(mean, opening->gradient, length);
    note_largest(&trial->result->audited->gamma, distance / norm);
}

/* What the scheme's theorem asks for. */
static void measure_ratios(struct trial *trial, const struct opening *opening) {
    keep_gradient(trial, opening);
    if (is_tiny(trial, opening))
        return;
    measure_spread(trial, opening);
    measure_lag(trial, opening);
}

void audit_update(struct trial *trial, uint32_t model) {
    const struct opening *opening = take_opening(trial, model);
    if (trial->result->audited->updates == 0)
        trial->audit->first_norm = square_norm(opening->gradient, length_of(trial));
    if (!is_tiny(trial, opening))
        measure_error(trial, opening, learner_estimate(trial->learner[model]));
    measure_weights(trial);
    if (trial->audit->full)
        measure_ratios(trial, opening);
    trial->result->audited->updates++;
}

static void settle_partition(struct partition_row *row, uint32_t partition, uint32_t updates) {
    row->partition = partition;
    row->participation /= updates;
    row->weight_mean /= updates;
    if (updates == 0)
        row->weight_min = row->weight_max = (double)NAN;
}

void audit_end(struct trial *trial) {
    struct audited *audited = trial->result->audited;
    if (!audited)
        return;
    audited->error_mean = trial->audit->error_sum / trial->audit->errors;
    audited->cosine_mean = trial->audit->cosine_sum / trial->audit->cosines;
    for (uint32_t p = 0; p < audited->partitions; p++)
        settle_partition(&audited->partition[p], p, audited->updates);
    if (trial->audit->full)
        store_free(trial->audit->full);
}
