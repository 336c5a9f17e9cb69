#include "run_sizes.h"
#include "gradients.h"
#include "slopes.h"
#include <math.h>

/* Of a seat, its worker in the cluster and its row. */
#define WORKER_BYTES 640
/* Of an evaluation: in its task, in the scheme's copy of that, and in the ledger until it is used. */
#define EVALUATION_BYTES 64
/* Of a letter with its places in lists, and of a gradient's key with its place in the table. */
#define LETTER_BYTES 96
#define KEY_BYTES    32

static struct limits limits_of(const struct scenario *scenario, const struct scheme_entry *entry) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    struct setting setting = scenario_setting(scenario, entry);
    return scheme->limits(entry->scheme.params, &setting);
}

bool run_compresses(const struct scenario *scenario) {
    return scenario->optimizer && compression_acts(scenario->optimizer->compression);
}

bool run_decodes(const struct scenario *scenario, const struct scheme_entry *entry) {
    return entry->decode == DECODE_REAL || scenario->record.audit || run_compresses(scenario);
}

bool run_keeps_models(const struct scheme_entry *entry) {
    return staleness_compensation(entry->staleness) != 0 ||
           ((const struct scheme *)entry->scheme.type)->penalty == PENALTY_WITH_TERMS;
}

/* What every letter carries, and what every worker left out of the messages of each part and model. */
static size_t packed_vectors(const struct scenario *scenario, const struct limits *limits,
                             const struct run_sizes *sizes) {
    size_t parts = limits->parts > 0 ? limits->parts : 1;
    if (!run_compresses(scenario))
        return 0;
    if (!scenario->optimizer->compression->error_feedback)
        return sizes->letters;
    return sizes->letters + sizes->models * scenario->cluster.workers * parts;
}

/* Twice what can be live at once, so that sweeps are rare, and room for one step's gradients. w may be kept
 * beside them. */
static size_t kept_gradients(const struct scheme_entry *entry, const struct limits *limits,
                             const struct run_sizes *sizes, size_t workers) {
    bool at_will = ((const struct scheme *)entry->scheme.type)->starts != NULL;
    size_t pieces = sizes->pieces, with_w = run_keeps_models(entry);
    if (at_will && entry->late != LATE_CANCEL)
        return 2 * ((2 * workers + limits->arrivals) * (limits->evaluations + with_w) +
                    limits->table * (1 + with_w)) +
               pieces + 1;
    if (limits->kept == 0)
        return 0;
    if (limits->span > 0)
        return (2 * (size_t)limits->span + 1) * pieces;
    return 2 * workers * ((size_t)limits->kept + limits->evaluations) + pieces;
}

/* Twice the versions that can be live at once, so that sweeps are rare. */
static size_t kept_versions(const struct limits *limits, size_t workers) {
    if (limits->span > 0)
        return 2 * (size_t)limits->span + 1;
    return 2 * workers * ((size_t)limits->kept + limits->evaluations) + 2;
}

/* A walk's gradients of all partitions, where it began, where it is and what moves it; an audit's sum of gradients and full
 * gradient at a round's opening, a theorem's mean of stale ones. */
static void count_vectors(const struct scenario *scenario, const struct scheme_entry *entry,
                          const struct limits *limits, struct run_sizes *sizes) {
    bool theorem = ((const struct scheme *)entry->scheme.type)->theorem != NULL;
    if (limits->local_steps > 0)
        sizes->walked = (size_t)entry->partitions + 3;
    if (!scenario->record.audit)
        return;
    sizes->audited = theorem ? 3 : 2;
    sizes->versions = theorem ? kept_versions(limits, scenario->cluster.workers) : 0;
}

struct run_sizes run_sizes(const struct scenario *scenario, const struct scheme_entry *entry) {
    struct limits limits = limits_of(scenario, entry);
    size_t workers = scenario->cluster.workers, rounds = (size_t)limits.held + 1;
    struct run_sizes sizes = {
        .letters = rounds * workers * (limits.parts > 0 ? limits.parts : 1) + limits.arrivals,
        .evaluations = workers * (limits.kept > 0 ? (size_t)limits.kept + limits.evaluations
                                                  : rounds * limits.evaluations),
        .pieces = entry->partitions * cut_pieces(&limits.cut),
        .models = limits.models > 0 ? limits.models : 1,
    };
    sizes.terms = sizes.letters * limits.terms;
    sizes.packed = packed_vectors(scenario, &limits, &sizes);
    if (limits.held == 0)
        sizes.gradients = kept_gradients(entry, &limits, &sizes, workers);
    else if (run_decodes(scenario, entry))
        sizes.gradients = 2 * rounds * sizes.pieces;
    if (limits.held > 0 && entry->decode == DECODE_SHARED && !run_compresses(scenario))
        sizes.sums = 2 * rounds;
    count_vectors(scenario, entry, &limits, &sizes);
    return sizes;
}

double run_bytes(const struct scenario *scenario, const struct scheme_entry *entry) {
    struct run_sizes sizes = run_sizes(scenario, entry);
    double bytes = (double)scenario->cluster.workers * WORKER_BYTES + (double)sizes.letters * LETTER_BYTES +
                   (double)sizes.terms * sizeof(struct term) + (double)sizes.evaluations * EVALUATION_BYTES;
    const struct dataset *data = scenario->objective.data;
    if (!data)
        return bytes;
    double gradient_bytes = KEY_BYTES + 8.0 * (data->sparse ? data->features : (double)data->stride);
    struct objective objective = scenario->objective;
    objective.partitions = entry->partitions;
    double present =
        slopes_serve(&objective) ? gradients_bytes(&objective) / gradient_bytes : entry->partitions;
    if (scenario->problem.batch > 0)
        present += entry->partitions;
    bytes += (double)sizes.packed * gradient_bytes;
    double of_model = present + (double)sizes.gradients + (double)sizes.sums + (double)sizes.walked +
                      (double)sizes.audited + (double)sizes.versions;
    return bytes + sizes.models * gradient_bytes * of_model;
}

/* What the machine has beside the data, which all runs share. */
static double bytes_most(const struct scenario *scenario) {
    const struct dataset *data = scenario->objective.data;
    double left = memory_bytes_most() - (data ? (double)dataset_bytes(data) : 0);
    return fmax(0, fmin(RUN_BYTES_MAX, left));
}

static bool entry_check(const struct scenario *scenario, const struct scheme_entry *entry,
                        const struct node *place, struct diag *diag) {
    double bytes = run_bytes(scenario, entry), most = bytes_most(scenario);
    if (bytes <= most)
        return true;
    node_error(
        diag, node_child(place, "type"),
        "a run of %s with these parameters would keep about %.2g GB of messages and gradients at a time, "
        "of at most %.3g; lower its parameters or the number of workers, or allow it with --yes",
        entry->scheme.type->name, 1e-9 * bytes, 1e-9 * most);
    return false;
}

bool run_sizes_check(const struct plan *plan, struct diag *diag) {
    bool fine = true;
    for (size_t q = 0; q < plan->points; q++) {
        const struct scenario *scenario = plan->point[q].scenario;
        const struct node *node = node_child(scenario->tree, "schemes")->first;
        for (uint32_t e = 0; e < scenario->schemes; e++, node = node->next)
            fine &= entry_check(scenario, &scenario->scheme[e], node, diag);
    }
    return fine;
}
