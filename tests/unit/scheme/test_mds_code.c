/* The cyclic MDS code against its polynomial, and its decoding against least squares. */
#include "cr_measure.h"
#include "mds_code.h"
#include "rehearsal.h"
#include <complex.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <float.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double complex number(double real, double imaginary) {
    return real + imaginary * I;
}

static struct mds_code code_of(uint32_t workers, uint32_t stragglers, enum mds_field field,
                               struct arena *arena) {
    struct mds_code code = {.field = field};
    mds_code_begin(&code, workers, stragglers, arena);
    return code;
}

static bool exists(uint32_t workers, uint32_t stragglers, enum mds_field field) {
    return field == MDS_COMPLEX || stragglers == 0 || (workers - stragglers) % 2 == 1;
}

#define CODE          "n = %u, s = %u, %s"
#define CODE_OF(code) (code)->workers, (code)->stragglers, (code)->field == MDS_REAL ? "real" : "complex"

/* B_ip. */
static double complex entry_of(const struct mds_code *code, uint32_t worker, uint32_t partition) {
    uint32_t position = (partition + code->workers - worker) % code->workers, copies = code->stragglers + 1;
    return position < copies ? number(code->row[position], code->row[copies + position]) : 0;
}

/* Calls `check` for all codes of up to `most` workers. */
static void each_code(uint32_t most, void (*check)(struct mds_code *)) {
    for (uint32_t n = 1; n <= most; n++)
        for (uint32_t s = 0; s < n; s++)
            for (enum mds_field field = MDS_REAL; field <= MDS_COMPLEX; field++) {
                if (!exists(n, s, field))
                    continue;
                struct arena *arena = arena_new();
                struct mds_code code = code_of(n, s, field, arena);
                check(&code);
                arena_free(arena);
            }
}

/* Multiplies the polynomial out, root by root. Its coefficients are at most 2^s, each of s products adds a few roundings
 * of that size. */
static void check_row(struct mds_code *code) {
    uint32_t n = code->workers, s = code->stragglers;
    double complex gamma[16] = {1};
    double begin = code->field == MDS_REAL ? (n + 1.0 - s) / 2 : 1;
    for (uint32_t t = 0; t < s; t++) {
        double complex root = cexp(number(0, 2 * M_PI * (begin + t) / n));
        for (uint32_t j = t + 2; j-- > 0;)
            gamma[j] = (j > 0 ? gamma[j - 1] : 0) - root * gamma[j];
    }
    for (uint32_t j = 0; j <= s; j++)
        cr_assert(lt(dbl, cabs(entry_of(code, 0, j % n) - gamma[j] / gamma[0]),
                     8 * (s + 1) * ldexp(DBL_EPSILON, (int)s)),
                  CODE ", position %u", CODE_OF(code), j);
}

Test(mds_code, rows_are_the_polynomial_of_its_roots) {
    each_code(13, check_row);
}

/* At n = 4000 and s = 500 the entries, up to 1e99, still are positive and symmetric in the real form, and their sum is
 * the value at 1: prod 2 cos(pi q / n). 500 quotients lose at most some 1500 roundings. */
Test(mds_code, long_rows_keep_their_digits) {
    struct arena *arena = arena_new();
    struct mds_code code = code_of(4001, 500, MDS_REAL, arena);
    double sum = 0, product = 1;
    for (uint32_t j = 0; j <= 500; j++) {
        cr_expect(lt(dbl, 0, code.row[j]));
        cr_expect(epsilon_eq(dbl, code.row[j] / code.row[500 - j], 1, 3000 * DBL_EPSILON), "position %u", j);
        sum += code.row[j];
        product *= 2 * cos(M_PI * (j - 249.5) / 4001);
    }
    product /= 2 * cos(M_PI * 250.5 / 4001);
    cr_expect(epsilon_eq(dbl, sum / product, 1, 6000 * DBL_EPSILON));
    arena_free(arena);
}

static uint32_t messages_of(uint64_t mask, uint32_t workers, struct message *message) {
    uint32_t messages = 0;
    for (uint32_t i = 0; i < workers; i++)
        if (mask >> i & 1)
            message[messages++] = (struct message){.worker = i};
    return messages;
}

static double complex weight_of(const struct mds_code *code, uint32_t worker) {
    return number(code->real[worker], code->imaginary[worker]);
}

