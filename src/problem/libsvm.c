#include "csv_file.h"
#include "image.h"
#include "source.h"
#include "utf8.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* An index beyond this is taken for a slip: w is as long as the largest one. */
#define LARGEST_INDEX 100000000u

struct libsvm_wish {
    const char *path;
    uint32_t features;
    bool intercept;
};

/* The file being read, and the rows read so far. */
struct reading {
    struct diag *diag;
    const char *file, *line_start, *line_end;
    uint32_t line, largest, samples;
    bool intercept;
    size_t mistakes, entries;
    uint64_t *start;
    uint32_t *column;
    double *value, *label;
};

/* A word of a line. */
struct token {
    const char *at;
    size_t length;
};

__attribute__((format(printf, 3, 4))) static void mistake(struct reading *reading, const char *at,
                                                          const char *format, ...) {
    char sentence[200];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    struct place place = {
        .file = reading->file, .line = reading->line, .column = (uint32_t)(at - reading->line_start) + 1};
    diag_error(reading->diag, place, NULL, "%s", sentence);
    if (++reading->mistakes == CSV_MISTAKES)
        diag_error(reading->diag, place, NULL, "%d mistakes were found, the rest of the file was not read",
                   CSV_MISTAKES);
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word at or after `from`; of length 0 at the end of the line. */
static struct token next_token(const struct reading *reading, const char *from) {
    while (from < reading->line_end && is_space(*from))
        from++;
    const char *end = from;
    while (end < reading->line_end && !is_space(*end))
        end++;
    return (struct token){from, (size_t)(end - from)};
}

/* What a message repeats of a token, for %.*s; nothing of bytes that are no text. */
static int shown(struct token token) {
    return utf8_valid(token.at, token.length) ? utf8_start(token.at, token.length, 40) : 0;
}

/* The index in front of `colon`; 0 after telling. */
static uint32_t take_index(struct reading *reading, struct token token, const char *colon) {
    uint32_t index = 0;
    const char *at = token.at;
    for (; at < colon && *at >= '0' && *at <= '9' && index <= LARGEST_INDEX; at++)
        index = index * 10 + (uint32_t)(*at - '0');
    if (at == token.at || (at < colon && index <= LARGEST_INDEX))
        mistake(reading, token.at, "index:value is needed, found '%.*s'", shown(token), token.at);
    else if (index == 0)
        mistake(reading, token.at, "indices start at 1");
    else if (index > LARGEST_INDEX)
        mistake(reading, token.at, "an index may be at most %u", LARGEST_INDEX);
    else
        return index;
    return 0;
}

static void push(struct reading *reading, uint32_t column, double value) {
    reading->column[reading->entries] = column;
    reading->value[reading->entries++] = value;
}

/* One index:value after the index `last`. Returns the index, 0 after telling. */
static uint32_t take_entry(struct reading *reading, struct token token, uint32_t last) {
    const char *colon = memchr(token.at, ':', token.length);
    if (!colon) {
        mistake(reading, token.at, "index:value is needed, found '%.*s'", shown(token), token.at);
        return 0;
    }
    uint32_t index = take_index(reading, token, colon);
    struct token number = {colon + 1, token.length - (size_t)(colon + 1 - token.at)};
    double value;
    if (index == 0)
        return 0;
    if (index <= last) {
        mistake(reading, token.at, "index %u is not larger than %u", index, last);
        return 0;
    }
    if (!csv_number(number.at, number.length, &value)) {
        mistake(reading, number.at, "a finite number is needed, found '%.*s'", shown(number), number.at);
        return 0;
    }
    push(reading, index - 1, value);
    return index;
}

static void take_entries(struct reading *reading, struct token token) {
    uint32_t last = 0;
    while ((token = next_token(reading, token.at + token.length)).length > 0) {
        if (token.length >= 4 && memcmp(token.at, "qid:", 4) == 0)
            continue;
        uint32_t index = take_entry(reading, token, last);
        if (index == 0)
            return;
        last = index;
    }
    if (last > reading->largest)
        reading->largest = last;
}

/* A row is its label, then its entries; the rest of a line with a mistake is not read. */
static void take_line(struct reading *reading) {
    struct token label = next_token(reading, reading->line_start);
    if (label.length == 0)
        return;
    if (!csv_number(label.at, label.length, &reading->label[reading->samples])) {
        mistake(reading, label.at, "a label (a finite number) is needed, found '%.*s'", shown(label),
                label.at);
        return;
    }
    take_entries(reading, label);
    if (reading->intercept)
        push(reading, UINT32_MAX, 1); /* its column is known once the file is read */
    reading->start[++reading->samples] = reading->entries;
}

static size_t bytes_counted(const char *text, const char *end, char byte) {
    size_t count = 0;
    for (; text < end; text++)
        count += *text == byte;
    return count;
}

/* Room for a row a line and an entry a colon, which no file exceeds. */
static void reserve(struct reading *reading, const char *text, const char *end) {
    size_t rows = bytes_counted(text, end, '\n') + 1, entries = bytes_counted(text, end, ':');
    entries += reading->intercept ? rows : 0;
    reading->start = memory_zeroed(rows + 1, sizeof *reading->start);
    reading->label = memory_zeroed(rows, sizeof *reading->label);
    reading->column = memory_zeroed(entries, sizeof *reading->column);
    reading->value = memory_zeroed_huge(entries, sizeof *reading->value);
}

static bool read_lines(struct reading *reading, const char *text, const char *end) {
    for (const char *next; text < end && reading->mistakes < CSV_MISTAKES; text = next) {
        const char *feed = memchr(text, '\n', (size_t)(end - text));
        next = feed ? feed + 1 : end;
        const char *stop = feed ? feed : end, *comment = memchr(text, '#', (size_t)(stop - text));
        reading->line++;
        reading->line_start = text;
        reading->line_end = comment ? comment : stop;
        take_line(reading);
    }
    struct place place = {.file = reading->file};
    if (reading->mistakes == 0 && reading->samples == 0)
        diag_error(reading->diag, place, NULL, "the file has no rows");
    return reading->mistakes == 0 && reading->samples > 0;
}

/* The number of features beside the intercept, 0 after telling. */
static uint32_t features_agreed(const struct reading *reading, uint32_t wished,
                                const struct data_request *request) {
    if (wished == PARAM_ABSENT)
        wished = reading->largest;
    if (wished == 0)
        diag_error(reading->diag, (struct place){.file = reading->file}, NULL, "no row has a feature");
    else if (wished < reading->largest)
        node_error(request->diag, source_node(request, "features"),
                   "must be at least %u, the largest index of %s", reading->largest, reading->file);
    else
        return wished;
    return 0;
}

/* Hands the arrays over. */
static struct dataset *filled_dataset(struct reading *reading, uint32_t features) {
    struct dataset *dataset = dataset_sparse_new(reading->samples, features, reading->intercept);
    dataset->start = reading->start;
    dataset->column = reading->column;
    dataset->value = reading->value;
    dataset->label = reading->label;
    for (size_t r = 0; reading->intercept && r < reading->samples; r++)
        dataset->column[dataset->start[r + 1] - 1] = features;
    dataset_set_file(dataset, reading->file);
    return dataset;
}

/* An image: this, then start, column, value and label. */
struct rows_part {
    uint64_t samples, entries;
    uint32_t largest, intercept; /* the latter adds an entry to each row */
};

static struct image_subject subject_of(const struct libsvm_wish *wish) {
    return (struct image_subject){wish->path, "libsvm rows 1"};
}

static void keep_image(const struct reading *reading, struct image_writer *writer) {
    if (!writer)
        return;
    struct rows_part part = {reading->samples, reading->entries, reading->largest, reading->intercept};
    image_put(writer, &part, sizeof part);
    image_put(writer, reading->start, (reading->samples + 1) * sizeof *reading->start);
    image_put(writer, reading->column, reading->entries * sizeof *reading->column);
    image_put(writer, reading->value, reading->entries * sizeof *reading->value);
    image_put(writer, reading->label, reading->samples * sizeof *reading->label);
    image_keep(writer);
}

/* Rows that follow one another, each with columns that ascend to the largest one at most. */
static bool rows_sound(const struct reading *reading) {
    const uint64_t *start = reading->start;
    if (start[0] != 0 || start[reading->samples] != reading->entries)
        return false;
    for (size_t r = 0; r < reading->samples; r++) {
        uint64_t end = start[r + 1] - (start[r + 1] > start[r] && reading->intercept);
        if (start[r + 1] < start[r] || start[r + 1] > reading->entries)
            return false;
        for (uint64_t e = start[r]; e < end; e++)
            if (reading->column[e] >= reading->largest ||
                (e > start[r] && reading->column[e] <= reading->column[e - 1]))
                return false;
    }
    return true;
}

static bool take_image(struct reading *reading, struct image *image) {
    struct rows_part part;
    if (!image_take(image, &part, sizeof part) || part.intercept != reading->intercept || part.samples == 0 ||
        part.samples >= UINT32_MAX || part.largest > LARGEST_INDEX)
        return false;
    reading->samples = (uint32_t)part.samples;
    reading->entries = part.entries;
    reading->largest = part.largest;
    return (reading->start = image_take_array(image, reading->samples + (size_t)1, sizeof *reading->start)) &&
           (reading->column = image_take_array(image, reading->entries, sizeof *reading->column)) &&
           (reading->value = image_take_array(image, reading->entries, sizeof *reading->value)) &&
           (reading->label = image_take_array(image, reading->samples, sizeof *reading->label));
}

static void discard(struct reading *reading) {
    free(reading->start);
    free(reading->column);
    free(reading->value);
    free(reading->label);
}

static bool read_image(struct reading *reading, const struct libsvm_wish *wish) {
    struct reading blank = *reading;
    struct image *image = image_open(subject_of(wish));
    bool taken = image && take_image(reading, image);
    if (image_close(image) && taken && rows_sound(reading))
        return true;
    discard(reading);
    *reading = blank;
    return false;
}

static bool read_text(struct reading *reading, const struct libsvm_wish *wish, struct image_writer *writer) {
    size_t length;
    char *text = file_text(reading->diag, wish->path, &length);
    if (!text) {
        image_drop(writer);
        return false;
    }
    reserve(reading, text, text + length);
    bool whole = read_lines(reading, text, text + length);
    free(text);
    if (whole)
        keep_image(reading, writer);
    else
        image_drop(writer);
    return whole;
}

static struct dataset *read(const void *params, const struct data_request *request) {
    const struct libsvm_wish *wish = params;
    struct reading reading = {.diag = request->diag, .file = wish->path, .intercept = wish->intercept};
    bool whole = (request->images && read_image(&reading, wish)) ||
                 read_text(&reading, wish, request->images ? image_begin(subject_of(wish)) : NULL);
    uint32_t features = whole ? features_agreed(&reading, wish->features, request) : 0;
    if (features > 0)
        return filled_dataset(&reading, features);
    discard(&reading);
    return NULL;
}

#define AT(field) offsetof(struct libsvm_wish, field)
static const struct param list[] = {
    {"path", PARAM_PATH, AT(path), NULL, .help = "a file of lines `label index:value …`, plain or .gz"},
    {"features", PARAM_COUNT, AT(features), "", 1, LARGEST_INDEX,
     .help = "columns, the intercept not counted; left out: the largest index"},
    {"intercept", PARAM_FLAG, AT(intercept), "false", .help = "add a last column of ones"},
};
static const struct param_table table = {PARAM_TABLE(struct libsvm_wish, list)};

const struct source source_libsvm = {
    .head = {"libsvm", "sparse rows in the text format of LIBSVM and SVMlight", "Chang & Lin 2011", &table},
    .read = read,
};
