/* Numbers, as they read back, between blanks (- is NAN); then, each after a tab, sentences. */
#include "digest.h"
#include "convergence.h"
#include "warnings.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void take_measures(struct digest *digest, const struct result *result) {
    static const struct audited none = {.error_mean = (double)NAN,
                                        .cosine_mean = (double)NAN,
                                        .residual_max = (double)NAN,
                                        .largest_max = (double)NAN};
    const struct run_row *run = &result->run;
    const struct audited *audited = result->audited ? result->audited : &none;
    const double value[MEASURES] = {
        [MEASURE_TIME] = run->time_s,
        [MEASURE_STEPS] = run->steps,
        [MEASURE_FINAL_LOSS] = run->final_loss,
        [MEASURE_TIME_TO_LOSS] = run->time_to_loss_s,
        [MEASURE_STEPS_TO_LOSS] = run->steps_to_loss,
        [MEASURE_STEP_MEAN] = run->step_mean_s,
        [MEASURE_STEP_P50] = run->step_p50_s,
        [MEASURE_STEP_P95] = run->step_p95_s,
        [MEASURE_STEP_P99] = run->step_p99_s,
        [MEASURE_GRADIENT_ERROR] = audited->error_mean,
        [MEASURE_GRADIENT_COSINE] = audited->cosine_mean,
        [MEASURE_DECODE_RESIDUAL] = audited->residual_max,
        [MEASURE_DECODE_LARGEST] = audited->largest_max,
    };
    memcpy(digest->measure, value, sizeof value);
    digest->stalled = strcmp(run->status, status_name(STATUS_STALLED)) == 0;
    digest->diverged = strcmp(run->status, status_name(STATUS_DIVERGED)) == 0;
}

static void take_weights(struct audit_digest *audit, struct arena *arena, const struct audited *audited) {
    audit->weight_min = audit->weight_max = (double)NAN;
    if (audited->updates == 0)
        return;
    audit->partitions = audited->partitions;
    audit->weight_mean = arena_zeroed(arena, audited->partitions, sizeof *audit->weight_mean);
    for (uint32_t p = 0; p < audited->partitions; p++) {
        audit->weight_min = fmin(audit->weight_min, audited->partition[p].weight_min);
        audit->weight_max = fmax(audit->weight_max, audited->partition[p].weight_max);
        audit->weight_mean[p] = audited->partition[p].weight_mean;
    }
}

static const struct audit_digest *audit_of(struct arena *arena, const struct contest *contest,
                                           const struct result *result) {
    const struct audited *audited = result->audited;
    struct convergence convergence = convergence_of(contest, result);
    struct audit_digest *audit = arena_zeroed(arena, 1, sizeof *audit);
    *audit = (struct audit_digest){.error_mean = audited->error_mean,
                                   .cosine_min = audited->cosine_min,
                                   .residual_max = audited->residual_max,
                                   .largest_max = audited->largest_max,
                                   .reason = ""};
    take_weights(audit, arena, audited);
    if (!convergence.theorem)
        return audit;
    audit->theorem = true;
    audit->holds = convergence.holds;
    audit->exceeded = convergence.exceeded_step != UINT32_MAX;
    audit->slower = convergence.learning_rate < convergence.limit;
    audit->reason = arena_text(arena, convergence.reason.text, strlen(convergence.reason.text));
    return audit;
}

struct digest digest_of(struct arena *arena, const struct plan *plan, struct run_id run,
                        const struct result *result) {
    const struct contest *contest = &plan->contest[run.contest];
    struct digest digest = {.run = run};
    take_measures(&digest, result);
    if (result->audited)
        digest.audit = audit_of(arena, contest, result);
    if (run.replication == 0) {
        struct warnings warnings = {.arena = arena};
        warnings_find(&warnings, contest, result);
        digest.sentences = warnings.count;
        digest.sentence = warnings.sentence;
    }
    return digest;
}

static void put_number(FILE *out, double value) {
    char digits[32] = "-";
    if (!isnan(value))
        number_print(digits, value);
    fprintf(out, " %s", digits);
}

