/* Numbers as text: what a row of results costs to write beside fprintf, and a table of data to read beside strtod, each pair
 * in the same run. Thread time, median of REPEATS. Prints tables; never fails. */
#include "csv_file.h"
#include "memory.h"
#include "sheet.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { REPEATS = 7, ROWS = 100000, TABLE_ROWS = 12000, TABLE_COLUMNS = 100 };

struct row {
    const char *scheme;
    uint32_t step, responders;
    double time_s, loss;
};
static const struct column all_columns[] = {
    {"step", COLUMN_COUNT, offsetof(struct row, step)},
    {"responders", COLUMN_COUNT, offsetof(struct row, responders)},
    {"time_s", COLUMN_NUMBER, offsetof(struct row, time_s)},
    {"loss", COLUMN_NUMBER, offsetof(struct row, loss)},
    {"scheme", COLUMN_TEXT, offsetof(struct row, scheme)},
};
static struct row row[ROWS];

/* What is timed. */
struct work {
    void (*run)(void *subject);
    void *subject;
};

static double thread_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_s(struct work work) {
    double seconds[REPEATS];
    work.run(work.subject);
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const double begin = thread_s();
        work.run(work.subject);
        seconds[repeat] = thread_s() - begin;
    }
    qsort(seconds, REPEATS, sizeof *seconds, compare);
    return seconds[REPEATS / 2];
}

static uint64_t state = 88172645463325252;

