#include "wait.h"
#include <math.h>

struct deadline_params {
    double factor; /* 1 + mu; NAN when `seconds` is given */
    uint32_t
        otherwise; /* of `otherwises`: what follows when the code does not admit those who miss a deadline of `factor` */
    double seconds_s; /* NAN when `factor` is given */
    uint32_t min;     /* results without which `seconds` does not close; PARAM_ABSENT: n - s */
};

static const char *const otherwises[] = {"all", NULL};

static const struct param list[] = {
    {.name = "factor",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct deadline_params, factor),
     .fallback = "",
     .minimum = 1,
     .help = "the deadline is this times the first arrival; instead of seconds"},
    {.name = "else",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct deadline_params, otherwise),
     .fallback = "",
     .choices = otherwises,
     .help =
         "whom to wait for when the code does not bear those who miss a deadline of factor; default: all"},
    {.name = "seconds",
     .kind = PARAM_SECONDS,
     .offset = offsetof(struct deadline_params, seconds_s),
     .fallback = "",
     .minimum = 0,
     .unit = "s",
     .help = "the deadline after the step opened; instead of factor"},
    {.name = "min",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct deadline_params, min),
     .fallback = "",
     .minimum = 0,
     .unit = "results",
     .help = "results without which a deadline of seconds does not close; default: workers - stragglers"},
};

static bool in_seconds(const struct deadline_params *deadline) {
    return isnan(deadline->factor);
}

static const char *check(const void *values, struct sentence *why) {
    const struct deadline_params *deadline = values;
    if (isnan(deadline->factor) == isnan(deadline->seconds_s)) {
        sentence_set(why, "give exactly one of factor and seconds");
        return in_seconds(deadline) ? "" : "seconds";
    }
    if (in_seconds(deadline) && deadline->otherwise != PARAM_ABSENT) {
        sentence_set(why, "else goes with factor; a deadline of seconds waits for min results");
        return "else";
    }
    if (!in_seconds(deadline) && deadline->min != PARAM_ABSENT) {
        sentence_set(why, "min goes with seconds; a deadline of factor admits workers - stragglers results");
        return "min";
    }
    return NULL;
}

static const struct param_table table = {PARAM_TABLE(struct deadline_params, list), .check = check};

static uint32_t assured(const void *params, uint32_t workers, uint32_t stragglers) {
    uint32_t min = ((const struct deadline_params *)params)->min;
    return min == PARAM_ABSENT ? wait_needed(workers, stragglers) : min;
}

static bool enough(const void *params, const struct hearing *hearing) {
    return hearing->heard >= assured(params, hearing->workers, hearing->stragglers);
}

static struct verdict open(const void *params, const struct hearing *hearing) {
    const struct deadline_params *deadline = params;
    (void)hearing;
    struct verdict verdict = {LISTEN, NO_ALARM};
    if (in_seconds(deadline))
        verdict.alarm_s = deadline->seconds_s;
    return verdict;
}

/* A deadline in seconds that passed with too few results leaves it to the min-th one to close. */
static bool past(const struct deadline_params *deadline, const struct hearing *hearing) {
    return in_seconds(deadline) && hearing->elapsed_s > deadline->seconds_s;
}

static struct verdict hear(const void *params, const struct hearing *hearing) {
    const struct deadline_params *deadline = params;
    bool closes = hearing->heard == hearing->workers || (past(deadline, hearing) && enough(params, hearing));
    struct verdict verdict = {closes ? CLOSE : LISTEN, NO_ALARM};
    if (!closes && !in_seconds(deadline) && hearing->heard == 1)
        verdict.alarm_s = deadline->factor * hearing->first_s;
    return verdict;
}

static struct verdict alarm(const void *params, const struct hearing *hearing) {
    bool closes = in_seconds(params) ? enough(params, hearing) : hearing->admitted;
    return (struct verdict){closes ? CLOSE : LISTEN, NO_ALARM};
}

static double factor(const void *params) {
    return ((const struct deadline_params *)params)->factor;
}

static bool refuses(const void *params, uint32_t workers, uint32_t stragglers, struct sentence *why) {
    uint32_t min = assured(params, workers, stragglers);
    if (min <= workers)
        return false;
    sentence_set(why, "min = %u must be at most %u, the number of workers", min, workers);
    return true;
}

const struct wait_rule wait_deadline = {
    .head = {.name = "deadline",
             .summary = "close at a time if enough were heard by then",
             .source = "factor: Krishnan, Ebrahimi and Khisti, arXiv 2211.13802",
             .params = &table},
    .open = open,
    .hear = hear,
    .alarm = alarm,
    .assured = assured,
    .factor = factor,
    .refuses = refuses,
};
