#include "archive.h"
#include "archive_inside.h"
#include "study_manifest.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_manifest(struct archive *archive, const struct archive_state *state) {
    char *text = study_manifest_text(&archive->spec, state);
    bool good = folder_write(archive->folder, "manifest.json", text, strlen(text));
    free(text);
    return good;
}

static bool write_scenario(struct archive *archive) {
    char *text = archive_scenario(&archive->spec);
    bool good = folder_write(archive->folder, "scenario.yaml", text, strlen(text));
    free(text);
    return good;
}

static bool write_headers(struct archive *archive) {
    struct arena *arena = arena_new();
    struct rendering rendering;
    const struct run_request *request = archive->spec.request;
    rendering_init(&rendering, archive->spec.plan);
    rendering_headers(&rendering, archive->spec.plan);
    const char *identity = archive_identity(arena, archive->spec.plan, request->shard, request->version);
    bool good = archive_add(archive, &rendering, identity) && journal_sync(archive->journal);
    rendering_fini(&rendering);
    arena_free(arena);
    return good;
}

/* An open folder in which nothing that counts stands yet. */
static bool begin(struct archive *archive) {
    static const struct archive_state nothing;
    static const struct journal_place start;
    if (!write_manifest(archive, &nothing) || !write_scenario(archive))
        return false;
    archive->journal = journal_new(archive->folder, rendering_files, &start);
    return archive->journal && write_headers(archive);
}

/* The records that are whole; what stands behind them is cut off. */
static bool keep_whole(struct archive *archive) {
    struct journal_record record;
    struct journal_place end = {0}, next = {0};
    archive->ordered = archive_was_ordered(archive->reader);
    while (journal_read(archive->reader, &next, &record) &&
           (archive->ordered || journal_verify(archive->reader, &end, &record)))
        end = next;
    archive->journal = journal_new(archive->folder, rendering_files, &end);
    return archive->journal != NULL;
}

/* 1: it goes on, 0: nothing was finished in it, -1: after writing why it cannot. */
static int go_on(struct archive *archive, struct sentence *why) {
    struct journal_record record;
    archive->reader = journal_reader_new(folder_path(archive->folder), rendering_files, why);
    if (!archive->reader) /* one that is there and cannot be read may tell of finished runs */
        return folder_has(archive->folder, JOURNAL_NAME) ? -1 : 0;
    if (!journal_read(archive->reader, &archive->restored, &record))
        return 0;
    if (!archive_same(&archive->spec, folder_path(archive->folder), record.note, why))
        return -1;
    struct journal_place start = {0};
    if (!journal_verify(archive->reader, &start, &record) && !archive_was_ordered(archive->reader))
        return 0;
    return keep_whole(archive) && (!archive->ordered || archive_take_order(archive)) ? 1 : -1;
}

static bool exists(const char *path, const char *end) {
    struct stat status;
    char *name = memory_format("%s%s", path, end);
    bool there = lstat(name, &status) == 0;
    free(name);
    return there;
}

static bool open_archive(struct archive *archive, struct sentence *why) {
    const struct run_request *request = archive->spec.request;
    if (!request->resume || !exists(request->folder, ".partial")) {
        archive->folder = folder_new(request->folder, request->replacing, why);
        return archive->folder && begin(archive);
    }
    archive->folder = folder_reopen(request->folder, request->replacing, why);
    int going = archive->folder ? go_on(archive, why) : -1;
    if (going != 0)
        return going > 0;
    journal_reader_free(archive->reader);
    archive->reader = NULL;
    return begin(archive);
}

struct archive *archive_new(const struct archive_spec *spec, struct sentence *why) {
    struct archive *archive = memory_zeroed(1, sizeof *archive);
    archive->spec = *spec;
    if (open_archive(archive, why))
        return archive;
    if (archive->folder && archive_failed(archive))
        archive_excuse(archive, why);
    archive_free(archive);
    return NULL;
}

void archive_free(struct archive *archive) {
    if (!archive)
        return;
    journal_free(archive->journal);
    journal_reader_free(archive->reader);
    folder_free(archive->folder);
    free(archive);
}

/* What follows in the journal is of this session. */
static void stop_reading(struct archive *archive) {
    journal_reader_free(archive->reader);
    archive->reader = NULL;
}

const char *archive_path(const struct archive *archive) {
    return folder_path(archive->folder);
}

const struct journal_place *archive_place(const struct archive *archive) {
    return archive->reader ? &archive->restored : journal_end(archive->journal);
}

bool archive_restore(struct archive *archive, struct digest *digest, struct arena *arena) {
    struct journal_record record;
    if (!archive->reader)
        return false;
    if (archive->restored.line < journal_end(archive->journal)->line &&
        journal_read(archive->reader, &archive->restored, &record) && digest_read(digest, arena, record.note))
        return true;
    stop_reading(archive);
    return false;
}

bool archive_add(struct archive *archive, const struct rendering *rendering, const char *digest) {
    struct block block[JOURNAL_FILES_MAX];
    rendering_blocks(rendering, block);
    return journal_add(archive->journal, block, digest);
}

/* A run's note begins with a number. */
#define KEPT "kept "

bool archive_keep(struct archive *archive, const char *line) {
    static const struct block none[JOURNAL_FILES_MAX];
    char *note = memory_format(KEPT "%s", line);
    stop_reading(archive);
    bool good = journal_add(archive->journal, none, note);
    free(note);
    return good;
}

const char *archive_kept(struct archive *archive) {
    struct journal_record record;
    struct journal_place next = archive->restored;
    if (!archive->reader || next.line >= journal_end(archive->journal)->line ||
        !journal_read(archive->reader, &next, &record) || strncmp(record.note, KEPT, strlen(KEPT)) != 0)
        return NULL;
    archive->restored = next;
    return record.note + strlen(KEPT);
}

bool archive_write(struct archive *archive, const char *name, const struct sheet *sheet) {
    return folder_write(archive->folder, name, sheet->text, sheet->length);
}

/* A shard's journal is what it is merged by. */
static bool drop_journal(const struct archive *archive, struct sentence *why) {
    if (archive->spec.request->shard.count > 1)
        return true;
    char *path = memory_format("%s/%s", folder_path(archive->folder), JOURNAL_NAME);
    bool dropped = unlink(path) == 0 || errno == ENOENT;
    if (!dropped)
        sentence_set(why, "cannot remove %s: %s", path, strerror(errno));
    free(path);
    return dropped;
}

bool archive_finish(struct archive *archive, const struct archive_state *state, struct sentence *why) {
    bool good = archive->ordered || !plan_decides(archive->spec.plan) || archive_order(archive);
    good = good && write_manifest(archive, state) && folder_finish(archive->folder, why) &&
           drop_journal(archive, why);
    if (!good && archive_failed(archive))
        archive_excuse(archive, why);
    return good;
}

bool archive_failed(const struct archive *archive) {
    return *folder_failure(archive->folder) != '\0';
}

void archive_excuse(const struct archive *archive, struct sentence *why) {
    const char *mend = archive->spec.request->mend;
    sentence_set(why, "%s%s%s", folder_failure(archive->folder), mend ? "; " : "", mend ? mend : "");
}
