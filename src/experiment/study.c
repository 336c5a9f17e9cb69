#include "study.h"
#include "audit_tally.h"
#include "csv_file.h"
#include "manifest.h"
#include "results_size.h"
#include "runner.h"
#include "tally.h"
#include "warnings.h"
#include "yaml_tree.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct study {
    struct plan plan;
    struct tally *tally;
    struct audit_tally *audits; /* NULL: nothing is audited */
    struct warnings doubts, warnings;
    struct summary *summary;
    char *header; /* comment on top of the scenario's file */
};

/* A run in progress. */
struct session {
    struct study *study;
    const struct run_request *request;
    struct folder *folder; /* NULL: nothing is written */
    const char *started;
    struct timespec begin;
    size_t done, runs;
    double told_s;
};

struct study *study_read(struct diag *diag, const struct study_request *request) {
    struct study *study = memory_zeroed(1, sizeof *study);
    struct plan_request plan_request = {.file = request->file,
                                        .sets = request->sets,
                                        .set_count = request->set_count,
                                        .images = request->images,
                                        .any_size = request->any_size};
    if (!plan_read(&study->plan, diag, &plan_request)) {
        study_free(study);
        return NULL;
    }
    study->header = yaml_header(request->file);
    study->doubts.arena = study->plan.arena;
    warnings_doubt(&study->doubts, &study->plan);
    return study;
}

void study_free(struct study *study) {
    if (!study)
        return;
    tally_free(study->tally);
    audit_tally_free(study->audits);
    plan_fini(&study->plan);
    free(study->header);
    free(study);
}

size_t study_points(const struct study *study) {
    return study->plan.points;
}

const struct scenario *study_scenario(const struct study *study, size_t point) {
    return study->plan.point[point].scenario;
}

size_t study_swept(const struct study *study) {
    return study->plan.swept_keys;
}

const char *study_swept_key(const struct study *study, size_t key) {
    return study->plan.swept_key[key];
}

const char *study_swept_value(const struct study *study, size_t point, size_t key) {
    return study->plan.point[point].swept[key];
}

size_t study_runs(const struct study *study) {
    size_t runs = 0;
    for (size_t c = 0; c < study->plan.contests; c++)
        runs += study->plan.contest[c].point->scenario->replications;
    return runs;
}

size_t study_distinct_runs(const struct study *study) {
    return runner_jobs(&study->plan);
}

double study_results_bytes(const struct study *study) {
    return results_bytes(&study->plan);
}

bool study_results_fit(const struct study *study, struct sentence *why) {
    return results_fit(&study->plan, why);
}

const struct summary *study_summaries(const struct study *study, size_t *count) {
    *count = study->plan.contests;
    return study->summary;
}

const struct audit_summary *study_audits(const struct study *study, size_t *count) {
    *count = study->audits ? study->plan.contests : 0;
    return study->audits ? audit_tally_summaries(study->audits) : NULL;
}

size_t study_doubts(const struct study *study) {
    return study->doubts.count;
}

const char *study_doubt(const struct study *study, size_t index) {
    return study->doubts.sentence[index];
}

size_t study_warnings(const struct study *study) {
    return study->warnings.count;
}

const char *study_warning(const struct study *study, size_t index) {
    return study->warnings.sentence[index];
}

static double seconds_since(const struct timespec *begin) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin->tv_sec) + 1e-9 * (double)(now.tv_nsec - begin->tv_nsec);
}

/* At most ten times a second, on one line. */
static void tell_progress(struct session *session) {
    double elapsed_s = seconds_since(&session->begin);
    if (!session->request->progress || (elapsed_s < session->told_s + 0.1 && session->done < session->runs))
        return;
    session->told_s = elapsed_s;
    double rate = (double)session->done / elapsed_s;
    fprintf(session->request->progress, "\r\033[K%zu of %zu runs, %.3g per second, %.0f s left",
            session->done, session->runs, rate, (double)(session->runs - session->done) / rate);
    if (session->done == session->runs)
        fprintf(session->request->progress, "\r\033[K");
    fflush(session->request->progress);
}

static bool append(struct folder *folder, const char *name, const struct sheet *sheet) {
    return folder_append(folder, name, sheet->text, sheet->length);
}

/* No file where nothing was asked for. */
static bool append_some(struct folder *folder, const char *name, const struct sheet *sheet) {
    return sheet->length == 0 || append(folder, name, sheet);
}

static bool append_all(struct folder *folder, const struct rendering *rendering) {
    return append(folder, "steps.csv", &rendering->steps) && append(folder, "runs.csv", &rendering->runs) &&
           append(folder, "workers.csv", &rendering->workers) &&
           append_some(folder, "events.csv", &rendering->events) &&
           append_some(folder, "staleness.csv", &rendering->staleness) &&
           append_some(folder, "partitions.csv", &rendering->partitions) &&
           append_some(folder, "bounds.csv", &rendering->bounds) &&
           append_some(folder, "theorems.csv", &rendering->theorems);
}

static bool receive(void *context, size_t contest, uint32_t replication, const struct result *result,
                    const struct rendering *rendering) {
    struct session *session = context;
    struct study *study = session->study;
    tally_note(study->tally, contest, replication, result);
    if (result->audited)
        audit_tally_note(study->audits, contest, result);
    if (replication == 0)
        warnings_note(&study->warnings, &study->plan.contest[contest], result);
    session->done++;
    tell_progress(session);
    return !session->folder || append_all(session->folder, rendering);
}

static bool write_headers(struct session *session) {
    struct rendering rendering;
    rendering_init(&rendering, &session->study->plan);
    rendering_headers(&rendering, &session->study->plan);
    bool good = append_all(session->folder, &rendering);
    rendering_fini(&rendering);
    return good;
}

