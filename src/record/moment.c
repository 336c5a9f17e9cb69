#include "moment.h"
#include "memory.h"
#include <stdlib.h>
#include <string.h>

const struct moment_type moment_types[MOMENTS] = {
    [MOMENT_OPEN] = {"open", "opens the round", "the model is sent to every worker that is there", false,
                     false},
    [MOMENT_SENT] = {"sent", "is sent the model", "left out where the way takes no time", false, false},
    [MOMENT_MODEL] = {"model", "has the model", "", false, false},
    [MOMENT_START] = {"start", "starts computing", "", true, false},
    [MOMENT_DELAY] = {"delay", "has computed, its delay runs",
                      "told of tasks that finish; a failure restarts nothing", true, false},
    [MOMENT_FINISH] = {"finish", "is done, uploads", "", true, false},
    [MOMENT_HEARD] = {"heard", "is heard", "its result arrives before its own round closes", true, false},
    [MOMENT_LATE] = {"late", "arrives late", "its round is closed", true, true},
    [MOMENT_CLOSE] = {"close", "closes the round", "the wait is over, or the all-reduce done", false, false},
    [MOMENT_USED] = {"used", "is used", "the task's work is in an estimate; again for stored gradients", true,
                     false},
    [MOMENT_UNUSED] = {"unused", "is not used", "it was heard, but its weight is 0", true, true},
    [MOMENT_UPDATE] = {"update", "has the next model", "an update is made; rounds may make none, or several",
                       false, false},
    [MOMENT_DROPPED] = {"dropped", "drops its work", "the task it is on, and its uploads", true, true},
    [MOMENT_MISSING] = {"missing", "skips the task", "its trace has no measurement of this step", true, true},
    [MOMENT_DOWN] = {"down", "fails", "it will be repaired; until then its task is paused", false, false},
    [MOMENT_UP] = {"up", "is repaired", "", false, false},
    [MOMENT_GONE] = {"gone", "is gone", "it failed or left for good", false, true},
    [MOMENT_ABSENT] = {"absent", "is not there yet", "at the start", false, false},
    [MOMENT_JOIN] = {"join", "joins", "", false, true},
    [MOMENT_WARMUP_START] = {"warmup_start", "starts its warm-up", "", false, false},
    [MOMENT_WARMUP_FINISH] = {"warmup_finish", "ends its warm-up", "", false, false},
    [MOMENT_END] = {"end", "ends the run", "", false, false},
};

enum moment_kind moment_named(const char *name) {
    int kind = 0;
    while (kind < MOMENTS && strcmp(moment_types[kind].name, name) != 0)
        kind++;
    return (enum moment_kind)kind;
}

void moment_log_fini(struct moment_log *moments) {
    free(moments->moment);
    *moments = (struct moment_log){0};
}

void moment_log_add(struct moment_log *moments, struct moment moment) {
    if (moments->count == MOMENTS_MAX) {
        moments->lost++;
        return;
    }
    if (moments->count == moments->capacity) {
        moments->capacity = moments->capacity * 2 + 256;
        moments->moment = memory_resized(moments->moment, moments->capacity, sizeof *moments->moment);
    }
    moment.rank = (uint32_t)moments->count;
    if (moments->count > 0 && moment.time_s < moments->moment[moments->count - 1].time_s)
        moments->unordered = true;
    moments->moment[moments->count++] = moment;
}

static int earlier(const void *one, const void *other) {
    const struct moment *a = one, *b = other;
    if (a->time_s < b->time_s || a->time_s > b->time_s)
        return a->time_s < b->time_s ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

void moment_log_settle(struct moment_log *moments) {
    if (moments->unordered)
        qsort(moments->moment, moments->count, sizeof *moments->moment, earlier);
    moments->unordered = false;
    for (size_t m = 0; m < moments->count; m++)
        if (moments->moment[m].kind == MOMENT_END)
            moments->count = m + 1;
}
