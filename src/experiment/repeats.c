#include "repeats.h"
#include "relabel.h"
#include <stdlib.h>

/* Runs of one contest that stand one behind the other, but for runs that no later one equals. */
struct series {
    struct run_id first;
    uint32_t runs;
    struct journal_place place;
};

struct repeats {
    const struct plan *plan;
    char *folder;
    struct journal_reader *reader;
    struct series *series;
    size_t count, capacity;
    /* The next record to be read; all of its series before `passed` stand before it. */
    size_t at_series;
    uint32_t passed;
    struct journal_place at;
};

struct repeats *repeats_new(const struct plan *plan, const char *folder) {
    struct repeats *repeats = memory_zeroed(1, sizeof *repeats);
    repeats->plan = plan;
    repeats->folder = memory_text(folder);
    repeats->at_series = SIZE_MAX;
    return repeats;
}

void repeats_free(struct repeats *repeats) {
    if (!repeats)
        return;
    journal_reader_free(repeats->reader);
    free(repeats->folder);
    free(repeats->series);
    free(repeats);
}

static bool continues(const struct series *series, struct run_id run) {
    return series->first.contest == run.contest &&
           series->first.replication + series->runs == run.replication;
}

void repeats_note(struct repeats *repeats, struct run_id run, const struct journal_place *place) {
    if (repeats->count > 0 && continues(&repeats->series[repeats->count - 1], run)) {
        repeats->series[repeats->count - 1].runs++;
        return;
    }
    if (repeats->count == repeats->capacity) {
        repeats->capacity = repeats->capacity * 2 + 16;
        repeats->series = memory_resized(repeats->series, repeats->capacity, sizeof *repeats->series);
    }
    repeats->series[repeats->count++] = (struct series){run, 1, *place};
}

static bool has(const struct series *series, struct run_id run) {
    return series->first.contest == run.contest && run.replication >= series->first.replication &&
           run.replication - series->first.replication < series->runs;
}

/* Moves to the series that has the run, in most cases the one where the last was read. */
static bool seek(struct repeats *repeats, struct run_id run) {
    size_t s = repeats->at_series;
    if (s < repeats->count && has(&repeats->series[s], run) && run.replication >= repeats->passed)
        return true;
    for (s = 0; s < repeats->count && !has(&repeats->series[s], run);)
        s++;
    if (s == repeats->count)
        return false;
    repeats->at_series = s;
    repeats->passed = 0;
    repeats->at = repeats->series[s].place;
    return true;
}

static bool read_source(struct repeats *repeats, struct run_id source, struct journal_place *place,
                        struct journal_record *record) {
    struct sentence why;
    if (!repeats->reader)
        repeats->reader = journal_reader_new(repeats->folder, rendering_files, &why);
    if (!repeats->reader || !seek(repeats, source))
        return false;
    for (struct run_id found = {0}; repeats->passed <= source.replication;) {
        *place = repeats->at;
        if (!journal_read(repeats->reader, &repeats->at, record) || !digest_run(record->note, &found))
            return false;
        if (found.contest == source.contest)
            repeats->passed = found.replication + 1;
    }
    return true;
}

bool repeats_copy(struct repeats *repeats, struct run_id run, struct run_id source,
                  struct rendering *rendering, struct digest *digest, struct arena *arena) {
    struct journal_place place;
    struct journal_record record;
    if (!read_source(repeats, source, &place, &record) || !digest_read(digest, arena, record.note) ||
        digest->run.contest != source.contest || digest->run.replication != source.replication)
        return false;
    digest->run = run;
    for (size_t f = 0; rendering_files[f]; f++) {
        const char *text = journal_block(repeats->reader, &place, &record, f);
        if (!text)
            return false;
        relabel_rows(rendering, f, &repeats->plan->contest[run.contest],
                     &(struct block){text, (size_t)record.length[f]}, run.replication);
    }
    return true;
}
