#include "code_params.h"
#include "elementary.h"
#include "linear_code.h"
#include <math.h>

/* B is n x n; an entry is 1 with probability d / n, else 0. */
struct bgc {
    struct code_params code;
    double density;   /* d */
    uint32_t decoder; /* enum decoder */
};

/* No worker holds more partitions than this. Their number is binomial with mean d, and by Bernstein's inequality exceeds
 * d + x/3 + sqrt(x^2/9 + 2 x d) with a probability below e^-x: with x = 60, below 1e-20 even among a million workers. A
 * list that would be longer ends there. */
static uint32_t longest_list(const struct bgc *bgc, uint32_t workers) {
    double x = 60, bound = ceil(bgc->density + x / 3 + sqrt(x * x / 9 + 2 * x * bgc->density));
    return bound < workers ? (uint32_t)bound : workers;
}

/* Partitions to pass over before the next one that a worker holds: geometric, so that each is held independently with
 * this probability. */
static double gap(struct draw draw, double probability) {
    if (probability >= 1)
        return 0;
    return floor(elementary_log(draw_unit(&draw)) / elementary_log(1 - probability));
}

/* Draws the worker's list and returns its length. The e-th gap is keyed (seed, replication 0, CODE, worker, step = e). */
static uint32_t draw_list(const struct bgc *bgc, struct draw draw, uint32_t workers, uint32_t *partition) {
    uint32_t most = longest_list(bgc, workers), length = 0;
    for (double next = 0; length < most; next++) {
        draw.step = length;
        next += gap(draw, bgc->density / workers);
        if (next >= workers)
            break;
        partition[length++] = (uint32_t)next;
    }
    return length;
}

static struct listing *drawn(const struct bgc *bgc, uint32_t workers, uint64_t seed, struct arena *arena) {
    struct listing *listing = arena_zeroed(arena, 1, sizeof *listing);
    size_t entries = (size_t)workers * longest_list(bgc, workers);
    *listing = (struct listing){.workers = workers,
                                .partitions = workers,
                                .first = arena_zeroed(arena, (size_t)workers + 1, sizeof *listing->first),
                                .partition = arena_zeroed(arena, entries, sizeof *listing->partition),
                                .common = 1};
    for (uint32_t i = 0; i < workers; i++) {
        struct draw draw = {.stream = {.seed = seed, .purpose = PURPOSE_CODE}, .worker = i};
        listing->first[i + 1] =
            listing->first[i] + draw_list(bgc, draw, workers, listing->partition + listing->first[i]);
    }
    return listing;
}

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    const struct bgc *bgc = params;
    if (code_refuses(params, shape, why))
        return true;
    if (bgc->density > shape.workers) {
        sentence_set(why, "density = %g must be in [0.001, %u], the number of workers", bgc->density,
                     shape.workers);
        return true;
    }
    if (bgc->decoder == DECODER_LEAST_SQUARES && least_squares_refuses(shape, why))
        return true;
    return code_refuses_load(params, shape, longest_list(bgc, shape.workers), why);
}

static void built(const void *params, struct shape shape, struct sentence *out) {
    const struct bgc *bgc = params;
    double nobody = exp(shape.workers * log1p(-bgc->density / shape.workers));
    sentence_set(out, "%.6g partitions on a worker on average, about %.3g partitions on no worker",
                 bgc->density, shape.workers * nobody);
}

static struct limits limits(const void *params, const struct setting *setting) {
    return listed_limits(setting->shape, longest_list(params, setting->shape.workers));
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    const struct bgc *bgc = params;
    struct linear_code *linear = arena_zeroed(arena, 1, sizeof *linear);
    linear->decoder = (enum decoder)bgc->decoder;
    linear->stragglers = bgc->code.stragglers;
    linear->copies = bgc->density;
    linear_code_begin(linear, drawn(bgc, setting->shape.workers, code.seed, arena), setting, arena);
    return linear;
}

static const struct param list[] = {
    CODE_STRAGGLERS,
    {.name = "density",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct bgc, density),
     .minimum = 1e-3,
     .maximum = 1e6,
     .unit = "partitions",
     .help = "partitions on each worker in the mean (d), at most as many as there are"},
    {.name = "decoder",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct bgc, decoder),
     .fallback = "one-step",
     .choices = linear_decoders,
     .help = "weights of results: one-step, all n / (heard * density); or least-squares"},
};
static const struct param_table table = {PARAM_TABLE(struct bgc, list)};

const struct scheme scheme_bgc = {
    .head = {.name = "bgc",
             .summary = "each worker holds each partition with probability d / n; an estimate, never exact",
             .source = "Charles, Papailiopoulos and Ellenberg, arXiv 1711.06771: Bernoulli gradient codes",
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
    .never_exact = linear_code_never_exact,
    .choose = listed_choose,
    .weigh = linear_code_weigh,
};
