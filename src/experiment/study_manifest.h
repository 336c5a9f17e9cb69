/* study_manifest.h: manifest.json of a study. */
#ifndef LAGGARD_STUDY_MANIFEST_H
#define LAGGARD_STUDY_MANIFEST_H
#include "archive.h"

/* Heap. */
char *study_manifest_text(const struct archive_spec *spec, const struct archive_state *state);
#endif
