#include "draw.h"
#include "build_facts.h"
#include "number_text.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder that the program stands in; "" where that cannot be told. */
static const char *program_folder(struct arena *arena) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    while (length > 0 && path[length - 1] != '/')
        length--;
    return arena_text(arena, path, length > 0 && length < PATH_MAX ? (size_t)length : 0);
}

/* An installed program finds what was installed with it, wherever that was moved to; one that was built finds its source. */
static const char *scripts_folder(struct arena *arena) {
    const char *own = getenv("LAGGARD_ANALYSIS"), *program = program_folder(arena);
    const char *beside = arena_format(arena, "%s" LAGGARD_ANALYSIS_BESIDE, program);
    if (own && *own)
        return own;
    bool relative = strlen(LAGGARD_ANALYSIS_BESIDE) > 0;
    if (*program && relative && access(beside, R_OK) == 0)
        return beside;
    return access(LAGGARD_ANALYSIS_SOURCE, R_OK) == 0 ? LAGGARD_ANALYSIS_SOURCE : LAGGARD_ANALYSIS_INSTALLED;
}

int pictures_drawn(const struct call *call, struct plot_request request) {
    struct sentence why = {""};
    struct diag *notes = diag_new();
    request.scripts = scripts_folder(call->arena);
    int pictures = figures_draw(&request, notes, &why);
    if (!option_given(call, "quiet"))
        diag_print(notes, stderr);
    diag_free(notes);
    if (pictures < 0)
        unfinished(call, "%s", why.text);
    else if (pictures == 0 && request.figure)
        refused(call, "%s", why.text);
    return pictures;
}

int draw(const struct call *call, struct plot_request request) {
    int pictures = pictures_drawn(call, request);
    if (pictures < 0)
        return EXIT_UNFINISHED;
    if (pictures == 0 && request.figure)
        return EXIT_USAGE;
    if (pictures == 0)
        return unfinished(call, "no figure was drawn: %s has nothing that one could show", request.folder);
    if (!option_given(call, "quiet"))
        printf("%s in %s/figures\n", count_text(call->arena, (size_t)pictures, "picture"), request.folder);
    return EXIT_DONE;
}
