#include "cr_subset.h"
#include "jobs.h"
#include "placement.h"
#include "sequential.h"
#include <assert.h>

/* A task has W - 1 + B parts; part q of round r serves job r - q. Each worker sends W - 1 plain chunks of a job, pieces of
 * its own partition, in order, each until it arrived; once it has, what is left of its last B parts are coded chunks. Part
 * W - 1 + b carries those of group b: a CR code with lambda stragglers over piece W - 1 + b of all partitions. With
 * lambda = n there is nothing coded. */
struct m_sgc {
    struct jobs jobs;
    struct burst burst;
    struct placement windows; /* of coded chunks */
    struct cr_code code;      /* of every group */
    struct cr_subset subset;
    uint32_t workers, plains, groups, parts; /* n, W - 1, B or 0, W - 1 + B */
    double part_work;
    uint32_t *delivered; /* [parts * n]: plain chunks of job j, at jobs_slot, that arrived from the worker */
    uint32_t *finished;  /* [parts]: workers of whom all plain chunks of job j, at jobs_slot, arrived */
    uint32_t *coded; /* [parts * groups]: coded chunks of job j, at jobs_slot, that arrived of each group */
    uint32_t
        *carried; /* [parts * n * parts]: piece in each part of the worker's task of round r, at jobs_slot */
    /* Of each worker's task. */
    uint32_t most;                 /* evaluations at most */
    struct evaluation *evaluation; /* [n * most] */
    struct part *part;             /* [n * parts] */
    uint32_t *first;               /* [n * parts]: the part's first evaluation */
};

/* Carried by a part that serves no job, or whose worker has nothing left to send for it. */
#define NOTHING UINT32_MAX

/* What a part carries: a plain or a coded chunk of a job, which its first piece names. */
struct chunk {
    uint32_t worker, job, piece;
};

static uint32_t parts_of(const struct sequential_params *params) {
    return params->bounds.window - 1 + params->bounds.length;
}

static bool uncoded(const struct sequential_params *params, struct shape shape) {
    return params->bounds.distinct == shape.workers;
}

/* Units of a plain chunk, which is also what a coded chunk takes to compute: lambda + 1 pieces of one unit. */
static uint32_t chunk_units(const struct sequential_params *params, struct shape shape) {
    return uncoded(params, shape) ? 1 : params->bounds.distinct + 1;
}

static uint32_t most_evaluations(const struct sequential_params *params, struct shape shape) {
    return params->bounds.window - 1 + params->bounds.length * chunk_units(params, shape);
}

static struct cut cut_of(const struct sequential_params *params, struct shape shape) {
    return (struct cut){.large = params->bounds.window - 1,
                        .size = chunk_units(params, shape),
                        .small = uncoded(params, shape) ? 0 : params->bounds.length};
}

/* Partitions that a chunk is worth. */
static double chunk_work(const struct sequential_params *params, struct shape shape) {
    struct cut cut = cut_of(params, shape);
    return (double)cut.size / cut_units(&cut, cut_pieces(&cut));
}

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    const struct sequential_params *sequential = params;
    if (sequential_refuses(params, shape, why))
        return true;
    uint64_t parts = parts_of(sequential), window = sequential->bounds.window;
    uint64_t chunks = sequential->bounds.length * (uint64_t)chunk_units(sequential, shape);
    return sequential_outgrows(shape, parts * parts + window + chunks, why);
}

static struct limits limits(const void *params, const struct setting *setting) {
    const struct sequential_params *sequential = params;
    uint32_t parts = parts_of(sequential), delay = parts - 1;
    return (struct limits){.terms = chunk_units(sequential, setting->shape),
                           .evaluations = most_evaluations(sequential, setting->shape),
                           .work = parts * chunk_work(sequential, setting->shape),
                           .span = sequential_span(sequential, delay),
                           .parts = parts,
                           .held = delay,
                           .models = sequential_models(sequential, delay),
                           .fractional = true,
                           .cut = cut_of(sequential, setting->shape)};
}

static uint32_t rounds(const void *params, uint32_t steps) {
    return steps + parts_of(params) - 1;
}

/* What is kept of the jobs under way. */
static void begin_jobs(struct m_sgc *sgc, const struct limits *sizes, const struct setting *setting,
                       struct arena *arena) {
    size_t workers = sgc->workers, parts = sgc->parts;
    jobs_begin(&sgc->jobs, sizes, setting, arena);
    sgc->delivered = arena_zeroed(arena, parts * workers, sizeof *sgc->delivered);
    sgc->finished = arena_zeroed(arena, parts, sizeof *sgc->finished);
    sgc->coded = arena_zeroed(arena, parts * sgc->groups, sizeof *sgc->coded);
    sgc->carried = arena_zeroed(arena, parts * workers * parts, sizeof *sgc->carried);
}

