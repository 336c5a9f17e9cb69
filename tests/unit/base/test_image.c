/* Binary images beside files of text: they save reading, and nothing else may change by them. */
#include "csv_file.h"
#include "image.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS = 60000, HEAD_BYTES = 72 };

static char folder[] = "/tmp/laggard-image-XXXXXX";
static char file[sizeof folder + 16], kept[sizeof folder + 32];

static void make_folder(void) {
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(file, sizeof file, "%s/t.csv", folder);
    snprintf(kept, sizeof kept, "%s.laggard-cache", file);
}

static void remove_folder(void) {
    chmod(folder, 0755);
    unlink(file);
    unlink(kept);
    rmdir(folder);
}

TestSuite(image, .init = make_folder, .fini = remove_folder);

/* Three columns, the last of words; `first` is the first number. */
static void write_table(const char *first, int rows) {
    FILE *stream = fopen(file, "wb");
    fprintf(stream, "x,y,name\n");
    for (int r = 0; r < rows; r++)
        fprintf(stream, "%s,%.17g,%s\n", r == 0 ? first : "2.5", sin(r), r % 3 ? "b" : "\"q, r\"");
    fclose(stream);
}

static size_t entries(void) {
    size_t count = 0;
    DIR *listed = opendir(folder);
    while (readdir(listed))
        count++;
    closedir(listed);
    return count - 2;
}

static bool is_kept(void) {
    return access(kept, F_OK) == 0;
}

static const char *const numbers[] = {"x", "y", NULL};

static struct csv *read_table(const char *const *columns, bool images) {
    struct diag *diag = diag_new();
    struct csv *csv = csv_read(
        diag, file,
        &(struct csv_request){.header = true, .numbers = columns, .missing = true, .images = images});
    diag_free(diag);
    return csv;
}

static size_t words_bytes(const char *words, size_t rows) {
    const char *at = words;
    while (rows-- > 0)
        at += strlen(at) + 1;
    return (size_t)(at - words);
}

static void expect_equal(const struct csv *left, const struct csv *right, const char *what) {
    cr_assert(left && right, "%s: not read", what);
    cr_assert(left->rows == right->rows && left->columns == right->columns, "%s: the shape differs", what);
    cr_expect(memcmp(left->number, right->number, left->rows * left->columns * sizeof(double)) == 0,
              "%s: numbers differ", what);
    cr_expect(memcmp(left->line, right->line, left->rows * sizeof *left->line) == 0, "%s: lines differ",
              what);
    for (size_t c = 0; c < left->columns; c++) {
        cr_expect(eq(str, left->name[c], right->name[c]), "%s", what);
        bool worded = left->text[c] != NULL;
        cr_assert(worded == (right->text[c] != NULL), "%s: column %zu", what, c);
        size_t bytes = worded ? words_bytes(left->text[c], left->rows) : 0;
        cr_expect(bytes == 0 || memcmp(left->text[c], right->text[c], bytes) == 0, "%s: words differ", what);
    }
}

/* With images and without, all is the same. */
static void expect_right(const char *what) {
    struct csv *text = read_table(numbers, false), *image = read_table(numbers, true);
    expect_equal(text, image, what);
    csv_release(text);
    csv_release(image);
}

/* Changes bytes of the image where it stands. */
static void write_at(long offset, const char *bytes, size_t length) {
    FILE *stream = fopen(kept, "rb+");
    fseek(stream, offset, offset < 0 ? SEEK_END : SEEK_SET);
    fwrite(bytes, 1, length, stream);
    fclose(stream);
}

/* A sound image that says 77 of the last y, so that it shows where numbers come from. */
static void write_other_number(void) {
    const struct image_subject subject = {file, "csv table 1"};
    struct stat status;
    cr_assert(stat(kept, &status) == 0);
    size_t bytes = (size_t)status.st_size - HEAD_BYTES;
    char *held = memory_resized(NULL, bytes, 1);
    FILE *stream = fopen(kept, "rb");
    fseek(stream, HEAD_BYTES, SEEK_SET);
    cr_assert(fread(held, 1, bytes, stream) == bytes);
    fclose(stream);
    memcpy(held + bytes - 2 * sizeof(double), (double[]){77}, sizeof(double));
    struct image_writer *writer = image_begin(subject);
    image_put(writer, held, bytes);
    image_keep(writer);
    free(held);
}

