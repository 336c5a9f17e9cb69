#include "balance.h"
#include "code_params.h"
#include "listed.h"
#include <math.h>
#include <stdlib.h>

struct sgc {
    struct code_params code;
    uint32_t replication; /* d */
    double p;             /* NAN: s / n */
};

struct sgc_run {
    struct listed listed;
    bool sure; /* p = 0: all results together are the gradient */
};

static double straggling(const struct sgc *sgc, uint32_t workers) {
    return isnan(sgc->p) ? (double)sgc->code.stragglers / workers : sgc->p;
}

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    const struct sgc *sgc = params;
    if (code_refuses(params, shape, why))
        return true;
    if (sgc->replication > shape.workers) {
        sentence_set(why, "replication = %u must be in [1, %u], the number of workers", sgc->replication,
                     shape.workers);
        return true;
    }
    return code_refuses_load(params, shape, sgc->replication, why);
}

static struct limits limits(const void *params, const struct setting *setting) {
    return listed_even_limits(setting->shape, ((const struct sgc *)params)->replication);
}

/* Writes the partitions i - o (mod n) in ascending order: those of offsets up to i, then those that wrap. */
static void write_list(uint32_t worker, uint32_t workers, const struct sgc *sgc, const uint32_t *offset,
                       uint32_t *partition) {
    uint32_t below = 0;
    while (below < sgc->replication && offset[below] <= worker)
        below++;
    for (uint32_t q = below; q-- > 0;)
        *partition++ = worker - offset[q];
    for (uint32_t q = sgc->replication; q-- > below;)
        *partition++ = worker + workers - offset[q];
}

static struct listing *balanced(const struct sgc *sgc, uint32_t workers, struct arena *arena) {
    struct listing *listing = arena_zeroed(arena, 1, sizeof *listing);
    uint32_t *offset = arena_zeroed(arena, sgc->replication, sizeof *offset);
    size_t entries = (size_t)workers * sgc->replication;
    *listing = (struct listing){.workers = workers,
                                .partitions = workers,
                                .first = arena_zeroed(arena, (size_t)workers + 1, sizeof *listing->first),
                                .partition = arena_zeroed(arena, entries, sizeof *listing->partition),
                                .common = 1 / (sgc->replication * (1 - straggling(sgc, workers)))};
    balanced_offsets(workers, sgc->replication, offset);
    for (uint32_t i = 0; i < workers; i++) {
        write_list(i, workers, sgc, offset, listing->partition + listing->first[i]);
        listing->first[i + 1] = listing->first[i] + sgc->replication;
    }
    return listing;
}

static void built(const void *params, struct shape shape, struct sentence *out) {
    const struct sgc *sgc = params;
    uint32_t *offset = memory_zeroed(sgc->replication, sizeof *offset);
    balanced_offsets(shape.workers, sgc->replication, offset);
    struct shares shares = balanced_shares(shape.workers, offset, sgc->replication);
    free(offset);
    sentence_set(out, "every two partitions share %u to %u workers; it allows for p = %.6g", shares.fewest,
                 shares.most, straggling(sgc, shape.workers));
}

/* Every partition weighs 1 / (1 - p) when all are heard. */
static bool never_exact(const void *params, struct shape shape) {
    return straggling(params, shape.workers) > 0;
}

/* The placement is found, not drawn. */
static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    struct sgc_run *run = arena_zeroed(arena, 1, sizeof *run);
    (void)code;
    run->sure = !never_exact(params, setting->shape);
    listed_begin(&run->listed, balanced(params, setting->shape.workers, arena), setting, arena);
    return run;
}

static bool decodable(const void *state) {
    return ((const struct sgc_run *)state)->sure && listed_all_heard(state);
}

static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct sgc_run *run = state;
    listed_choose_exact(state, message, messages, out);
    out->claim = run->sure ? out->claim : INEXACT;
}

static const char *check(const void *values, struct sentence *why) {
    const struct sgc *sgc = values;
    if (!(sgc->p >= 1))
        return NULL;
    sentence_set(why, "must be in [0, 1): at 1 nobody ever answers");
    return "p";
}

static const struct param list[] = {
    CODE_STRAGGLERS,
    {.name = "replication",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct sgc, replication),
     .minimum = 1,
     .maximum = 1e6,
     .unit = "workers",
     .help =
         "workers that hold each partition (d), so partitions on each worker, at most as many as there are"},
    {.name = "p",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct sgc, p),
     .fallback = "",
     .minimum = 0,
     .maximum = 1,
     .help =
         "probability that a worker straggles, below 1, which the estimate allows for; default: stragglers / "
         "workers"},
};
static const struct param_table table = {PARAM_TABLE(struct sgc, list), .check = check};

const struct scheme scheme_sgc = {
    .head = {.name = "sgc",
             .summary = "partitions on d workers, pairs spread evenly; the sum of what was heard, unbiased",
             .source = "Bitar, Wootters and El Rouayheb, arXiv 1905.05383 (stochastic gradient coding)",
             .params = &table},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = refuses,
    .built = built,
    .stragglers = code_stragglers,
    .fewest = code_any_one,
    .limits = limits,
    .begin = begin,
    .open = listed_open,
    .assign = listed_assign,
    .finish = listed_finish,
    .hear = listed_hear,
    .decodable = decodable,
    .never_exact = never_exact,
    .choose = choose,
    .weigh = listed_weigh_one,
};