static void begin_tasks(struct m_sgc *sgc, struct arena *arena) {
    size_t workers = sgc->workers;
    sgc->evaluation = arena_zeroed(arena, workers * sgc->most, sizeof *sgc->evaluation);
    sgc->part = arena_zeroed(arena, workers * sgc->parts, sizeof *sgc->part);
    sgc->first = arena_zeroed(arena, workers * sgc->parts, sizeof *sgc->first);
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    const struct sequential_params *sequential = params;
    struct shape shape = setting->shape;
    struct limits sizes = limits(params, setting);
    struct m_sgc *sgc = arena_zeroed(arena, 1, sizeof *sgc);
    sgc->workers = shape.workers;
    sgc->plains = sizes.cut.large;
    sgc->groups = sizes.cut.small;
    sgc->parts = sizes.parts;
    sgc->part_work = chunk_work(sequential, shape);
    sgc->most = sizes.evaluations;
    burst_begin(&sgc->burst, sequential->bounds, shape.workers, arena);
    begin_jobs(sgc, &sizes, setting, arena);
    begin_tasks(sgc, arena);
    if (sgc->groups == 0)
        return sgc;
    sgc->windows = placement_cr(shape.workers, sizes.cut.size);
    cr_code_begin(&sgc->code, setting, sequential->bounds.distinct, code, arena);
    cr_subset_begin(&sgc->subset, shape.workers, arena);
    return sgc;
}

static uint32_t *delivered_of(const struct m_sgc *sgc, uint32_t job, uint32_t worker) {
    return &sgc->delivered[(size_t)jobs_slot(&sgc->jobs, job) * sgc->workers + worker];
}

/* [parts]: what the worker's task of a round carries. */
static uint32_t *carried_by(const struct m_sgc *sgc, uint32_t round, uint32_t worker) {
    return &sgc->carried[((size_t)jobs_slot(&sgc->jobs, round) * sgc->workers + worker) * sgc->parts];
}

static void open(void *state, uint32_t round, uint32_t version) {
    struct m_sgc *sgc = state;
    jobs_open(&sgc->jobs, round, version);
    burst_open(&sgc->burst, round);
    uint32_t slot = jobs_slot(&sgc->jobs, round);
    for (uint32_t i = 0; i < sgc->workers; i++)
        *delivered_of(sgc, round, i) = 0;
    for (uint32_t b = 0; b < sgc->groups; b++)
        sgc->coded[(size_t)slot * sgc->groups + b] = 0;
    sgc->finished[slot] = 0;
}

/* The piece that a worker sends in part q of the present round, or NOTHING. */
static uint32_t piece_due(const struct m_sgc *sgc, uint32_t worker, uint32_t q) {
    if (!jobs_began(&sgc->jobs, q))
        return NOTHING;
    uint32_t delivered = *delivered_of(sgc, sgc->jobs.round - q, worker);
    if (delivered < sgc->plains)
        return delivered;
    /* A worker whose every part arrived has sent its plain chunks when the parts of coded ones begin. */
    return sgc->groups > 0 ? q : NOTHING;
}

static bool plain(const struct m_sgc *sgc, uint32_t piece) {
    return piece < sgc->plains;
}

/* Writes what a chunk evaluates, returns how many. */
static uint32_t list_chunk(const struct m_sgc *sgc, struct chunk chunk, struct evaluation *evaluation) {
    if (chunk.piece == NOTHING)
        return 0;
    uint32_t pieces = sgc->plains + sgc->groups;
    struct evaluation own = jobs_evaluation(&sgc->jobs, chunk.job, chunk.worker * pieces + chunk.piece);
    if (plain(sgc, chunk.piece)) {
        *evaluation = own;
        return 1;
    }
    for (uint32_t l = 0; l < sgc->windows.copies; l++) {
        uint32_t position = placement_position(&sgc->windows, chunk.worker, l);
        evaluation[l] = own;
        evaluation[l].partition =
            placement_partition(&sgc->windows, chunk.worker, position) * pieces + chunk.piece;
    }
    return sgc->windows.copies;
}

static void assign(void *state, uint32_t worker, uint32_t round, struct task *task) {
    struct m_sgc *sgc = state;
    size_t own = (size_t)worker * sgc->parts;
    struct evaluation *evaluation = sgc->evaluation + (size_t)worker * sgc->most;
    uint32_t *piece = carried_by(sgc, round, worker), evaluations = 0;
    for (uint32_t q = 0; q < sgc->parts; q++) {
        piece[q] = piece_due(sgc, worker, q);
        uint32_t listed =
            list_chunk(sgc, (struct chunk){worker, round - q, piece[q]}, evaluation + evaluations);
        sgc->first[own + q] = evaluations;
        sgc->part[own + q] = (struct part){.work = (q + 1) * sgc->part_work, .evaluations = listed};
        evaluations += listed;
    }
    *task = (struct task){.step = round,
                          .work = sgc->parts * sgc->part_work,
                          .evaluations = evaluations,
                          .evaluation = evaluation,
                          .parts = sgc->parts,
                          .sending = SEND_TOGETHER,
                          .part = sgc->part + own};
}

