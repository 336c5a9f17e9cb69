#include "csv_file.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* A text that may hold NUL bytes. */
#define TEXT(literal) literal, sizeof(literal) - 1

static char folder[] = "/tmp/laggard-csv-XXXXXX";
static char file[sizeof folder + 16];

static void make_folder(void) {
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(file, sizeof file, "%s/t.csv", folder);
}

static void remove_folder(void) {
    unlink(file);
    rmdir(folder);
}

TestSuite(csv, .init = make_folder, .fini = remove_folder);

static void write_file(const char *text, size_t length) {
    FILE *stream = fopen(file, "wb");
    cr_assert(stream != NULL);
    cr_assert(eq(sz, fwrite(text, 1, length, stream), length));
    fclose(stream);
}

/* What diag tells, without the folder in front of each line. */
static char *told(const struct diag *diag) {
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    diag_print(diag, stream);
    fclose(stream);
    size_t prefix = strlen(folder) + 1;
    for (char *at; (at = strstr(text, folder));)
        memmove(at, at + prefix, strlen(at + prefix) + 1);
    return text;
}

static const struct csv_request with_header = {.header = true};

/* What is read of `text`: shape, names joined by |, sum of the numbers and the line of the last row. */
struct good {
    const char *what, *text;
    size_t length, rows, columns;
    const char *names;
    double sum;
    uint32_t last_line;
};

static void expect_good(const struct good *one) {
    write_file(one->text, one->length);
    struct diag *diag = diag_new();
    struct csv *csv = csv_read(diag, file, &with_header);
    char *message = told(diag), names[200] = "";
    cr_assert(csv != NULL, "%s: %s", one->what, message);
    double sum = 0;
    for (size_t f = 0; f < csv->rows * csv->columns; f++)
        sum += csv->number[f];
    for (size_t c = 0; c < csv->columns; c++)
        strcat(strcat(names, c ? "|" : ""), csv->name[c]);
    cr_expect(eq(sz, csv->rows, one->rows), "%s", one->what);
    cr_expect(eq(sz, csv->columns, one->columns), "%s", one->what);
    cr_expect(eq(str, names, (char *)one->names), "%s", one->what);
    cr_expect(eq(dbl, sum, one->sum), "%s", one->what);
    cr_expect(eq(u32, csv->line[csv->rows - 1], one->last_line), "%s", one->what);
    csv_release(csv);
    free(message);
    diag_free(diag);
}