/* The largest |(a B)_p - 1|, all imaginary parts included. */
static double residual_of(const struct mds_code *code) {
    double largest = 0;
    for (uint32_t p = 0; p < code->workers; p++) {
        double complex sum = -1;
        for (uint32_t i = 0; i < code->workers; i++)
            sum += weight_of(code, i) * entry_of(code, i, p);
        largest = fmax(largest, cabs(sum));
    }
    return largest;
}

static double largest_weight(const struct mds_code *code) {
    double largest = 0;
    for (uint32_t i = 0; i < code->workers; i++)
        largest = fmax(largest, cabs(weight_of(code, i)));
    return largest;
}

/* The twin: the a that makes |a B_R - 1|^2 least, as a real problem by singular values. Unknowns are the real parts of the
 * weights, then the imaginary parts. */
static void least_squares(const struct mds_code *code, const struct message *message, uint32_t messages,
                          gsl_vector *solution) {
    uint32_t n = code->workers;
    gsl_matrix *left = gsl_matrix_alloc(2 * n, 2 * messages),
               *right = gsl_matrix_alloc(2 * messages, 2 * messages);
    gsl_vector *value = gsl_vector_alloc(2 * messages), *work = gsl_vector_alloc(2 * messages);
    gsl_vector *ones = gsl_vector_calloc(2 * n);
    for (uint32_t p = 0; p < n; p++) {
        gsl_vector_set(ones, p, 1);
        for (uint32_t m = 0; m < messages; m++) {
            double complex entry = entry_of(code, message[m].worker, p);
            gsl_matrix_set(left, p, m, creal(entry));
            gsl_matrix_set(left, p, messages + m, -cimag(entry));
            gsl_matrix_set(left, n + p, m, cimag(entry));
            gsl_matrix_set(left, n + p, messages + m, creal(entry));
        }
    }
    gsl_linalg_SV_decomp(left, right, value, work);
    gsl_linalg_SV_solve(left, right, value, ones, solution);
    gsl_matrix_free(left);
    gsl_matrix_free(right);
    gsl_vector_free(value);
    gsl_vector_free(work);
    gsl_vector_free(ones);
}

/* With just s stragglers the rows heard are independent and the solution is unique. Entries of B are below 2^s = 128 and
 * so is the condition of B_R, give or take a factor of 1e3 for adjacent stragglers: 1e-10 of the largest weight leaves
 * some digits for both. */
static void check_all_sets(struct mds_code *code) {
    struct message message[16];
    uint32_t n = code->workers;
    for (uint64_t mask = 1; mask < 1ULL << n; mask++) {
        uint32_t messages = messages_of(mask, n, message);
        if (messages < n - code->stragglers)
            continue;
        mds_code_decode(code, message, messages);
        double largest = fmax(1, largest_weight(code));
        cr_assert(lt(dbl, residual_of(code), 1e-12 * largest), CODE ", heard %#lx", CODE_OF(code),
                  (unsigned long)mask);
        for (uint32_t i = 0; i < n; i++)
            cr_assert(mask >> i & 1 || weight_of(code, i) == 0, CODE, CODE_OF(code));
        if (messages > n - code->stragglers)
            continue;
        gsl_vector *twin = gsl_vector_alloc(2 * messages);
        least_squares(code, message, messages, twin);
        for (uint32_t m = 0; m < messages; m++) {
            double complex other = number(gsl_vector_get(twin, m), gsl_vector_get(twin, messages + m));
            cr_assert(lt(dbl, cabs(weight_of(code, message[m].worker) - other), 1e-10 * largest),
                      CODE ", heard %#lx, message %u", CODE_OF(code), (unsigned long)mask, m);
        }
        gsl_vector_free(twin);
    }
}

Test(mds_code, decodes_all_straggler_sets_like_least_squares, .timeout = 120) {
    each_code(8, check_all_sets);
}

/* The largest |a| over all sets of s stragglers, to three digits. */
static const struct {
    uint32_t workers, stragglers;
    enum mds_field field;
    double largest;
} tables[] = {
    {12, 1, MDS_REAL, 1},       {12, 3, MDS_REAL, 4.00},    {12, 5, MDS_REAL, 5.46},
    {16, 1, MDS_REAL, 1},       {16, 3, MDS_REAL, 6.83},    {16, 5, MDS_REAL, 15.8},
    {24, 1, MDS_REAL, 1},       {24, 3, MDS_REAL, 14.9},    {24, 5, MDS_REAL, 74.7},
    {12, 1, MDS_COMPLEX, 3.86}, {12, 2, MDS_COMPLEX, 7.46}, {12, 3, MDS_COMPLEX, 10.2},
    {12, 4, MDS_COMPLEX, 10.2},
};

