/* measured.h: a temporary folder of measured times, for tests. */
#ifndef LAGGARD_MEASURED_H
#define LAGGARD_MEASURED_H

struct measured {
    char folder[64];
};
/* A folder with `text` in the file t.csv. A folder that cannot be made ends the test. */
struct measured measured_new(const char *text);
void measured_remove_file(const struct measured *measured);
void measured_free(const struct measured *measured);
#endif
