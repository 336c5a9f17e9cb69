#include "html.h"
#include "utf8.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* Bytes of the character at the start of a text that is not empty; 0: they are not UTF-8. */
static size_t character_bytes(const char *text) {
    for (size_t bytes = 1; bytes <= 4 && text[bytes - 1] != '\0'; bytes++)
        if (utf8_valid(text, bytes))
            return bytes;
    return 0;
}

static uint32_t character_of(const char *text, size_t bytes) {
    uint32_t character = bytes == 1 ? (unsigned char)text[0] : (unsigned char)text[0] & (0x7fu >> bytes);
    for (size_t b = 1; b < bytes; b++)
        character = character << 6 | ((unsigned char)text[b] & 0x3fu);
    return character;
}

/* Embeddings, overrides and isolates (Unicode's Bidi_Control), and what XML 1.0 has no place for. */
static bool unwanted(uint32_t character) {
    return (character >= 0x202a && character <= 0x202e) || (character >= 0x2066 && character <= 0x2069) ||
           character == 0x200e || character == 0x200f || (character & 0xfffe) == 0xfffe;
}

static bool control(uint32_t character) {
    return (character < 0x20 && character != '\n' && character != '\t') ||
           (character >= 0x7f && character < 0xa0);
}

static const char *entity_of(uint32_t character) {
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void html_text(FILE *out, const char *text) {
    while (*text != '\0') {
        size_t bytes = character_bytes(text);
        uint32_t character = bytes > 0 ? character_of(text, bytes) : 0xffff;
        const char *entity = entity_of(character);
        if (entity != NULL)
            fputs(entity, out);
        else if (control(character))
            fputc(' ', out);
        else if (unwanted(character))
            fputs(REPLACEMENT, out);
        else
            fprintf(out, "%.*s", (int)bytes, text);
        text += bytes > 0 ? bytes : 1;
    }
}
