/* well_formed.h: is a text well-formed XML, strictly: one root, tags that match, attributes once and in quotes, no stray
 * `<` or `&`. Knows no HTML. */
#ifndef LAGGARD_TESTS_WELL_FORMED_H
#define LAGGARD_TESTS_WELL_FORMED_H

/* NULL: it is; else what is wrong, where: static text, until the next call. */
const char *well_formed_fault(const char *text);
#endif