static double uniform(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

static void fill_rows(void) {
    double now_s = 0;
    for (uint32_t r = 0; r < ROWS; r++) {
        now_s += -log(1 - uniform()) * 0.01;
        row[r] = (struct row){"gc-fr", r, r % 12, now_s, uniform()};
    }
}

static void write_sheet(void *subject) {
    struct sheet *sheet = subject;
    sheet_clear(sheet);
    for (size_t r = 0; r < ROWS; r++)
        sheet_row(sheet, &row[r]);
}

/* The columns from `first` on, so many. */
static double row_ns(size_t first, size_t count) {
    const struct columns columns = {all_columns + first, count};
    struct sheet sheet;
    sheet_init(&sheet, &columns, NULL, 0);
    const double took_s = median_s((struct work){write_sheet, &sheet});
    sheet_fini(&sheet);
    return took_s / ROWS * 1e9;
}

static void print_rows(void *subject) {
    rewind(subject);
    for (size_t r = 0; r < ROWS; r++)
        fprintf(subject, "%u,%u,%.17g,%.17g,%s\n", row[r].step, row[r].responders, row[r].time_s, row[r].loss,
                row[r].scheme);
    fflush(subject);
}

static void print_times(void *subject) {
    rewind(subject);
    for (size_t r = 0; r < ROWS; r++)
        fprintf(subject, "%.17g\n", row[r].time_s);
    fflush(subject);
}

static void bench_writing(void) {
    FILE *nowhere = fopen("/dev/null", "w");
    const double printed_ns = median_s((struct work){print_rows, nowhere}) / ROWS * 1e9,
                 time_ns = median_s((struct work){print_times, nowhere}) / ROWS * 1e9;
    fclose(nowhere);
    const struct {
        const char *name;
        double ns, model_ns, printf_ns;
    } line[] = {
        {"an integer", row_ns(0, 1), 15 + 5, NAN},
        {"two integers", row_ns(0, 2), 15 + 2 * 5, NAN},
        {"a full double", row_ns(2, 1), 15 + 40, time_ns},
        {"two full doubles", row_ns(2, 2), 15 + 2 * 40, NAN},
        {"two of each and a word", row_ns(0, 5), 15 + 2 * 5 + 2 * 40, printed_ns},
    };
    printf("%-28s %8s %28s %8s %6s\n", "a row of", "ns", "15 + 40 double + 5 integer", "fprintf", "times");
    for (size_t q = 0; q < sizeof line / sizeof *line; q++) {
        printf("%-28s %8.1f %28.0f", line[q].name, line[q].ns, line[q].model_ns);
        if (line[q].printf_ns > 0)
            printf(" %8.1f %6.1f", line[q].printf_ns, line[q].printf_ns / line[q].ns);
        putchar('\n');
    }
}

struct text {
    char path[40], *bytes;
    size_t length;
};

/* Significant digits, or digits after the point. */
struct digits {
    const char *name;
    int significant, decimals;
};

static struct text text_made(struct digits digits) {
    struct text text = {.path = "/tmp/laggard-bench-XXXXXX"};
    FILE *stream = fdopen(mkstemp(text.path), "w+");
    for (int c = 0; c < TABLE_COLUMNS; c++)
        fprintf(stream, "%sx%d", c > 0 ? "," : "", c);
    for (int r = 0; r < TABLE_ROWS; r++)
        for (int c = 0; c < TABLE_COLUMNS; c++) {
            fputs(c > 0 ? "," : "\n", stream);
            if (digits.significant > 0)
                fprintf(stream, "%.*g", digits.significant, 4 * uniform() - 2);
            else
                fprintf(stream, "%.*f", digits.decimals, 4 * uniform() - 2);
        }
    fclose(stream);
    struct diag *diag = diag_new();
    text.bytes = file_text(diag, text.path, &text.length);
    diag_free(diag);
    return text;
}

static void text_free(struct text *text) {
    char image[sizeof text->path + 16];
    snprintf(image, sizeof image, "%s.laggard-cache", text->path);
    unlink(image);
    unlink(text->path);
    free(text->bytes);
}

static volatile double sink;

static void read_file(void *subject) {
    const struct text *text = subject;
    struct diag *diag = diag_new();
    struct csv *csv = csv_read(diag, text->path, &(struct csv_request){.header = true});
    sink = csv->number[csv->rows * csv->columns - 1];
    csv_release(csv);
    diag_free(diag);
}

/* The same from its image, once there is one. */
static void read_image(void *subject) {
    const struct text *text = subject;
    struct diag *diag = diag_new();
    struct csv *csv = csv_read(diag, text->path, &(struct csv_request){.header = true, .images = true});
    sink = csv->number[csv->rows * csv->columns - 1];
    csv_release(csv);
    diag_free(diag);
}

/* Nothing but the numbers, from memory. */
static void convert(void *subject) {
    const struct text *text = subject;
    const char *at = strchr(text->bytes, '\n');
    double sum = 0;
    for (char *after; at < text->bytes + text->length; at = after) {
        sum += strtod(at + 1, &after);
        after = after == at + 1 ? after + 1 : after;
    }
    sink = sum;
}

static void checksum(void *subject) {
    const struct text *text = subject;
    sink = file_checksum(text->path);
}

static void bench_reading(void) {
    static const struct digits digits[] = {{"%.6f", 0, 6}, {"%.9g", 9, 0}, {"%.17g", 17, 0}};
    printf("\n%-24s %6s %8s %8s %8s %6s %14s %9s\n", "12,000 x 100 numbers", "MB", "ms", "MB/s", "strtod",
           "times", "checksum MB/s", "image ms");
    for (size_t f = 0; f < sizeof digits / sizeof *digits; f++) {
        struct text text = text_made(digits[f]);
        const double read_s = median_s((struct work){read_file, &text}),
                     image_s = median_s((struct work){read_image, &text}),
                     strtod_s = median_s((struct work){convert, &text}),
                     sum_s = median_s((struct work){checksum, &text}), megabytes = 1e-6 * (double)text.length;
        printf("%-24s %6.1f %8.1f %8.0f %8.1f %6.1f %14.0f %9.1f\n", digits[f].name, megabytes, 1e3 * read_s,
               megabytes / read_s, 1e3 * strtod_s, strtod_s / read_s, megabytes / sum_s, 1e3 * image_s);
        text_free(&text);
    }
}

int main(void) {
    fill_rows();
    bench_writing();
    bench_reading();
    return 0;
}
