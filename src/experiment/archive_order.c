#include "archive_inside.h"
#include <stdlib.h>
#include <string.h>

/* The note of the record that ends a journal whose files are ordered. */
#define ORDERED "ordered"
/* Of the file that takes another's place. */
#define NEXT ".partial"

/* A run's block in a file. */
struct placed {
    struct run_id run;
    struct journal_place place;
};

struct placed_list {
    struct placed *run;
    size_t runs, capacity;
};

static int by_run(const void *a, const void *b) {
    const struct run_id one = ((const struct placed *)a)->run, other = ((const struct placed *)b)->run;
    if (one.contest != other.contest)
        return one.contest < other.contest ? -1 : 1;
    return (one.replication > other.replication) - (one.replication < other.replication);
}

static void place_run(struct placed_list *list, struct run_id run, const struct journal_place *place) {
    if (list->runs == list->capacity) {
        list->capacity = list->capacity * 2 + 256;
        list->run = memory_resized(list->run, list->capacity, sizeof *list->run);
    }
    list->run[list->runs++] = (struct placed){.run = run, .place = *place};
}

static bool list_runs(struct journal_reader *reader, struct placed_list *list) {
    struct journal_place place = {0}, next = {0};
    struct journal_record record;
    struct run_id run;
    if (!journal_read(reader, &next, &record))
        return false;
    for (place = next; journal_read(reader, &next, &record); place = next)
        if (digest_run(record.note, &run))
            place_run(list, run, &place);
    qsort(list->run, list->runs, sizeof *list->run, by_run);
    return true;
}

/* The block of the record at `place` to the end of the file's successor. */
static bool copy_block(struct archive *archive, struct journal_reader *reader, struct journal_place place,
                       size_t file) {
    const struct journal_place begin = place;
    struct journal_record record;
    if (!journal_read(reader, &place, &record))
        return false;
    const char *text = journal_block(reader, &begin, &record, file);
    char *next = memory_format("%s%s", rendering_files[file], NEXT);
    bool copied = text && (record.length[file] == 0 ||
                           folder_append(archive->folder, next, text, (size_t)record.length[file]));
    free(next);
    return copied;
}

static bool write_anew(struct archive *archive, struct journal_reader *reader, const struct placed_list *list,
                       size_t file) {
    static const struct journal_place header;
    char *next = memory_format("%s%s", rendering_files[file], NEXT);
    bool good = folder_cut(archive->folder, next, 0) && copy_block(archive, reader, header, file);
    for (size_t p = 0; good && p < list->runs; p++)
        good = copy_block(archive, reader, list->run[p].place, file);
    good = good && folder_sync(archive->folder, next);
    free(next);
    return good;
}

static bool say_ordered(struct archive *archive) {
    static const struct block nothing[JOURNAL_FILES_MAX];
    return folder_sync(archive->folder, NULL) && journal_add(archive->journal, nothing, ORDERED) &&
           journal_sync(archive->journal);
}

bool archive_order(struct archive *archive) {
    struct placed_list list = {0};
    struct journal_reader *reader = journal_reader_new(folder_path(archive->folder), rendering_files);
    bool good = reader && list_runs(reader, &list);
    for (size_t f = 0; good && rendering_files[f]; f++)
        if (journal_end(archive->journal)->block[f] > 0)
            good = write_anew(archive, reader, &list, f);
    free(list.run);
    journal_reader_free(reader);
    return good && say_ordered(archive) && archive_take_order(archive);
}

bool archive_was_ordered(struct journal_reader *reader) {
    struct journal_place next = {0};
    struct journal_record record;
    bool ordered = false;
    while (journal_read(reader, &next, &record))
        ordered = strcmp(record.note, ORDERED) == 0;
    return ordered;
}

bool archive_take_order(struct archive *archive) {
    bool good = true;
    for (size_t f = 0; good && rendering_files[f]; f++) {
        char *next = memory_format("%s%s", rendering_files[f], NEXT);
        if (journal_end(archive->journal)->block[f] > 0 && folder_has(archive->folder, next))
            good = folder_supersede(archive->folder, rendering_files[f], next);
        free(next);
    }
    archive->ordered = good;
    return good;
}