static void put_audit(FILE *out, const struct audit_digest *audit) {
    const double value[] = {audit->error_mean,  audit->cosine_min, audit->residual_max,
                            audit->largest_max, audit->weight_min, audit->weight_max};
    for (size_t v = 0; v < sizeof value / sizeof *value; v++)
        put_number(out, value[v]);
    fprintf(out, " %d %d %d %d %" PRIu32, audit->theorem, audit->holds, audit->exceeded, audit->slower,
            audit->partitions);
    for (uint32_t p = 0; p < audit->partitions; p++)
        put_number(out, audit->weight_mean[p]);
}

static void put_digest(FILE *out, const struct digest *digest) {
    fprintf(out, "%" PRIu32 " %" PRIu32, digest->run.contest, digest->run.replication);
    for (size_t x = 0; x < MEASURES; x++)
        put_number(out, digest->measure[x]);
    fprintf(out, " %d %d %d %zu", digest->stalled, digest->diverged, digest->audit != NULL,
            digest->sentences);
    if (digest->audit) {
        put_audit(out, digest->audit);
        fprintf(out, "\t%s", digest->audit->reason);
    }
    for (size_t s = 0; s < digest->sentences; s++)
        fprintf(out, "\t%s", digest->sentence[s]);
}

const char *digest_text(struct arena *arena, const struct digest *digest) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out)
        put_digest(out, digest);
    if (!out || fclose(out) != 0) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    const char *copy = arena_text(arena, text, length);
    free(text);
    return copy;
}

/* A text being read; `good` until something else than was expected is met. */
struct words {
    const char *at;
    bool good;
};

static double next_number(struct words *words) {
    char *end;
    words->at += strspn(words->at, " ");
    if (words->at[0] == '-' && strchr(" \t", words->at[1])) {
        words->at++;
        return (double)NAN;
    }
    double value = strtod(words->at, &end);
    words->good &= end != words->at;
    words->at = end;
    return value;
}

static uint32_t next_count(struct words *words) {
    double value = next_number(words);
    words->good &= value >= 0 && value <= UINT32_MAX;
    return words->good ? (uint32_t)value : 0;
}

static const char *next_sentence(struct words *words, struct arena *arena) {
    words->good &= *words->at == '\t';
    if (!words->good)
        return "";
    const char *begin = words->at + 1;
    words->at = begin + strcspn(begin, "\t");
    return arena_text(arena, begin, (size_t)(words->at - begin));
}

static const struct audit_digest *next_audit(struct words *words, struct arena *arena) {
    struct audit_digest *audit = arena_zeroed(arena, 1, sizeof *audit);
    double *const value[] = {&audit->error_mean,  &audit->cosine_min, &audit->residual_max,
                             &audit->largest_max, &audit->weight_min, &audit->weight_max};
    for (size_t v = 0; v < sizeof value / sizeof *value; v++)
        *value[v] = next_number(words);
    audit->theorem = next_count(words);
    audit->holds = next_count(words);
    audit->exceeded = next_count(words);
    audit->slower = next_count(words);
    audit->partitions = next_count(words);
    if (audit->partitions > strlen(words->at))
        words->good = false;
    if (words->good && audit->partitions > 0)
        audit->weight_mean = arena_zeroed(arena, audit->partitions, sizeof *audit->weight_mean);
    for (uint32_t p = 0; words->good && p < audit->partitions; p++)
        audit->weight_mean[p] = next_number(words);
    audit->reason = next_sentence(words, arena);
    return audit;
}

bool digest_read(struct digest *digest, struct arena *arena, const char *text) {
    struct words words = {text, true};
    *digest = (struct digest){.run.contest = next_count(&words)};
    digest->run.replication = next_count(&words);
    for (size_t x = 0; x < MEASURES; x++)
        digest->measure[x] = next_number(&words);
    digest->stalled = next_count(&words);
    digest->diverged = next_count(&words);
    bool audited = next_count(&words);
    digest->sentences = next_count(&words);
    if (audited)
        digest->audit = next_audit(&words, arena);
    if (!words.good || digest->sentences > strlen(words.at))
        return false;
    const char **sentence = arena_zeroed(arena, digest->sentences + 1, sizeof *sentence);
    for (size_t s = 0; s < digest->sentences; s++)
        sentence[s] = next_sentence(&words, arena);
    digest->sentence = sentence;
    return words.good && *words.at == '\0';
}

bool digest_run(const char *text, struct run_id *run) {
    struct words words = {text, true};
    run->contest = next_count(&words);
    run->replication = next_count(&words);
    return words.good;
}
