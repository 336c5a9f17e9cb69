/* html.h: text as HTML and XML have it. */
#ifndef LAGGARD_HTML_H
#define LAGGARD_HTML_H
#include <stdio.h>

/* Writes the text so that it is nothing but text, in an element or in a quoted attribute. What neither XML nor a reader
 * can have becomes a blank (control characters, but for line feed and tab) or U+FFFD (bytes that are not UTF-8, and the
 * marks that would reverse the direction of what follows). */
void html_text(FILE *out, const char *text);
#endif
