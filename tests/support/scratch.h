/* scratch.h: a temporary folder in which a test writes files and runs the program as a user would.
 * Knows nothing of scenarios or results. A failure of the test's own means (no folder, no program) ends the test. */
#ifndef LAGGARD_SCRATCH_H
#define LAGGARD_SCRATCH_H
#include <stddef.h>
#include <sys/types.h>

struct scratch {
    char path[64];
};
void scratch_init(struct scratch *scratch);
/* Removes the folder and all in it. */
void scratch_fini(struct scratch *scratch);

/* Writes a file of the folder. */
void scratch_write(const struct scratch *scratch, const char *name, const char *bytes, size_t length);
void scratch_write_text(const struct scratch *scratch, const char *name, const char *text);
/* printf to the end of a file of the folder. */
void scratch_append(const struct scratch *scratch, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A file of the folder as text, on the heap; NULL when there is none. */
char *scratch_text(const struct scratch *scratch, const char *name);
/* The names in the folder, sorted, separated by spaces; heap. */
char *scratch_names(const struct scratch *scratch);

/* What a run of the program left behind. Freed with outcome_fini. */
struct outcome {
    int exit_code; /* -1: ended by a signal */
    char *out, *err;
};
/* Runs the program named by LAGGARD_BIN in the folder, arguments ended by NULL (its own name not among them), with an
 * empty standard input. What it prints goes to files outside the folder. */
struct outcome scratch_run(const struct scratch *scratch, const char *const *arguments);
/* Starts the program in the same way, what it prints in the file `said` of the folder; returns its process id, for waitpid. */
pid_t scratch_start(const struct scratch *scratch, const char *const *arguments);
void outcome_fini(struct outcome *outcome);
#endif
