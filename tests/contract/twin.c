#include "twin.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A worker's task of one step. All tasks of a run stand in one table, so nothing is ever forgotten. */
enum fate { UNSENT, WAITING, RUNNING, FINISHED, DROPPED, SKIPPED };
enum use { DISCARDED, STALE, REDUNDANT, USEFUL }; /* worst first */
struct job {
    enum fate fate;
    double start_s, end_s;
};

/* The gradient a worker keeps for one place of its list. */
struct stored {
    size_t version;
    bool warm; /* from before step 0: it cost nothing */
};

struct play {
    const struct twin_spec *spec;
    const struct twin_scheme *scheme;
    struct twin_result *result;
    struct twin_round round;
    size_t n, c, t, d;
    struct job *job;       /* [worker * steps + step] */
    enum use *use;         /* [(worker * steps + step) * c + place] */
    struct stored *stored; /* [worker * c + place] */
    double *code;          /* B */
    double *gradient;      /* g_p(w_v) at [(v * n + p) * d] */
    double *w, *estimate;
    size_t oldest[TWIN_WORKERS]; /* all tasks of a worker before this step are over */
    double opened_s, first_s;
};

static struct job *job_of(const struct play *play, size_t i, size_t t) {
    return &play->job[i * play->spec->steps + t];
}

static size_t evaluations(const struct play *play) {
    return play->scheme->rotates ? 1 : play->c;
}

static double task_seconds(const struct play *play, size_t i, size_t t) {
    const struct twin_spec *spec = play->spec;
    return (double)evaluations(play) * spec->compute_s + spec->delay_s[t % spec->rounds * play->n + i];
}

static bool pending(const struct job *job) {
    return job->fate == WAITING || job->fate == RUNNING;
}

static bool running(const struct play *play, size_t i, size_t *step) {
    for (*step = play->oldest[i]; *step <= play->t; ++*step)
        if (job_of(play, i, *step)->fate == RUNNING)
            return true;
    return false;
}

/* Starts the worker's earliest waiting task, if it is free. Under `latest` only the newest waits. */
static void start_waiting(struct play *play, size_t i, double now_s) {
    size_t step;
    if (running(play, i, &step))
        return;
    for (size_t t = play->oldest[i]; t <= play->t; t++) {
        struct job *job = job_of(play, i, t);
        if (job->fate != WAITING)
            continue;
        *job = (struct job){RUNNING, now_s, now_s + task_seconds(play, i, t)};
        return;
    }
}

static void give_up(struct play *play, size_t i, double now_s) {
    for (size_t t = play->oldest[i]; t < play->t; t++) {
        struct job *job = job_of(play, i, t);
        if (job->fate == WAITING && play->spec->late != TWIN_QUEUE)
            job->fate = SKIPPED;
        if (job->fate == RUNNING && play->spec->late == TWIN_CANCEL) {
            job->fate = DROPPED;
            job->end_s = now_s;
        }
    }
}

static void open_step(struct play *play, double now_s) {
    play->opened_s = now_s;
    play->first_s = (double)INFINITY;
    play->round.heard = 0;
    play->round.step = play->t;
    for (size_t i = 0; i < play->n; i++) {
        give_up(play, i, now_s);
        job_of(play, i, play->t)->fate = WAITING;
        start_waiting(play, i, now_s);
    }
}

/* The running task that ends first, of equal ones the lowest worker's; false when nobody works. */
static bool next_end(const struct play *play, size_t *worker, size_t *step) {
    double earliest_s = (double)INFINITY;
    for (size_t i = 0; i < play->n; i++) {
        size_t t;
        if (running(play, i, &t) && job_of(play, i, t)->end_s < earliest_s) {
            earliest_s = job_of(play, i, t)->end_s;
            *worker = i;
            *step = t;
        }
    }
    return earliest_s < (double)INFINITY;
}

