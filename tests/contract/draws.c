#include "draws.h"
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static uint64_t drawn = 88172645463325252ull;

/* A finalizer of murmur's, so that near seeds lie far apart; xorshift never leaves 0. */
void draws_begin(uint64_t seed) {
    drawn = seed + 0x9e3779b97f4a7c15;
    drawn = (drawn ^ drawn >> 33) * 0xff51afd7ed558ccd;
    drawn = (drawn ^ drawn >> 33) | 1;
}

/* Xorshift. */
uint32_t draw(uint32_t end) {
    drawn ^= drawn << 13;
    drawn ^= drawn >> 7;
    drawn ^= drawn << 17;
    return (uint32_t)((drawn >> 16) % end);
}

void text_add(struct text *text, const char *format, ...) {
    size_t length = strlen(text->bytes);
    va_list list;
    va_start(list, format);
    int added = vsnprintf(text->bytes + length, sizeof text->bytes - length, format, list);
    va_end(list);
    cr_assert(added >= 0 && length + (size_t)added < sizeof text->bytes);
}
