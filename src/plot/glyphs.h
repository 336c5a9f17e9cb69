/* glyphs.h: which characters a picture can show. Pictures are drawn in DejaVu Sans, and where a font lacks a character
 * gnuplot's terminals may leave a black block over the page. Knows text, not figures. */
#ifndef LAGGARD_GLYPHS_H
#define LAGGARD_GLYPHS_H
#include <stddef.h>

/* Drawn for a character that the font may lack: U+25A1. */
#define GLYPH_SUBSTITUTE "□"

/* Bytes of the character at the start of `text` (ended by NUL, not empty); 0 when it is none that is surely drawn, and
 * `skipped` bytes stand for it: a character outside the font, or one byte that is not UTF-8. */
size_t glyph_bytes(const char *text, size_t *skipped);
#endif
