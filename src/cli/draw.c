#include "draw.h"
#include "number_text.h"
#include <stdlib.h>
#include <unistd.h>

static const char *scripts_folder(void) {
    const char *own = getenv("LAGGARD_ANALYSIS");
    if (own && *own)
        return own;
    return access(LAGGARD_ANALYSIS_INSTALLED, R_OK) == 0 ? LAGGARD_ANALYSIS_INSTALLED
                                                         : LAGGARD_ANALYSIS_SOURCE;
}

int pictures_drawn(const struct call *call, struct plot_request request) {
    struct sentence why = {""};
    struct diag *notes = diag_new();
    request.scripts = scripts_folder();
    int pictures = figures_draw(&request, notes, &why);
    if (!option_given(call, "quiet"))
        diag_print(notes, stderr);
    diag_free(notes);
    if (pictures < 0)
        unfinished(call, "%s", why.text);
    return pictures;
}

int draw(const struct call *call, struct plot_request request) {
    int pictures = pictures_drawn(call, request);
    if (pictures < 0)
        return EXIT_UNFINISHED;
    if (pictures == 0)
        return unfinished(call, "no figure was drawn: %s has nothing that one could show", request.folder);
    if (!option_given(call, "quiet"))
        printf("%s in %s/figures\n", count_text(call->arena, (size_t)pictures, "picture"), request.folder);
    return EXIT_DONE;
}