static bool write_summaries(struct session *session) {
    const struct plan *plan = &session->study->plan;
    struct sheet sheet;
    sheet_init(&sheet, &summary_columns, plan->swept_column, plan->swept_keys);
    sheet_header(&sheet);
    for (size_t c = 0; c < plan->contests; c++) {
        struct summary_row row = summary_row_of(&session->study->summary[c]);
        sheet_row(&sheet, &row);
    }
    bool good = folder_write(session->folder, "summary.csv", sheet.text, sheet.length);
    sheet_fini(&sheet);
    return good;
}

static bool write_scenario(struct session *session) {
    char *tree = yaml_text(session->study->plan.tree, session->request->folder);
    char *text = memory_format("%s%s", session->study->header, tree);
    bool good = folder_write(session->folder, "scenario.yaml", text, strlen(text));
    free(text);
    free(tree);
    return good;
}

struct file_list {
    struct manifest_file *file;
    size_t count, capacity;
};

static void list_file(void *context, const char *path) {
    struct file_list *list = context;
    for (size_t f = 0; f < list->count; f++)
        if (strcmp(list->file[f].path, path) == 0)
            return;
    if (list->count == list->capacity) {
        list->capacity = list->capacity * 2 + 4;
        list->file = memory_resized(list->file, list->capacity, sizeof *list->file);
    }
    list->file[list->count++] = (struct manifest_file){path, file_checksum(path)};
}

/* The classes of every data set, once where points share it; returns how many. */
static size_t list_classes(const struct plan *plan, struct manifest_classes *classes) {
    size_t count = 0;
    for (size_t q = 0; q < plan->points; q++) {
        const struct dataset *data = plan->point[q].scenario->objective.data;
        if (!data || !data->file || !data->class_name[0])
            continue;
        struct manifest_classes one = {data->file, data->class_name[0], data->class_name[1]};
        size_t known = 0;
        while (known < count &&
               (strcmp(classes[known].path, one.path) != 0 || strcmp(classes[known].minus, one.minus) != 0 ||
                strcmp(classes[known].plus, one.plus) != 0))
            known++;
        classes[known] = one;
        count += known == count;
    }
    return count;
}

/* Those of before the runs, then those of the runs; heap. */
static const char **list_warnings(const struct study *study, size_t *count) {
    size_t doubts = study->doubts.count, noted = study->warnings.count;
    const char **all = memory_zeroed(doubts + noted + 1, sizeof *all);
    for (size_t s = 0; s < doubts + noted; s++)
        all[s] = s < doubts ? study->doubts.sentence[s] : study->warnings.sentence[s - doubts];
    *count = doubts + noted;
    return all;
}

static bool write_manifest(struct session *session, bool complete) {
    const struct plan *plan = &session->study->plan;
    const struct scenario *first = plan->point[0].scenario;
    struct file_list list = {0};
    struct manifest_classes *classes = memory_zeroed(plan->points, sizeof *classes);
    for (size_t q = 0; q < plan->points; q++)
        scenario_files(plan->point[q].scenario, list_file, &list);
    size_t warnings;
    const char **warning = list_warnings(session->study, &warnings);
    struct manifest manifest = {
        .version = session->request->version,
        .name = first->name,
        .command = session->request->command,
        .seed = first->seed,
        .method = method_names[first->method],
        .files = list.file,
        .file_count = list.count,
        .classes = classes,
        .classes_count = list_classes(plan, classes),
        .warnings = warning,
        .warning_count = warnings,
        .points = plan->points,
        .schemes = first->schemes,
        .replications = first->replications,
        .runs = session->runs,
        .started = session->started,
        .wall_s = seconds_since(&session->begin),
        .threads = session->request->threads,
        .complete = complete,
    };
    char *text = manifest_text(&manifest);
    bool good = folder_write(session->folder, "manifest.json", text, strlen(text));
    free(text);
    free(list.file);
    free(classes);
    free(warning);
    return good;
}

static bool open_folder(struct session *session, struct sentence *why) {
    session->folder = folder_new(session->request->folder, session->request->replacing, why);
    return session->folder && write_manifest(session, false) && write_scenario(session) &&
           write_headers(session);
}

static bool close_folder(struct session *session, struct sentence *why) {
    bool good = write_summaries(session) && write_manifest(session, true);
    return folder_finish(session->folder, why) && good;
}

static void begin_session(struct session *session) {
    struct study *study = session->study;
    char started[32];
    time_t now = time(NULL);
    struct tm utc;
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    session->started = arena_text(study->plan.arena, started, strlen(started));
    session->runs = study_runs(study);
    clock_gettime(CLOCK_MONOTONIC, &session->begin);
    tally_free(study->tally);
    study->tally = tally_new(&study->plan);
    audit_tally_free(study->audits);
    study->audits = plan_audits(&study->plan) ? audit_tally_new(&study->plan) : NULL;
    plan_measure(&study->plan);
    study->warnings = (struct warnings){.arena = study->plan.arena};
}

bool study_run(struct study *study, const struct run_request *request, struct sentence *why) {
    struct session session = {.study = study, .request = request};
    struct receiver receiver = {receive, &session};
    begin_session(&session);
    sentence_set(why, "%s", "");
    if (request->folder && !open_folder(&session, why)) {
        if (session.folder)
            folder_finish(session.folder, why); /* fails too, and says which write it was */
        folder_free(session.folder);
        return false;
    }
    bool good = runner_run(&study->plan, request->threads, receiver);
    study->summary = tally_summaries(study->tally, study->plan.arena);
    if (session.folder)
        good = close_folder(&session, why) && good;
    folder_free(session.folder);
    return good;
}
