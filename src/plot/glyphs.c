#include "glyphs.h"
#include "utf8.h"
#include <stdint.h>
#include <string.h>

/* Spans that DejaVu Sans 2.37 covers without a gap (its charset as fontconfig's fc-query lists it), left to right and
 * without controls: Latin and phonetic letters, Greek, Cyrillic, punctuation, raised and lowered digits, arrows,
 * mathematical operators, boxes and shapes. */
static const struct {
    uint32_t first, last;
} spans[] = {
    {0x20, 0x7e},     {0xa0, 0x2e9},    {0x384, 0x38a},   {0x38e, 0x3a1},   {0x3a3, 0x482},
    {0x48a, 0x525},   {0x1e00, 0x1efb}, {0x2010, 0x2027}, {0x2030, 0x205e}, {0x2074, 0x208e},
    {0x20a0, 0x20b5}, {0x2100, 0x2109}, {0x2150, 0x2185}, {0x2190, 0x2311}, {0x2500, 0x25ff},
};

static size_t character_bytes(unsigned char first) {
    return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

static uint32_t code_point(const unsigned char *byte, size_t bytes) {
    if (bytes == 1)
        return byte[0];
    uint32_t code = byte[0] & (0x7fU >> bytes);
    for (size_t b = 1; b < bytes; b++)
        code = code << 6 | (byte[b] & 0x3fU);
    return code;
}

size_t glyph_bytes(const char *text, size_t *skipped) {
    size_t bytes = character_bytes((unsigned char)*text);
    *skipped = 1;
    if (strnlen(text, bytes) < bytes || !utf8_valid(text, bytes))
        return 0;
    *skipped = bytes;
    uint32_t code = code_point((const unsigned char *)text, bytes);
    for (size_t s = 0; s < sizeof spans / sizeof *spans; s++)
        if (code >= spans[s].first && code <= spans[s].last)
            return bytes;
    return 0;
}
