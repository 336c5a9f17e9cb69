#include "study_of.h"
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((format(printf, 2, 0))) static void write_scenario(const char *path, const char *format,
                                                                 va_list list) {
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    vfprintf(file, format, list);
    fclose(file);
}

struct study *study_of(const char *format, ...) {
    char path[] = "/tmp/laggard-study-XXXXXX";
    int made = mkstemp(path);
    cr_assert_geq(made, 0);
    close(made);
    va_list list;
    va_start(list, format);
    write_scenario(path, format, list);
    va_end(list);

    struct diag *diag = diag_new();
    struct study_request request = {.file = path};
    struct run_request run = {.threads = 2, .version = "test"};
    struct sentence why;
    struct study *study = study_read(diag, &request);
    diag_print(diag, stderr);
    unlink(path);
    cr_assert_not_null(study);
    cr_assert(study_run(study, &run, &why), "%s", why.text);
    diag_free(diag);
    return study;
}
