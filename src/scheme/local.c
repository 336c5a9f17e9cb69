#include "choice.h"
#include "code_params.h"

/* Its state. A message holds the gradients along its worker's walk, so the estimate is their mean over the workers heard. */
struct local {
    uint32_t workers, steps; /* n, H */
    bool batches;
    struct evaluation *evaluation; /* [workers * steps] of each worker's present task */
};

struct local_params {
    struct code_params code;
    uint32_t local_steps; /* H */
};

static const struct param list[] = {
    {.name = "stragglers",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct code_params, stragglers),
     .fallback = "0",
     .maximum = 1e6,
     .unit = "workers",
     .help = "workers that an average can do without (s), fewer than there are"},
    {.name = "local_steps",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct local_params, local_steps),
     .minimum = 1,
     .maximum = 1e6,
     .unit = "steps",
     .help = "steps (H) that each worker takes on its own partition between two averages"},
};
static const struct param_table table = {PARAM_TABLE(struct local_params, list)};

static uint32_t steps_of(const void *params) {
    return ((const struct local_params *)params)->local_steps;
}

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    return code_refuses(params, shape, why) || code_refuses_many(shape, steps_of(params), "local_steps", why);
}

static struct limits limits(const void *params, const struct setting *setting) {
    uint32_t steps = steps_of(params);
    (void)setting;
    return (struct limits){
        .terms = steps, .evaluations = steps, .work = steps, .span = 1, .local_steps = steps};
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)code;
    struct local *local = arena_zeroed(arena, 1, sizeof *local);
    local->workers = setting->shape.workers;
    local->steps = steps_of(params);
    local->batches = setting->batches;
    local->evaluation = arena_zeroed(arena, (size_t)local->workers * local->steps, sizeof *local->evaluation);
    return local;
}

static void open(void *state, uint32_t step, uint32_t version) {
    (void)state;
    (void)step;
    (void)version;
}

/* The h-th gradient of a walk that begins at the model of `step`. */
static struct evaluation evaluation_of(const struct local *local, uint32_t worker, uint32_t step,
                                       uint32_t h) {
    return (struct evaluation){
        .partition = worker, .batch = local->batches ? step * local->steps + h : 0, .version = step};
}

static void assign(void *state, uint32_t worker, uint32_t step, struct task *task) {
    struct local *local = state;
    struct evaluation *evaluation = local->evaluation + (size_t)worker * local->steps;
    for (uint32_t h = 0; h < local->steps; h++)
        evaluation[h] = evaluation_of(local, worker, step, h);
    *task = (struct task){
        .step = step, .work = local->steps, .evaluations = local->steps, .evaluation = evaluation};
}

static size_t finish(void *state, const struct computed *computed, struct term *term) {
    const struct local *local = state;
    for (uint32_t h = 0; h < local->steps; h++) {
        struct evaluation evaluation = evaluation_of(local, computed->worker, computed->step, h);
        term[h] = (struct term){.partition = evaluation.partition,
                                .batch = evaluation.batch,
                                .version = evaluation.version,
                                .coefficient = 1.0 / local->steps};
    }
    return local->steps;
}

/* One step of everybody is the full gradient. */
static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct local *local = state;
    (void)message;
    choice_use_all(messages, out);
    out->recovered = messages;
    out->claim = local->steps == 1 ? choice_claim(out, local->workers) : INEXACT;
}

static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct local *local = state;
    (void)message;
    choice_rescale(messages, local->workers, out);
}

const struct scheme scheme_local = {
    .head = {.name = "local",
             .summary = "each worker takes local_steps steps of its own; the model is the mean of theirs",
             .source = "Stich, arXiv 1805.09767 (local SGD); McMahan et al., arXiv 1602.05629",
             .params = &table},
    .walks = true,
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = refuses,
    .stragglers = code_stragglers,
    .fewest = code_any_one,
    .limits = limits,
    .begin = begin,
    .open = open,
    .assign = assign,
    .finish = finish,
    .choose = choose,
    .weigh = weigh,
};