/* The task ends: what it evaluated is stored. */
static void finish(struct play *play, size_t i, size_t step) {
    struct job *job = job_of(play, i, step);
    job->fate = FINISHED;
    if (play->scheme->rotates)
        play->stored[i * play->c + step % play->c] = (struct stored){step, false};
}

static bool closes_by_hearing(const struct play *play) {
    const struct twin_wait *wait = &play->spec->wait;
    size_t heard = play->round.heard;
    if (heard == play->n)
        return true;
    if (wait->rule == TWIN_COUNT)
        return heard == wait->results;
    if (wait->rule == TWIN_COUNT_OR_DECODABLE)
        return heard == wait->results || play->scheme->exact(&play->round);
    if (wait->rule == TWIN_DECODABLE)
        return play->scheme->exact(&play->round);
    return false;
}

/* When the master looks at the clock: after everything else of that instant. */
static double alarm_s(const struct play *play) {
    const struct twin_wait *wait = &play->spec->wait;
    if (wait->rule == TWIN_FACTOR && play->round.heard > 0)
        return play->opened_s + wait->limit * (play->first_s - play->opened_s);
    return wait->rule == TWIN_SECONDS ? play->opened_s + wait->limit : (double)INFINITY;
}

static bool closes_by_clock(const struct play *play) {
    const struct twin_wait *wait = &play->spec->wait;
    if (wait->rule == TWIN_SECONDS)
        return play->round.heard >= wait->results;
    return play->round.heard + play->spec->stragglers >= play->n;
}

/* Plays until the master stops listening to step t; the moment of that. */
static double listen(struct play *play) {
    bool rung = false;
    for (;;) {
        size_t i = 0, step = 0;
        double ends_s = next_end(play, &i, &step) ? job_of(play, i, step)->end_s : (double)INFINITY;
        if (!rung && alarm_s(play) < ends_s) {
            double now_s = alarm_s(play);
            rung = true;
            if (closes_by_clock(play))
                return now_s;
            continue;
        }
        finish(play, i, step);
        if (step != play->t) {
            start_waiting(play, i, ends_s);
            continue;
        }
        play->round.by_arrival[play->round.heard++] = i;
        play->first_s = fmin(play->first_s, ends_s);
        if (closes_by_hearing(play) ||
            (rung && play->spec->wait.rule == TWIN_SECONDS && closes_by_clock(play)))
            return ends_s;
    }
}

/* What ends up to the next opening, that instant included, is finished before it; but who is free at that instant takes
 * up what it should do with the new model at hand. */
static void drain(struct play *play, double until_s) {
    size_t i, step;
    while (next_end(play, &i, &step) && job_of(play, i, step)->end_s <= until_s) {
        finish(play, i, step);
        if (job_of(play, i, step)->end_s < until_s)
            start_waiting(play, i, job_of(play, i, step)->end_s);
    }
}

/* The term at place l of worker i's message of step t: its version, and whether its own task t computed it. */
static struct stored term(const struct play *play, size_t i, size_t l) {
    if (play->scheme->rotates)
        return play->stored[i * play->c + l];
    return (struct stored){play->t, false};
}

static void book(struct play *play, size_t i, size_t l, enum use use) {
    struct stored from = term(play, i, l);
    size_t place = play->scheme->rotates ? 0 : l;
    enum use *best = &play->use[(i * play->spec->steps + from.version) * play->c + place];
    if (!from.warm && use > *best)
        *best = use;
}

