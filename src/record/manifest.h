/* manifest.h: manifest.json, what a results folder is: who wrote it, with which command, from which data, whether it
 * is complete. The only file that may differ between equal runs. */
#ifndef LAGGARD_MANIFEST_H
#define LAGGARD_MANIFEST_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct manifest_file {
    const char *path;
    uint32_t checksum; /* CRC-32 of its bytes */
};
/* What the two label values of a data file became. */
struct manifest_classes {
    const char *path, *minus, *plus; /* the values that are -1 and +1 */
};
struct manifest {
    const char *version, *name, *const *command; /* command: argv, ended by NULL */
    uint64_t seed;
    const char *method;                /* how times were drawn */
    const struct manifest_file *files; /* data and traces read */
    size_t file_count;
    const struct manifest_classes *classes; /* of data of two classes */
    size_t classes_count;
    const char *const *warnings; /* what a reader should know of the runs */
    size_t warning_count;
    uint64_t fingerprint; /* of what was asked for */
    size_t points, schemes, replications, runs;
    const char *shard;   /* INDEX/COUNT; NULL: all of it */
    const char *started; /* UTC, ISO 8601; NULL before */
    double wall_s;       /* written to the millisecond */
    unsigned threads;
    bool complete;
};
/* JSON text, heap, NUL-ended. Strings are escaped. */
char *manifest_text(const struct manifest *manifest);
#endif
