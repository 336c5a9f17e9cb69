#include "scratch.h"
#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NAME_BYTES = 512, ARGUMENTS = 32 };

void scratch_init(struct scratch *scratch) {
    strcpy(scratch->path, "/tmp/laggard-test-XXXXXX");
    cr_assert(mkdtemp(scratch->path) != NULL, "no temporary folder");
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    return remove(path);
}

void scratch_fini(struct scratch *scratch) {
    nftw(scratch->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static FILE *opened(const struct scratch *scratch, const char *name, const char *mode) {
    char path[NAME_BYTES];
    snprintf(path, sizeof path, "%s/%s", scratch->path, name);
    return fopen(path, mode);
}

void scratch_write(const struct scratch *scratch, const char *name, const char *bytes, size_t length) {
    FILE *file = opened(scratch, name, "w");
    cr_assert(file != NULL, "cannot write %s", name);
    fwrite(bytes, 1, length, file);
    fclose(file);
}

void scratch_write_text(const struct scratch *scratch, const char *name, const char *text) {
    scratch_write(scratch, name, text, strlen(text));
}

void scratch_append(const struct scratch *scratch, const char *name, const char *format, ...) {
    FILE *file = opened(scratch, name, "a");
    cr_assert(file != NULL, "cannot write %s", name);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    fclose(file);
}

static char *rest_of(FILE *file) {
    char *text = NULL;
    size_t length = 0, got;
    do {
        text = realloc(text, length + 65537);
        got = fread(text + length, 1, 65536, file);
        length += got;
    } while (got > 0);
    text[length] = 0;
    return text;
}

char *scratch_text(const struct scratch *scratch, const char *name) {
    FILE *file = opened(scratch, name, "r");
    char *text = file ? rest_of(file) : NULL;
    if (file)
        fclose(file);
    return text;
}

char *scratch_names(const struct scratch *scratch) {
    struct dirent **entry;
    int entries = scandir(scratch->path, &entry, NULL, alphasort);
    cr_assert(entries >= 0, "cannot list %s", scratch->path);
    char *names = calloc((size_t)entries + 1, 257);
    for (int q = 0; q < entries; q++) {
        if (entry[q]->d_name[0] != '.' || strlen(entry[q]->d_name) > 2)
            strcat(strcat(names, entry[q]->d_name), " ");
        free(entry[q]);
    }
    free(entry);
    return names;
}

/* An open file without a name, for what the program prints. */
static FILE *nameless(void) {
    FILE *file = tmpfile();
    cr_assert(file != NULL, "no temporary file");
    return file;
}

static char *printed(FILE *file) {
    rewind(file);
    char *text = rest_of(file);
    fclose(file);
    return text;
}

/* `out` and `err`: open files that take what it prints. */
static pid_t start(const struct scratch *scratch, const char *const *arguments, int out, int err) {
    const char *program = getenv("LAGGARD_BIN");
    cr_assert(program != NULL, "LAGGARD_BIN names no program");
    char *argv[ARGUMENTS] = {(char *)program};
    for (size_t q = 0; arguments[q] && q + 2 < ARGUMENTS; q++)
        argv[q + 1] = (char *)arguments[q];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions, scratch->path);
    pid_t child;
    int failure = posix_spawn(&child, program, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    cr_assert(failure == 0, "%s: %s", program, strerror(failure));
    return child;
}

struct outcome scratch_run(const struct scratch *scratch, const char *const *arguments) {
    FILE *out = nameless(), *err = nameless();
    int status = 0;
    waitpid(start(scratch, arguments, fileno(out), fileno(err)), &status, 0);
    return (struct outcome){WIFEXITED(status) ? WEXITSTATUS(status) : -1, printed(out), printed(err)};
}

pid_t scratch_start(const struct scratch *scratch, const char *const *arguments) {
    FILE *said = opened(scratch, "said", "w");
    cr_assert(said != NULL, "no room for what the program says");
    pid_t child = start(scratch, arguments, fileno(said), fileno(said));
    fclose(said);
    return child;
}

void outcome_fini(struct outcome *outcome) {
    free(outcome->out);
    free(outcome->err);
}
