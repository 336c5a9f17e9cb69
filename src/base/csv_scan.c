#include "csv_scan.h"
#include <string.h>

struct place place_after(const char *file, uint32_t line, const char *from, const char *at) {
    struct place place = {.file = file, .line = line, .column = 1};
    for (; from < at; from++) {
        if (*from == '\n') {
            place.line++;
            place.column = 1;
        } else {
            place.column += ((unsigned char)*from & 0xC0) != 0x80;
        }
    }
    return place;
}

const char *skip_spaces(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

const char *field_end(const char *at, const char *end) {
    bool quoted = false;
    for (; at < end && (quoted || (*at != ',' && *at != '\n')); at++)
        quoted ^= *at == '"';
    return at;
}

const char *field_start(const char *row, const char *end, size_t field) {
    const char *at = row;
    while (field-- > 0) {
        at = field_end(at, end);
        at += at < end && *at == ',';
    }
    return skip_spaces(at, end);
}

/* The first `byte` outside quotes that a text follows, or `end`. */
static const char *separator_found(const char *line, const char *end, char byte) {
    bool quoted = false;
    for (const char *at = line; at < end; at++) {
        quoted ^= *at == '"';
        if (!quoted && *at == byte && at + 1 + strspn(at + 1, " \t\r") < end)
            return at;
    }
    return end;
}

struct separator other_separator(const char *line) {
    static const struct {
        char byte;
        const char *name;
    } others[] = {{';', "';'"}, {'\t', "tabs"}, {'|', "'|'"}};
    const char *end = line + strcspn(line, "\n");
    struct separator first = {NULL, end};
    for (size_t q = 0; q < sizeof others / sizeof *others; q++) {
        const char *at = separator_found(line, end, others[q].byte);
        if (at < first.at)
            first = (struct separator){others[q].name, at};
    }
    return first;
}
