#include "code_params.h"

static const char *const warmups[] = {[WARMUP_FREE] = "free", [WARMUP_TIMED] = "timed", NULL};

static const struct param straggler_list[] = {CODE_STRAGGLERS};

static const struct param copies_list[] = {CODE_STRAGGLERS, CODE_COPIES};

static const struct param pipeline_list[] = {
    CODE_STRAGGLERS,
    {.name = "warmup",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct code_params, warmup),
     .fallback = "free",
     .choices = warmups,
     .help = "whether the clock counts the evaluation of all partitions before the first step"},
};

const struct param_table straggler_params = {PARAM_TABLE(struct code_params, straggler_list)};
const struct param_table copies_params = {PARAM_TABLE(struct code_params, copies_list)};
const struct param_table pipeline_params = {PARAM_TABLE(struct code_params, pipeline_list)};

uint32_t code_stragglers(const void *params) {
    return ((const struct code_params *)params)->stragglers;
}

uint32_t code_all_but_stragglers(const void *params, struct shape shape) {
    return shape.workers - code_stragglers(params);
}

uint32_t code_any_one(const void *params, struct shape shape) {
    (void)params;
    (void)shape;
    return 1;
}

uint32_t code_copies(const struct code_params *params) {
    return params->stragglers + 1;
}

bool code_refuses_stragglers(const void *params, struct shape shape, struct sentence *why) {
    if (code_stragglers(params) < shape.workers)
        return false;
    sentence_set(why, "stragglers = %u must be below workers = %u", code_stragglers(params), shape.workers);
    return true;
}

bool code_refuses(const void *params, struct shape shape, struct sentence *why) {
    if (shape.partitions != shape.workers) {
        sentence_set(why, "partitions = %u must equal workers = %u", shape.partitions, shape.workers);
        return true;
    }
    return code_refuses_stragglers(params, shape, why);
}

/* What a code keeps for each partition on each worker takes some dozens of bytes. */
#define MOST_COPIES 100000000

bool code_refuses_many(struct shape shape, uint32_t each, const char *noun, struct sentence *why) {
    uint64_t all = (uint64_t)shape.workers * each;
    if (all <= MOST_COPIES)
        return false;
    sentence_set(why, "%u %s on each of workers = %u are more than the %d in all that fit in memory", each,
                 noun, shape.workers, MOST_COPIES);
    return true;
}

bool code_refuses_load(const void *params, struct shape shape, uint32_t copies, struct sentence *why) {
    return code_refuses_stragglers(params, shape, why) || code_refuses_many(shape, copies, "partitions", why);
}

bool code_refuses_windows(const void *params, struct shape shape, struct sentence *why) {
    return code_refuses(params, shape, why) ||
           code_refuses_many(shape, code_copies(params), "partitions", why);
}

bool code_refuses_fr(const void *params, struct shape shape, struct sentence *why) {
    if (code_refuses_windows(params, shape, why))
        return true;
    uint32_t copies = code_copies(params);
    if (shape.workers % copies != 0) {
        sentence_set(why, "stragglers + 1 = %u must divide workers = %u", copies, shape.workers);
        return true;
    }
    return false;
}

bool code_refuses_copies(const void *params, struct shape shape, struct sentence *why) {
    if (code_refuses(params, shape, why))
        return true;
    uint32_t copies = ((const struct code_params *)params)->copies;
    if (copies > shape.workers) {
        sentence_set(why, "copies = %u must be at most workers = %u", copies, shape.workers);
        return true;
    }
    return code_refuses_many(shape, copies, "partitions", why);
}

bool code_refuses_groups(const void *params, struct shape shape, struct sentence *why) {
    if (code_refuses_copies(params, shape, why))
        return true;
    uint32_t copies = ((const struct code_params *)params)->copies;
    if (shape.workers % copies == 0)
        return false;
    sentence_set(why, "copies = %u must divide workers = %u", copies, shape.workers);
    return true;
}