/* Books what the used messages hold, in the order of their arrival, and describes it in the row. */
static void use_messages(struct play *play, const double *weight, struct twin_step *row) {
    bool in_estimate[TWIN_WORKERS] = {false}, fresh[TWIN_WORKERS] = {false};
    double ages = 0, terms = 0;
    for (size_t h = 0; h < play->round.heard; h++) {
        size_t i = play->round.by_arrival[h];
        for (size_t l = 0; weight[i] != 0 && l < play->c; l++) {
            struct stored from = term(play, i, l);
            size_t p = twin_partition(play->spec, play->scheme, i, l), age = play->t - from.version;
            ages += (double)age;
            terms++;
            row->staleness_max = fmax(row->staleness_max, (double)age);
            row->recovered += !in_estimate[p];
            in_estimate[p] = true;
            book(play, i, l, age > 0 ? STALE : fresh[p] ? REDUNDANT : USEFUL);
            fresh[p] = fresh[p] || (age == 0 && !from.warm);
        }
    }
    row->staleness_mean = terms > 0 ? ages / terms : (double)NAN;
}

static void descend(struct play *play, const double *weight) {
    const struct twin_problem *problem = play->spec->problem;
    memset(play->estimate, 0, play->d * sizeof(double));
    for (size_t i = 0; i < play->n; i++)
        for (size_t l = 0; weight[i] != 0 && l < play->c; l++) {
            size_t p = twin_partition(play->spec, play->scheme, i, l);
            double coefficient = weight[i] * (play->scheme->coded ? play->code[i * play->n + p] : 1);
            const double *gradient = play->gradient + (term(play, i, l).version * play->n + p) * play->d;
            for (size_t j = 0; j < play->d; j++)
                play->estimate[j] += coefficient * gradient[j];
        }
    for (size_t j = 0; j < play->d; j++) {
        bool penalised = !(problem->intercept && j + 1 == play->d);
        play->w[j] -=
            play->spec->learning_rate * (play->estimate[j] + (penalised ? problem->l2 * play->w[j] : 0));
    }
}

/* All partial gradients at w, which is version t. */
static void evaluate(struct play *play) {
    for (size_t p = 0; play->spec->problem && p < play->n; p++)
        twin_partial(play->spec->problem, play->n, p, play->w,
                     play->gradient + (play->t * play->n + p) * play->d);
}

static void note_workers(struct play *play, const double *weight) {
    bool heard[TWIN_WORKERS] = {false};
    for (size_t h = 0; h < play->round.heard; h++)
        heard[play->round.by_arrival[h]] = true;
    for (size_t i = 0; i < play->n; i++) {
        struct twin_worker *worker = &play->result->worker[i];
        worker->used += weight[i] != 0;
        worker->late += !heard[i];
        play->result->largest_weight = fmax(play->result->largest_weight, fabs(weight[i]));
    }
}

/* A task that the worker owes: under `queue` all that it was sent, else the one it is on. */
static bool owed(const struct play *play, const struct job *job) {
    return job->fate == RUNNING || (job->fate == WAITING && play->spec->late == TWIN_QUEUE);
}

/* At the close: the tasks each worker owes. */
static void note_backlogs(struct play *play) {
    for (size_t i = 0; i < play->n; i++) {
        struct twin_worker *worker = &play->result->worker[i];
        while (play->oldest[i] <= play->t && !pending(job_of(play, i, play->oldest[i])))
            play->oldest[i]++;
        worker->backlog_end = 0;
        for (size_t t = play->oldest[i]; t <= play->t; t++)
            worker->backlog_end += owed(play, job_of(play, i, t));
        if (worker->backlog_end > worker->backlog_max)
            worker->backlog_max = worker->backlog_end;
    }
}

/* One round, from its opening to the row that follows it. */
static struct twin_step play_round(struct play *play, double opens_s) {
    struct twin_step row = {.loss = NAN};
    double weight[TWIN_WORKERS] = {0};
    evaluate(play);
    open_step(play, opens_s);
    double closed_s = listen(play);
    row.time_s = closed_s + play->spec->master_s;
    row.aggregation_s = row.time_s - play->first_s;
    row.responders = play->round.heard;
    note_backlogs(play);
    drain(play, row.time_s);
    play->scheme->decode(&play->round, weight);
    use_messages(play, weight, &row);
    note_workers(play, weight);
    if (play->spec->problem) {
        descend(play, weight);
        row.loss = twin_objective(play->spec->problem, play->w);
    }
    return row;
}

