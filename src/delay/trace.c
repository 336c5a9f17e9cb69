#include "cloned.h"
#include "measurement.h"
#include "replay.h"
#include <assert.h>

static const char *const layout_names[] = {[TRACE_LONG] = "long", [TRACE_WIDE] = "wide", NULL};
static const char *const missing_names[] = {
    [MISSING_ERROR] = "error", [MISSING_SKIP] = "skip", [MISSING_MEDIAN] = "median", NULL};

/* Which round a step replays. */
enum beyond { BEYOND_WRAP, BEYOND_STOP, BEYOND_BOOTSTRAP };
static const char *const beyond_names[] = {
    [BEYOND_WRAP] = "wrap", [BEYOND_STOP] = "stop", [BEYOND_BOOTSTRAP] = "bootstrap", NULL};

struct trace {
    const char *path;
    const struct trace_columns *columns;
    double scale_s;
    uint32_t layout, first, beyond, missing;
    const struct replay *replay; /* on the shelf */
};

/* Keyed by the step alone, so that all workers, and both laws of a cluster, replay the same round. */
static uint32_t bootstrapped_round(const struct draw *draw, uint32_t rounds) {
    struct draw round = {.stream = draw->stream, .step = draw->step};
    round.stream.purpose = PURPOSE_TRACE;
    return draw_index(&round, rounds);
}

static uint32_t replayed_round(const struct trace *trace, const struct draw *draw) {
    uint32_t rounds = trace->replay->rounds;
    if (trace->beyond == BEYOND_BOOTSTRAP)
        return bootstrapped_round(draw, rounds);
    if (trace->beyond == BEYOND_WRAP)
        return draw->step < rounds ? draw->step : draw->step % rounds;
    assert(draw->step < rounds);
    return draw->step;
}

static double sample(const void *params, struct occasion occasion) {
    const struct trace *trace = params;
    const struct replay *replay = trace->replay;
    assert(occasion.member < replay->members);
    size_t round = replayed_round(trace, &occasion.draw);
    return replay->value[round * replay->members + occasion.member] * trace->scale_s;
}

/* As they are, where a value of 1 is a second and all workers of the replay are asked for. */
static bool stored(const void *params, const struct draw *draw, uint32_t members, struct stored_row *row) {
    const struct trace *trace = params;
    const struct replay *replay = trace->replay;
    if (trace->scale_s < 1 || trace->scale_s > 1 || members != replay->members)
        return false;
    size_t round = replayed_round(trace, draw);
    *row = (struct stored_row){replay->value + round * members, replay->least[round], replay->most[round]};
    return true;
}

CLONED static void scale(double *restrict seconds, const double *restrict value, double scale_s,
                         size_t count) {
    for (size_t i = 0; i < count; i++)
        seconds[i] = value[i] * scale_s;
}

static void sample_all(const void *params, const struct draw *draw, uint32_t members, double *seconds) {
    const struct trace *trace = params;
    const struct replay *replay = trace->replay;
    assert(members <= replay->members);
    scale(seconds, replay->value + (size_t)replayed_round(trace, draw) * replay->members, trace->scale_s,
          members);
}

static struct moments moments(const void *params) {
    const struct trace *trace = params;
    const struct ecdf *ecdf = trace->replay->ecdf;
    return (struct moments){.mean_s = ecdf->mean * trace->scale_s,
                            .deviation_s = ecdf->deviation * trace->scale_s};
}

static double quantile(const void *params, double p) {
    const struct trace *trace = params;
    return ecdf_quantile(trace->replay->ecdf, p) * trace->scale_s;
}

static double cdf(const void *params, double seconds) {
    const struct trace *trace = params;
    return ecdf_share(trace->replay->ecdf, trace->scale_s, seconds);
}

static double jump(const void *params, double after_s) {
    const struct trace *trace = params;
    return ecdf_next(trace->replay->ecdf, trace->scale_s, after_s);
}

static bool skips(const void *params) {
    return ((const struct trace *)params)->missing == MISSING_SKIP;
}

static uint32_t rounds(const void *params) {
    const struct trace *trace = params;
    return trace->beyond == BEYOND_STOP ? trace->replay->rounds : UINT32_MAX;
}

static bool load(void *params, const struct law_files *files) {
    struct trace *trace = params;
    const struct trace_source source = {trace->path, (enum trace_layout)trace->layout, trace->columns};
    trace->replay =
        replay_read(&(struct replay_spec){&source, trace->first, (enum missing_rule)trace->missing}, files);
    if (!trace->replay)
        return false;
    const struct ecdf *ecdf = trace->replay->ecdf;
    return measurement_finite(files->diag, node_child(files->node, "scale"), ecdf->value[ecdf->count - 1],
                              trace->scale_s);
}

static const struct param column_list[] = {
    {.name = "round",
     .kind = PARAM_TEXT,
     .offset = offsetof(struct trace_columns, round),
     .fallback = "round",
     .help = "column whose distinct numbers or words, in order, are the rounds"},
    {.name = "worker",
     .kind = PARAM_TEXT,
     .offset = offsetof(struct trace_columns, worker),
     .fallback = "worker",
     .help = "column whose distinct numbers or words, in order, are the workers"},
    {.name = "value",
     .kind = PARAM_TEXT,
     .offset = offsetof(struct trace_columns, value),
     .fallback = "seconds",
     .help = "column of times"},
};
static const struct param_table column_table = {PARAM_TABLE(struct trace_columns, column_list)};

static const struct param list[] = {
    {.name = "path",
     .kind = PARAM_PATH,
     .offset = offsetof(struct trace, path),
     .help = "CSV file with a header line, plain or .gz"},
    {.name = "columns",
     .kind = PARAM_STRUCT,
     .offset = offsetof(struct trace, columns),
     .fallback = "{}",
     .table = &column_table,
     .help = "names of the columns"},
    {.name = "scale",
     .kind = PARAM_SECONDS,
     .offset = offsetof(struct trace, scale_s),
     .fallback = "1",
     .above_minimum = true,
     .unit = "s",
     .help = "how long a value of 1 is, such as 1ms"},
    {.name = "layout",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct trace, layout),
     .fallback = "long",
     .choices = layout_names,
     .help = "long: a row per round and worker; wide: a row per round, a column per worker"},
    {.name = "first",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct trace, first),
     .fallback = "0",
     .unit = "workers",
     .help = "which worker of the trace the first of the group replays, counted from 0"},
    {.name = "beyond",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct trace, beyond),
     .fallback = "wrap",
     .choices = beyond_names,
     .help =
         "after the last round: wrap to the first, or stop; bootstrap draws a whole round for every step"},
    {.name = "missing",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct trace, missing),
     .fallback = "error",
     .choices = missing_names,
     .help = "a cell without a value: refused, skipped by the worker, or the median of the worker"},
};
static const struct param_table table = {PARAM_TABLE(struct trace, list)};

const struct law law_trace = {
    .head = {.name = "trace",
             .summary = "replay of measured times, round by round",
             .source = "a definition of this program; beyond: bootstrap draws rounds as Efron, Annals of "
                       "Statistics 7(1), 1979, draws samples",
             .params = &table},
    .sample = sample,
    .sample_all = sample_all,
    .stored = stored,
    .moments = moments,
    .quantile = quantile,
    .cdf = cdf,
    .jump = jump,
    .replays = true,
    .skips = skips,
    .rounds = rounds,
    .load = load,
};
