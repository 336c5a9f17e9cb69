#include "regime.h"
#include "memory.h"
#include <math.h>
#include <stdlib.h>

#define STARTS         3
#define START_ROUNDS   10
#define ROUNDS_MOST    300
#define ROUNDS_LEAST   20
#define BUDGET         1e8  /* values times rounds */
#define GAIN           1e-4 /* of the log-likelihood, that a round must bring */
#define DENSITY_LEAST  1e-300
#define SLOWDOWN_LEAST 1.05
#define VARIANCE_LEAST 1e-12

/* Whether a state depends on the last. */
enum memory { MEMORY_KEPT, MEMORY_NONE };

struct chain {
    double p_slow, p_recover, delta, deviation; /* delta: logarithm of the slowdown */
    double *centre;                             /* [workers] */
};

/* Expected counts under a chain. */
struct counts {
    double log_likelihood;
    double fast, slow;          /* steps that have a next one */
    double to_slow, to_fast;    /* changes */
    double values, slow_values; /* times, and those that were slow */
    double excess;              /* sum over slow times of the logarithm above the centre */
    double squares;             /* of the distances from the states' means */
};

/* What one worker's row needs. */
struct scratch {
    double *density[2], *forward[2]; /* [rounds] */
};

/* Both densities over the larger one; returns its logarithm. */
static double densities(const struct chain *chain, double above, double *fast, double *slow) {
    double log_fast = -above * above / (2 * chain->deviation * chain->deviation);
    double beyond = above - chain->delta;
    double log_slow = -beyond * beyond / (2 * chain->deviation * chain->deviation);
    double larger = fmax(log_fast, log_slow);
    *fast = fmax(exp(log_fast - larger), DENSITY_LEAST);
    *slow = fmax(exp(log_slow - larger), DENSITY_LEAST);
    return larger - log(chain->deviation * sqrt(2 * M_PI));
}

/* Scaled forward pass over a row; returns its log-likelihood. */
static double forward(const struct chain *chain, const double *row, size_t rounds, double centre,
                      const struct scratch *scratch) {
    double stationary = chain->p_slow / (chain->p_slow + chain->p_recover);
    double fast = 1 - stationary, slow = stationary, log_likelihood = 0;
    for (size_t r = 0; r < rounds; r++) {
        double *density[2] = {&scratch->density[0][r], &scratch->density[1][r]};
        *density[0] = *density[1] = 1;
        if (!isnan(row[r]))
            log_likelihood += densities(chain, row[r] - centre, density[0], density[1]);
        fast *= *density[0];
        slow *= *density[1];
        double sum = fast + slow;
        log_likelihood += log(sum);
        scratch->forward[0][r] = fast / sum;
        scratch->forward[1][r] = slow / sum;
        fast = (scratch->forward[0][r] * (1 - chain->p_slow)) + scratch->forward[1][r] * chain->p_recover;
        slow = 1 - fast;
        slow = fmax(slow, DENSITY_LEAST);
    }
    return log_likelihood;
}

/* Backward pass: writes the probabilities of the slow state to `was_slow` and adds the expected counts. */
static void backward(const struct chain *chain, size_t rounds, const struct scratch *scratch,
                     double *was_slow, struct counts *counts) {
    double after[2] = {1, 1}; /* likelihood of what follows, up to a factor */
    for (size_t r = rounds; r-- > 0;) {
        const double now[2] = {scratch->forward[0][r], scratch->forward[1][r]};
        double sum = now[0] * after[0] + now[1] * after[1];
        was_slow[r] = now[1] * after[1] / sum;
        if (r == 0)
            break;
        double next_fast = scratch->density[0][r] * after[0], next_slow = scratch->density[1][r] * after[1];
        const double before[2] = {scratch->forward[0][r - 1], scratch->forward[1][r - 1]};
        double stay = before[0] * (1 - chain->p_slow) * next_fast;
        double fall = before[0] * chain->p_slow * next_slow;
        double rise = before[1] * chain->p_recover * next_fast;
        double last = before[1] * (1 - chain->p_recover) * next_slow, all = stay + fall + rise + last;
        counts->fast += (stay + fall) / all;
        counts->slow += (rise + last) / all;
        counts->to_slow += fall / all;
        counts->to_fast += rise / all;
        double fast = (1 - chain->p_slow) * next_fast + chain->p_slow * next_slow;
        double slow = chain->p_recover * next_fast + (1 - chain->p_recover) * next_slow;
        after[0] = fast / (fast + slow);
        after[1] = slow / (fast + slow);
    }
}

static void count_row(const struct chain *chain, const double *row, size_t rounds, double centre,
                      double *was_slow, struct counts *counts) {
    for (size_t r = 0; r < rounds; r++) {
        if (isnan(row[r])) {
            was_slow[r] = (double)NAN;
            continue;
        }
        double above = row[r] - centre, beyond = above - chain->delta, slow = was_slow[r];
        counts->values += 1;
        counts->slow_values += slow;
        counts->excess += slow * above;
        counts->squares += (1 - slow) * above * above + slow * beyond * beyond;
    }
}

