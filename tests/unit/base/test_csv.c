#include "csv_file.h"
#include "utf8.h"
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

TestSuite(csv_number);

Test(csv_number, accepts) {
    static const struct {
        const char *text;
        double number;
    } cases[] = {
        {"0", 0},
        {"-0", -0.0},
        {"1", 1},
        {"+1", 1},
        {"1.5", 1.5},
        {".5", 0.5},
        {"5.", 5},
        {"1e3", 1000},
        {"1E-3", 0.001},
        {"1e+22", 1e22},
        {"1e23", 1e23},
        {"0.1", 0.1},
        {"-123.456", -123.456},
        {"9007199254740993", 9007199254740992.0}, /* 2^53 + 1 rounds to even */
        {"0.30000000000000004", 0.30000000000000004},
        {"1e-400", 0},
        {"4.9e-324", 4.9e-324},
        {"1.7976931348623157e308", 1.7976931348623157e308},
        {"000000000000000000000000000001", 1},
        {"179769313486231570000000000000000000000e270", 1.7976931348623157e308},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double number = NAN;
        cr_expect(csv_number(cases[c].text, strlen(cases[c].text), &number), "%s is refused", cases[c].text);
        cr_expect(memcmp(&number, &cases[c].number, sizeof number) == 0, "%s reads as %.17g", cases[c].text,
                  number);
    }
}

Test(csv_number, refuses) {
    static const char *const cases[] = {"",
                                        "+",
                                        "-",
                                        ".",
                                        "e1",
                                        "1e",
                                        "1e+",
                                        "nan",
                                        "inf",
                                        "-inf",
                                        "0x10",
                                        " 1",
                                        "1 ",
                                        "1,0",
                                        "1..2",
                                        "--1",
                                        "1e5.",
                                        "1e999",
                                        "1f",
                                        "NaN",
                                        "1_0",
                                        "１",
                                        "1e99999999999999999999"};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double number;
        cr_expect(not(csv_number(cases[c], strlen(cases[c]), &number)), "'%s' is accepted", cases[c]);
    }
}

Test(csv_number, stops_at_length) {
    double number;
    cr_expect(csv_number("12345678901234567890123", 2, &number) && number == 12);
    char *digits = memory_zeroed(2000, 1);
    memset(digits, '7', 1000);
    memset(digits + 300, '.', 1);
    cr_expect(csv_number(digits, 300, &number) && number == strtod("7.7777777777777777777777e299", NULL));
    cr_expect(csv_number(digits, 1000, &number) && isfinite(number));
    free(digits);
}

/* The fast path and strtod must agree on every bit, as both promise the nearest double. Up to 18 digits and
 * exponents to 40 lie on both sides of what the fast path takes. */
Test(csv_number, equals_strtod) {
    uint64_t state = 1;
    for (int c = 0; c < 200000; c++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        int exponent = (int)(state >> 58) % 41 * (c & 1 ? 1 : -1), digits = 1 + c % 18;
        uint64_t whole = (state >> 3) % (uint64_t)pow(10, digits);
        char text[64];
        if (c % 3 == 0)
            snprintf(text, sizeof text, "-%lu.%05lue%d", whole / 100000, whole % 100000, exponent);
        else
            snprintf(text, sizeof text, "%lue%d", whole, exponent);
        double number, expected = strtod(text, NULL);
        cr_assert(csv_number(text, strlen(text), &number), "%s is refused", text);
        cr_assert(memcmp(&number, &expected, sizeof number) == 0, "%s reads as %.17g", text, number);
    }
}

Test(csv_number, utf8) {
    static const struct {
        const char *text;
        size_t length;
        bool valid;
    } cases[] = {
        {TEXT(""), true},
        {TEXT("abc"), true},
        {TEXT("\xc3\xa4"), true},
        {TEXT("\xe2\x82\xac"), true},
        {TEXT("\xf0\x9f\x98\x80"), true},
        {TEXT("\xf4\x8f\xbf\xbf"), true},
        {TEXT("\xc0\x80"), false},
        {TEXT("\xc1\xbf"), false},
        {TEXT("\xe0\x9f\xbf"), false},
        {TEXT("\xed\xa0\x80"), false},
        {TEXT("\xf4\x90\x80\x80"), false},
        {TEXT("\xf5\x80\x80\x80"), false},
        {TEXT("\xc3"), false},
        {TEXT("\xe2\x82"), false},
        {TEXT("\x80"), false},
        {TEXT("\xc3("), false},
        {TEXT("a\xff"), false},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        cr_expect(eq(int, utf8_valid(cases[c].text, cases[c].length), cases[c].valid), "case %zu", c);
    cr_expect(eq(int, utf8_start("a\xe2\x82\xac", 4, 3), 1));
    cr_expect(eq(int, utf8_start("a\xe2\x82\xac", 4, 4), 4));
}

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
