/* Why a failure cuts a stretch in two: seconds in which a worker is down are booked as that, also where its upload goes on
 * without it. */
#include "stretch.h"
#include "memory.h"
#include <math.h>
#include <stdlib.h>

/* What a worker is about. */
struct lane {
    double down_s;      /* since when it is down; NAN: it is up */
    double compute_s;   /* since when it computes, or can go on; NAN: no task */
    double upload_s;    /* the same of its uploads */
    double warmup_s;    /* since when it warms up, or can go on; NAN: no warm-up */
    uint32_t step;      /* of the task begun last */
    uint32_t sent_step; /* of the upload begun last */
    uint32_t uploads;   /* on their way */
};

struct drawing {
    struct stretches *stretches;
    struct lane *lane; /* [workers] */
    double open_s, close_s;
    uint32_t step; /* of the round; UINT32_MAX: none is open */
};

static void add(struct stretches *stretches, struct stretch stretch) {
    if (stretches->count == stretches->capacity) {
        stretches->capacity = stretches->capacity * 2 + 64;
        stretches->stretch =
            memory_resized(stretches->stretch, stretches->capacity, sizeof *stretches->stretch);
    }
    stretches->stretch[stretches->count++] = stretch;
}

static bool is_up(const struct lane *lane) {
    return isnan(lane->down_s);
}

/* What the worker is on ends or is interrupted. */
static void add_computing(struct drawing *drawing, uint32_t worker, double end_s) {
    const struct lane *lane = &drawing->lane[worker];
    if (!isnan(lane->compute_s) && is_up(lane))
        add(drawing->stretches,
            (struct stretch){lane->compute_s, end_s, worker, lane->step, STRETCH_COMPUTE, false});
}

static void add_uploading(struct drawing *drawing, uint32_t worker, double end_s, uint32_t step) {
    const struct lane *lane = &drawing->lane[worker];
    if (lane->uploads > 0 && is_up(lane) && end_s > lane->upload_s)
        add(drawing->stretches, (struct stretch){lane->upload_s, end_s, worker, step, STRETCH_UPLOAD, false});
}

static void start(struct drawing *drawing, const struct moment *moment) {
    struct lane *lane = &drawing->lane[moment->worker];
    drawing->stretches->overlap |= lane->uploads > 0;
    lane->compute_s = moment->time_s;
    lane->step = moment->step;
}

static void finish(struct drawing *drawing, const struct moment *moment) {
    struct lane *lane = &drawing->lane[moment->worker];
    add_computing(drawing, moment->worker, moment->time_s);
    lane->compute_s = (double)NAN;
    if (lane->uploads++ == 0)
        lane->upload_s = moment->time_s;
    lane->sent_step = moment->step;
}

static void arrive(struct drawing *drawing, const struct moment *moment) {
    struct lane *lane = &drawing->lane[moment->worker];
    add_uploading(drawing, moment->worker, moment->time_s, moment->step);
    lane->upload_s = moment->time_s;
    lane->uploads--;
}

static void add_warm_up(struct drawing *drawing, uint32_t worker, double end_s) {
    const struct lane *lane = &drawing->lane[worker];
    if (!isnan(lane->warmup_s) && is_up(lane))
        add(drawing->stretches,
            (struct stretch){lane->warmup_s, end_s, worker, UINT32_MAX, STRETCH_WARMUP, false});
}

static void interrupt(struct drawing *drawing, uint32_t worker, double now_s) {
    add_warm_up(drawing, worker, now_s);
    add_computing(drawing, worker, now_s);
    add_uploading(drawing, worker, now_s, drawing->lane[worker].sent_step);
}

static void drop(struct drawing *drawing, uint32_t worker, double now_s) {
    struct lane *lane = &drawing->lane[worker];
    interrupt(drawing, worker, now_s);
    lane->compute_s = lane->warmup_s = (double)NAN;
    lane->uploads = 0;
}

static void fall(struct drawing *drawing, const struct moment *moment) {
    struct lane *lane = &drawing->lane[moment->worker];
    if (moment->kind == MOMENT_DOWN)
        interrupt(drawing, moment->worker, moment->time_s);
    else
        drop(drawing, moment->worker, moment->time_s);
    if (is_up(lane))
        lane->down_s = moment->time_s;
}

static void rise(struct drawing *drawing, uint32_t worker, double now_s) {
    struct lane *lane = &drawing->lane[worker];
    if (!is_up(lane))
        add(drawing->stretches,
            (struct stretch){lane->down_s, now_s, worker, UINT32_MAX, STRETCH_DOWN, false});
    lane->down_s = (double)NAN;
    lane->upload_s = now_s;
    if (!isnan(lane->compute_s))
        lane->compute_s = now_s;
    if (!isnan(lane->warmup_s))
        lane->warmup_s = now_s;
}