Test(mds_code, largest_weights_of_all_straggler_sets, .timeout = 120) {
    for (size_t r = 0; r < sizeof tables / sizeof *tables; r++) {
        struct arena *arena = arena_new();
        uint32_t n = tables[r].workers;
        struct mds_code code = code_of(n, tables[r].stragglers, tables[r].field, arena);
        struct message message[24];
        double largest = 0;
        for (uint64_t silent = 0; silent < 1ULL << n; silent++) {
            if ((uint32_t)__builtin_popcountll(silent) != tables[r].stragglers)
                continue;
            mds_code_decode(&code, message, messages_of(~silent, n, message));
            largest = fmax(largest, largest_weight(&code));
        }
        cr_expect(epsilon_eq(dbl, largest, tables[r].largest, 0.00501 * tables[r].largest), CODE ": %g",
                  CODE_OF(&code), largest);
        arena_free(arena);
    }
}

/* With one straggler and n even every second worker suffices, and the others weigh nothing at all. */
Test(mds_code, one_straggler_leaves_every_second_worker) {
    struct arena *arena = arena_new();
    struct mds_code code = code_of(10, 1, MDS_REAL, arena);
    struct message message[10];
    mds_code_decode(&code, message, messages_of(0x3f7, 10, message));
    for (uint32_t i = 0; i < 10; i++)
        cr_expect(eq(dbl, code.real[i], i % 2 == 0), "worker %u", i);
    arena_free(arena);
}

/* All but the workers of a list are heard. */
static uint32_t messages_without(const uint32_t *silent, uint32_t stragglers, uint32_t workers,
                                 struct message *message) {
    uint32_t messages = 0;
    for (uint32_t i = 0; i < workers; i++) {
        bool heard = true;
        for (uint32_t q = 0; q < stragglers; q++)
            heard = heard && silent[q] != i;
        if (heard)
            message[messages++] = (struct message){.worker = i};
    }
    return messages;
}

static struct decoding measured(struct mds_code *code, const struct message *message, uint32_t messages,
                                double *weight) {
    double *sum = calloc(code->workers, sizeof *sum);
    struct decoding decoding = {.weight = weight};
    struct cr_rows rows = {
        .workers = code->workers, .copies = code->stragglers + 1, .entry = code->row, .sum = sum};
    mds_code_decode(code, message, messages);
    for (uint32_t m = 0; m < messages; m++)
        weight[m] = code->real[message[m].worker];
    cr_measure(&rows, message, messages, &decoding);
    free(sum);
    return decoding;
}

/* Adjacent stragglers at n = 256: the largest weight is near (n / pi)^(s-1) / (2 (s-1)!), and rounding of the products with
 * entries of up to 2^s shows in the residual, at least as half a unit in the last place of that. Where they are spread
 * evenly nothing of the kind is seen, nor where one is missing alone. */
static const struct {
    const char *name;
    uint32_t stragglers, missing, apart;
    double least, most; /* of the largest weight */
} sets[] = {
    {"5 adjacent", 5, 5, 1, 0.8e6, 1e6},
    {"9 adjacent", 9, 9, 1, 1e10, 3e10},
    {"5 spread evenly", 5, 5, 51, 0.05, 1},
    {"9 spread evenly", 9, 9, 28, 0.003, 1},
    {"1 of 5", 5, 1, 1, 0.05, 1},
    {"1 of 9", 9, 1, 1, 0.003, 1},
    {"none of 5", 5, 0, 1, 1. / 33, 1. / 30},
};

Test(mds_code, ill_conditioned_sets_are_seen) {
    for (size_t r = 0; r < sizeof sets / sizeof *sets; r++) {
        struct arena *arena = arena_new();
        struct mds_code code = code_of(256, sets[r].stragglers, MDS_REAL, arena);
        struct message message[256];
        double weight[256];
        uint32_t silent[9];
        for (uint32_t q = 0; q < sets[r].missing; q++)
            silent[q] = 254 - sets[r].apart * q;
        uint32_t messages = messages_without(silent, sets[r].missing, 256, message);
        struct decoding decoding = measured(&code, message, messages, weight);
        cr_expect(sets[r].least < decoding.largest_weight && decoding.largest_weight < sets[r].most, "%s: %g",
                  sets[r].name, decoding.largest_weight);
        double rounding = ldexp(DBL_EPSILON * fmax(1, decoding.largest_weight), (int)sets[r].stragglers);
        cr_expect(lt(dbl, decoding.residual, 20 * rounding), "%s: residual %g", sets[r].name,
                  decoding.residual);
        if (sets[r].missing == sets[r].stragglers && sets[r].apart == 1)
            cr_expect(lt(dbl, rounding / 1000, decoding.residual), "%s: residual %g", sets[r].name,
                      decoding.residual);
        arena_free(arena);
    }
}

