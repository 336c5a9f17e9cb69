#include "csv_file.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Fields of a row as a file may have them, beside numbers. */
static const char *const odd_fields[] = {"",
                                         " ",
                                         "x",
                                         "1x",
                                         "1 ",
                                         "\t2.5",
                                         "1 2",
                                         "nan",
                                         "0x1",
                                         "1e",
                                         "-",
                                         "\xff",
                                         "1e999",
                                         "+7",
                                         " a b ",
                                         "0.1",
                                         "12345678901234567890",
                                         "\xc3\xa4",
                                         "1.5.2",
                                         "3\t"};
static const char *const line_ends[] = {"\n", "\r\n", "\n\n", "\r\n \t\r\n", "\n  \n"};

/* Rows of `first` and two to four more fields, drawn by `state`. */
static void write_random(const char *file, const char *first, uint64_t state) {
    FILE *stream = fopen(file, "wb");
    fprintf(stream, "a,b,c,d\n");
    for (int r = 0; r < 6; r++) {
        fputs(first, stream);
        state = state * 6364136223846793005u + 1442695040888963407u;
        int fields = state >> 60 == 0 ? 2 : state >> 60 == 1 ? 4 : 3;
        for (int f = 0; f < fields; f++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            if (state >> 61 > 0)
                fprintf(stream, ",%.*g", (int)(state >> 32) % 17 + 1, (double)(int64_t)state);
            else
                fprintf(stream, ",%s", odd_fields[(state >> 33) % (sizeof odd_fields / sizeof *odd_fields)]);
        }
        fputs(r < 5 || state >> 63 ? line_ends[(state >> 40) % 5] : "", stream);
    }
    fclose(stream);
}

/* A row without quotation marks is read by other code than one with them: both read the same, or find as many mistakes. */
Test(csv_plain, rows_read_like_quoted_ones) {
    char file[] = "/tmp/laggard-plain-XXXXXX";
    close(mkstemp(file));
    static const char *const columns[] = {"b", "d", NULL};
    const struct csv_request requests[] = {{.header = true},
                                           {.header = true, .missing = true},
                                           {.header = true, .numbers = columns},
                                           {.header = true, .numbers = columns, .missing = true}};
    size_t whole = 0;
    for (uint64_t turn = 0; turn < 1000; turn++) {
        struct diag *plain_diag = diag_new(), *quoted_diag = diag_new();
        write_random(file, "1", turn * 977);
        struct csv *plain = csv_read(plain_diag, file, &requests[turn % 4]);
        write_random(file, "\"1\"", turn * 977);
        struct csv *quoted = csv_read(quoted_diag, file, &requests[turn % 4]);
        cr_assert(eq(sz, diag_errors(plain_diag), diag_errors(quoted_diag)), "turn %lu", turn);
        bool both = plain && quoted;
        cr_assert(both == (plain || quoted), "turn %lu", turn);
        whole += both;
        if (both) {
            cr_assert(eq(sz, plain->rows, quoted->rows), "turn %lu", turn);
            cr_assert(memcmp(plain->number, quoted->number, plain->rows * 4 * sizeof(double)) == 0,
                      "turn %lu", turn);
            cr_assert(memcmp(plain->line, quoted->line, plain->rows * sizeof *plain->line) == 0, "turn %lu",
                      turn);
            for (size_t c = 0; c < 4; c++) {
                bool worded = plain->text[c] != NULL;
                cr_assert(worded == (quoted->text[c] != NULL), "turn %lu", turn);
                cr_assert(worded == false || strcmp(plain->text[c], quoted->text[c]) == 0, "turn %lu", turn);
            }
        }
        csv_release(plain);
        csv_release(quoted);
        diag_free(plain_diag);
        diag_free(quoted_diag);
    }
    unlink(file);
    cr_expect(lt(sz, 50, whole), "%zu of 1000 without a mistake", whole);
}
