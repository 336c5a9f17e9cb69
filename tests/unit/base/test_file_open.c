/* What is opened for reading is a file, or a pipe that somebody writes to; nothing is waited for. */
#include "file_open.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/laggard-open-XXXXXX";

static void make_folder(void) {
    cr_assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
    FILE *file = fopen("file", "w");
    cr_assert(file && fputs("text", file) >= 0 && fclose(file) == 0);
    cr_assert(mkfifo("pipe", 0666) == 0 && symlink("pipe", "to-pipe") == 0 &&
              symlink("file", "to-file") == 0);
}

static void remove_folder(void) {
    static const char *const names[] = {"file", "pipe", "to-pipe", "to-file"};
    for (size_t q = 0; q < sizeof names / sizeof *names; q++)
        unlink(names[q]);
    rmdir(folder);
}

static void expect_opened(const char *file, int opened, const char *says, const struct sentence *why) {
    if (!says) {
        char text[5] = "";
        cr_expect(opened >= 0 && read(opened, text, 4) == 4 && strcmp(text, "text") == 0, "%s", file);
        close(opened);
        return;
    }
    cr_expect(eq(int, opened, -1), "%s", file);
    cr_expect(strstr(why->text, says) != NULL, "%s: %s", file, why->text);
}

Test(file_open, files_alone, .init = make_folder, .fini = remove_folder, .timeout = 10) {
    static const struct {
        const char *file, *says; /* NULL: is opened */
    } rows[] = {
        {"file", NULL},
        {"to-file", NULL},
        {"pipe", "is no regular file but a pipe, which may have no end; a file is needed"},
        {"to-pipe", "is no regular file but a pipe"},
        {"/dev/zero", "is no regular file but a device"},
        {".", "is a folder, a file is needed"},
        {"absent", "cannot be opened: No such file or directory"},
    };
    for (size_t q = 0; q < sizeof rows / sizeof *rows; q++) {
        struct sentence why = {""};
        expect_opened(rows[q].file, file_open(rows[q].file, &why), rows[q].says, &why);
        expect_opened(rows[q].file, file_or_pipe_open(rows[q].file, &why), rows[q].says, &why);
    }
}

/* As a shell's <(…) is. */
Test(file_open, pipes_without_a_name, .timeout = 10) {
    int ends[2];
    char name[32];
    struct sentence why = {""};
    cr_assert(pipe(ends) == 0 && write(ends[1], "text", 4) == 4);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    expect_opened(name, file_open(name, &why), "is no regular file but a pipe", &why);
    expect_opened(name, file_or_pipe_open(name, &why), NULL, &why);
    close(ends[0]);
    close(ends[1]);
}
