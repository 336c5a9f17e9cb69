/* Why times are rounded before they are subtracted: a viewer keeps whole nanoseconds, and refuses stretches of a track
 * that overlap by one. */
#include "json.h"
#include "timeline.h"
#include <inttypes.h>
#include <math.h>

/* Beyond the viewer's clock of 64-bit nanoseconds. */
#define LONGEST_NS 9e18
#define LONGEST_S  "9e9"

#define PROCESS 1

struct writing {
    const struct timeline *timeline;
    FILE *out;
    bool overlap;
    bool begun; /* something stands before the next entry */
};

static uint64_t nanoseconds(double time_s) {
    return (uint64_t)llround(fmin(1e9 * time_s, LONGEST_NS));
}

static void put_time(FILE *out, const char *key, uint64_t time_ns) {
    fprintf(out, ", \"%s\": %" PRIu64 ".%03" PRIu64, key, time_ns / 1000, time_ns % 1000);
}

/* Threads by number: the master's, then two for every worker. */
static uint64_t track_of(uint32_t worker) {
    return worker == UINT32_MAX ? 1 : 2 + 2 * (uint64_t)worker;
}

static void begin_entry(struct writing *writing, const char *phase, const char *name) {
    fprintf(writing->out, "%s\n  {\"ph\": \"%s\", \"pid\": %d, \"name\": ", writing->begun ? "," : "", phase,
            PROCESS);
    json_string(writing->out, name);
    writing->begun = true;
}

static void put_process(struct writing *writing) {
    begin_entry(writing, "M", "process_name");
    fputs(", \"args\": {\"name\": ", writing->out);
    json_string(writing->out, writing->timeline->scheme);
    fputs("}}", writing->out);
}

static void put_track(struct writing *writing, uint64_t track, const char *name) {
    begin_entry(writing, "M", "thread_name");
    fprintf(writing->out, ", \"tid\": %" PRIu64 ", \"args\": {\"name\": \"%s\"}}", track, name);
    begin_entry(writing, "M", "thread_sort_index");
    fprintf(writing->out, ", \"tid\": %" PRIu64 ", \"args\": {\"sort_index\": %" PRIu64 "}}", track, track);
}

static void put_tracks(struct writing *writing) {
    put_track(writing, track_of(UINT32_MAX), "master");
    for (uint32_t i = 0; i < writing->timeline->workers; i++) {
        char name[40];
        snprintf(name, sizeof name, "worker %" PRIu32, i);
        put_track(writing, track_of(i), name);
        snprintf(name, sizeof name, "worker %" PRIu32 " uploads", i);
        if (writing->overlap)
            put_track(writing, track_of(i) + 1, name);
    }
}

static void end_entry(struct writing *writing, uint32_t step) {
    if (step != UINT32_MAX)
        fprintf(writing->out, ", \"args\": {\"step\": %" PRIu32 "}", step);
    fputc('}', writing->out);
}

static void put_stretch(struct writing *writing, const struct stretch *stretch) {
    static const char *const kinds[] = {
        [STRETCH_COMPUTE] = "compute", [STRETCH_DELAY] = "delay",    [STRETCH_UPLOAD] = "upload",
        [STRETCH_DOWN] = "down",       [STRETCH_WARMUP] = "warm-up", [STRETCH_STEP] = "master",
        [STRETCH_UPDATE] = "master"};
    uint64_t begin_ns = nanoseconds(stretch->begin_s), end_ns = nanoseconds(stretch->end_s);
    bool aside = writing->overlap && stretch->kind == STRETCH_UPLOAD;
    begin_entry(writing, "X", stretch_name(stretch));
    fprintf(writing->out, ", \"cat\": \"%s\", \"tid\": %" PRIu64, kinds[stretch->kind],
            track_of(stretch->worker) + aside);
    put_time(writing->out, "ts", begin_ns);
    put_time(writing->out, "dur", end_ns - begin_ns);
    end_entry(writing, stretch->step);
}

static void put_mark(struct writing *writing, const struct moment *moment) {
    begin_entry(writing, "i", moment_types[moment->kind].name);
    fprintf(writing->out, ", \"cat\": \"mark\", \"s\": \"t\", \"tid\": %" PRIu64, track_of(moment->worker));
    put_time(writing->out, "ts", nanoseconds(moment->time_s));
    end_entry(writing, moment->step);
}

/* Stretches that lie before the beginning are left out. */
static void put_entries(struct writing *writing, const struct stretches *stretches) {
    const struct moment_log *log = writing->timeline->moments;
    double begin_s = writing->timeline->first < log->count ? log->moment[writing->timeline->first].time_s : 0;
    for (size_t s = 0; s < stretches->count; s++)
        if (stretches->stretch[s].end_s > begin_s || stretches->stretch[s].begin_s >= begin_s)
            put_stretch(writing, &stretches->stretch[s]);
    for (size_t m = writing->timeline->first; m < log->count; m++)
        if (moment_types[log->moment[m].kind].marked)
            put_mark(writing, &log->moment[m]);
}

void timeline_perfetto(const struct timeline *timeline, FILE *out) {
    struct stretches stretches;
    stretches_init(&stretches, timeline->moments, timeline->workers);
    struct writing writing = {.timeline = timeline, .out = out, .overlap = stretches.overlap};
    fputs("{\"displayTimeUnit\": \"ms\", \"otherData\": {\"title\": ", out);
    json_string(out, timeline->title);
    const struct moment_log *log = timeline->moments;
    if (log->count > 0 && 1e9 * log->moment[log->count - 1].time_s > LONGEST_NS)
        fputs(", \"note\": \"times beyond " LONGEST_S " s stand there: the clock of viewers ends\"", out);
    fputs("},\n\"traceEvents\": [", out);
    put_process(&writing);
    put_tracks(&writing);
    put_entries(&writing, &stretches);
    fputs("\n]}\n", out);
    stretches_fini(&stretches);
}
