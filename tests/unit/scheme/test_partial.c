/* The partial codes: pieces, which sets of messages decode, and how long a step takes. */
#include "rehearsal.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <float.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

static const char *const names[] = {"partial-fr", "partial-cr"};

static void begin(struct rehearsal *rehearsal, struct arena *arena, const char *name, const char *values,
                  uint32_t workers) {
    const void *params = params_bound(arena, scheme_named(name), values);
    cr_assert(ne(ptr, (void *)params, NULL), "%s, %s", name, values);
    rehearsal_begin(rehearsal, name, params, plain_setting(workers));
}

/* n = 4, s = 1, P = 4: partitions of 3 pieces, of which the last, 3 p + 2, is coded. A row per worker. */
static const struct {
    const char *scheme;
    uint32_t piece[4][4];
} tables[] = {
    {"partial-fr", {{0, 1, 2, 5}, {3, 4, 2, 5}, {6, 7, 8, 11}, {9, 10, 8, 11}}},
    {"partial-cr", {{0, 1, 2, 5}, {3, 4, 5, 8}, {6, 7, 8, 11}, {9, 10, 2, 11}}},
};

Test(partial, pieces_by_hand) {
    struct arena *arena = arena_new();
    for (size_t r = 0; r < sizeof tables / sizeof *tables; r++)
        for (uint32_t i = 0; i < 4; i++) {
            struct rehearsal rehearsal;
            struct task task;
            begin(&rehearsal, arena, tables[r].scheme, "stragglers=1 pieces=4 delay_per=message", 4);
            rehearsal.scheme->assign(rehearsal.state, i, 6, &task);
            cr_expect(eq(u32, task.parts, 2), "%s", tables[r].scheme);
            cr_expect(eq(int, task.delay_per, DELAY_PER_MESSAGE), "%s", tables[r].scheme);
            cr_expect(eq(int, task.sending, SEND_EACH), "%s", tables[r].scheme);
            cr_expect(eq(u32, task.part[0].evaluations, 2), "%s", tables[r].scheme);
            cr_expect(eq(u32, task.part[1].evaluations, 2), "%s", tables[r].scheme);
            cr_expect(eq(dbl, task.part[0].work, 2.0 / 3), "%s", tables[r].scheme);
            cr_expect(eq(dbl, task.part[1].work, 4.0 / 3), "%s", tables[r].scheme);
            for (uint32_t e = 0; e < 4; e++)
                cr_expect(eq(u32, task.evaluation[e].partition, tables[r].piece[i][e]),
                          "%s, worker %u, piece %u", tables[r].scheme, i, e);
            rehearsal_end(&rehearsal);
        }
    arena_free(arena);
}

/* The least-squares solution of a B = 1 over the messages of the mask (bit 2 i + part), by singular values: writes a of
 * least norm and returns the residual. */
static double least_squares(struct rehearsal *rehearsal, uint64_t mask, double *weight) {
    uint32_t workers = rehearsal->setting.shape.workers,
             pieces = workers * cut_pieces(&rehearsal->limits.cut);
    size_t heard = (size_t)__builtin_popcountll(mask), size = pieces > heard ? pieces : heard, row = 0;
    gsl_matrix *u = gsl_matrix_calloc(size, heard), *v = gsl_matrix_alloc(heard, heard);
    gsl_vector *s = gsl_vector_alloc(heard), *work = gsl_vector_alloc(heard);
    gsl_vector *ones = gsl_vector_calloc(size), *a = gsl_vector_alloc(heard);
    for (uint32_t bit = 0; bit < 2 * workers; bit++) {
        size_t terms;
        const struct term *term =
            rehearsed_terms(rehearsal, &(struct message){.worker = bit / 2, .part = bit % 2}, &terms);
        for (size_t e = 0; mask >> bit & 1 && e < terms; e++)
            gsl_matrix_set(u, term[e].partition, row, term[e].coefficient);
        row += mask >> bit & 1;
    }
    for (uint32_t p = 0; p < pieces; p++)
        gsl_vector_set(ones, p, 1);
    gsl_matrix *code = gsl_matrix_alloc(size, heard);
    gsl_matrix_memcpy(code, u);
    gsl_linalg_SV_decomp(u, v, s, work);
    for (size_t q = 0; q < heard; q++)
        if (gsl_vector_get(s, q) < 1e-9 * gsl_vector_get(s, 0))
            gsl_vector_set(s, q, 0);
    gsl_linalg_SV_solve(u, v, s, ones, a);
    double residual = 0;
    for (uint32_t p = 0; p < pieces; p++) {
        double sum = -1;
        for (size_t m = 0; m < heard; m++)
            sum += gsl_vector_get(a, m) * gsl_matrix_get(code, p, m);
        residual = fmax(residual, fabs(sum));
    }
    for (size_t m = 0; m < heard; m++)
        weight[m] = gsl_vector_get(a, m);
    gsl_matrix_free(u);
    gsl_matrix_free(v);
    gsl_matrix_free(code);
    gsl_vector_free(s);
    gsl_vector_free(work);
    gsl_vector_free(ones);
    gsl_vector_free(a);
    return residual;
}

