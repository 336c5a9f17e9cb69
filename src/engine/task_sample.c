#include "task_sample.h"
#include "cluster.h"
#include "memory.h"
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#define TASKS       20000
#define TASKS_MAX   2000000
#define STEPS_MIN   20000
#define ROUNDS_MIN  400 /* of a trace, which may have few */
#define STRETCHES   16
#define REPLICATION 0x80000000u /* first of those that no study has */

/* Which steps are looked at: stretch b is steps b * length … of its own replication. */
struct outline {
    uint32_t stretches, length;
};

static bool replays(const struct cluster_spec *spec) {
    for (uint32_t g = 0; g < spec->groups; g++)
        if ((spec->group[g].compute && law_dependent(spec->group[g].compute)) ||
            (spec->group[g].delay && law_dependent(spec->group[g].delay)))
            return true;
    return false;
}

static uint32_t steps_of(const struct cluster_spec *spec) {
    double steps = fmax(ceil((double)TASKS / spec->workers), replays(spec) ? ROUNDS_MIN : STEPS_MIN);
    steps = fmax(2, fmin(steps, floor((double)TASKS_MAX / spec->workers)));
    return (uint32_t)fmin(steps, cluster_rounds(spec));
}

static struct outline stretches_of(const struct cluster_spec *spec) {
    uint32_t steps = steps_of(spec);
    uint32_t length = (steps + STRETCHES - 1) / STRETCHES;
    return (struct outline){steps / length, length};
}

static struct outline outline_of(const struct cluster_spec *spec) {
    if (replays(spec))
        return stretches_of(spec);
    return (struct outline){steps_of(spec), 1};
}

/* A sample in the making. */
struct sampler {
    const struct cluster_spec *spec;
    const struct outlook_request *request;
    struct outline outline;
    clock_t begun;
    struct cluster *cluster; /* of the present stretch */
    uint32_t steps;          /* looked at so far */
    bool cut;                /* no more are looked at: it took too long */
};

/* Counts one more step. */
static void step_end(struct sampler *sampler) {
    sampler->steps++;
    sampler->cut = (double)(clock() - sampler->begun) > TASK_SAMPLE_LIMIT_S * CLOCKS_PER_SEC;
}

static void stretch_begin(struct sampler *sampler, uint32_t stretch) {
    struct cluster_run run = {.seed = sampler->request->seed, .replication = REPLICATION + stretch};
    cluster_free(sampler->cluster);
    sampler->cluster = cluster_new(sampler->spec, &run);
}

/* Appends the times of one step and returns the largest. */
static double draw_step(const struct sampler *sampler, uint32_t step, struct task_sample *sample,
                        double *seconds) {
    double largest_s = 0;
    for (uint32_t i = 0; i < sampler->spec->workers; i++) {
        double one = cluster_task_seconds(sampler->cluster, i, step, sampler->request->work);
        if (isnan(one))
            continue;
        seconds[sample->tasks++] = one;
        largest_s = fmax(largest_s, one);
    }
    return largest_s;
}

/* Of some tasks, which it sorts. */
static void describe(struct task_sample *sample, double *seconds, uint32_t tasks) {
    double sum = 0, squares = 0;
    for (uint32_t q = 0; q < tasks; q++)
        sum += seconds[q];
    sample->mean_s = sum / tasks;
    for (uint32_t q = 0; q < tasks; q++)
        squares += (seconds[q] - sample->mean_s) * (seconds[q] - sample->mean_s);
    sample->deviation_s = isinf(sample->mean_s) ? (double)INFINITY : sqrt(squares / (tasks - 1.0));
    gsl_sort(seconds, 1, tasks);
    sample->p99_s = seconds[(size_t)ceil(0.99 * tasks) - 1];
}

/* One number of every stretch: the standard error of their mean; NAN where some are infinite. */
static double error_of(const struct task_sample *stretch, size_t offset) {
    double sum = 0, squares = 0, value[STRETCHES];
    for (size_t b = 0; b < STRETCHES; b++) {
        value[b] = *(const double *)(const void *)((const char *)&stretch[b] + offset);
        sum += value[b] / STRETCHES;
    }
    for (size_t b = 0; b < STRETCHES; b++)
        squares += (value[b] - sum) * (value[b] - sum);
    return isfinite(sum) ? sqrt(squares / (STRETCHES - 1.0) / STRETCHES) : (double)NAN;
}

/* Tasks in the order in which they were drawn, and the largest of every step. */
struct drawn_tasks {
    double *seconds, *largest_s;
    uint32_t steps;
};

static void estimate_errors(struct task_sample *sample, const struct drawn_tasks *drawn) {
    struct task_sample stretch[STRETCHES] = {{0}};
    uint32_t tasks = sample->tasks / STRETCHES, steps = drawn->steps / STRETCHES;
    sample->errors.mean_s = sample->errors.deviation_s = (double)NAN;
    sample->errors.p99_s = sample->errors.largest_s = (double)NAN;
    if (tasks < 2 || steps < 1)
        return;
    for (uint32_t b = 0; b < STRETCHES; b++) {
        describe(&stretch[b], drawn->seconds + (size_t)b * tasks, tasks);
        for (uint32_t q = 0; q < steps; q++)
            stretch[b].largest_s += drawn->largest_s[(size_t)b * steps + q] / steps;
    }
    sample->errors.mean_s = error_of(stretch, offsetof(struct task_sample, mean_s));
    sample->errors.deviation_s = error_of(stretch, offsetof(struct task_sample, deviation_s));
    sample->errors.p99_s = error_of(stretch, offsetof(struct task_sample, p99_s));
    sample->errors.largest_s = error_of(stretch, offsetof(struct task_sample, largest_s));
}

