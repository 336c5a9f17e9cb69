/* utf8.h: is a text UTF-8, and where may it be cut. Knows no file. */
#ifndef LAGGARD_UTF8_H
#define LAGGARD_UTF8_H
#include <stdbool.h>
#include <stddef.h>

/* Well-formed UTF-8 (Unicode 15, table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF. */
bool utf8_valid(const char *text, size_t length);

/* Bytes of the control character that the NUL-ended text begins with: one below U+0020, U+007F, or of U+0080 to U+009F, which
 * some terminals obey as well; 0: it is none. */
size_t utf8_control(const char *text);

/* Bytes of the longest start of a valid text that has at most `limit` bytes and ends between two characters; an int
 * for printf's %.*s. */
int utf8_start(const char *text, size_t length, int limit);
#endif