static bool decodable_from(struct rehearsal *rehearsal, uint64_t mask) {
    rehearsal->scheme->open(rehearsal->state, 0, 0);
    for (uint32_t i = 0; i < rehearsal->setting.shape.workers; i++)
        rehearse_task(rehearsal, i, 0);
    for (uint32_t bit = 0; bit < 2 * rehearsal->setting.shape.workers; bit++)
        if (mask >> bit & 1)
            rehearsal->scheme->hear(rehearsal->state, &(struct message){.worker = bit / 2, .part = bit % 2});
    return rehearsal->scheme->decodable(rehearsal->state);
}

/* Messages of the mask, the lower worker first. */
static void rehearse_messages(struct rehearsal *rehearsal, uint64_t mask) {
    double arrived_s[64];
    for (uint32_t bit = 0; bit < 2 * rehearsal->setting.shape.workers; bit++)
        arrived_s[bit] = mask >> bit & 1 ? bit + 1.0 : INFINITY;
    rehearse(rehearsal, 0, arrived_s);
}

/* What a decoding gives every piece is 1, and under cr the weights are the shortest solution: both to rounding times the
 * largest weight and the condition of small random codes, for which 1e-8 leaves a factor of a thousand. */
static void check_decoding(struct rehearsal *rehearsal, const double *weight, const char *values,
                           uint64_t mask) {
    uint32_t workers = rehearsal->setting.shape.workers;
    const struct decoding *decoding = &rehearsal->decoding;
    double tolerance = 1e-8;
    for (uint32_t m = 0; m < rehearsal->messages; m++)
        tolerance = fmax(tolerance, 1e-8 * fabs(decoding->weight[m]));
    cr_assert(eq(int, decoding->claim, EXACT), "%s %#lx", values, (unsigned long)mask);
    cr_assert(eq(u32, decoding->recovered, workers), "%s %#lx", values, (unsigned long)mask);
    for (uint32_t p = 0; p < workers * cut_pieces(&rehearsal->limits.cut); p++)
        cr_assert(epsilon_eq(dbl, estimate_coefficient(rehearsal, p), 1, tolerance), "%s %#lx, piece %u",
                  values, (unsigned long)mask, p);
    bool shortest = rehearsal->scheme == scheme_named("partial-cr");
    for (uint32_t m = 0; shortest && m < rehearsal->messages; m++)
        cr_assert(epsilon_eq(dbl, decoding->weight[m], weight[m], tolerance), "%s %#lx, message %u", values,
                  (unsigned long)mask, m);
}

static const struct {
    const char *scheme, *values;
    uint32_t workers;
} codes[] = {
    {"partial-fr", "stragglers=1 pieces=3", 4}, {"partial-fr", "stragglers=2 pieces=5", 6},
    {"partial-fr", "stragglers=0 pieces=3", 3}, {"partial-cr", "stragglers=1 pieces=3", 4},
    {"partial-cr", "stragglers=2 pieces=5", 5}, {"partial-cr", "stragglers=3 pieces=5", 6},
    {"partial-cr", "stragglers=0 pieces=2", 4},
};

/* All sets of messages. Under cr exactly those with n private sums and n - s coded ones decode; under fr some more would,
 * which the paper's condition does not take. */
Test(partial, every_set_of_messages_against_least_squares, .timeout = 120) {
    struct arena *arena = arena_new();
    for (size_t r = 0; r < sizeof codes / sizeof *codes; r++) {
        struct rehearsal rehearsal;
        double weight[64];
        begin(&rehearsal, arena, codes[r].scheme, codes[r].values, codes[r].workers);
        for (uint64_t mask = 1; mask < 1ULL << 2 * codes[r].workers; mask++) {
            bool decodable = decodable_from(&rehearsal, mask);
            double residual = least_squares(&rehearsal, mask, weight);
            bool unique = rehearsal.scheme == scheme_named("partial-cr");
            cr_assert(decodable ? residual < 1e-8 : !unique || residual > 1e-8, "%s, %s, %#lx: residual %g",
                      codes[r].scheme, codes[r].values, (unsigned long)mask, residual);
            if (!decodable)
                continue;
            rehearse_messages(&rehearsal, mask);
            check_decoding(&rehearsal, weight, codes[r].values, mask);
        }
        rehearsal_end(&rehearsal);
    }
    arena_free(arena);
}

