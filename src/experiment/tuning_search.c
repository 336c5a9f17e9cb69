#include "tuning_search.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Golden section of one number: attempts, and the share of an interval that is kept. */
#define SECTIONS 6
#define GOLDEN   0.61803398874989484820
/* Digits that values are rounded to, so that a reader can write them. */
#define DIGITS 4

/* How a number is spaced. */
static const struct spacing {
    const char *key;
    size_t grid; /* places on the grid, both ends included */
    bool from_one;
} spacings[] = {{"learning_rate", 9, false}, {"momentum", 5, true}};
#define SPACINGS (sizeof spacings / sizeof *spacings)

struct axis_state {
    const struct tuned_range *range;
    const struct spacing *spacing;
    double low, high; /* of the logarithms */
};

struct tuning_search {
    const struct scenario *scenario;
    struct axis_state axis[TUNED_MAX];
    struct attempt *tried;
    size_t count;
    size_t section;   /* attempts of golden section so far */
    double low, high; /* the interval that it has come to */
    size_t inner[2];  /* attempts at its two inner places */
    double place[2];
};

static const struct spacing *spacing_of(const char *key) {
    size_t q = 0;
    while (q < SPACINGS && strcmp(spacings[q].key, key) != 0)
        q++;
    assert(q < SPACINGS);
    return &spacings[q];
}

static double logarithm(const struct spacing *spacing, double value) {
    return spacing->from_one ? -log(1 - value) : log(value);
}

static double rounded(double value) {
    if (!(value > 0))
        return value;
    double unit = pow(10, floor(log10(value)) - (DIGITS - 1));
    return unit < 1 ? round(value / unit) / round(1 / unit) : round(value / unit) * unit;
}

static double value_at(const struct axis_state *axis, double place) {
    double value = axis->spacing->from_one ? 1 - rounded(exp(-place)) : rounded(exp(place));
    return fmin(fmax(value, axis->range->low), axis->range->high);
}

static struct axis_state axis_of(const struct tuned_range *range) {
    const struct spacing *spacing = spacing_of(range->key);
    return (struct axis_state){range, spacing, logarithm(spacing, range->low),
                               logarithm(spacing, range->high)};
}

/* The distance of neighbours on the grid. */
static double apart(const struct axis_state *axis) {
    return (axis->high - axis->low) / (double)(axis->spacing->grid - 1);
}

size_t tuning_grid_places(const struct scenario *scenario) {
    size_t places = 1;
    for (size_t a = 0; a < scenario->tunes; a++)
        places *= spacing_of(scenario->tuned[a].key)->grid;
    return places;
}

void tuning_grid_values(const struct scenario *scenario, size_t place, double value[TUNED_MAX]) {
    for (size_t a = scenario->tunes; a-- > 0;) {
        struct axis_state axis = axis_of(&scenario->tuned[a]);
        value[a] = value_at(&axis, axis.low + apart(&axis) * (double)(place % axis.spacing->grid));
        place /= axis.spacing->grid;
    }
}

size_t tuning_search_attempts(const struct scenario *scenario) {
    return scenario->tunes > 0 ? tuning_grid_places(scenario) + SECTIONS * scenario->tunes : 0;
}

struct tuning_search *tuning_search_new(const struct scenario *scenario) {
    struct tuning_search *search = memory_zeroed(1, sizeof *search);
    search->scenario = scenario;
    search->tried = memory_zeroed(tuning_search_attempts(scenario), sizeof *search->tried);
    for (size_t a = 0; a < scenario->tunes; a++)
        search->axis[a] = axis_of(&scenario->tuned[a]);
    return search;
}

void tuning_search_free(struct tuning_search *search) {
    if (search)
        free(search->tried);
    free(search);
}

static size_t propose_grid(struct tuning_search *search) {
    search->count = tuning_grid_places(search->scenario);
    for (size_t g = 0; g < search->count; g++)
        tuning_grid_values(search->scenario, g, search->tried[g].value);
    return search->count;
}

/* At an inner place of the present interval, the other numbers being as they are where it is best so far. */
static void propose_inner(struct tuning_search *search, size_t a, size_t inner) {
    struct attempt *attempt = &search->tried[search->count];
    memcpy(attempt->value, search->tried[tuning_search_best(search)].value, sizeof attempt->value);
    double share = inner == 0 ? 1 - GOLDEN : GOLDEN;
    search->place[inner] = search->low + share * (search->high - search->low);
    attempt->value[a] = value_at(&search->axis[a], search->place[inner]);
    search->inner[inner] = search->count++;
}

static size_t propose_first(struct tuning_search *search, size_t a) {
    const struct axis_state *axis = &search->axis[a];
    double best = logarithm(axis->spacing, search->tried[tuning_search_best(search)].value[a]);
    search->low = fmax(axis->low, best - apart(axis));
    search->high = fmin(axis->high, best + apart(axis));
    propose_inner(search, a, 0);
    /* The second has the same base, though the first has no merit yet. */
    search->tried[search->count] = search->tried[search->count - 1];
    search->place[1] = search->low + GOLDEN * (search->high - search->low);
    search->tried[search->count].value[a] = value_at(axis, search->place[1]);
    search->inner[1] = search->count++;
    return 2;
}

static size_t propose_next(struct tuning_search *search, size_t a) {
    const struct merit *left = &search->tried[search->inner[0]].merit,
                       *right = &search->tried[search->inner[1]].merit;
    size_t drop = merit_compare(left, right) <= 0 ? 1 : 0, keep = 1 - drop;
    if (drop == 1)
        search->high = search->place[1];
    else
        search->low = search->place[0];
    search->inner[drop] = search->inner[keep];
    search->place[drop] = search->place[keep];
    propose_inner(search, a, keep);
    return 1;
}

size_t tuning_search_next(struct tuning_search *search, struct attempt **attempt) {
    size_t first = search->count, added;
    size_t a = search->section / SECTIONS, done = search->section % SECTIONS;
    if (first == 0)
        added = propose_grid(search);
    else if (a == search->scenario->tunes)
        return 0;
    else
        added = done == 0 ? propose_first(search, a) : propose_next(search, a);
    search->section += first == 0 ? 0 : added;
    *attempt = &search->tried[first];
    return added;
}

const struct attempt *tuning_search_tried(const struct tuning_search *search, size_t *count) {
    *count = search->count;
    return search->tried;
}

size_t tuning_search_best(const struct tuning_search *search) {
    size_t best = 0;
    for (size_t q = 1; q < search->count; q++)
        if (merit_compare(&search->tried[q].merit, &search->tried[best].merit) < 0)
            best = q;
    return best;
}
