#include "session.h"
#include <string.h>
#include <time.h>

static const char *started_text(struct arena *arena) {
    char started[32];
    time_t now = time(NULL);
    struct tm utc;
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    return arena_text(arena, started, strlen(started));
}

static bool recall(void *context, struct showing *showing) {
    const struct session *session = context;
    const char *line = session->archive ? archive_kept(session->archive) : NULL;
    return line && showing_read(showing, line);
}

static bool keep(void *context, const struct showing *showing) {
    const struct session *session = context;
    char line[SHOWING_BYTES];
    showing_print(line, showing);
    return !session->archive || archive_keep(session->archive, line);
}

/* Runs by which numbers are found are kept as those of the study are, before them. */
static bool tune(struct session *session, struct sentence *why) {
    const struct heat_book book = {recall, keep, session};
    const struct tuning_request request = {session->request->threads, session->request->progress, &book};
    bool good;
    tuning_free(session->study->tuning);
    session->study->tuning = plan_tune(&session->study->plan, &request, &good);
    if (!good) {
        archive_excuse(session->archive, why);
        archive_free(session->archive);
    }
    return good;
}

bool session_begin(struct session *session, struct study *study, const struct run_request *request,
                   struct sentence *why) {
    const struct archive_spec spec = {&study->plan, request, study->header, started_text(study->plan.arena)};
    *session = (struct session){.study = study, .request = request};
    sentence_set(why, "%s", "");
    if (request->folder && !(session->archive = archive_new(&spec, why)))
        return false;
    if (!tune(session, why))
        return false;
    session->progress = progress_line_of(request->progress);
    tally_free(study->tally);
    study->tally = tally_new(&study->plan);
    audit_tally_free(study->audits);
    study->audits = plan_audits(&study->plan) ? audit_tally_new(&study->plan) : NULL;
    study->warnings = (struct warnings){.arena = study->plan.arena};
    return true;
}

void session_note(struct session *session, const struct digest *digest) {
    struct study *study = session->study;
    tally_note(study->tally, digest);
    if (digest->audit)
        audit_tally_note(study->audits, digest->run.contest, digest->audit);
    for (size_t s = 0; s < digest->sentences; s++)
        warnings_add(&study->warnings, &study->plan.contest[digest->run.contest], digest->sentence[s]);
    session->progress.done++;
    progress_line_tell(&session->progress, session->runs);
}

bool session_add(struct session *session, const struct digest *digest, const struct rendering *rendering,
                 struct arena *scratch) {
    session_note(session, digest);
    return !session->archive || archive_add(session->archive, rendering, digest_text(scratch, digest));
}

static bool write_summaries(const struct session *session) {
    const struct plan *plan = &session->study->plan;
    struct sheet sheet;
    sheet_init(&sheet, &summary_columns, plan->swept_column, plan->swept_keys);
    sheet_header(&sheet);
    for (size_t c = 0; c < plan->contests; c++) {
        struct summary_row row = summary_row_of(&session->study->summary[c]);
        sheet_row(&sheet, &row);
    }
    bool good = archive_write(session->archive, "summary.csv", &sheet);
    sheet_fini(&sheet);
    return good;
}

/* Those of before the runs, then those of the runs. In the arena. */
static const char **list_warnings(const struct study *study) {
    size_t doubts = study->doubts.count, noted = study->warnings.count;
    const char **all = arena_zeroed(study->plan.arena, doubts + noted + 1, sizeof *all);
    for (size_t s = 0; s < doubts + noted; s++)
        all[s] = s < doubts ? study->doubts.sentence[s] : study->warnings.sentence[s - doubts];
    return all;
}

static bool write_tuning(const struct session *session) {
    struct sheet sheet;
    if (!session->study->tuning)
        return true;
    tuning_sheet(session->study->tuning, &sheet);
    bool good = archive_write(session->archive, "tune.csv", &sheet);
    sheet_fini(&sheet);
    return good;
}

bool session_end(struct session *session, bool good, struct sentence *why) {
    const struct study *study = session->study;
    const struct archive_state state = {.warning = list_warnings(study),
                                        .warnings = study->doubts.count + study->warnings.count,
                                        .runs = session->progress.done,
                                        .wall_s = progress_line_seconds(&session->progress),
                                        .complete = true};
    bool whole = session->request->shard.count <= 1;
    progress_line_end(&session->progress);
    session->study->summary = tally_summaries(session->study->tally);
    if (session->archive && good) {
        good = (!whole || write_summaries(session)) && write_tuning(session);
        good = archive_finish(session->archive, &state, why) && good;
    } else if (session->archive && archive_failed(session->archive)) {
        archive_excuse(session->archive, why);
    }
    archive_free(session->archive);
    return good;
}