static struct scratch scratch_new(size_t rounds) {
    double *room = memory_zeroed(4 * rounds, sizeof *room);
    return (struct scratch){{room, room + rounds}, {room + 2 * rounds, room + 3 * rounds}};
}

static struct counts expectation(const struct log_matrix *matrix, const struct chain *chain, double *slow) {
    struct scratch scratch = scratch_new(matrix->rounds);
    struct counts counts = {0};
    for (size_t i = 0; i < matrix->workers; i++) {
        const double *row = &matrix->value[i * matrix->rounds];
        double centre = chain->centre[i], *was_slow = &slow[i * matrix->rounds];
        if (isnan(centre))
            centre = 0;
        counts.log_likelihood += forward(chain, row, matrix->rounds, centre, &scratch);
        backward(chain, matrix->rounds, &scratch, was_slow, &counts);
        count_row(chain, row, matrix->rounds, centre, was_slow, &counts);
    }
    free(scratch.density[0]);
    return counts;
}

/* Centres at the mean of what is left when slow times give up the slowdown. */
static void take_centres(const struct log_matrix *matrix, enum centres centres, const double *slow,
                         struct chain *chain) {
    double all = 0, values = 0;
    for (size_t i = 0; i < matrix->workers; i++) {
        double sum = 0, count = 0;
        for (size_t r = 0; r < matrix->rounds; r++) {
            size_t cell = i * matrix->rounds + r;
            if (isnan(matrix->value[cell]))
                continue;
            sum += matrix->value[cell] - (slow ? slow[cell] * chain->delta : 0);
            count += 1;
        }
        chain->centre[i] = count > 0 ? sum / count : (double)NAN;
        all += sum;
        values += count;
    }
    for (size_t i = 0; centres == CENTRE_COMMON && i < matrix->workers; i++)
        chain->centre[i] = all / values;
}

static double probability(double part, double whole) {
    return fmin(fmax(whole > 0 ? part / whole : 0, 1e-9), 1 - 1e-9);
}

static void maximise(const struct counts *counts, enum memory memory, struct chain *chain) {
    chain->p_slow = probability(counts->to_slow, counts->fast);
    chain->p_recover = probability(counts->to_fast, counts->slow);
    if (memory == MEMORY_NONE) {
        chain->p_slow = probability(counts->slow_values, counts->values);
        chain->p_recover = 1 - chain->p_slow;
    }
    if (counts->slow_values > 0)
        chain->delta = counts->excess / counts->slow_values;
    chain->deviation = sqrt(fmax(counts->squares / counts->values, VARIANCE_LEAST));
}

/* One law with the same centres; returns its log-likelihood and the deviation from the centres. */
static double single(const struct log_matrix *matrix, const struct chain *chain, double *deviation) {
    double squares = 0, values = 0;
    for (size_t c = 0; c < matrix->workers * matrix->rounds; c++) {
        double above = matrix->value[c] - chain->centre[c / matrix->rounds];
        squares += isnan(above) ? 0 : above * above;
        values += !isnan(above);
    }
    *deviation = sqrt(fmax(squares / values, VARIANCE_LEAST));
    return -values * (log(*deviation * sqrt(2 * M_PI)) + 0.5);
}

struct search {
    const struct log_matrix *matrix;
    enum centres centres;
    double *slow; /* scratch of the last expectation */
};

/* Rounds of Baum and Welch; returns the log-likelihood of the chain that the last round met. */
static struct counts improve(const struct search *search, enum memory memory, int rounds,
                             struct chain *chain) {
    struct counts found = expectation(search->matrix, chain, search->slow);
    for (int s = 0; s < rounds; s++) {
        double before = found.log_likelihood;
        maximise(&found, memory, chain);
        take_centres(search->matrix, search->centres, search->slow, chain);
        found = expectation(search->matrix, chain, search->slow);
        if (found.log_likelihood - before < GAIN)
            break;
    }
    return found;
}

static void copy(const struct search *search, const struct chain *from, struct chain *to) {
    double *own = to->centre;
    for (size_t i = 0; i < search->matrix->workers; i++)
        own[i] = from->centre[i];
    *to = *from;
    to->centre = own;
}

