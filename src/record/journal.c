#include "journal.h"
#include "memory.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

/* Seconds from one sync to the next, and at least so many times as long as a sync takes. */
#define SYNC_EVERY_S 1.0
#define SYNC_SHARE   20.0

struct journal {
    struct folder *folder;
    const char *const *file;
    size_t files;
    struct journal_place end;
    double synced_s, sync_s; /* when the last sync ended, what it took */
    char *line;
    size_t capacity;
};

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint32_t checksum_of(const char *text, size_t length) {
    return (uint32_t)crc32_z(0, (const unsigned char *)text, length);
}

struct journal *journal_new(struct folder *folder, const char *const *files,
                            const struct journal_place *end) {
    struct journal *journal = memory_zeroed(1, sizeof *journal);
    *journal = (struct journal){.folder = folder, .file = files, .end = *end};
    bool cut = folder_cut(folder, JOURNAL_NAME, end->line);
    for (; files[journal->files]; journal->files++) {
        assert(journal->files < JOURNAL_FILES_MAX);
        cut &= folder_cut(folder, files[journal->files], end->block[journal->files]);
    }
    journal->synced_s = seconds_now();
    if (cut)
        return journal;
    journal_free(journal);
    return NULL;
}

void journal_free(struct journal *journal) {
    if (journal == NULL)
        return;
    free(journal->line);
    free(journal);
}

const struct journal_place *journal_end(const struct journal *journal) {
    return &journal->end;
}

bool journal_sync(struct journal *journal) {
    double begin_s = seconds_now();
    bool synced = true;
    for (size_t f = 0; f < journal->files; f++)
        synced = synced && folder_sync(journal->folder, journal->file[f]);
    synced = synced && folder_sync(journal->folder, JOURNAL_NAME) && folder_sync(journal->folder, NULL);
    journal->synced_s = seconds_now();
    journal->sync_s = journal->synced_s - begin_s;
    return synced;
}

static bool sync_when_due(struct journal *journal) {
    double rest_s = SYNC_SHARE * journal->sync_s;
    bool due = seconds_now() - journal->synced_s >= (rest_s > SYNC_EVERY_S ? rest_s : SYNC_EVERY_S);
    return !due || journal_sync(journal);
}

/* LENGTH:CHECKSUM of every file, the note, the checksum of all that: `21:0a1b2c3d 0:00000000 |note|0a1b2c3d`. Returns
 * its length. */
static size_t write_line(struct journal *journal, const struct block *blocks, const char *note) {
    size_t room = journal->files * 32 + strlen(note) + 32, length = 0;
    if (room > journal->capacity)
        journal->line = memory_resized(journal->line, journal->capacity = 2 * room, 1);
    for (size_t f = 0; f < journal->files; f++)
        length += (size_t)snprintf(journal->line + length, room - length, "%zu:%08" PRIx32 " ",
                                   blocks[f].length, checksum_of(blocks[f].text, blocks[f].length));
    length += (size_t)snprintf(journal->line + length, room - length, "|%s|", note);
    uint32_t checksum = checksum_of(journal->line, length);
    return length + (size_t)snprintf(journal->line + length, room - length, "%08" PRIx32 "\n", checksum);
}

bool journal_add(struct journal *journal, const struct block *blocks, const char *note) {
    assert(strchr(note, '\n') == NULL);
    for (size_t f = 0; f < journal->files; f++) {
        if (blocks[f].length > 0 &&
            !folder_append(journal->folder, journal->file[f], blocks[f].text, blocks[f].length))
            return false;
        journal->end.block[f] += blocks[f].length;
    }
    size_t length = write_line(journal, blocks, note);
    journal->end.line += length;
    return folder_append(journal->folder, JOURNAL_NAME, journal->line, length) && sync_when_due(journal);
}
