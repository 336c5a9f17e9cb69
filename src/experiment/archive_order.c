#include "archive_inside.h"
#include <stdlib.h>
#include <string.h>

/* The note of the record that ends a journal whose files are ordered. */
#define ORDERED "ordered"
/* Of the file that takes another's place. */
#define NEXT ".partial"

/* Replications of a contest, one behind the other in the journal. */
struct placed {
    struct run_id first;
    uint32_t runs;
    struct journal_place place; /* of the first */
};

struct placed_list {
    struct placed *series;
    size_t count, capacity;
};

static int by_run(const void *a, const void *b) {
    const struct run_id one = ((const struct placed *)a)->first, other = ((const struct placed *)b)->first;
    if (one.contest != other.contest)
        return one.contest < other.contest ? -1 : 1;
    return (one.replication > other.replication) - (one.replication < other.replication);
}

static bool goes_on(const struct placed *series, struct run_id run) {
    return series->first.contest == run.contest &&
           series->first.replication + series->runs == run.replication;
}

static void place_run(struct placed_list *list, struct run_id run, const struct journal_place *place) {
    if (list->count > 0 && goes_on(&list->series[list->count - 1], run)) {
        list->series[list->count - 1].runs++;
        return;
    }
    if (list->count == list->capacity) {
        list->capacity = list->capacity * 2 + 16;
        list->series = memory_resized(list->series, list->capacity, sizeof *list->series);
    }
    list->series[list->count++] = (struct placed){run, 1, *place};
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
    qsort(list->series, list->count, sizeof *list->series, by_run);
    return true;
}

/* The block of the record at `place` to the end of the file's successor; `place` moves behind the record. */
static bool copy_block(struct archive *archive, struct journal_reader *reader, struct journal_place *place,
                       size_t file) {
    const struct journal_place begin = *place;
    struct journal_record record;
    if (!journal_read(reader, place, &record))
        return false;
    const char *text = journal_block(reader, &begin, &record, file);
    char *next = memory_format("%s%s", rendering_files[file], NEXT);
    bool copied = text && (record.length[file] == 0 ||
                           folder_append(archive->folder, next, text, (size_t)record.length[file]));
    free(next);
    return copied;
}

static bool copy_series(struct archive *archive, struct journal_reader *reader, const struct placed *series,
                        size_t file) {
    struct journal_place place = series->place;
    bool good = true;
    for (uint32_t r = 0; good && r < series->runs; r++)
        good = copy_block(archive, reader, &place, file);
    return good;
}

static bool write_anew(struct archive *archive, struct journal_reader *reader, const struct placed_list *list,
                       size_t file) {
    struct journal_place header = {0};
    char *next = memory_format("%s%s", rendering_files[file], NEXT);
    bool good = folder_cut(archive->folder, next, 0) && copy_block(archive, reader, &header, file);
    for (size_t p = 0; good && p < list->count; p++)
        good = copy_series(archive, reader, &list->series[p], file);
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
    struct sentence why;
    struct journal_reader *reader = journal_reader_new(folder_path(archive->folder), rendering_files, &why);
    bool good = reader && list_runs(reader, &list);
    for (size_t f = 0; good && rendering_files[f]; f++)
        if (journal_end(archive->journal)->block[f] > 0)
            good = write_anew(archive, reader, &list, f);
    free(list.series);
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