static size_t finish(void *state, const struct computed *computed, struct term *term) {
    const struct m_sgc *sgc = state;
    uint32_t worker = computed->worker, copies = sgc->windows.copies;
    size_t own = (size_t)worker * sgc->parts + computed->part;
    const struct evaluation *evaluation = sgc->evaluation + (size_t)worker * sgc->most + sgc->first[own];
    bool coded = sgc->groups > 0 && carried_by(sgc, computed->step, worker)[computed->part] >= sgc->plains;
    for (uint32_t e = 0; e < sgc->part[own].evaluations; e++) {
        size_t entry = coded ? (size_t)worker * copies + placement_position(&sgc->windows, worker, e) : 0;
        term[e] = jobs_term(&evaluation[e], coded ? sgc->code.entry[entry] : 1);
    }
    return sgc->part[own].evaluations;
}

static void hear(void *state, const struct message *message) {
    struct m_sgc *sgc = state;
    burst_hear(&sgc->burst, message->worker);
}

static bool admits(const void *state) {
    return burst_admits(&((const struct m_sgc *)state)->burst);
}

static void count_chunk(struct m_sgc *sgc, struct chunk chunk) {
    uint32_t slot = jobs_slot(&sgc->jobs, chunk.job);
    if (plain(sgc, chunk.piece)) {
        uint32_t delivered = ++*delivered_of(sgc, chunk.job, chunk.worker);
        sgc->finished[slot] += delivered == sgc->plains;
    } else if (chunk.piece != NOTHING)
        sgc->coded[(size_t)slot * sgc->groups + chunk.piece - sgc->plains]++;
}

static void count_chunks(struct m_sgc *sgc) {
    uint32_t round = sgc->jobs.round;
    for (uint32_t i = 0; i < sgc->workers; i++) {
        const uint32_t *piece = carried_by(sgc, round, i);
        for (uint32_t q = 0; sgc->burst.heard[i] && q < sgc->parts; q++)
            count_chunk(sgc, (struct chunk){i, round - q, piece[q]});
    }
}

static bool complete(const struct m_sgc *sgc, uint32_t job) {
    uint32_t slot = jobs_slot(&sgc->jobs, job);
    bool decodable = sgc->finished[slot] == sgc->workers;
    for (uint32_t b = 0; decodable && b < sgc->groups; b++)
        decodable = sgc->coded[(size_t)slot * sgc->groups + b] + sgc->code.stragglers >= sgc->workers;
    return decodable;
}

static uint32_t completions(void *state, const struct message *message, uint32_t messages) {
    struct m_sgc *sgc = state;
    (void)message;
    (void)messages;
    count_chunks(sgc);
    burst_record(&sgc->burst);
    uint32_t before = sgc->jobs.released;
    while (jobs_wait(&sgc->jobs) && complete(sgc, sgc->jobs.released))
        sgc->jobs.released++;
    assert(!jobs_began(&sgc->jobs, sgc->jobs.delay) ||
           sgc->jobs.released + sgc->jobs.delay > sgc->jobs.round);
    return sgc->jobs.released - before;
}

static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    struct m_sgc *sgc = state;
    uint32_t job = jobs_choose(&sgc->jobs);
    for (uint32_t m = 0; m < messages; m++)
        out->weight[m] = message[m].step == job + message[m].part &&
                         carried_by(sgc, message[m].step, message[m].worker)[message[m].part] != NOTHING;
    out->recovered = sgc->workers;
    out->claim = EXACT;
}

/* Whether a message carries the coded chunk of a group; its part then has the number of the piece. */
static bool of_group(const struct m_sgc *sgc, const struct message *message, uint32_t group) {
    uint32_t piece = sgc->plains + group;
    return message->part == piece && carried_by(sgc, message->step, message->worker)[piece] == piece;
}

static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    struct m_sgc *sgc = state;
    out->residual = 0;
    out->largest_weight = 1;
    for (uint32_t b = 0; b < sgc->groups; b++) {
        cr_subset_clear(&sgc->subset);
        for (uint32_t m = 0; m < messages; m++)
            if (out->weight[m] != 0 && of_group(sgc, &message[m], b))
                cr_subset_add(&sgc->subset, &message[m], m);
        cr_subset_weigh(&sgc->subset, &sgc->code, out);
    }
}

extern const struct set_rules m_sgc_sets;
const struct scheme scheme_m_sgc = {
    .head = {.name = "m-sgc",
             .summary = "sequential gradient coding that spreads a job's chunks over W - 1 + B rounds, the "
                        "last B coded; "
                        "exact",
             .source = "Krishnan, Ebrahimi and Khisti, arXiv 2211.13802, section 3.2 (M-SGC)",
             .params = &burst_params},
    .wait = "deadline",
    .late = LATE_CANCEL,
    .lates = 1u << LATE_CANCEL,
    .refuses = refuses,
    .own_wait = sequential_own_wait,
    .takes_no_wait = true,
    .stragglers = sequential_stragglers,
    .fewest = sequential_fewest,
    .limits = limits,
    .begin = begin,
    .rounds = rounds,
    .open = open,
    .assign = assign,
    .finish = finish,
    .hear = hear,
    .admits = admits,
    .completions = completions,
    .choose = choose,
    .weigh = weigh,
    .sets = &m_sgc_sets,
};