static void book_worker(struct play *play, size_t i, double ended_s) {
    struct twin_worker *worker = &play->result->worker[i];
    size_t passed_over = 0;
    for (size_t t = 0; t < play->result->steps; t++) {
        const struct job *job = job_of(play, i, t);
        size_t parts = evaluations(play);
        worker->evaluated += job->fate == FINISHED ? parts : 0;
        worker->skipped += job->fate == DROPPED ? parts : 0;
        passed_over += job->fate == SKIPPED ? parts : 0;
        if (job->fate == RUNNING || job->fate == FINISHED) { /* only now did it jump */
            worker->skipped += passed_over;
            passed_over = 0;
        }
        if (job->fate != FINISHED && job->fate != DROPPED && job->fate != RUNNING)
            continue;
        double seconds = (job->fate == RUNNING ? ended_s : job->end_s) - job->start_s;
        worker->busy_s += seconds;
        for (size_t l = 0; l < parts; l++) {
            double *booked[] = {&worker->discarded_s, &worker->stale_s, &worker->redundant_s,
                                &worker->useful_s};
            *booked[play->use[(i * play->spec->steps + t) * play->c + l]] += seconds / (double)parts;
        }
    }
    worker->idle_s = ended_s - worker->busy_s;
}

static void set_up(struct play *play) {
    const struct twin_spec *spec = play->spec;
    size_t tasks = spec->workers * spec->steps;
    play->n = spec->workers;
    play->scheme = twin_scheme_named(spec->scheme);
    play->c = twin_placed(spec, play->scheme);
    play->d = spec->problem ? spec->problem->features : 0;
    play->result = calloc(1, sizeof *play->result);
    play->result->step = calloc(spec->steps + 1, sizeof *play->result->step);
    play->result->worker = calloc(play->n, sizeof *play->result->worker);
    play->job = calloc(tasks, sizeof *play->job);
    play->use = calloc(tasks * play->c, sizeof *play->use);
    play->stored = calloc(play->n * play->c, sizeof *play->stored);
    for (size_t q = 0; q < play->n * play->c; q++)
        play->stored[q].warm = true;
    play->gradient = calloc((spec->steps + 1) * play->n * play->d + 1, sizeof(double));
    play->w = calloc(play->d + 1, sizeof(double));
    play->estimate = calloc(play->d + 1, sizeof(double));
    play->code = calloc(play->n * play->n, sizeof(double));
    if (play->scheme->coded)
        (play->scheme->code ? play->scheme->code : twin_code)(spec->seed, play->n, spec->stragglers,
                                                              play->code);
    play->round = (struct twin_round){.spec = spec, .placed = play->c, .code = play->code};
}

struct twin_result *twin_run(const struct twin_spec *spec) {
    struct play play = {.spec = spec};
    set_up(&play);
    struct twin_result *result = play.result;
    double first_loss = spec->problem ? twin_objective(spec->problem, play.w) : (double)NAN;
    result->step[0] = (struct twin_step){.loss = first_loss};
    for (play.t = 0; play.t < spec->steps && !result->diverged; play.t++) {
        struct twin_step row = play_round(&play, result->step[play.t].time_s);
        result->diverged = spec->problem && !(row.loss <= 1e6 * fmax(1, first_loss));
        result->steps += !result->diverged;
        result->step[play.t + 1] = row;
    }
    for (size_t i = 0; i < play.n; i++)
        book_worker(&play, i, result->step[result->steps].time_s);
    void *owned[] = {play.job, play.use, play.stored, play.code, play.gradient, play.w, play.estimate};
    for (size_t q = 0; q < sizeof owned / sizeof *owned; q++)
        free(owned[q]);
    return result;
}

void twin_result_free(struct twin_result *result) {
    if (result) {
        free(result->step);
        free(result->worker);
    }
    free(result);
}
