/* study_manifest.h: manifest.json of a study. */
#ifndef LAGGARD_STUDY_MANIFEST_H
#define LAGGARD_STUDY_MANIFEST_H
#include "archive.h"

/* Heap. */
char *study_manifest_text(const struct archive_spec *spec, const struct archive_state *state);
/* The first file that the plan names and whose checksum is another than in such a text, of a study that differs in no more
 * than its files; NULL: the text does not tell. */
const char *study_manifest_changed(const char *text, const struct plan *plan);
#endif
