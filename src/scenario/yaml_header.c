#include "csv_file.h"
#include "yaml_tree.h"
#include <stdlib.h>
#include <string.h>

/* Bytes of the line at `text` without its end, which may be CRLF; *next is where the following one begins. */
static size_t line_bytes(const char *text, const char **next) {
    size_t length = strcspn(text, "\n");
    *next = text + length + (text[length] == '\n');
    return length > 0 && text[length - 1] == '\r' ? length - 1 : length;
}

char *yaml_header(const char *file) {
    struct diag *unheard = diag_new();
    size_t length;
    char *text = file_text(unheard, file, &length);
    diag_free(unheard);
    char *header = memory_zeroed(text ? length + 2 : 1, 1), *end = header;
    for (const char *line = text, *next; line && *line == '#'; line = next) {
        size_t bytes = line_bytes(line, &next);
        memcpy(end, line, bytes);
        end += bytes;
        *end++ = '\n';
    }
    free(text);
    return header;
}
