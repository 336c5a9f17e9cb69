/* Joins shards. Runs are taken as they stand, in the order of the shards, which is that of the runs. */
#include "agenda.h"
#include "session.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One shard's folder. */
struct shard_folder {
    const char *folder;
    struct journal_reader *reader;
    struct journal_place place; /* where its first run begins */
    char study[64];             /* its identity, without the shard */
    struct shard shard;
};

/* What an identity says of the study, without the shard. */
static bool identity_read(struct shard_folder *part, const char *note) {
    const char *shard = strstr(note, ", shard ");
    size_t length = shard ? (size_t)(shard - note) : 0;
    if (length == 0 || length >= sizeof part->study)
        return false;
    memcpy(part->study, note, length);
    return sscanf(shard, ", shard %" SCNu32 "/%" SCNu32, &part->shard.index, &part->shard.count) == 2 &&
           part->shard.index < part->shard.count && part->shard.count > 1;
}

static bool part_read(struct shard_folder *part, const char *folder, struct sentence *why) {
    struct journal_record record;
    struct sentence cause;
    *part = (struct shard_folder){.folder = folder,
                                  .reader = journal_reader_new(folder, rendering_files, &cause)};
    if (!part->reader) {
        sentence_set(why, "%s is not a shard of a study: %s", folder, cause.text);
        return false;
    }
    bool named = journal_read(part->reader, &part->place, &record) && identity_read(part, record.note);
    if (!named)
        sentence_set(why, "%s is not a shard of a study: its journal is not of one", folder);
    journal_reader_rest(part->reader);
    return named;
}

static int by_index(const void *a, const void *b) {
    const struct shard_folder *one = a, *other = b;
    return (one->shard.index > other->shard.index) - (one->shard.index < other->shard.index);
}

/* All of the study, each once. */
static bool parts_match(const struct shard_folder *part, size_t parts, const char *identity,
                        struct sentence *why) {
    for (size_t p = 0; p < parts; p++) {
        if (strncmp(identity, part[p].study, strlen(part[p].study)) != 0)
            sentence_set(why,
                         "%s belongs to another study than the scenario of %s, or to another version of "
                         "laggard or its data",
                         part[p].folder, part[0].folder);
        else if (part[p].shard.count != part[0].shard.count)
            sentence_set(why, "%s is one of %" PRIu32 " shards, %s one of %" PRIu32, part[p].folder,
                         part[p].shard.count, part[0].folder, part[0].shard.count);
        else if (p > 0 && part[p].shard.index == part[p - 1].shard.index)
            sentence_set(why, "%s and %s are the same shard, %" PRIu32 " of %" PRIu32, part[p - 1].folder,
                         part[p].folder, part[p].shard.index, part[p].shard.count);
        else if (part[p].shard.index != p)
            sentence_set(why, "shard %zu of %" PRIu32 " is missing", p, part[p].shard.count);
        else
            continue;
        return false;
    }
    if (parts == part[0].shard.count)
        return true;
    sentence_set(why, "shard %zu of %" PRIu32 " is missing", parts, part[0].shard.count);
    return false;
}

/* Does something with each run of a shard; false stops. */
typedef bool run_visit(void *context, struct shard_folder *part, struct run_id run);

static bool each_run(const struct plan *plan, struct shard_folder *part, run_visit *visit, void *context) {
    struct agenda *agenda = agenda_new(plan, part->shard);
    const struct run_list *list;
    bool good = true;
    while (good && (list = agenda_next(agenda, NULL)))
        for (size_t r = 0; good && r < list->runs; r++)
            good = visit(context, part, run_list_at(list, r));
    agenda_free(agenda);
    journal_reader_rest(part->reader);
    return good;
}

/* All shards are looked through before anything is written. */
static bool check_run(void *context, struct shard_folder *part, struct run_id run) {
    const struct journal_place begin = part->place;
    struct journal_record record;
    struct run_id found;
    (void)context;
    return journal_read(part->reader, &part->place, &record) && digest_run(record.note, &found) &&
           found.contest == run.contest && found.replication == run.replication &&
           journal_verify(part->reader, &begin, &record);
}

/* A file that cannot be opened is no fault of what was written. */
static bool tell_unopened(const struct shard_folder *part, struct sentence *why) {
    const char *failure = journal_reader_failure(part->reader);
    if (*failure)
        sentence_set(why, "%s", failure);
    return *failure != '\0';
}

static bool check_part(const struct plan *plan, struct shard_folder *part, struct sentence *why) {
    const struct journal_place begin = part->place;
    bool whole = each_run(plan, part, check_run, NULL);
    part->place = begin;
    if (!whole && !tell_unopened(part, why))
        sentence_set(why,
                     "%s is incomplete or was changed: not all runs of shard %" PRIu32 " of %" PRIu32
                     " stand in it as they were written",
                     part->folder, part->shard.index, part->shard.count);
    return whole;
}

static bool copy_run(void *context, struct shard_folder *part, struct run_id run) {
    struct session *session = context;
    struct arena *scratch = arena_new();
    struct journal_place place = part->place;
    struct journal_record record;
    struct rendering rendering;
    struct digest digest;
    (void)run;
    rendering_init(&rendering, &session->study->plan);
    bool good =
        journal_read(part->reader, &part->place, &record) && digest_read(&digest, scratch, record.note);
    for (size_t f = 0; good && rendering_files[f]; f++) {
        const char *text = journal_block(part->reader, &place, &record, f);
        good = text != NULL;
        if (good)
            sheet_text(rendering_sheet(&rendering, f), text, (size_t)record.length[f]);
    }
    good = good && session_add(session, &digest, &rendering, scratch);
    rendering_fini(&rendering);
    arena_free(scratch);
    return good;
}

static bool copy_parts(struct study *study, struct shard_folder *part, size_t parts,
                       const struct run_request *request, struct sentence *why) {
    struct session session;
    bool good = session_begin(&session, study, request, why);
    if (!good)
        return false;
    session.runs = plan_runs(&study->plan);
    for (size_t p = 0; good && p < parts; p++) {
        good = each_run(&study->plan, &part[p], copy_run, &session);
        if (!good && !tell_unopened(&part[p], why))
            sentence_set(why, "%s was changed meanwhile, or the results cannot be written", part[p].folder);
    }
    return session_end(&session, good, why);
}

enum merging study_merge(struct study *study, const char *const *folders, size_t count,
                         const struct run_request *request, struct sentence *why) {
    struct shard_folder *part = memory_zeroed(count, sizeof *part);
    struct arena *scratch = arena_new();
    size_t parts = 0;
    while (parts < count && part_read(&part[parts], folders[parts], why))
        parts++;
    bool good = parts == count;
    if (good) {
        qsort(part, parts, sizeof *part, by_index);
        good = parts_match(part, parts,
                           archive_identity(scratch, &study->plan, part[0].shard, request->version), why);
        for (size_t p = 0; good && p < parts; p++)
            good = check_part(&study->plan, &part[p], why);
    }
    const bool merged = good && copy_parts(study, part, parts, request, why);
    for (size_t p = 0; p < count; p++)
        journal_reader_free(part[p].reader);
    arena_free(scratch);
    free(part);
    return !good ? MERGE_REFUSED : merged ? MERGE_DONE : MERGE_UNFINISHED;
}
