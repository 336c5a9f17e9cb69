#include "choice.h"
#include "code_params.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Every worker goes through the rows of its own partition in order until the master closes the step and collects what is
 * done. The estimate is the mean over those rows: (sum_i of row gradients) / (sum_i q_i), with q_i rows done by worker i.
 * A message's own scale is 1 / m, so each weighs m / sum_i q_i. */
struct anytime {
    uint32_t workers;
    uint32_t version; /* of the step: steps in which no row was done make no update */
    uint64_t all;     /* m; where only time counts each partition has two rows, see rows_done */
    bool timing_only;
    struct evaluation *evaluation; /* [workers] */
    uint32_t *rows;                /* [workers]: of each partition */
    uint32_t *done;                /* [workers]: q, since the step opened */
    uint32_t complete;             /* workers heard with all their rows since the step opened */
};

struct anytime_params {
    double seconds_s; /* NAN: the rule is the scenario's */
};

static const struct param list[] = {
    {.name = "seconds",
     .kind = PARAM_SECONDS,
     .offset = offsetof(struct anytime_params, seconds_s),
     .fallback = "",
     .minimum = 0,
     .above_minimum = true,
     .unit = "s",
     .help = "time that every step gives its workers (x), less where all are done sooner; without it write a "
             "wait rule"},
};
static const struct param_table table = {PARAM_TABLE(struct anytime_params, list)};

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    (void)params;
    return code_refuses(&(struct code_params){.stragglers = 0}, shape, why);
}

/* The shortest decimal number that reads back to the same one. */
static void number_print(double number, struct sentence *out) {
    int digits = 1;
    do
        sentence_set(out, "%.*g", digits++, number);
    while (strtod(out->text, NULL) != number);
}

static bool own_wait(const void *params, struct sentence *rule) {
    double seconds_s = ((const struct anytime_params *)params)->seconds_s;
    if (isnan(seconds_s)) {
        sentence_set(rule, "anytime needs seconds, or a wait rule");
        return false;
    }
    struct sentence seconds;
    number_print(seconds_s, &seconds);
    sentence_set(rule, "{type: deadline, seconds: %s, min: 0}", seconds.text);
    return true;
}

static uint32_t stragglers(const void *params) {
    (void)params;
    return ANY_STRAGGLERS;
}

static uint32_t fewest(const void *params, struct shape shape) {
    (void)params;
    (void)shape;
    return 0;
}

static struct limits limits(const void *params, const struct setting *setting) {
    (void)params;
    (void)setting;
    return (struct limits){.terms = 1, .evaluations = 1, .work = 1, .span = 1};
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    uint32_t workers = setting->shape.workers;
    (void)params;
    (void)code;
    assert(!setting->batches);
    struct anytime *anytime = arena_zeroed(arena, 1, sizeof *anytime);
    anytime->workers = workers;
    anytime->timing_only = setting->rows == 0;
    anytime->all = anytime->timing_only ? 2 * (uint64_t)workers : setting->rows;
    anytime->evaluation = arena_zeroed(arena, workers, sizeof *anytime->evaluation);
    anytime->rows = arena_zeroed(arena, workers, sizeof *anytime->rows);
    anytime->done = arena_zeroed(arena, workers, sizeof *anytime->done);
    for (uint64_t p = 0; p < workers; p++)
        anytime->rows[p] = (uint32_t)((p + 1) * anytime->all / workers - p * anytime->all / workers);
    return anytime;
}

static void open(void *state, uint32_t step, uint32_t version) {
    struct anytime *anytime = state;
    (void)step;
    anytime->version = version;
    anytime->complete = 0;
    for (uint32_t i = 0; i < anytime->workers; i++)
        anytime->done[i] = 0;
}

static void assign(void *state, uint32_t worker, uint32_t step, struct task *task) {
    struct anytime *anytime = state;
    struct evaluation *evaluation = &anytime->evaluation[worker];
    *evaluation = (struct evaluation){.partition = worker, .version = anytime->version};
    *task = (struct task){.step = step, .work = 1, .evaluations = 1, .evaluation = evaluation};
}

/* Where only time counts there are no rows: one of two stands for a task that was begun, both for one that is done. */
static uint32_t rows_done(const struct anytime *anytime, const struct computed *computed) {
    if (anytime->timing_only)
        return (uint32_t)(computed->done > 0) + (uint32_t)(computed->done >= 1);
    return (uint32_t)(computed->done * anytime->rows[computed->worker]);
}

static size_t finish(void *state, const struct computed *computed, struct term *term) {
    struct anytime *anytime = state;
    uint32_t worker = computed->worker, done = rows_done(anytime, computed);
    anytime->done[worker] = done;
    if (done == 0)
        return 0;
    *term = (struct term){.partition = worker,
                          .version = anytime->version,
                          .rows = done < anytime->rows[worker] ? done : 0,
                          .coefficient = 1};
    return 1;
}

static void hear(void *state, const struct message *message) {
    struct anytime *anytime = state;
    anytime->complete += anytime->done[message->worker] == anytime->rows[message->worker];
}

static bool decodable(const void *state) {
    const struct anytime *anytime = state;
    return anytime->complete == anytime->workers;
}

/* The rows behind the messages. */
static uint64_t rows_heard(const struct anytime *anytime, const struct message *message, uint32_t messages) {
    uint64_t rows = 0;
    for (uint32_t m = 0; m < messages; m++)
        rows += anytime->done[message[m].worker];
    return rows;
}

static uint32_t completions(void *state, const struct message *message, uint32_t messages) {
    return rows_heard(state, message, messages) > 0;
}

static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct anytime *anytime = state;
    out->recovered = 0;
    for (uint32_t m = 0; m < messages; m++) {
        out->weight[m] = anytime->done[message[m].worker] > 0;
        out->recovered += anytime->done[message[m].worker] > 0;
    }
    out->claim = rows_heard(anytime, message, messages) == anytime->all ? EXACT : INEXACT;
}

static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct anytime *anytime = state;
    double scale = (double)anytime->all / (double)rows_heard(anytime, message, messages);
    for (uint32_t m = 0; m < messages; m++)
        out->weight[m] *= scale;
    out->residual = (double)NAN;
    out->largest_weight = (double)NAN;
}

/* `queue` and `latest` are about tasks that outlive their step; here the collection ends them all. */
const struct scheme scheme_anytime = {
    .head = {.name = "anytime",
             .summary = "a fixed time for every step; the estimate is the mean over all rows done by then",
             .source =
                 "Ferdinand et al., arXiv 2006.05752 (Anytime Minibatch), with a master and fixed partitions",
             .params = &table},
    .collects = true,
    .wait = "deadline",
    .late = LATE_CANCEL,
    .lates = 1u << LATE_CANCEL,
    .refuses = refuses,
    .own_wait = own_wait,
    .stragglers = stragglers,
    .fewest = fewest,
    .limits = limits,
    .begin = begin,
    .open = open,
    .assign = assign,
    .finish = finish,
    .hear = hear,
    .decodable = decodable,
    .completions = completions,
    .choose = choose,
    .weigh = weigh,
};
