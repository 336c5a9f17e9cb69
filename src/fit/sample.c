#include "sample.h"
#include "memory.h"
#include "stream.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double mean_of(const double *value, size_t count) {
    double sum = 0;
    for (size_t v = 0; v < count; v++)
        sum += value[v];
    return sum / (double)count;
}

static double deviation_of(const double *value, size_t count, double mean) {
    double squares = 0;
    for (size_t v = 0; v < count; v++)
        squares += (value[v] - mean) * (value[v] - mean);
    return sqrt(squares / (double)count);
}

/* Of sorted values. */
static void join_equals(double *value, size_t count) {
    for (size_t v = 1, first = 0; v < count; v++)
        if (value[v] - value[first] <= ROUNDING * value[v])
            value[v] = value[first];
        else
            first = v;
}

/* The shortest decimal that is equal. */
static double plain(double value) {
    char text[32];
    double shortest = value;
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        shortest = strtod(text, NULL);
        if (fabs(shortest - value) <= ROUNDING * value)
            break;
    }
    return shortest;
}

/* A lone value carries no rounding on. */
static void join_lone(double *value, size_t count) {
    if (value[0] < value[count - 1])
        return;
    double shortest = plain(value[0]);
    for (size_t v = 0; v < count; v++)
        value[v] = shortest;
}

static void take_logarithms(struct sample *sample) {
    sample->log_mean = sample->log_deviation = (double)NAN;
    if (sample->value_s[0] <= 0)
        return;
    sample->logarithm = memory_zeroed(sample->count, sizeof *sample->logarithm);
    for (size_t v = 0; v < sample->count; v++)
        sample->logarithm[v] = log(sample->value_s[v]);
    sample->log_mean = mean_of(sample->logarithm, sample->count);
    sample->log_deviation = deviation_of(sample->logarithm, sample->count, sample->log_mean);
}

struct sample *sample_new(const double *value_s, size_t count) {
    assert(count >= 1);
    struct sample *sample = memory_zeroed(1, sizeof *sample);
    sample->count = count;
    sample->value_s = memory_zeroed(count, sizeof *value_s);
    memcpy(sample->value_s, value_s, count * sizeof *value_s);
    qsort(sample->value_s, count, sizeof *value_s, ascending);
    join_equals(sample->value_s, count);
    join_lone(sample->value_s, count);
    sample->mean_s = mean_of(sample->value_s, count);
    sample->deviation_s = deviation_of(sample->value_s, count, sample->mean_s);
    take_logarithms(sample);
    return sample;
}

void sample_free(struct sample *sample) {
    if (!sample)
        return;
    free(sample->value_s);
    free(sample->logarithm);
    free(sample);
}

double sample_least(const struct sample *sample) {
    return sample->value_s[0];
}

double sample_largest(const struct sample *sample) {
    return sample->value_s[sample->count - 1];
}

bool sample_varies(const struct sample *sample, struct sentence *why) {
    if (sample_least(sample) < sample_largest(sample))
        return true;
    sentence_set(why, "all times are equal");
    return false;
}

bool sample_positive(const struct sample *sample, struct sentence *why) {
    if (!sample_varies(sample, why))
        return false;
    if (sample_least(sample) > 0)
        return true;
    sentence_set(why, "there are times of 0");
    return false;
}

/* Selection sampling (Knuth, The Art of Computer Programming 2, section 3.4.2, algorithm S): one pass, the order kept. */
struct sample *sample_drawn(const struct sample *sample, size_t most, uint64_t seed) {
    if (sample->count <= most)
        return NULL;
    double *chosen = memory_zeroed(most, sizeof *chosen);
    size_t taken = 0;
    struct draw draw = {.stream = {.seed = seed, .purpose = PURPOSE_SAMPLE}, .worker = UINT32_MAX};
    for (size_t v = 0; taken < most; v++) {
        draw.step = (uint32_t)v;
        draw.draw = 0;
        if ((double)(sample->count - v) * draw_unit(&draw) < (double)(most - taken))
            chosen[taken++] = sample->value_s[v];
    }
    struct sample *drawn = sample_new(chosen, most);
    free(chosen);
    return drawn;
}
