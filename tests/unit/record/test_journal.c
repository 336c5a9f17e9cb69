/* The journal of a folder: what is read back of it, whole, torn and bent. */
#include "journal.h"
#include "scratch.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const files[] = {"a.csv", "b.csv", NULL};
static const char *const rows[][2] = {{"x\n", "y\n"}, {"1\n", NULL}, {"2\n3\n", "4\n"}, {NULL, "55\n"}};
enum { RECORDS = sizeof rows / sizeof *rows };

static struct scratch scratch;
static struct sentence why;

static void set_up(void) {
    scratch = scratch_new();
}
static void tear_down(void) {
    scratch_free(&scratch);
}
TestSuite(journal, .init = set_up, .fini = tear_down);

static void add(struct journal *journal, size_t r) {
    struct block block[2];
    char note[32];
    for (size_t f = 0; f < 2; f++)
        block[f] = (struct block){rows[r][f], rows[r][f] ? strlen(rows[r][f]) : 0};
    snprintf(note, sizeof note, "note | %zu", r);
    cr_assert(journal_add(journal, block, note));
}

/* The records from `first` on, behind `end`, in a folder that is left unfinished. */
static void write_records(size_t first, const struct journal_place *end) {
    bool there = scratch_has(&scratch, "f.partial");
    struct folder *folder = there ? folder_reopen(scratch_path(&scratch, "f"), KEEP_EXISTING, &why)
                                  : folder_new(scratch_path(&scratch, "f"), KEEP_EXISTING, &why);
    cr_assert(folder != NULL, "%s", why.text);
    folder_write(folder, "manifest.json", "{}", 2);
    struct journal *journal = journal_new(folder, files, end);
    cr_assert(journal != NULL);
    for (size_t r = first; r < RECORDS; r++)
        add(journal, r);
    cr_expect(journal_sync(journal));
    journal_free(journal);
    folder_free(folder);
}

/* Reads all that is whole; returns how many records that is, and where they end. */
static size_t read_whole(struct journal_place *end) {
    struct journal_reader *reader = journal_reader_new(scratch_path(&scratch, "f.partial"), files, &why);
    struct journal_place next = {0};
    struct journal_record record;
    size_t count = 0;
    cr_assert(reader != NULL);
    for (*end = next; journal_read(reader, &next, &record) && journal_verify(reader, end, &record);
         *end = next) {
        char note[32];
        snprintf(note, sizeof note, "note | %zu", count);
        cr_expect_str_eq(record.note, note);
        for (size_t f = 0; f < 2; f++) {
            const char *text = journal_block(reader, end, &record, f), *wanted = rows[count][f];
            cr_assert(text != NULL);
            cr_expect(eq(sz, record.length[f], wanted ? strlen(wanted) : 0));
            cr_expect(eq(int, wanted ? strncmp(text, wanted, strlen(wanted)) : 0, 0));
        }
        count++;
    }
    journal_reader_free(reader);
    return count;
}

static const struct journal_place start;

Test(journal, gives_back_what_was_added) {
    struct journal_place end;
    write_records(0, &start);
    cr_expect(eq(sz, read_whole(&end), RECORDS));
    cr_expect(scratch_holds(&scratch, "f.partial/a.csv", "x\n1\n2\n3\n"));
    cr_expect(scratch_holds(&scratch, "f.partial/b.csv", "y\n4\n55\n"));
    cr_expect(eq(sz, end.block[0], 8));
    cr_expect(eq(sz, end.block[1], 7));
}

static char *text_of(const char *name, size_t *length) {
    char *text = scratch_text(&scratch, name);
    *length = strlen(text);
    return text;
}

/* Cut anywhere, any of the files is gone on with to the same bytes; as many records are kept as are whole in all files. */
Test(journal, goes_on_from_any_cut) {
    static const char *const names[] = {("f.partial/" JOURNAL_NAME), "f.partial/a.csv", "f.partial/b.csv"};
    struct journal_place end;
    char *whole[3];
    size_t length[3];
    write_records(0, &start);
    for (size_t n = 0; n < 3; n++)
        whole[n] = text_of(names[n], &length[n]);
    for (size_t n = 0; n < 3; n++)
        for (size_t bytes = 0; bytes < length[n]; bytes++) {
            cr_assert(eq(int, truncate(scratch_path(&scratch, names[n]), (off_t)bytes), 0));
            size_t kept = read_whole(&end);
            cr_expect(lt(sz, kept, RECORDS), "%s cut to %zu bytes", names[n], bytes);
            write_records(kept, &end);
            for (size_t m = 0; m < 3; m++)
                cr_expect(scratch_holds(&scratch, names[m], whole[m]), "%s after %s was cut to %zu bytes",
                          names[m], names[n], bytes);
        }
    for (size_t n = 0; n < 3; n++)
        free(whole[n]);
}

/* A single byte that is not what was written ends the records before it. */
Test(journal, notices_every_byte_that_changed) {
    static const char *const names[] = {("f.partial/" JOURNAL_NAME), "f.partial/a.csv", "f.partial/b.csv"};
    struct journal_place end;
    write_records(0, &start);
    for (size_t n = 0; n < 3; n++) {
        size_t length;
        char *text = text_of(names[n], &length);
        for (size_t at = 0; at < length; at++) {
            text[at] ^= 1;
            scratch_write(&scratch, names[n], text);
            cr_expect(lt(sz, read_whole(&end), RECORDS), "byte %zu of %s", at, names[n]);
            text[at] ^= 1;
        }
        scratch_write(&scratch, names[n], text);
        free(text);
    }
    cr_expect(eq(sz, read_whole(&end), RECORDS));
}
