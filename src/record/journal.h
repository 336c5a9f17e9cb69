/* journal.h: what stands finished in the files of a folder that grow by blocks, so that a run that was cut off can go on
 * where it was. A record is one block in each of the files (any may be empty), with its length and checksum, and a note;
 * the first record is that of the header lines, and its note says what the folder is about. Knows nothing of what blocks
 * and notes hold.
 *
 * Order. The blocks of a record are written first, then its line in the journal, all at once handed to the system: a
 * process that is killed loses at most the record it was at. Every second or so the files are synced, then the journal: a
 * power cut loses what came after. It may also leave lines of the journal whose blocks never reached the disk, which their
 * checksums tell. Whoever goes on keeps the records up to the first that is not whole in all files, and cuts the rest
 * off. */
#ifndef LAGGARD_JOURNAL_H
#define LAGGARD_JOURNAL_H
#include "folder.h"

#define JOURNAL_NAME      "runs.journal"
#define JOURNAL_FILES_MAX 12

/* Text of one block; no text where it is empty. */
struct block {
    const char *text;
    size_t length;
};

/* Where a record begins: its line in the journal and its blocks in the files. */
struct journal_place {
    uint64_t line, block[JOURNAL_FILES_MAX];
};
struct journal_record {
    uint64_t length[JOURNAL_FILES_MAX];
    uint32_t checksum[JOURNAL_FILES_MAX];
    const char *note; /* valid until the next record is read */
};

struct journal;
/* A journal of the files named, ended by NULL, in a folder; both must outlive it. `end`: where the records that are kept
 * end, all zero in a new folder; what stands behind it is cut off. NULL after an I/O error of the folder. */
struct journal *journal_new(struct folder *folder, const char *const *files, const struct journal_place *end);
void journal_free(struct journal *journal);
/* Adds a record: a block for each of the files, and a note without a line end. False after an I/O error of the folder. */
bool journal_add(struct journal *journal, const struct block *blocks, const char *note);
/* Where the next record will begin. */
const struct journal_place *journal_end(const struct journal *journal);
/* Waits until all that was added is on the disk. False as above. */
bool journal_sync(struct journal *journal);

/* Reads records, of a journal that still grows too. */
struct journal_reader;
/* NULL after writing why: `folder` holds no journal, or it cannot be opened. */
struct journal_reader *journal_reader_new(const char *folder, const char *const *files, struct sentence *why);
void journal_reader_free(struct journal_reader *reader);
/* Closes its files until they are read again: who reads many folders has those of one open at a time. */
void journal_reader_rest(struct journal_reader *reader);
/* Why one of its files could not be opened, as a sentence, where reading failed for that; else empty. */
const char *journal_reader_failure(const struct journal_reader *reader);
/* Reads the record at `place` and moves `place` behind it. False where no whole record stands there. */
bool journal_read(struct journal_reader *reader, struct journal_place *place, struct journal_record *record);
/* The blocks of the record at `place` are what they were when it was written. */
bool journal_verify(struct journal_reader *reader, const struct journal_place *place,
                    const struct journal_record *record);
/* The text of one of its blocks, valid until the next is asked for; NULL where it cannot be read as it was written. */
const char *journal_block(struct journal_reader *reader, const struct journal_place *place,
                          const struct journal_record *record, size_t file);
#endif
