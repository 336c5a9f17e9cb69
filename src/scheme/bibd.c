#include "code_params.h"
#include "design.h"

struct bibd {
    struct code_params code;
    const char *blocks;
    const struct design *design; /* loaded */
};

struct bibd_run {
    struct listed listed;
    uint32_t copies; /* rho */
};

static bool load(void *params, const struct scheme_files *files) {
    struct bibd *bibd = params;
    bibd->design = design_read(bibd->blocks, files);
    return bibd->design != NULL;
}

static uint32_t partitions(const void *params, uint32_t workers) {
    (void)workers;
    return ((const struct bibd *)params)->design->listing.partitions;
}

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    const struct listing *listing = &((const struct bibd *)params)->design->listing;
    if (listing->workers != shape.workers) {
        sentence_set(why, "blocks has a row for each of %u worker%s, but there are workers = %u",
                     listing->workers, plural(listing->workers), shape.workers);
        return true;
    }
    return code_refuses_stragglers(params, shape, why);
}

static void built(const void *params, struct shape shape, struct sentence *out) {
    const struct design *design = ((const struct bibd *)params)->design;
    sentence_set(out, "%u partition%s, in the file from %u on, %u on each worker and each on %u worker%s",
                 shape.partitions, plural(shape.partitions), design->base,
                 listing_length(&design->listing, 0), design->copies, plural(design->copies));
}

static struct limits limits(const void *params, const struct setting *setting) {
    const struct bibd *bibd = params;
    return listed_even_limits(setting->shape, listing_longest(&bibd->design->listing));
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    const struct bibd *bibd = params;
    struct bibd_run *run = arena_zeroed(arena, 1, sizeof *run);
    (void)code;
    run->copies = bibd->design->copies;
    listed_begin(&run->listed, &bibd->design->listing, setting, arena);
    return run;
}

/* With r results heard each weighs 1 / (1 + (rho - 1)(r - 1)/(n - 1)). Where every two workers share equally many
 * partitions this is the least-squares decoding of any r results: the source has it for r = n - s, what its wait rule
 * hears. In every design it is the equal weight with the least mean squared error over all sets of r workers, and it
 * gives the gradient when all are heard. */
static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct bibd_run *run = state;
    uint32_t workers = run->listed.listing->workers;
    double overlap = workers > 1 ? (run->copies - 1.0) * (messages - 1) / (workers - 1) : 0;
    (void)message;
    listed_weigh_equal(1 / (1 + overlap), messages, out);
}

static const struct param list[] = {
    CODE_STRAGGLERS,
    {.name = "blocks",
     .kind = PARAM_PATH,
     .offset = offsetof(struct bibd, blocks),
     .help = "CSV file without a header, a row per worker: the partitions it holds, counted from 0 or 1"},
};
static const struct param_table table = {PARAM_TABLE(struct bibd, list)};

const struct scheme scheme_bibd = {
    .head = {.name = "bibd",
             .summary = "partitions placed by a block design; a weighted sum, exact when all are heard",
             .source = "Kadhe, Koyluoglu and Ramchandran, arXiv 1904.13373",
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
    .decodable = listed_all_heard,
    .choose = listed_choose_exact,
    .weigh = weigh,
};
