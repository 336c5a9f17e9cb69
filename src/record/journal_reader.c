#include "file_open.h"
#include "journal.h"
#include "memory.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define CHUNK_BYTES ((size_t)1 << 18)

struct journal_reader {
    char *folder;
    const char *const *name;
    FILE *journal;               /* NULL: not open */
    uint64_t at;                 /* where the journal is read next */
    int file[JOURNAL_FILES_MAX]; /* -1: not open yet */
    char *line, *block;
    size_t line_capacity, block_capacity;
    struct sentence failure; /* of opening one of them, the last */
};

static int open_file(const char *folder, const char *name, struct sentence *why) {
    char *path = memory_format("%s/%s", folder, name);
    struct sentence cause;
    int opened = file_open(path, &cause);
    if (opened < 0)
        sentence_set(why, "%s %s", path, cause.text);
    free(path);
    return opened;
}

static FILE *open_journal(const char *folder, struct sentence *why) {
    int opened = open_file(folder, JOURNAL_NAME, why);
    return opened < 0 ? NULL : fdopen(opened, "r");
}

struct journal_reader *journal_reader_new(const char *folder, const char *const *files,
                                          struct sentence *why) {
    FILE *journal = open_journal(folder, why);
    if (journal == NULL)
        return NULL;
    struct journal_reader *reader = memory_zeroed(1, sizeof *reader);
    *reader = (struct journal_reader){.folder = memory_text(folder), .name = files, .journal = journal};
    for (size_t f = 0; f < JOURNAL_FILES_MAX; f++)
        reader->file[f] = -1;
    return reader;
}

void journal_reader_rest(struct journal_reader *reader) {
    for (size_t f = 0; f < JOURNAL_FILES_MAX; f++) {
        if (reader->file[f] >= 0)
            close(reader->file[f]);
        reader->file[f] = -1;
    }
    if (reader->journal)
        fclose(reader->journal);
    reader->journal = NULL;
    reader->at = 0;
}

void journal_reader_free(struct journal_reader *reader) {
    if (reader == NULL)
        return;
    journal_reader_rest(reader);
    free(reader->folder);
    free(reader->line);
    free(reader->block);
    free(reader);
}

const char *journal_reader_failure(const struct journal_reader *reader) {
    return reader->failure.text;
}

/* The line without its checksum and line end; false where it was cut off or is not what was written. */
static bool line_whole(char *line, size_t length) {
    char *end;
    if (length < 10 || line[length - 1] != '\n' || line[length - 10] != '|')
        return false;
    unsigned long told = strtoul(line + length - 9, &end, 16);
    bool whole = end == line + length - 1 && told == crc32_z(0, (const unsigned char *)line, length - 9);
    line[length - 10] = '\0';
    return whole;
}

/* Reads what stands before the note; NULL where there is none. */
static char *read_extents(const struct journal_reader *reader, struct journal_record *record) {
    char *at = reader->line;
    for (size_t f = 0; reader->name[f]; f++) {
        record->length[f] = strtoull(at, &at, 10);
        if (*at++ != ':')
            return NULL;
        record->checksum[f] = (uint32_t)strtoul(at, &at, 16);
        if (*at++ != ' ')
            return NULL;
    }
    return *at == '|' ? at + 1 : NULL;
}

static bool is_open(struct journal_reader *reader) {
    if (reader->journal == NULL)
        reader->journal = open_journal(reader->folder, &reader->failure);
    return reader->journal != NULL;
}

bool journal_read(struct journal_reader *reader, struct journal_place *place, struct journal_record *record) {
    if (!is_open(reader))
        return false;
    if (reader->at != place->line && fseeko(reader->journal, (off_t)place->line, SEEK_SET) != 0)
        return false;
    clearerr(reader->journal); /* it may have grown since its end was met */
    reader->at = UINT64_MAX;
    ssize_t length = getline(&reader->line, &reader->line_capacity, reader->journal);
    if (length <= 0 || !line_whole(reader->line, (size_t)length))
        return false;
    char *note = read_extents(reader, record);
    if (note == NULL)
        return false;
    record->note = note;
    reader->at = place->line += (uint64_t)length;
    for (size_t f = 0; reader->name[f]; f++)
        place->block[f] += record->length[f];
    return true;
}

static int data_file(struct journal_reader *reader, size_t f) {
    if (reader->file[f] < 0)
        reader->file[f] = open_file(reader->folder, reader->name[f], &reader->failure);
    return reader->file[f];
}

static char *room_for(struct journal_reader *reader, size_t length) {
    if (length > reader->block_capacity)
        reader->block = memory_resized(reader->block, reader->block_capacity = length, 1);
    return reader->block;
}

static bool read_all(int file, char *text, size_t length, uint64_t offset) {
    while (length > 0) {
        ssize_t got = pread(file, text, length, (off_t)offset);
        if (got <= 0)
            return false;
        text += got;
        offset += (uint64_t)got;
        length -= (size_t)got;
    }
    return true;
}

static bool block_verify(struct journal_reader *reader, uint64_t offset, uint64_t length, size_t f,
                         uint32_t told) {
    int file = data_file(reader, f);
    char *chunk = room_for(reader, CHUNK_BYTES);
    unsigned long checksum = crc32_z(0, NULL, 0);
    for (size_t part; length > 0; length -= part, offset += part) {
        part = length < CHUNK_BYTES ? (size_t)length : CHUNK_BYTES;
        if (!read_all(file, chunk, part, offset))
            return false;
        checksum = crc32_z(checksum, (unsigned char *)chunk, part);
    }
    return checksum == told;
}

bool journal_verify(struct journal_reader *reader, const struct journal_place *place,
                    const struct journal_record *record) {
    for (size_t f = 0; reader->name[f]; f++)
        if (record->length[f] > 0 &&
            !block_verify(reader, place->block[f], record->length[f], f, record->checksum[f]))
            return false;
    return true;
}

const char *journal_block(struct journal_reader *reader, const struct journal_place *place,
                          const struct journal_record *record, size_t file) {
    size_t length = (size_t)record->length[file];
    char *text = room_for(reader, length + 1);
    bool read = read_all(data_file(reader, file), text, length, place->block[file]) &&
                crc32_z(0, (unsigned char *)text, length) == record->checksum[file];
    return read ? text : NULL;
}
