#include "diag.h"
#include "memory.h"
#include "utf8.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A hopeless file can have a million mistakes: of errors and of warnings so many are kept, the rest is counted. */
#define KEPT  1000
#define SHOWN 50

enum severity { ERROR, WARNING, SEVERITIES };

struct message {
    struct place place;
    enum severity severity;
    size_t file; /* index into the files in order of first mention */
    size_t sequence;
    char *text;
};

struct diag {
    struct message *message;
    size_t messages;
    char **file; /* copies: what a place names may be gone when messages are printed */
    size_t files;
    size_t count[SEVERITIES];
};

struct diag *diag_new(void) {
    return memory_zeroed(1, sizeof(struct diag));
}

void diag_free(struct diag *diag) {
    if (!diag)
        return;
    for (size_t m = 0; m < diag->messages; m++)
        free(diag->message[m].text);
    free(diag->message);
    for (size_t f = 0; f < diag->files; f++)
        free(diag->file[f]);
    free(diag->file);
    free(diag);
}

static size_t file_index(struct diag *diag, const char *file) {
    for (size_t f = 0; f < diag->files; f++)
        if (strcmp(diag->file[f], file) == 0)
            return f;
    diag->file = memory_resized(diag->file, diag->files + 1, sizeof *diag->file);
    diag->file[diag->files] = memory_text(file);
    return diag->files++;
}

static bool message_known(const struct diag *diag, const struct message *one) {
    for (size_t m = 0; m < diag->messages; m++) {
        const struct message *other = &diag->message[m];
        if (other->severity == one->severity && other->file == one->file &&
            other->place.line == one->place.line && other->place.column == one->place.column &&
            strcmp(other->text, one->text) == 0)
            return true;
    }
    return false;
}

__attribute__((format(printf, 2, 0))) static char *path_and_sentence(const char *path, const char *format,
                                                                     va_list list) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out) {
        fprintf(stderr, "laggard: out of memory while telling an error\n");
        exit(1);
    }
    if (path && *path)
        fprintf(out, "%s: ", path);
    vfprintf(out, format, list);
    fclose(out);
    return text;
}

/* Takes the text over. */
static void message_add(struct diag *diag, struct message one) {
    one.file = file_index(diag, one.place.file ? one.place.file : "");
    one.place.file = diag->file[one.file];
    one.sequence = diag->messages;
    if (message_known(diag, &one) || diag->count[one.severity]++ >= KEPT) {
        free(one.text);
        return;
    }
    diag->message = memory_resized(diag->message, diag->messages + 1, sizeof one);
    diag->message[diag->messages++] = one;
}

void diag_error(struct diag *diag, struct place place, const char *path, const char *format, ...) {
    va_list list;
    va_start(list, format);
    char *text = path_and_sentence(path, format, list);
    va_end(list);
    message_add(diag, (struct message){.place = place, .severity = ERROR, .text = text});
}

void diag_warning(struct diag *diag, struct place place, const char *path, const char *format, ...) {
    va_list list;
    va_start(list, format);
    char *text = path_and_sentence(path, format, list);
    va_end(list);
    message_add(diag, (struct message){.place = place, .severity = WARNING, .text = text});
}

size_t diag_errors(const struct diag *diag) {
    return diag->count[ERROR];
}

size_t diag_errors_in(const struct diag *diag, const char *file) {
    size_t errors = 0;
    for (size_t m = 0; m < diag->messages; m++)
        errors += diag->message[m].severity == ERROR && strcmp(diag->file[diag->message[m].file], file) == 0;
    return errors;
}

void diag_excuse(struct diag *diag, const struct diag *other, const char *prefix) {
    for (size_t m = 0; m < other->messages; m++)
        if (other->message[m].severity == ERROR) {
            diag_warning(diag, other->message[m].place, NULL, "%s%s", prefix, other->message[m].text);
            return;
        }
}

static int compared(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int by_place(const void *left, const void *right) {
    const struct message *a = left, *b = right;
    int order = compared(a->file, b->file);
    order = order ? order : compared(a->place.line, b->place.line);
    order = order ? order : compared(a->place.column, b->place.column);
    return order ? order : compared(a->sequence, b->sequence);
}

static void control_print(const char *control, size_t bytes, FILE *stream) {
    if (*control == '\n')
        fputs("\\n", stream);
    else
        for (size_t b = 0; b < bytes; b++)
            fprintf(stream, "\\x%02x", (unsigned)(unsigned char)control[b]);
}

void diag_print_text(const char *text, FILE *stream) {
    for (size_t bytes; *text; text += bytes > 0 ? bytes : 1) {
        bytes = utf8_control(text);
        if (bytes > 0)
            control_print(text, bytes, stream);
        else
            putc(*text, stream);
    }
}

static void place_print(struct place place, FILE *stream) {
    if (!place.file || !*place.file)
        return;
    diag_print_text(place.file, stream);
    if (place.line > 0)
        fprintf(stream, ":%u", place.line);
    if (place.line > 0 && place.column > 0)
        fprintf(stream, ":%u", place.column);
    fputs(": ", stream);
}

static void message_print(const struct message *message, bool coloured, FILE *stream) {
    static const char *const word[] = {[ERROR] = "error", [WARNING] = "warning"};
    static const char *const colour[] = {[ERROR] = "\033[1;31m", [WARNING] = "\033[1;35m"};
    if (coloured)
        fputs("\033[1m", stream);
    place_print(message->place, stream);
    if (coloured)
        fputs(colour[message->severity], stream);
    fprintf(stream, "%s: ", word[message->severity]);
    if (coloured)
        fputs("\033[0m", stream);
    diag_print_text(message->text, stream);
    putc('\n', stream);
}

static bool stream_coloured(FILE *stream) {
    const char *refused = getenv("NO_COLOR");
    return (!refused || !*refused) && isatty(fileno(stream));
}

void diag_print(const struct diag *diag, FILE *stream) {
    struct message *sorted = memory_zeroed(diag->messages, sizeof *sorted);
    if (diag->messages > 0)
        memcpy(sorted, diag->message, diag->messages * sizeof *sorted);
    qsort(sorted, diag->messages, sizeof *sorted, by_place);
    /* Errors first claim the room: they are why the program ends. */
    size_t room[SEVERITIES] = {[ERROR] = SHOWN};
    room[WARNING] = diag->count[ERROR] < SHOWN ? SHOWN - diag->count[ERROR] : 0;
    size_t shown = 0;
    bool coloured = stream_coloured(stream);
    for (size_t m = 0; m < diag->messages; m++) {
        if (room[sorted[m].severity] == 0)
            continue;
        room[sorted[m].severity]--;
        shown++;
        message_print(&sorted[m], coloured, stream);
    }
    size_t hidden = diag->count[ERROR] + diag->count[WARNING] - shown;
    if (hidden > 0)
        fprintf(stream, "and %zu more\n", hidden);
    free(sorted);
}