Test(image, is_kept_and_taken) {
    write_table("1", ROWS);
    expect_right("the first time");
    cr_assert(is_kept());
    expect_right("from the image");
    write_other_number();
    struct csv *csv = read_table(numbers, true);
    cr_expect(eq(dbl, csv->number[csv->rows * csv->columns - 2], 77));
    csv_release(csv);
    cr_expect(eq(sz, entries(), 2));
}

Test(image, is_of_these_bytes_alone) {
    write_table("1", ROWS);
    expect_right("the first time");
    write_table("3", ROWS);
    expect_right("a number was changed, the length not");
    struct image *other = image_open((struct image_subject){file, "csv table 2"});
    cr_expect(eq(ptr, other, NULL), "another kind");
    write_table("3", ROWS + 1);
    expect_right("a row was added");
    cr_expect(eq(sz, entries(), 2));
}

Test(image, is_of_this_request_alone) {
    static const char *const fewer[] = {"x", NULL};
    write_table("1", ROWS);
    expect_right("the first time");
    struct csv *text = read_table(fewer, false), *image = read_table(fewer, true);
    expect_equal(text, image, "y may be words");
    csv_release(text);
    csv_release(image);
    expect_right("and must be numbers again");
    cr_expect(eq(ptr, read_table(NULL, true), NULL),
              "all must be numbers: words are refused as without the image");
}

Test(image, that_is_damaged_is_not_taken) {
    struct stat status;
    write_table("1", ROWS);
    expect_right("the first time");
    cr_assert(stat(kept, &status) == 0);
    const struct {
        const char *what;
        long offset;
        const char *bytes;
    } damage[] = {
        {"magic", 0, "L"},
        {"kind", 8, "C"},
        {"order of bytes", 40, "\x01\x02\x03"},
        {"file checksum", 44, "abc"},
        {"checksum", 48, "abc"},
        {"bytes of the file", 56, "\xff\xff"},
        {"length", 64, "\x01\x02\x03"},
        {"rows", 72, "\xff\xff\xff\xff\xff\xff\xff\x7f"},
        {"columns", 80, "\xff\xff\xff"},
        {"length of a name", 96, "\xff\xff\xff\xff\xff\xff\xff\xff"},
        {"a number", -80, "\x01"},
        {"a word", 4000, "x"},
    };
    for (size_t q = 0; q < sizeof damage / sizeof *damage; q++) {
        write_at(damage[q].offset, damage[q].bytes, strlen(damage[q].bytes));
        expect_right(damage[q].what);
        expect_right("made anew");
    }
    const long lengths[] = {0, 10, 72, 100, status.st_size / 2, status.st_size - 1, status.st_size + 1};
    for (size_t q = 0; q < sizeof lengths / sizeof *lengths; q++) {
        cr_assert(truncate(kept, lengths[q]) == 0);
        expect_right("of another length");
    }
    cr_expect(eq(sz, entries(), 2));
}

Test(image, is_not_made_where_nothing_is_to_be_written) {
    write_table("1", 100);
    expect_right("small");
    cr_expect(not(is_kept()));
    write_table("1", ROWS);
    cr_assert(chmod(folder, 0555) == 0);
    expect_right("a folder that nobody may write to");
    cr_expect(not(is_kept()));
    cr_assert(chmod(folder, 0755) == 0);
    write_table("wrong", ROWS);
    cr_expect(eq(ptr, read_table(numbers, true), NULL));
    cr_expect(eq(sz, entries(), 1), "a file with mistakes");
}

Test(image, follows_no_link) {
    write_table("1", ROWS);
    cr_assert(symlink("/etc/passwd", kept) == 0);
    expect_right("a link in its place");
    struct stat status;
    cr_expect(lstat(kept, &status) == 0 && S_ISREG(status.st_mode), "the link itself is replaced");
}