/* Seconds of a step from its tasks: compute 1 s, every worker's delay of its own, exponential with mean 1, or none; the
 * first `slow` workers take `factor` times the compute. */
struct load {
    double delay_mean_s, factor;
    uint32_t slow, step;
};

static double exponential(const struct load *load, uint32_t worker, uint32_t message) {
    struct draw draw = {{5, 0, PURPOSE_DELAY}, worker, load->step, message};
    return load->delay_mean_s > 0 ? -load->delay_mean_s * log(draw_unit(&draw)) : 0;
}

static double step_seconds(struct rehearsal *rehearsal, const struct load *load) {
    uint32_t workers = rehearsal->setting.shape.workers;
    double arrived_s[64];
    rehearsal->scheme->open(rehearsal->state, load->step, load->step);
    for (uint32_t i = 0; i < workers; i++) {
        struct task task;
        rehearsal->scheme->assign(rehearsal->state, i, load->step, &task);
        for (uint32_t q = 0; q < 2; q++)
            arrived_s[2 * i + q] = task.part[q].work * (i < load->slow ? load->factor : 1) +
                                   exponential(load, i, task.delay_per == DELAY_PER_MESSAGE ? q : 0);
    }
    for (;;) {
        uint32_t next = 0;
        for (uint32_t bit = 1; bit < 2 * workers; bit++)
            next = arrived_s[bit] < arrived_s[next] ? bit : next;
        rehearsal->scheme->hear(rehearsal->state, &(struct message){.worker = next / 2, .part = next % 2});
        if (rehearsal->scheme->decodable(rehearsal->state))
            return arrived_s[next];
        arrived_s[next] = INFINITY;
    }
}

/* Means of simulations of their own, with their standard errors; n = 12, exponential delays of mean 1. */
static const struct {
    const char *values;
    double mean_s, error_s;
} means[] = {
    {"stragglers=1 pieces=3", 3.97085, 0.00076},
    {"stragglers=1 pieces=3 delay_per=message", 4.16161, 0.00073},
    {"stragglers=1 pieces=4", 3.94959, 0.00082},
    {"stragglers=1 pieces=4 delay_per=message", 4.16542, 0.00076},
    {"stragglers=2 pieces=4", 4.02397, 0.00071},
    {"stragglers=2 pieces=4 delay_per=message", 4.12804, 0.00068},
};

/* Within 5 standard errors, those of both means together: a false alarm once in 300,000 such tests of 6. */
Test(partial, mean_step_with_exponential_delays, .timeout = 120) {
    struct arena *arena = arena_new();
    enum { STEPS = 20000 };
    for (size_t r = 0; r < sizeof means / sizeof *means; r++)
        for (size_t f = 0; f < 2; f++) {
            struct rehearsal rehearsal;
            double sum = 0, squares = 0;
            begin(&rehearsal, arena, names[f], means[r].values, 12);
            for (uint32_t step = 0; step < STEPS; step++) {
                double seconds = step_seconds(&rehearsal, &(struct load){1, 1, 0, step});
                sum += seconds;
                squares += seconds * seconds;
            }
            double mean = sum / STEPS,
                   error = hypot(sqrt((squares / STEPS - mean * mean) / STEPS), means[r].error_s);
            cr_expect(epsilon_eq(dbl, mean, means[r].mean_s, 5 * error), "%s, %s", names[f], means[r].values);
            rehearsal_end(&rehearsal);
        }
    arena_free(arena);
}

/* No delay, s workers slower by the factor: max(P, factor (P - s - 1)) / (P - s), to rounding. */
static const struct {
    uint32_t stragglers, pieces;
    double factor;
} slow_rows[] = {{1, 3, 2}, {1, 3, 3}, {1, 3, 5}, {2, 6, 1.5}, {2, 6, 2}, {2, 6, 4}, {3, 5, 100}};

