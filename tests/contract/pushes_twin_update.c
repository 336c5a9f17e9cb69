#include "pushes_twin_inside.h"
#include <math.h>
#include <stdlib.h>

static bool discards(const struct play *play, const struct push *push) {
    size_t age = play->t - push->version;
    if (play->spec->pushing == PUSH_RINGMASTER)
        return age > play->spec->number;
    return play->spec->pushing == PUSH_SSP_DROP && age / play->n > play->spec->number;
}

/* Nothing of it is in the table. */
static bool replaced(const struct play *play, size_t q) {
    for (size_t p = 0; p < play->n; p++)
        if (play->filled[p] && play->table_push[p] == q)
            return false;
    return play->spec->pushing == PUSH_DSAG;
}

static void book(struct play *play, const struct push *push, bool *had) {
    struct pushes_result *result = play->result;
    double each_s = push->seconds / (double)partitions_of(play, push->has);
    for (size_t p = 0; p < play->n; p++) {
        if (!push->has[p])
            continue;
        if (!push->used)
            result->discarded_s += each_s;
        else if (push->version != play->t)
            result->stale_s += each_s;
        else if (had[p])
            result->redundant_s += each_s;
        else
            result->useful_s += each_s;
        had[p] |= push->used && push->version == play->t;
    }
}

bool choose_pushes(struct play *play, struct pushes_step *row) {
    bool had[TWIN_WORKERS] = {false}, counted[TWIN_WORKERS] = {false}, recovered[TWIN_WORKERS] = {false};
    bool any = false;
    for (size_t q = play->opened; q < play->heard; q++) {
        struct push *push = &play->inbox[q];
        push->used = !discards(play, push) && !replaced(play, q);
        any |= push->used;
        play->result->worker[push->worker].used += push->used && !counted[push->worker];
        counted[push->worker] |= push->used;
        for (size_t p = 0; p < play->n; p++)
            recovered[p] |= push->used && push->has[p];
        book(play, push, had);
    }
    row->recovered = partitions_of(play, recovered);
    return any;
}

static void add(const struct play *play, double *estimate, double weight, const double *gradient) {
    for (size_t j = 0; j < play->d; j++)
        estimate[j] += weight * gradient[j];
}

struct ages {
    double sum, largest, count;
};
static void add_age(struct ages *ages, size_t age) {
    ages->sum += (double)age;
    ages->largest = fmax(ages->largest, (double)age);
    ages->count++;
}

static void estimate_from_table(const struct play *play, double *estimate, struct ages *ages,
                                struct pushes_step *row) {
    row->recovered = 0;
    for (size_t p = 0; p < play->n; p++)
        row->recovered += play->filled[p];
    for (size_t p = 0; p < play->n; p++)
        if (play->filled[p]) {
            add(play, estimate, (double)play->n / (double)row->recovered, play->table + p * play->d);
            add_age(ages, play->t - play->table_version[p]);
        }
}

static void estimate_from_pushes(const struct play *play, double *estimate, struct ages *ages) {
    enum pushing pushing = play->spec->pushing;
    double pushes = (double)(play->heard - play->opened);
    bool alone = pushing == PUSH_SSP_WAIT || pushing == PUSH_SSP_DROP;
    for (size_t q = play->opened; q < play->heard; q++) {
        const struct push *push = &play->inbox[q];
        for (size_t p = 0; p < play->n; p++)
            if (push->has[p]) {
                add(play, estimate, alone ? 1 : (double)push->sharing / pushes, push->gradient + p * play->d);
                add_age(ages, play->t - push->version);
            }
    }
}

void update_model(struct play *play, struct pushes_step *row) {
    const struct twin_problem *problem = play->spec->problem;
    enum pushing pushing = play->spec->pushing;
    double *estimate = zeroed(play->d);
    struct ages ages = {0, 0, 0};
    if (pushing == PUSH_DSAG)
        estimate_from_table(play, estimate, &ages, row);
    else
        estimate_from_pushes(play, estimate, &ages);
    for (size_t j = 0;
         j < play->d - problem->intercept && pushing != PUSH_SSP_WAIT && pushing != PUSH_SSP_DROP; j++)
        estimate[j] += problem->l2 * play->w[j];
    for (size_t j = 0; j < play->d; j++)
        play->w[j] -= play->spec->learning_rate * estimate[j];
    row->staleness_mean = ages.sum / ages.count;
    row->staleness_max = ages.largest;
    row->loss = twin_objective(problem, play->w);
    free(estimate);
}
