#include "utf8.h"

/* Bytes that a character with this first byte has; 0 for a byte that starts none. */
static size_t announced_bytes(unsigned char first) {
    if (first < 0x80)
        return 1;
    if (first < 0xC2 || first > 0xF4)
        return 0;
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

static bool continues(unsigned char byte) {
    return (byte & 0xC0) == 0x80;
}

/* Bytes of the character at `c`, 0 when it is malformed. */
static size_t character_bytes(const unsigned char *c, size_t length) {
    size_t bytes = announced_bytes(c[0]);
    if (bytes < 2 || bytes > length)
        return bytes > length ? 0 : bytes;
    unsigned char low = c[0] == 0xE0 ? 0xA0 : c[0] == 0xF0 ? 0x90 : 0x80;
    unsigned char high = c[0] == 0xED ? 0x9F : c[0] == 0xF4 ? 0x8F : 0xBF;
    if (c[1] < low || c[1] > high)
        return 0;
    for (size_t b = 2; b < bytes; b++)
        if (!continues(c[b]))
            return 0;
    return bytes;
}

bool utf8_valid(const char *text, size_t length) {
    for (size_t at = 0, bytes; at < length; at += bytes)
        if ((bytes = character_bytes((const unsigned char *)text + at, length - at)) == 0)
            return false;
    return true;
}

size_t utf8_control(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    if ((c[0] > 0 && c[0] < 0x20) || c[0] == 0x7F)
        return 1;
    return c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0 ? 2 : 0;
}

int utf8_start(const char *text, size_t length, int limit) {
    if (length <= (size_t)limit)
        return (int)length;
    while (limit > 0 && continues((unsigned char)text[limit]))
        limit--;
    return limit;
}