Test(partial, step_with_slow_workers_and_no_delay) {
    struct arena *arena = arena_new();
    for (size_t r = 0; r < sizeof slow_rows / sizeof *slow_rows; r++)
        for (size_t f = 0; f < 2; f++) {
            uint32_t stragglers = slow_rows[r].stragglers, pieces = slow_rows[r].pieces;
            double factor = slow_rows[r].factor, cut = pieces - stragglers;
            struct rehearsal rehearsal;
            begin(&rehearsal, arena, names[f],
                  arena_format(arena, "stragglers=%u pieces=%u", stragglers, pieces), 12);
            double seconds = step_seconds(&rehearsal, &(struct load){0, factor, stragglers, 0});
            cr_expect(epsilon_eq(dbl, seconds, fmax(pieces, factor * (cut - 1)) / cut, 1e-12 * factor),
                      "%s, row %zu", names[f], r);
            rehearsal_end(&rehearsal);
        }
    arena_free(arena);
}

static const struct {
    const char *scheme, *values;
    uint32_t workers, partitions;
    const char *why; /* "": accepted */
} refusals[] = {
    {"partial-fr", "stragglers=1 pieces=3", 12, 12, ""},
    {"partial-fr", "stragglers=4 pieces=6", 12, 12, "stragglers + 1 = 5 must divide workers = 12"},
    {"partial-fr", "stragglers=2 pieces=3", 12, 12, "pieces = 3 must be at least stragglers + 2 = 4"},
    {"partial-cr", "stragglers=4 pieces=6", 12, 12, ""},
    {"partial-cr", "stragglers=4 pieces=5", 12, 12, "pieces = 5 must be at least stragglers + 2 = 6"},
    {"partial-cr", "stragglers=12 pieces=14", 12, 12, "stragglers = 12 must be below workers = 12"},
    {"partial-cr", "stragglers=1 pieces=3", 12, 6, "partitions = 6 must equal workers = 12"},
    {"partial-cr", "stragglers=1 pieces=1000000", 1000, 1000,
     "1000000 pieces on each of workers = 1000 are more than the 100000000 in all that fit in memory"},
};

Test(partial, refuses_what_does_not_fit) {
    struct arena *arena = arena_new();
    for (size_t r = 0; r < sizeof refusals / sizeof *refusals; r++) {
        const struct scheme *scheme = scheme_named(refusals[r].scheme);
        struct sentence why = {""};
        bool refused = scheme->refuses(params_bound(arena, scheme, refusals[r].values),
                                       (struct shape){refusals[r].workers, refusals[r].partitions}, &why);
        cr_expect(eq(int, refused, refusals[r].why[0] != '\0'), "row %zu", r);
        cr_expect(eq(str, why.text, (char *)refusals[r].why), "row %zu", r);
    }
    arena_free(arena);
}

/* A private sum is on no other worker, so only rules that hear everybody, or know what decodes, are accepted. */
static const struct {
    const char *rule, *key, *value;
    bool accepted;
} waits[] = {
    {"all", NULL, NULL, true},    {"decodable", NULL, NULL, true},    {"count", "results", "12", true},
    {"count", NULL, NULL, false}, {"deadline", "factor", "2", false}, {"deadline", "seconds", "2", false},
};

Test(partial, wait_rules) {
    struct binder binder = {.diag = diag_new(), .arena = arena_new()};
    struct place place = {"t", 1, 1};
    for (size_t r = 0; r < sizeof waits / sizeof *waits; r++)
        for (size_t f = 0; f < 2; f++) {
            const struct scheme *scheme = scheme_named(names[f]);
            struct picked picked = {&scheme->head,
                                    params_bound(binder.arena, scheme, "stragglers=2 pieces=4")};
            struct picked wait = {0};
            struct node *mapping = node_mapping(binder.arena, place);
            node_append(binder.arena, mapping, "type", node_scalar(binder.arena, place, waits[r].rule));
            if (waits[r].key)
                node_append(binder.arena, mapping, waits[r].key,
                            node_scalar(binder.arena, place, waits[r].value));
            cr_assert(param_bind(&binder, mapping, &wait_table, &wait), "row %zu", r);
            struct sentence why = {""}, expected;
            sentence_set(&expected,
                         "%s may close with 10 of 12 results, but %s with stragglers = 2 needs 12 to decode",
                         waits[r].rule, names[f]);
            bool accepted = scheme_accepts_wait(&picked, (struct shape){12, 12}, &wait, &why);
            cr_expect(eq(int, accepted, waits[r].accepted), "row %zu, %s", r, names[f]);
            cr_expect(eq(str, why.text, accepted ? (char *)"" : expected.text), "row %zu, %s", r, names[f]);
        }
    diag_free(binder.diag);
    arena_free(binder.arena);
}
