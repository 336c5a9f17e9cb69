#include "study_call.h"
#include "param.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define THREADS_MAX 256

struct study *study_of_call(struct call *call) {
    const char **sets = arena_zeroed(call->arena, call->options + 1, sizeof *sets);
    struct study_request request = {.file = call->operand[0],
                                    .sets = sets,
                                    .images = !option_given(call, "no-cache"),
                                    .any_size = option_given(call, "yes")};
    for (size_t q = 0; q < call->options; q++)
        if (strcmp(call->taken[q].option->name, "set") == 0)
            sets[request.set_count++] = call->taken[q].value;
    struct diag *diag = diag_new();
    struct study *study = study_read(diag, &request);
    diag_print(diag, stderr);
    diag_free(diag);
    return study;
}

unsigned threads_of_call(const struct call *call) {
    const char *text = option_value(call, "jobs");
    if (!text) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        return processors < 1 ? 1 : processors > THREADS_MAX ? THREADS_MAX : (unsigned)processors;
    }
    double threads;
    if (param_number(text, &threads) && threads >= 1 && threads <= THREADS_MAX &&
        (double)(unsigned)threads >= threads)
        return (unsigned)threads;
    usage_error(call, "option '--jobs' must be a whole number in [1, %d], found '%s'", THREADS_MAX, text);
    return 0;
}

const char *folder_of_call(struct call *call, const struct study *study) {
    const char *folder = option_value(call, "output");
    return folder ? folder : arena_format(call->arena, "results/%s", study_scenario(study, 0)->name);
}

/* Whether the folder's own name ends so, whatever slashes follow it. */
static bool folder_ends(const char *folder, const char *end) {
    size_t length = strlen(folder), tail = strlen(end);
    while (length > 0 && folder[length - 1] == '/')
        length--;
    return length >= tail && strncmp(folder + length - tail, end, tail) == 0;
}

const char *folder_obstacle(struct arena *arena, const char *folder, enum replacing replacing) {
    struct stat status;
    const char *partial = arena_format(arena, "%s.partial", folder);
    if (folder_ends(folder, ".partial") || folder_ends(folder, ".replaced"))
        return arena_format(arena, "%s ends in .partial or .replaced, which mark folders on their way",
                            folder);
    if (lstat(folder, &status) == 0 && !S_ISDIR(status.st_mode))
        return arena_format(arena, "%s is not a folder", folder);
    if (replacing == REPLACE_EXISTING)
        return NULL;
    if (lstat(folder, &status) == 0)
        return arena_format(arena, "%s exists; --force replaces it, -o chooses another folder", folder);
    if (lstat(partial, &status) == 0)
        return arena_format(arena, "%s is left from a run that did not finish; --force replaces it", partial);
    return NULL;
}