static void take_worker(struct drawing *drawing, const struct moment *moment) {
    switch ((enum moment_kind)moment->kind) {
    case MOMENT_START:
        start(drawing, moment);
        break;
    case MOMENT_FINISH:
        finish(drawing, moment);
        break;
    case MOMENT_HEARD:
    case MOMENT_LATE:
        arrive(drawing, moment);
        break;
    case MOMENT_DROPPED:
        drop(drawing, moment->worker, moment->time_s);
        break;
    case MOMENT_DOWN:
    case MOMENT_GONE:
    case MOMENT_ABSENT:
        fall(drawing, moment);
        break;
    case MOMENT_UP:
    case MOMENT_JOIN:
        rise(drawing, moment->worker, moment->time_s);
        break;
    case MOMENT_WARMUP_START:
        drawing->lane[moment->worker].warmup_s = moment->time_s;
        break;
    case MOMENT_WARMUP_FINISH:
        add_warm_up(drawing, moment->worker, moment->time_s);
        drawing->lane[moment->worker].warmup_s = (double)NAN;
        break;
    default:
        break;
    }
}

static void add_masters(struct drawing *drawing, enum stretch_kind kind, double begin_s, double end_s) {
    add(drawing->stretches, (struct stretch){begin_s, end_s, UINT32_MAX, drawing->step, kind, false});
}

static void take_master(struct drawing *drawing, const struct moment *moment) {
    if (moment->kind == MOMENT_OPEN) {
        drawing->step = moment->step;
        drawing->open_s = moment->time_s;
    } else if (moment->kind == MOMENT_CLOSE) {
        drawing->close_s = moment->time_s;
        add_masters(drawing, STRETCH_STEP, drawing->open_s, moment->time_s);
    } else if (moment->kind == MOMENT_UPDATE) {
        if (moment->time_s > drawing->close_s)
            add_masters(drawing, STRETCH_UPDATE, drawing->close_s, moment->time_s);
        drawing->step = UINT32_MAX;
    }
}

static void end(struct drawing *drawing, uint32_t workers, double end_s) {
    for (uint32_t i = 0; i < workers; i++) {
        drop(drawing, i, end_s);
        rise(drawing, i, end_s);
    }
    if (drawing->step != UINT32_MAX)
        add_masters(drawing, STRETCH_STEP, drawing->open_s, end_s);
}

static uint64_t task_key(uint32_t worker, uint32_t step) {
    return (uint64_t)worker << 32 | step;
}

static int smaller(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? -1 : a > b;
}

/* A task is used or not only once later moments are known. */
static void mark_discarded(struct stretches *stretches, const struct moment_log *moments) {
    uint64_t *used = memory_zeroed(moments->count + 1, sizeof *used);
    size_t count = 0;
    for (size_t m = 0; m < moments->count; m++)
        if (moments->moment[m].kind == MOMENT_USED)
            used[count++] = task_key(moments->moment[m].worker, moments->moment[m].step);
    qsort(used, count, sizeof *used, smaller);
    for (size_t s = 0; s < stretches->count; s++) {
        struct stretch *stretch = &stretches->stretch[s];
        uint64_t key = task_key(stretch->worker, stretch->step);
        if (stretch->kind == STRETCH_COMPUTE || stretch->kind == STRETCH_UPLOAD)
            stretch->discarded = bsearch(&key, used, count, sizeof key, smaller) == NULL;
    }
    free(used);
}

void stretches_init(struct stretches *stretches, const struct moment_log *moments, uint32_t workers) {
    *stretches = (struct stretches){0};
    struct drawing drawing = {
        .stretches = stretches, .lane = memory_zeroed(workers, sizeof *drawing.lane), .step = UINT32_MAX};
    for (uint32_t i = 0; i < workers; i++)
        drawing.lane[i].down_s = drawing.lane[i].compute_s = drawing.lane[i].warmup_s = (double)NAN;
    for (size_t m = 0; m < moments->count; m++) {
        const struct moment *moment = &moments->moment[m];
        if (moment->worker < workers)
            take_worker(&drawing, moment);
        else
            take_master(&drawing, moment);
    }
    if (moments->count > 0)
        end(&drawing, workers, moments->moment[moments->count - 1].time_s);
    mark_discarded(stretches, moments);
    free(drawing.lane);
}

void stretches_fini(struct stretches *stretches) {
    free(stretches->stretch);
    *stretches = (struct stretches){0};
}

const char *stretch_name(const struct stretch *stretch) {
    static const char *const names[] = {
        [STRETCH_COMPUTE] = "compute", [STRETCH_UPLOAD] = "upload", [STRETCH_DOWN] = "down",
        [STRETCH_WARMUP] = "warm-up",  [STRETCH_STEP] = "step",     [STRETCH_UPDATE] = "update"};
    return stretch->discarded ? "discarded" : names[stretch->kind];
}
