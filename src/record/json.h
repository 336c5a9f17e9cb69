/* json.h: text as JSON has it. */
#ifndef LAGGARD_JSON_H
#define LAGGARD_JSON_H
#include <stdio.h>

/* Writes a string in quotes, or null. Bytes that are not UTF-8 are shown as the characters of their numbers: JSON has no
 * others. */
void json_string(FILE *out, const char *text);
#endif