static void draw_all(struct sampler *sampler, struct task_sample *sample, struct drawn_tasks *drawn) {
    uint32_t length = sampler->outline.length;
    for (uint32_t b = 0; b < sampler->outline.stretches && !sampler->cut; b++) {
        stretch_begin(sampler, b);
        for (uint32_t q = 0; q < length && !sampler->cut; q++, step_end(sampler))
            drawn->largest_s[sampler->steps] =
                draw_step(sampler, length > 1 ? b * length + q : 0, sample, drawn->seconds);
    }
    drawn->steps = sampler->steps;
    for (uint32_t t = 0; t < drawn->steps; t++)
        sample->largest_s += drawn->largest_s[t] / drawn->steps;
}

struct task_sample task_sample_draw(const struct cluster_spec *spec, const struct outlook_request *request) {
    struct sampler sampler = {
        .spec = spec, .request = request, .outline = outline_of(spec), .begun = clock()};
    size_t steps = (size_t)sampler.outline.stretches * sampler.outline.length;
    struct drawn_tasks drawn = {memory_zeroed(steps * spec->workers, sizeof *drawn.seconds),
                                memory_zeroed(steps, sizeof *drawn.largest_s), 0};
    struct task_sample sample = {0};
    draw_all(&sampler, &sample, &drawn);
    sample.cut = sampler.cut;
    if (sample.tasks > 1) {
        estimate_errors(&sample, &drawn);
        describe(&sample, drawn.seconds, sample.tasks);
    } else {
        sample.mean_s = sample.deviation_s = sample.p99_s = sample.largest_s = (double)NAN;
    }
    cluster_free(sampler.cluster);
    free(drawn.seconds);
    free(drawn.largest_s);
    return sample;
}

/* Sums over pairs of consecutive times of one worker. */
struct pairs {
    double count, first, second, squares_first, squares_second, products;
    double previous, origin;
};

static void note_time(struct pairs *pairs, double now) {
    if (!isnan(now) && !isnan(pairs->previous)) {
        pairs->count++;
        pairs->first += pairs->previous;
        pairs->second += now;
        pairs->squares_first += pairs->previous * pairs->previous;
        pairs->squares_second += now * now;
        pairs->products += pairs->previous * now;
    }
    pairs->previous = now;
}

static double pairs_correlation(const struct pairs *pairs) {
    double first = pairs->squares_first - pairs->first * pairs->first / pairs->count;
    double second = pairs->squares_second - pairs->second * pairs->second / pairs->count;
    double product = pairs->products - pairs->first * pairs->second / pairs->count;
    return first > 0 && second > 0 ? product / sqrt(first * second) : (double)NAN;
}

/* Mean over the workers that have one. */
static double mean_correlation(const struct pairs *pairs, uint32_t workers) {
    double sum = 0, count = 0;
    for (uint32_t i = 0; i < workers; i++) {
        double one = pairs_correlation(&pairs[i]);
        if (isnan(one))
            continue;
        sum += one;
        count++;
    }
    return sum / count;
}

/* Times are taken relative to the worker's first, which keeps the sums of squares small. */
static void note_step(const struct sampler *sampler, uint32_t step, struct pairs *pairs) {
    for (uint32_t i = 0; i < sampler->spec->workers; i++) {
        double seconds = cluster_task_seconds(sampler->cluster, i, step, sampler->request->work);
        if (isnan(pairs[i].origin))
            pairs[i].origin = seconds;
        note_time(&pairs[i], seconds - pairs[i].origin);
    }
}

static void note_stretch(struct sampler *sampler, uint32_t stretch, struct pairs *pairs) {
    uint32_t length = sampler->outline.length;
    stretch_begin(sampler, stretch);
    for (uint32_t i = 0; i < sampler->spec->workers; i++)
        pairs[i].previous = (double)NAN;
    for (uint32_t q = 0; q < length && !sampler->cut; q++, step_end(sampler))
        note_step(sampler, stretch * length + q, pairs);
}

/* The worker is given: what sets workers apart from each other is left out. */
static struct group_spec *alike_groups(const struct cluster_spec *spec) {
    struct group_spec *group = memory_zeroed(spec->groups, sizeof *group);
    for (uint32_t g = 0; g < spec->groups; g++) {
        group[g] = spec->group[g];
        group[g].slowness = NULL;
    }
    return group;
}

double task_sample_correlation(const struct cluster_spec *spec, const struct outlook_request *request,
                               uint32_t *tasks) {
    struct cluster_spec alike = *spec;
    struct group_spec *group = alike_groups(spec);
    alike.group = group;
    struct sampler sampler = {
        .spec = &alike, .request = request, .outline = stretches_of(spec), .begun = clock()};
    struct pairs *pairs = memory_zeroed(spec->workers, sizeof *pairs);
    for (uint32_t i = 0; i < spec->workers; i++)
        pairs[i].origin = (double)NAN;
    for (uint32_t b = 0; b < sampler.outline.stretches && !sampler.cut; b++)
        note_stretch(&sampler, b, pairs);
    *tasks = sampler.steps * spec->workers;
    double correlation = mean_correlation(pairs, spec->workers);
    cluster_free(sampler.cluster);
    free(group);
    free(pairs);
    return correlation;
}