Test(csv, good_files) {
    static const struct good cases[] = {
        {"plain", TEXT("a,b\n1,2\n3,4\n"), 2, 2, "a|b", 10, 3},
        {"no last newline", TEXT("a,b\n1,2\n3,4"), 2, 2, "a|b", 10, 3},
        {"CR LF", TEXT("a,b\r\n1,2\r\n3,4\r\n"), 2, 2, "a|b", 10, 3},
        {"byte order mark",
         TEXT("\xef\xbb\xbf"
              "a,b\n1,2\n"),
         1, 2, "a|b", 3, 2},
        {"byte order mark and quotes", TEXT("\xef\xbb\xbf\"a\",b\n1,2\n"), 1, 2, "a|b", 3, 2},
        {"blank lines", TEXT("\n\na,b\n\n1,2\n \t\n3,4\n\n"), 2, 2, "a|b", 10, 7},
        {"spaces around", TEXT(" a , b\n 1\t, 2 \n"), 1, 2, "a|b", 3, 2},
        {"quotes", TEXT("\"a,x\",\"b \"\"q\"\"\"\n\"1\",2\n"), 1, 2, "a,x|b \"q\"", 3, 2},
        {"name on two lines", TEXT("\"a\nx\",b\n1,2\n3,4\n"), 2, 2, "a\nx|b", 10, 4},
        {"unnamed columns", TEXT(",a,\n1,2,3\n"), 1, 3, "|a|", 6, 2},
        {"one column", TEXT("a\n1\n\n2\n"), 2, 1, "a", 3, 4},
        {"one column, quoted", TEXT("\"a;b\"\n1\n"), 1, 1, "a;b", 1, 2},
        {"one column and a tab at its end", TEXT("a\t \r\n1\n"), 1, 1, "a", 1, 2},
        {"UTF-8 name",
         TEXT("gr\xc3\xb6\xc3\x9f"
              "e,b\n1,2\n"),
         1, 2,
         "gr\xc3\xb6\xc3\x9f"
         "e|b",
         3, 2},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        expect_good(&cases[c]);
}

static void expect_told(const char *what, const char *expected) {
    struct diag *diag = diag_new();
    struct csv *csv = csv_read(diag, file, &with_header);
    char *message = told(diag);
    cr_expect(csv == NULL, "%s: was read", what);
    cr_expect(eq(str, message, (char *)expected), "%s", what);
    csv_release(csv);
    free(message);
    diag_free(diag);
}

Test(csv, bad_files) {
    static const struct {
        const char *what, *text;
        size_t length;
        const char *told;
    } cases[] = {
        {"empty", TEXT(""), "t.csv: error: the file is empty\n"},
        {"blank", TEXT("\n \r\n"), "t.csv: error: the file is empty\n"},
        {"header only", TEXT("a,b\n"), "t.csv: error: there are no rows below the header line\n"},
        {"too few", TEXT("a,b\n1,2\n3\n"), "t.csv:3:1: error: the row has 1 field, the header line has 2\n"},
        {"too many", TEXT("a,b\n1,2,3\n"), "t.csv:2:5: error: the row has 3 fields, the header line has 2\n"},
        {"text", TEXT("a,b\n1,x\n"), "t.csv:2:3: error: field 2 (b): a finite number is needed, found 'x'\n"},
        {"nan", TEXT("a,b\nnan,1\n"),
         "t.csv:2:1: error: field 1 (a): a finite number is needed, found 'nan'\n"},
        {"inf", TEXT("a,b\n1, -inf\n"),
         "t.csv:2:4: error: field 2 (b): a finite number is needed, found '-inf'\n"},
        {"huge", TEXT("a\n1e999\n"),
         "t.csv:2:1: error: field 1 (a): a finite number is needed, found '1e999'\n"},
        {"empty field", TEXT("a,b\n,1\n"),
         "t.csv:2:1: error: field 1 (a): is empty where a number is needed\n"},
        {"duplicates", TEXT("a,b,a\n1,2,3\n"),
         "t.csv:1:5: error: the column name 'a' of field 3 is that of field 1\n"},
        {"semicolons", TEXT("a;b c;y\n1,5;2;3\nx;y;z\n"),
         "t.csv:1:2: error: the columns seem to be separated by ';'; a comma is needed\n"},
        {"semicolons and quotes", TEXT("\"a\";\"b;c\"\n1;2\n"),
         "t.csv:1:4: error: the columns seem to be separated by ';'; a comma is needed\n"},
        {"tabs", TEXT("\na\tb;c\n1\t2\n"),
         "t.csv:2:2: error: the columns seem to be separated by tabs; a comma is needed\n"},
        {"bars", TEXT("a | b\n1 | 2\n"),
         "t.csv:1:3: error: the columns seem to be separated by '|'; a comma is needed\n"},
        {"NUL", TEXT("a,b\n1,\0002\n"), "t.csv:2:3: error: a NUL byte: this is not a text in UTF-8\n"},
        {"bad name", TEXT("a,\xff\n1,2\n"),
         "t.csv:1:3: error: field 2: the column name is not valid UTF-8\n"},
        {"bad word", TEXT("a,b\n1,\xc3(\n"), "t.csv:2:3: error: field 2 (b): the text is not valid UTF-8\n"},
        {"quote inside", TEXT("a,b\n1,2\"\n"),
         "t.csv:2:4: error: field 2: a quotation mark must open the field, be doubled inside it, or close "
         "it\n"},
        {"quote never closed", TEXT("a,b\n1,2\n3,\"4\n5,6\n"),
         "t.csv:3:3: error: field 2: the quotation mark is never closed\n"},
        {"lone CR", TEXT("a,b\r1,2\r"),
         "t.csv:1:4: error: a carriage return without a line feed (lines end with LF or CR LF)\n"},
        {"columns count characters", TEXT("a,b\n\"\xc3\xa4\",y\n"),
         "t.csv:2:1: error: field 1 (a): a finite number is needed, found '\xc3\xa4'\n"
         "t.csv:2:5: error: field 2 (b): a finite number is needed, found 'y'\n"},
        {"lines inside quotes", TEXT("\"a\nx\",b\n\"1\n\",\"\n2\",3\n"),
         "t.csv:3:1: error: field 1 (a\\nx): a finite number is needed, found '1\\n'\n"
         "t.csv:4:3: error: field 2 (b): a finite number is needed, found '\\n2'\n"
         "t.csv:5:4: error: the row has 3 fields, the header line has 2\n"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        write_file(cases[c].text, cases[c].length);
        expect_told(cases[c].what, cases[c].told);
    }
}

Test(csv, no_file) {
    expect_told("missing", "t.csv: error: cannot be opened: No such file or directory\n");
    struct diag *diag = diag_new();
    cr_expect(csv_read(diag, folder, &with_header) == NULL);
    cr_expect(eq(sz, diag_errors(diag), 1));
    diag_free(diag);
}

Test(csv, mistakes_end) {
    FILE *stream = fopen(file, "w");
    fputs("a\n", stream);
    for (int r = 0; r < 1000; r++)
        fprintf(stream, "x%d\n", r);
    fclose(stream);
    struct diag *diag = diag_new();
    cr_expect(csv_read(diag, file, &with_header) == NULL);
    /* the mistakes, and the sentence that says so */
    cr_expect(eq(sz, diag_errors(diag), CSV_MISTAKES + 1));
    diag_free(diag);
}

static void write_repeated(const char *what, size_t times, const char *end) {
    FILE *stream = fopen(file, "w");
    while (times-- > 0)
        fputs(what, stream);
    fputs(end, stream);
    fclose(stream);
}

Test(csv, limits) {
    write_repeated("9", CSV_FIELD_BYTES + 1, ",b\n1,2\n");
    expect_told("long field", "t.csv:1:1: error: field 1: is longer than 65536 bytes\n");
    write_repeated(",", CSV_COLUMNS, "\n");
    expect_told("many columns", "t.csv:1:1: error: 65537 fields in a row are more than 65536\n");
    write_repeated(",", CSV_COLUMNS - 1, "\n");
    expect_told("as many columns as allowed", "t.csv: error: there are no rows below the header line\n");
}

Test(csv, words_and_missing) {
    write_file(TEXT("n,m,w\n1,,x\n2,5,\n3,6,7\n"));
    const char *const numbers[] = {"n", "m", "absent", NULL};
    struct diag *diag = diag_new();
    struct csv *csv =
        csv_read(diag, file, &(struct csv_request){.numbers = numbers, .header = true, .missing = true});
    cr_assert(csv != NULL);
    cr_expect(csv->text[0] == NULL && csv->text[1] == NULL && csv->text[2] != NULL);
    cr_expect(isnan(csv->number[1]) && csv->number[4] == 5);
    const char *word = csv->text[2];
    cr_expect(eq(str, (char *)word, (char *)"x"));
    cr_expect(eq(str, (char *)word + 2, (char *)""));
    cr_expect(eq(str, (char *)word + 3, (char *)"7"));
    cr_expect(eq(sz, csv_column(csv, "w"), 2));
    cr_expect(eq(sz, csv_column(csv, "absent"), 3));
    csv_release(csv);
    diag_free(diag);
}

/* Marks the last column, refuses where there is a column `bad`. */
static bool choose_last(void *context, const struct csv *csv, bool *numeric) {
    numeric[csv->columns - 1] = true;
    *(size_t *)context = csv->columns;
    return csv_column(csv, "bad") == csv->columns;
}

Test(csv, columns_are_chosen_by_the_caller) {
    struct diag *diag = diag_new();
    size_t columns = 0;
    struct csv_request request = {.header = true, .choose = choose_last, .context = &columns};
    write_file(TEXT("a,b\nx,1\n"));
    struct csv *csv = csv_read(diag, file, &request);
    cr_assert(csv != NULL && csv->text[0] && !csv->text[1]);
    cr_expect(eq(sz, columns, 2));
    csv_release(csv);
    write_file(TEXT("a,bad\nx,y\n1\n"));
    cr_expect(csv_read(diag, file, &request) == NULL, "refused");
    cr_expect(eq(sz, diag_errors(diag), 0), "nothing is told of rows that are not read");
    write_file(TEXT("a,b\n1,y\n"));
    cr_expect(csv_read(diag, file, &request) == NULL, "a word where a number was chosen");
    cr_expect(eq(sz, diag_errors(diag), 1));
    diag_free(diag);
}

Test(csv, no_header) {
    write_file(TEXT("1,2\n3,4\n"));
    struct diag *diag = diag_new();
    struct csv *csv = csv_read(diag, file, &(struct csv_request){.header = false});
    cr_assert(csv != NULL);
    cr_expect(eq(sz, csv->rows, 2));
    cr_expect(eq(str, csv->name[1], (char *)"2"));
    cr_expect(eq(dbl, csv->number[3], 4));
    csv_release(csv);
    write_file(TEXT("1,2\n3\n"));
    cr_expect(csv_read(diag, file, &(struct csv_request){.header = false}) == NULL);
    char *message = told(diag);
    cr_expect(eq(str, message, (char *)"t.csv:2:1: error: the row has 1 field, the first row has 2\n"));
    free(message);
    diag_free(diag);
}

/* Rows 1 to `rows` of 7 columns, compressed. */
static void write_compressed(int rows) {
    gzFile stream = gzopen(file, "wb");
    gzputs(stream, "a,b,c,d,e,f,g\n");
    for (int r = 1; r <= rows; r++)
        gzprintf(stream, "%d,%d,%d,%d,%d,%d,%d\n", r, r * 7919 % 1000, -r, r % 13, r * 31 % 977, 0, r % 7);
    gzclose(stream);
}

Test(csv, compressed) {
    enum { ROWS = 60000 };
    write_compressed(ROWS);
    struct diag *diag = diag_new();
    struct csv *csv = csv_read(diag, file, &with_header);
    cr_assert(csv != NULL);
    cr_expect(eq(sz, csv->rows, ROWS));
    for (size_t r = 0; r < csv->rows; r++)
        cr_assert(csv->number[r * 7] == (double)r + 1 && csv->number[r * 7 + 6] == (double)((r + 1) % 7) &&
                      csv->line[r] == r + 2,
                  "row %zu", r);
    csv_release(csv);
    diag_free(diag);
}

Test(csv, compressed_damage) {
    write_compressed(60000);
    FILE *stream = fopen(file, "rb+");
    fseek(stream, 0, SEEK_END);
    long bytes = ftell(stream);
    fseek(stream, bytes / 2, SEEK_SET);
    for (int b = 0; b < 64; b++)
        putc('?', stream);
    fclose(stream);
    struct diag *diag = diag_new();
    cr_expect(csv_read(diag, file, &with_header) == NULL, "damaged in the middle");
    cr_expect(eq(sz, diag_errors(diag), 1));
    diag_free(diag);
    write_compressed(60000);
    long cuts[] = {bytes / 2, bytes - 1, bytes - 9};
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
        cr_assert(truncate(file, cuts[c]) == 0);
        expect_told("truncated", "t.csv: error: the compressed file is truncated: its end is missing\n");
    }
}

Test(csv, checksum) {
    write_file(TEXT("123456789"));
    cr_expect(eq(u32, file_checksum(file), 0xcbf43926u)); /* the check value of CRC-32 */
    unlink(file);
    cr_expect(eq(u32, file_checksum(file), 0));
}