/* 401 adjacent stragglers of 4000 need weights beyond all numbers: the residual says so. */
Test(mds_code, overflow_is_an_infinite_residual) {
    struct arena *arena = arena_new();
    struct mds_code code = code_of(4000, 401, MDS_REAL, arena);
    static struct message message[4000];
    static double weight[4000];
    uint32_t silent[401];
    for (uint32_t q = 0; q < 401; q++)
        silent[q] = q;
    uint32_t messages = messages_without(silent, 401, 4000, message);
    struct decoding decoding = measured(&code, message, messages, weight);
    cr_expect(isinf(decoding.residual));
    cr_expect(isinf(decoding.largest_weight));
    arena_free(arena);
}

/* A complex code at the level of the scheme: two parts that leave together, of which the second takes no evaluations. */
Test(mds_code, complex_results_are_two_parts) {
    struct arena *arena = arena_new();
    struct rehearsal rehearsal;
    rehearsal_begin(&rehearsal, "gc-mds",
                    params_bound(arena, scheme_named("gc-mds"), "stragglers=2 field=complex"),
                    plain_setting(8));
    struct task task;
    rehearsal.scheme->assign(rehearsal.state, 7, 0, &task);
    cr_expect(eq(u32, task.parts, 2));
    cr_expect(eq(int, task.sending, SEND_TOGETHER));
    cr_expect(eq(u32, task.part[0].evaluations + task.part[1].evaluations, task.evaluations));
    cr_expect(eq(dbl, task.part[1].work, task.work));
    rehearse_mask(&rehearsal, 0, 0xe7);
    cr_expect(eq(u32, rehearsal.messages, 12));
    cr_expect(eq(int, rehearsal.scheme->decodable(rehearsal.state), true));
    for (uint32_t p = 0; p < 8; p++)
        cr_expect(epsilon_eq(dbl, estimate_coefficient(&rehearsal, p), 1, 1e-13), "partition %u", p);
    cr_expect(lt(dbl, rehearsal.decoding.residual, 1e-13));
    double largest = 0;
    for (uint32_t m = 0; m < 12; m += 2)
        largest = fmax(largest, hypot(rehearsal.decoding.weight[m], rehearsal.decoding.weight[m + 1]));
    cr_expect(eq(dbl, rehearsal.decoding.largest_weight, largest));
    rehearsal_end(&rehearsal);
    arena_free(arena);
}

static const struct {
    uint32_t workers;
    const char *values, *why; /* NULL: accepted */
} refused[] = {
    {12, "stragglers=0", NULL},
    {12, "stragglers=1", NULL},
    {12, "stragglers=11", NULL},
    {13, "stragglers=4", NULL},
    {12, "stragglers=4 field=complex", NULL},
    {12, "stragglers=4",
     "gc-mds needs workers - stragglers odd, but 12 - 4 is even; use stragglers = 3 or 5, "
     "gc-cr, or field: complex"},
    {12, "stragglers=12", "stragglers = 12 must be below workers = 12"},
    {3000, "stragglers=1001",
     "stragglers = 1001 must be at most 1000: the entries of gc-mds grow like 2^stragglers"},
};

Test(mds_code, refuses_what_does_not_exist) {
    struct arena *arena = arena_new();
    const struct scheme *scheme = scheme_named("gc-mds");
    for (size_t r = 0; r < sizeof refused / sizeof *refused; r++) {
        struct sentence why = {""};
        const void *params = params_bound(arena, scheme, refused[r].values);
        struct shape shape = {refused[r].workers, refused[r].workers};
        cr_expect(eq(int, scheme->refuses(params, shape, &why), refused[r].why != NULL), "%s",
                  refused[r].values);
        cr_expect(eq(str, why.text, (char *)(refused[r].why ? refused[r].why : "")), "%s", refused[r].values);
    }
    arena_free(arena);
}
