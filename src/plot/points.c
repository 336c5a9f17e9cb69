#include "points.h"
#include <stdlib.h>
#include <string.h>

/* Digits at *text, and past them; false where there are none or too many. */
static bool read_index(const char **text, uint32_t *index) {
    size_t digits = strspn(*text, "0123456789");
    if (digits == 0 || digits > 9)
        return false;
    *index = (uint32_t)strtoul(*text, NULL, 10);
    *text += digits;
    return true;
}

static bool read_span(const char **text, struct span *span) {
    if (!read_index(text, &span->first))
        return false;
    span->last = span->first;
    if (**text != ':')
        return true;
    ++*text;
    return read_index(text, &span->last) && span->last >= span->first;
}

bool points_read(struct points *points, struct arena *arena, const char *text, struct sentence *why) {
    const char *next = text;
    struct span *span = arena_zeroed(arena, strlen(text) / 2 + 1, sizeof *span);
    *points = (struct points){.span = span};
    for (;; next++) {
        if (!read_span(&next, &span[points->spans++]) || (*next != ',' && *next != '\0')) {
            sentence_set(why, "points must be indices and spans such as 3, 0:5 or 0,3,7:9, found '%s'", text);
            return false;
        }
        if (*next == '\0')
            return true;
    }
}

bool points_hold(const struct points *points, uint32_t point) {
    for (size_t s = 0; s < points->spans; s++)
        if (point >= points->span[s].first && point <= points->span[s].last)
            return true;
    return points->spans == 0;
}
