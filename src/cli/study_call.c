#include "study_call.h"
#include "old_folder.h"
#include "param.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define THREADS_MAX 256
#define SHARDS_MAX  100000

const char *const *values_given(struct call *call, const char *name, size_t *count) {
    const char **values = arena_zeroed(call->arena, call->options + 1, sizeof *values);
    *count = 0;
    for (size_t q = 0; q < call->options; q++)
        if (strcmp(call->taken[q].option->name, name) == 0)
            values[(*count)++] = call->taken[q].value;
    return values;
}

struct study *study_of_call(struct call *call) {
    struct study_request request = {.file = call->operand[0],
                                    .images = !option_given(call, "no-cache"),
                                    .any_size = option_given(call, "yes")};
    request.sets = values_given(call, "set", &request.set_count);
    request.sweeps = values_given(call, "sweep", &request.sweep_count);
    struct diag *diag = diag_new();
    struct study *study = study_read(diag, &request);
    diag_print(diag, stderr);
    diag_free(diag);
    return study;
}

bool shard_of_call(const struct call *call, struct shard *shard) {
    const char *text = option_value(call, "shard");
    char after;
    *shard = (struct shard){0, 1};
    if (!text)
        return true;
    if (strspn(text, "0123456789/") == strlen(text) && strlen(text) < 20 &&
        sscanf(text, "%" SCNu32 "/%" SCNu32 "%c", &shard->index, &shard->count, &after) == 2 &&
        shard->index < shard->count && shard->count <= SHARDS_MAX)
        return true;
    usage_error(call, "option '--shard' must be I/N, N from 1 to %d and I from 0 to N - 1, found '%s'",
                SHARDS_MAX, text);
    return false;
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

FILE *progress_of_call(const struct call *call) {
    const char *terminal = getenv("TERM");
    bool dumb = terminal && strcmp(terminal, "dumb") == 0;
    return !option_given(call, "quiet") && !dumb && isatty(STDERR_FILENO) ? stderr : NULL;
}

const char *folder_of_call(struct call *call, const struct study *study) {
    const char *folder = option_value(call, "output");
    struct shard shard;
    if (folder)
        return folder;
    folder = arena_format(call->arena, "results/%s", study_scenario(study, 0)->name);
    if (!shard_of_call(call, &shard) || shard.count <= 1)
        return folder;
    return arena_format(call->arena, "%s-shard-%" PRIu32 "-of-%" PRIu32, folder, shard.index, shard.count);
}

/* Whether the folder's own name ends so, whatever slashes follow it. */
static bool folder_ends(const char *folder, const char *end) {
    size_t length = strlen(folder), tail = strlen(end);
    while (length > 0 && folder[length - 1] == '/')
        length--;
    return length >= tail && strncmp(folder + length - tail, end, tail) == 0;
}

/* What no folder of results can be called. */
static const char *name_obstacle(struct arena *arena, const char *folder) {
    struct stat status;
    if (folder_ends(folder, ".partial") || folder_ends(folder, ".replaced"))
        return arena_format(arena, "%s ends in .partial or .replaced, which mark folders on their way",
                            folder);
    if (lstat(folder, &status) == 0 && !S_ISDIR(status.st_mode))
        return arena_format(arena, "%s is not a folder", folder);
    return NULL;
}

/* What stands there is somebody else's. */
static const char *foreign_obstacle(struct arena *arena, const char *folder, const char *fate) {
    struct stat status;
    struct sentence why;
    if (lstat(folder, &status) != 0 || old_folder_replaceable(folder, &why))
        return NULL;
    return arena_format(arena, "%s %s: it %s", folder, fate, why.text);
}

const char *folder_obstacle(struct arena *arena, const char *folder, enum replacing replacing,
                            const char *ways) {
    struct stat status;
    const char *partial = arena_format(arena, "%s.partial", folder), *obstacle = name_obstacle(arena, folder);
    if (!obstacle && replacing == REPLACE_EXISTING)
        obstacle = foreign_obstacle(arena, folder, "is not replaced");
    if (!obstacle && replacing == REPLACE_EXISTING)
        obstacle = foreign_obstacle(arena, partial, "is not replaced");
    if (obstacle || replacing == REPLACE_EXISTING)
        return obstacle;
    if (lstat(folder, &status) == 0)
        return arena_format(arena, "%s exists; --force replaces it, -o chooses another folder", folder);
    if (lstat(partial, &status) == 0)
        return arena_format(arena, "%s is left from a run that did not finish; %s", partial, ways);
    return NULL;
}

const char *folder_not_resumable(struct arena *arena, const char *folder, enum replacing replacing) {
    struct stat status;
    const char *partial = arena_format(arena, "%s.partial", folder);
    const char *obstacle = name_obstacle(arena, folder);
    obstacle = obstacle ? obstacle : foreign_obstacle(arena, partial, "cannot be continued");
    if (obstacle || replacing == REPLACE_EXISTING || lstat(folder, &status) != 0 ||
        lstat(partial, &status) != 0)
        return obstacle;
    return arena_format(arena,
                        "both %s and %s exist; --resume --force finishes the latter and replaces the former",
                        folder, partial);
}