/* Slow times from few and far to many and near. */
static struct counts best_chain(const struct search *search, enum memory memory, int rounds,
                                struct chain *best) {
    static const double share[STARTS] = {0.05, 0.2, 0.5}, distance[STARTS] = {3, 2, 1};
    struct chain one = {.centre = memory_zeroed(search->matrix->workers, sizeof *one.centre)};
    double highest = -HUGE_VAL;
    for (size_t s = 0; s < STARTS; s++) {
        double deviation;
        take_centres(search->matrix, search->centres, NULL, &one);
        single(search->matrix, &one, &deviation);
        one.p_recover = memory == MEMORY_NONE ? 1 - share[s] : 0.2;
        one.p_slow = memory == MEMORY_NONE ? share[s] : 0.2 * share[s] / (1 - share[s]);
        one.delta = distance[s] * deviation;
        one.deviation = 0.7 * deviation;
        double reached = improve(search, memory, START_ROUNDS, &one).log_likelihood;
        if (reached > highest) {
            highest = reached;
            copy(search, &one, best);
        }
    }
    free(one.centre);
    return improve(search, memory, rounds, best);
}

/* The slow state is the one with the longer times. */
static void orient(const struct log_matrix *matrix, struct chain *chain, double *slow) {
    if (chain->delta >= 0)
        return;
    double p_slow = chain->p_slow;
    chain->p_slow = chain->p_recover;
    chain->p_recover = p_slow;
    for (size_t i = 0; i < matrix->workers; i++)
        chain->centre[i] += chain->delta;
    chain->delta = -chain->delta;
    for (size_t c = 0; c < matrix->workers * matrix->rounds; c++)
        slow[c] = 1 - slow[c];
}

/* Sums over the times of a worker, or of all: of the states, the logarithms and their products. */
struct state_sums {
    double count, slow, value, slow_slow, slow_value;
};

static struct state_sums state_sums(const double *value, const double *slow, size_t cells) {
    struct state_sums sums = {0};
    for (size_t c = 0; c < cells; c++) {
        if (isnan(value[c]))
            continue;
        sums.count += 1;
        sums.slow += slow[c];
        sums.value += value[c];
        sums.slow_slow += slow[c] * slow[c];
        sums.slow_value += slow[c] * value[c];
    }
    return sums;
}

/* Where the states leave nothing but rounding, the rounds end before the means are as exact as the times, and what is
 * left would pass for a law: least squares on the states, which are certain, gives them at once. */
static void sharpen(const struct search *search, struct chain *chain) {
    const struct log_matrix *matrix = search->matrix;
    size_t rows = search->centres == CENTRE_COMMON ? 1 : matrix->workers;
    size_t cells = matrix->workers * matrix->rounds / rows;
    double products = 0, squares = 0;
    struct state_sums *sums = memory_zeroed(rows, sizeof *sums);
    for (size_t i = 0; i < rows; i++) {
        sums[i] = state_sums(&matrix->value[i * cells], &search->slow[i * cells], cells);
        double share = sums[i].count > 0 ? sums[i].slow / sums[i].count : 0;
        products += sums[i].slow_value - share * sums[i].value;
        squares += sums[i].slow_slow - share * sums[i].slow;
    }
    if (squares > 0)
        chain->delta = products / squares;
    for (size_t i = 0; i < matrix->workers; i++) {
        const struct state_sums *own = &sums[rows == 1 ? 0 : i];
        chain->centre[i] =
            own->count > 0 ? (own->value - own->slow * chain->delta) / own->count : (double)NAN;
    }
    free(sums);
}

struct regime_fit *regime_fit_new(const struct log_matrix *matrix, enum centres centres) {
    size_t cells = matrix->workers * matrix->rounds;
    int rounds = (int)fmin(fmax(BUDGET / (double)cells, ROUNDS_LEAST), ROUNDS_MOST);
    struct regime_fit *fit = memory_zeroed(1, sizeof *fit);
    struct search search = {matrix, centres, memory_zeroed(cells, sizeof(double))};
    struct chain chain = {.centre = memory_zeroed(matrix->workers, sizeof(double))};
    take_centres(matrix, centres, NULL, &chain);
    fit->log_likelihood_1 = single(matrix, &chain, &fit->deviation);
    double without = best_chain(&search, MEMORY_NONE, rounds, &chain).log_likelihood;
    struct counts found = best_chain(&search, MEMORY_KEPT, rounds, &chain);
    if (chain.deviation * chain.deviation <= 2 * VARIANCE_LEAST)
        sharpen(&search, &chain);
    orient(matrix, &chain, search.slow);
    fit->log_likelihood = found.log_likelihood;
    fit->p_slow = chain.p_slow;
    fit->p_recover = chain.p_recover;
    fit->slowdown = exp(chain.delta);
    fit->deviation = chain.deviation;
    fit->centre = chain.centre;
    fit->slow = search.slow;
    double price = log(found.values);
    fit->shown = fit->slowdown >= SLOWDOWN_LEAST && 2 * (found.log_likelihood - without) > price &&
                 2 * (found.log_likelihood - fit->log_likelihood_1) > 3 * price;
    return fit;
}

void regime_fit_free(struct regime_fit *fit) {
    if (!fit)
        return;
    free(fit->centre);
    free(fit->slow);
    free(fit);
}
