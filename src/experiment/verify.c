#include "verify.h"
#include "diag.h"
#include "expected_step.h"
#include "plan.h"
#include "run.h"
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define STANDARD_ERRORS 4 /* 6e-5 of a false alarm a row, once, as the seed is fixed */

/* Predictions shared out over threads. */
struct errand {
    const struct predictions *predictions;
    struct finding *finding;
    size_t count, next; /* next: guarded by lock */
    pthread_mutex_t lock;
};

bool prediction_wanted(const struct prediction *prediction, const char *const *words, size_t count) {
    for (size_t q = 0; q < count; q++)
        if (strcasestr(prediction->name, words[q]))
            return true;
    return count == 0;
}

static char *scenario_text(const struct predictions *predictions, const struct prediction *prediction) {
    char *reference = predictions->reference
                          ? memory_format("{type: %s, label: reference}, ", predictions->reference)
                          : memory_text("");
    char *text = memory_format("seed: 2\nreplications: %u\nstop: {steps: %u}\nrecord: {every: %s}\n%s\n"
                               "cluster: {%s}\nschemes: [%s{type: %s, label: predicted}]\n",
                               predictions->replications, predictions->steps, predictions->record,
                               prediction->further ? prediction->further : predictions->further,
                               prediction->cluster ? prediction->cluster : predictions->cluster, reference,
                               prediction->scheme);
    free(reference);
    return text;
}

/* The texts are ours: one that is refused is our mistake. */
static void read_scenario(struct plan *plan, const struct predictions *predictions,
                          const struct prediction *prediction) {
    char *text = scenario_text(predictions, prediction);
    struct diag *diag = diag_new();
    bool good = plan_read(plan, diag, &(struct plan_request){.file = prediction->name, .text = text});
    if (!good)
        diag_print(diag, stderr);
    assert(good);
    diag_free(diag);
    free(text);
}

static struct result *run_entry(const struct scenario *scenario, const struct scheme_entry *entry,
                                uint32_t replication) {
    return run_whole(&(struct trial_spec){scenario, entry, replication});
}

static double measured(const struct predictions *predictions, const struct scenario *scenario,
                       uint32_t replication) {
    const struct scheme_entry *entry = scenario->scheme;
    struct result *reference = scenario->schemes > 1 ? run_entry(scenario, entry, replication) : NULL;
    struct result *result = run_entry(scenario, &entry[scenario->schemes - 1], replication);
    double value = predictions->measure(&(struct sight){scenario, result, reference});
    result_free(result);
    if (reference)
        result_free(reference);
    return value;
}

static void judge(struct finding *finding, double tolerance) {
    const struct prediction *prediction = finding->prediction;
    double error = hypot(finding->error, prediction->error), apart = fabs(finding->found - prediction->value);
    finding->standard_errors = error > 0 && apart > tolerance ? apart / error : (double)NAN;
    bool expected = isnan(finding->expected) || fabs(finding->expected - prediction->value) <=
                                                    STANDARD_ERRORS * prediction->error + tolerance;
    finding->agrees = expected && apart <= STANDARD_ERRORS * error + tolerance;
}

static void try_prediction(const struct predictions *predictions, struct finding *finding) {
    struct plan plan;
    read_scenario(&plan, predictions, finding->prediction);
    const struct scenario *scenario = plan.point[0].scenario;
    double *value = memory_zeroed(predictions->replications, sizeof *value);
    for (uint32_t r = 0; r < predictions->replications; r++)
        value[r] = measured(predictions, scenario, r);
    struct estimate estimate = estimate_of(value, predictions->replications);
    finding->found = estimate.mean;
    finding->error = predictions->replications > 1 ? estimate.deviation / sqrt(predictions->replications) : 0;
    finding->expected = (double)NAN;
    if (predictions->measure == measure_step_s)
        finding->expected = expected_step_s(scenario, &scenario->scheme[scenario->schemes - 1]);
    judge(finding, predictions->tolerance);
    free(value);
    plan_fini(&plan);
}

static void *try_predictions(void *context) {
    struct errand *errand = context;
    for (;;) {
        pthread_mutex_lock(&errand->lock);
        size_t q = errand->next < errand->count ? errand->next++ : errand->count;
        pthread_mutex_unlock(&errand->lock);
        if (q == errand->count)
            return NULL;
        try_prediction(errand->predictions, &errand->finding[q]);
    }
}

/* The caller's thread works too, so it is done even where no other thread is to be had. */
static void share_out(struct errand *errand, unsigned threads) {
    pthread_t *thread = memory_zeroed(threads, sizeof *thread);
    unsigned started = 0;
    pthread_mutex_init(&errand->lock, NULL);
    while (started + 1 < threads && pthread_create(&thread[started], NULL, try_predictions, errand) == 0)
        started++;
    try_predictions(errand);
    for (unsigned h = 0; h < started; h++)
        pthread_join(thread[h], NULL);
    pthread_mutex_destroy(&errand->lock);
    free(thread);
}

size_t verify_predictions(const struct predictions *predictions, const struct verify_request *request,
                          struct finding *finding) {
    struct errand errand = {.predictions = predictions, .finding = finding};
    for (size_t q = 0; q < predictions->count; q++)
        if (prediction_wanted(&predictions->prediction[q], request->words, request->word_count))
            finding[errand.count++] = (struct finding){.prediction = &predictions->prediction[q]};
    share_out(&errand, request->threads);
    return errand.count;
}
