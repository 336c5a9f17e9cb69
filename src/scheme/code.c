#include "code_matrix.h"
#include "code_params.h"
#include "linear_code.h"
#include <math.h>

struct code {
    struct code_params code;
    const char *path;
    uint32_t decoder;                 /* enum decoder */
    const struct code_matrix *matrix; /* loaded */
};

/* Column sums smaller than this beside the largest entry are rounding. */
#define NOTHING 1e-9

static bool load(void *params, const struct scheme_files *files) {
    struct code *code = params;
    code->matrix = code_matrix_read(code->path, files);
    return code->matrix != NULL;
}

static uint32_t partitions(const void *params, uint32_t workers) {
    (void)workers;
    return ((const struct code *)params)->matrix->listing.partitions;
}

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    const struct code *code = params;
    uint32_t rows = code->matrix->listing.workers;
    if (rows != shape.workers) {
        sentence_set(why, "matrix has a row for each of %u worker%s, but there are workers = %u", rows,
                     plural(rows), shape.workers);
        return true;
    }
    if (code_refuses_stragglers(params, shape, why))
        return true;
    if (code->decoder == DECODER_LEAST_SQUARES)
        return least_squares_refuses(shape, why);
    if (fabs(code->matrix->copies) > NOTHING * code->matrix->largest)
        return false;
    sentence_set(
        why, "decoder: %s divides by the mean sum of a column, which is 0 in this matrix; use least-squares",
        all_decoders[code->decoder]);
    return true;
}

static void built(const void *params, struct shape shape, struct sentence *out) {
    const struct code_matrix *matrix = ((const struct code *)params)->matrix;
    size_t entries = matrix->listing.first[shape.workers];
    sentence_set(
        out,
        "%u partition%s, on average %.6g on a worker; the coefficients of a partition add up to %.6g on "
        "average",
        shape.partitions, plural(shape.partitions), (double)entries / shape.workers, matrix->copies);
}

static struct limits limits(const void *params, const struct setting *setting) {
    const struct code *code = params;
    return listed_limits(setting->shape, listing_longest(&code->matrix->listing));
}

static void *begin(const void *params, const struct setting *setting, struct stream stream,
                   struct arena *arena) {
    const struct code *code = params;
    struct linear_code *linear = arena_zeroed(arena, 1, sizeof *linear);
    (void)stream;
    linear->decoder = (enum decoder)code->decoder;
    linear->stragglers = code->code.stragglers;
    linear->copies = code->matrix->copies;
    linear_code_begin(linear, &code->matrix->listing, setting, arena);
    return linear;
}

static const struct param list[] = {
    CODE_STRAGGLERS,
    {.name = "matrix",
     .kind = PARAM_PATH,
     .offset = offsetof(struct code, path),
     .help =
         "CSV file without a header, a row per worker, a column per partition: coefficients, 0: not held"},
    {.name = "decoder",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct code, decoder),
     .fallback = "one-step",
     .choices = all_decoders,
     .help =
         "weights of results: one-step n / (heard * mean column sum); least-squares; or constant, with n - s "
         "for heard"},
};
static const struct param_table table = {PARAM_TABLE(struct code, list)};

const struct scheme scheme_code = {
    .head = {.name = "code",
             .summary = "any linear code, its matrix from a file; an estimate, never called exact",
             .source =
                 "decoders: Charles, Papailiopoulos and Ellenberg, arXiv 1711.06771; Glasgow and Wootters, "
                 "arXiv 2006.09638",
             .params = &table},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .load = load,
    .partitions = partitions,
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
