#include "repeats.h"
#include "results_size.h"
#include "runner.h"
#include "session.h"
#include "yaml_tree.h"
#include <stdlib.h>

struct study *study_read(struct diag *diag, const struct study_request *request) {
    struct study *study = memory_zeroed(1, sizeof *study);
    struct plan_request plan_request = {.file = request->file,
                                        .sets = request->sets,
                                        .set_count = request->set_count,
                                        .sweeps = request->sweeps,
                                        .sweep_count = request->sweep_count,
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
    tuning_free(study->tuning);
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
    return plan_runs(&study->plan);
}

size_t study_distinct_runs(const struct study *study) {
    return plan_distinct_runs(&study->plan);
}

double study_results_bytes(const struct study *study) {
    return results_bytes(&study->plan);
}

bool study_results_fit(const struct study *study, struct sentence *why) {
    return results_fit(&study->plan, why);
}

size_t study_tuning_runs(const struct study *study) {
    return plan_tuning_runs(&study->plan);
}

struct contest study_contest(const struct study *study, const struct scheme_entry *entry, unsigned threads) {
    size_t c = 0;
    while (study->plan.contest[c].entry != entry)
        c++;
    return plan_tuned_contest(&study->plan, c, threads);
}

bool study_decides(const struct study *study) {
    return plan_decides(&study->plan);
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

bool study_complete(const struct study *study, const struct run_request *request, struct sentence *why) {
    return archive_complete(&(struct archive_spec){&study->plan, request, study->header, NULL}, why);
}

bool study_resumable(const struct study *study, const struct run_request *request, struct sentence *why) {
    return archive_resumable(&(struct archive_spec){&study->plan, request, study->header, NULL}, why);
}

/* Runs of an agenda on their way: some from an earlier session, some computed, some the same as earlier ones. */
struct stage {
    struct session *session;
    const struct agenda *agenda;
    struct repeats *repeats; /* NULL: equal runs are computed each */
    const struct run_list *list;
    size_t next; /* of the list: those from it on are to come */
    struct sentence *why;
};

static struct run_id source_of(const struct stage *stage, struct run_id run) {
    return stage->repeats ? agenda_source(stage->agenda, run) : run;
}

static bool same_run(struct run_id a, struct run_id b) {
    return a.contest == b.contest && a.replication == b.replication;
}

static bool comes(const struct stage *stage) {
    return stage->next < stage->list->runs;
}

static struct run_id next_run(const struct stage *stage) {
    return run_list_at(stage->list, stage->next);
}

/* The next run is about to be written, or was by an earlier session. */
static void note_source(const struct stage *stage, struct run_id run, struct journal_place place) {
    if (stage->repeats && agenda_repeats(stage->agenda, run) && same_run(source_of(stage, run), run))
        repeats_note(stage->repeats, run, &place);
}

static bool add(struct stage *stage, const struct digest *digest, const struct rendering *rendering,
                struct arena *scratch) {
    if (stage->repeats)
        note_source(stage, digest->run, *archive_place(stage->session->archive));
    stage->next++;
    return session_add(stage->session, digest, rendering, scratch);
}

/* The next run, which equals one that stands in the folder. */
static bool repeat(struct stage *stage, struct run_id run) {
    struct arena *scratch = arena_new();
    struct rendering rendering;
    struct digest digest;
    rendering_init(&rendering, &stage->session->study->plan);
    bool good = repeats_copy(stage->repeats, run, source_of(stage, run), &rendering, &digest, scratch);
    if (good)
        good = add(stage, &digest, &rendering, scratch);
    else
        sentence_set(stage->why, "cannot read in %s what was written there",
                     archive_path(stage->session->archive));
    rendering_fini(&rendering);
    arena_free(scratch);
    return good;
}

/* The runs before the next one that is computed. */
static bool repeat_until(struct stage *stage, struct run_id computed) {
    while (comes(stage) && !same_run(next_run(stage), computed))
        if (!repeat(stage, next_run(stage)))
            return false;
    return true;
}

static bool receive(void *context, size_t contest, uint32_t replication, const struct result *result,
                    const struct rendering *rendering) {
    struct stage *stage = context;
    struct run_id run = {(uint32_t)contest, replication};
    if (!repeat_until(stage, run))
        return false;
    struct arena *scratch = arena_new();
    struct digest digest = digest_of(scratch, &stage->session->study->plan, run, result);
    bool good = add(stage, &digest, rendering, scratch);
    arena_free(scratch);
    return good;
}

enum restored { RESTORED_NONE, RESTORED_ONE, RESTORED_OTHER };

/* The next run, where an earlier session finished it. */
static enum restored restore_next(struct stage *stage, struct arena *scratch) {
    const struct journal_place place = *archive_place(stage->session->archive);
    struct digest digest;
    if (!archive_restore(stage->session->archive, &digest, scratch))
        return RESTORED_NONE;
    if (!same_run(digest.run, next_run(stage)))
        return RESTORED_OTHER;
    note_source(stage, digest.run, place);
    stage->session->progress.known++;
    session_note(stage->session, &digest);
    stage->next++;
    return RESTORED_ONE;
}

/* What an earlier session finished of the stage. */
static bool restore(struct stage *stage) {
    enum restored restored = RESTORED_ONE;
    while (stage->session->archive && comes(stage) && restored == RESTORED_ONE) {
        struct arena *scratch = arena_new();
        restored = restore_next(stage, scratch);
        arena_free(scratch);
    }
    if (restored == RESTORED_OTHER)
        sentence_set(stage->why, "%s does not hold the runs of this scenario in their order",
                     archive_path(stage->session->archive));
    return restored != RESTORED_OTHER;
}

/* Those to come that equal no earlier one. */
static struct run_list own_runs(const struct stage *stage) {
    struct run_list own = {0};
    for (size_t r = stage->next; r < stage->list->runs; r++) {
        struct run_id run = run_list_at(stage->list, r);
        if (same_run(source_of(stage, run), run))
            run_list_add(&own, run);
    }
    return own;
}

static bool run_stage(struct stage *stage) {
    static const struct run_id none = {UINT32_MAX, UINT32_MAX};
    if (!restore(stage))
        return false;
    struct run_list own = own_runs(stage);
    struct session *session = stage->session;
    bool good = own.runs == 0 || runner_run(&session->study->plan, &own, session->request->threads,
                                            (struct receiver){receive, stage});
    run_list_fini(&own);
    return good && repeat_until(stage, none);
}

static bool run_stages(struct session *session, struct agenda *agenda, struct sentence *why) {
    const struct plan *plan = &session->study->plan;
    struct stage stage = {.session = session, .agenda = agenda, .why = why};
    bool good = true;
    if (session->archive)
        stage.repeats = repeats_new(plan, archive_path(session->archive));
    for (session->runs = agenda_runs(agenda);
         good && (stage.list = agenda_next(agenda, session->study->tally));) {
        stage.next = 0;
        session->runs = agenda_runs(agenda);
        good = run_stage(&stage);
    }
    repeats_free(stage.repeats);
    return good;
}

bool study_run(struct study *study, const struct run_request *request, struct sentence *why) {
    struct session session;
    plan_measure(&study->plan);
    if (!session_begin(&session, study, request, why))
        return false;
    struct shard shard = request->shard.count > 0 ? request->shard : (struct shard){0, 1};
    struct agenda *agenda = agenda_new(&study->plan, shard);
    bool good = run_stages(&session, agenda, why);
    agenda_free(agenda);
    return session_end(&session, good, why);
}
