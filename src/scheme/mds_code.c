#include "mds_code.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* cos(pi numerator / denominator), exact where it is 0 or 1 in size. */
static double cosine(int64_t numerator, int64_t denominator) {
    int64_t reduced = llabs(numerator) % (2 * denominator);
    if (2 * reduced == denominator || 2 * reduced == 3 * denominator)
        return 0;
    return cos(M_PI * (double)reduced / (double)denominator);
}

static double sine(int64_t numerator, int64_t denominator) {
    return cosine(2 * numerator - denominator, 2 * denominator);
}

static void fill_tables(struct mds_code *code) {
    int64_t n = code->workers;
    for (int64_t d = 1 - n; d < n; d++) {
        code->sine_table[n + d] = sine(d, n);
        code->cosecant_table[n + d] = d == 0 ? 0 : 1 / sine(d, n);
    }
}

/* By the q-binomial theorem the moduli of the gamma_j of roots that are consecutive on the circle are
 * prod_{k=1…j} sin(pi (s - k + 1) / n) / sin(pi k / n), wherever the roots begin: no sum, so no cancellation. */
static void fill_row(struct mds_code *code) {
    int64_t n = code->workers, s = code->stragglers;
    double modulus = 1, *real = code->row, *imaginary = code->row + s + 1;
    for (int64_t j = 0; j <= s; j++) {
        if (j > 0)
            modulus *= sine(s - j + 1, n) / sine(j, n);
        /* gamma_j / gamma_0 turns by (-alpha^(-(s+1)/2))^j. */
        bool real_form = code->field == MDS_REAL;
        real[j] = real_form ? modulus : modulus * cosine(j * (n - s - 1), n);
        imaginary[j] = real_form ? 0 : modulus * sine(j * (n - s - 1), n);
    }
}

void mds_code_begin(struct mds_code *code, uint32_t workers, uint32_t stragglers, struct arena *arena) {
    assert(stragglers < workers && stragglers <= MDS_MOST_STRAGGLERS);
    assert(code->field == MDS_COMPLEX || stragglers == 0 || (workers - stragglers) % 2 == 1);
    size_t n = workers, s = stragglers;
    code->workers = workers;
    code->stragglers = stragglers;
    code->row = arena_zeroed(arena, 2 * (s + 1), sizeof *code->row);
    code->real = arena_zeroed(arena, n, sizeof *code->real);
    code->imaginary = arena_zeroed(arena, n, sizeof *code->imaginary);
    code->sine_table = arena_zeroed(arena, 2 * n, sizeof *code->sine_table);
    code->cosecant_table = arena_zeroed(arena, 2 * n, sizeof *code->cosecant_table);
    code->left_out = arena_zeroed(arena, s, sizeof *code->left_out);
    code->share = arena_zeroed(arena, s, sizeof *code->share);
    fill_tables(code);
    fill_row(code);
}

static uint32_t list_silent(struct mds_code *code, const struct message *message, uint32_t messages) {
    uint32_t silent = 0, m = 0;
    for (uint32_t i = 0; i < code->workers; i++) {
        bool heard = m < messages && message[m].worker == i;
        while (m < messages && message[m].worker == i)
            m++;
        assert(heard || silent < code->stragglers);
        if (!heard)
            code->left_out[silent++] = i;
    }
    return silent;
}

/* How far it is on the ring from the q-th left out to the next one. */
static uint32_t gap_after(const struct mds_code *code, uint32_t left_out, uint32_t q) {
    uint32_t next = q + 1 < left_out ? code->left_out[q + 1] : code->left_out[0] + code->workers;
    return next - code->left_out[q];
}

/* Leaves out the worker in the middle of the widest gap. */
static void leave_out_one(struct mds_code *code, uint32_t left_out) {
    uint32_t widest = 0;
    for (uint32_t q = 1; q < left_out; q++)
        if (gap_after(code, left_out, q) > gap_after(code, left_out, widest))
            widest = q;
    uint32_t middle = code->left_out[widest] + gap_after(code, left_out, widest) / 2;
    uint32_t place = middle < code->workers ? widest + 1 : 0;
    memmove(code->left_out + place + 1, code->left_out + place, (left_out - place) * sizeof *code->left_out);
    code->left_out[place] = middle % code->workers;
}

/* A product of many sines leaves the range of numbers long before what is made of it does: value * 2^(-512 shrunk). */
struct product {
    double value;
    int shrunk;
};

/* prod_{k in S, k != worker} sin(pi (worker - k) / n) */
static struct product sines_from(const struct mds_code *code, uint32_t worker) {
    const double *sine_from = code->sine_table + code->workers + worker;
    struct product product = {1, 0};
    for (uint32_t q = 0; q < code->stragglers; q++) {
        uint32_t other = code->left_out[q];
        product.value *= other == worker ? 1 : sine_from[-(ptrdiff_t)other];
        if (fabs(product.value) < 0x1p-512) {
            product.value *= 0x1p512;
            product.shrunk++;
        }
    }
    return product;
}

/* Writes (-1)^j / prod_{k in S, k != j} sin(pi (j - k) / n) for each j of S, times 2^(-512 e), and returns e. */
static int share_out(struct mds_code *code) {
    int most = 0;
    for (uint32_t q = 0; q < code->stragglers; q++) {
        int shrunk = sines_from(code, code->left_out[q]).shrunk;
        most = shrunk > most ? shrunk : most;
    }
    for (uint32_t q = 0; q < code->stragglers; q++) {
        struct product product = sines_from(code, code->left_out[q]);
        double sign = code->left_out[q] % 2 == 0 ? 1 : -1;
        code->share[q] = ldexp(sign / product.value, 512 * (product.shrunk - most));
    }
    return most;
}

/* G of the real form. */
static double real_sum(const struct mds_code *code) {
    int64_t n = code->workers, s = code->stragglers;
    double sum = 1;
    for (int64_t q = 0; q < s; q++)
        sum *= 2 * cosine(2 * q - (s - 1), 2 * n);
    return sum;
}

/* G a_i = 1 - (-1)^i sum_{j in S} (-1)^j prod_{k in S, k != j} sin(pi (i - k) / n) / sin(pi (j - k) / n), which is
 * 1 - (-1)^i prod_{k in S} sin(pi (i - k) / n) sum_{j in S} share_j / sin(pi (i - j) / n). */
static double real_weight(const struct mds_code *code, uint32_t worker, int shrunk) {
    const double *cosecant_from = code->cosecant_table + code->workers + worker;
    double sum = 0, sizes = 0;
    for (uint32_t q = 0; q < code->stragglers; q++) {
        double one = code->share[q] * cosecant_from[-(ptrdiff_t)code->left_out[q]];
        sum += one;
        sizes += fabs(one);
    }
    struct product product = sines_from(code, worker);
    double scale = ldexp(product.value, 512 * (shrunk - product.shrunk));
    double weight = 1 - (worker % 2 == 0 ? sum : -sum) * scale;
    /* Each factor of a product, each quotient and each sum adds up to a few roundings. */
    double rounding = 8 * (code->stragglers + 1) * DBL_EPSILON * (1 + sizes * fabs(scale));
    return isfinite(rounding) && fabs(weight) <= rounding ? 0 : weight;
}

static void weigh_real(struct mds_code *code, uint32_t left_out) {
    int shrunk = left_out > 0 ? share_out(code) : 0;
    double sum = real_sum(code);
    for (uint32_t i = 0; i < code->workers; i++)
        code->real[i] = (left_out > 0 ? real_weight(code, i, shrunk) : 1) / sum;
}

/* prod_{t=1…s} sin(pi t / n) */
static struct product first_sines(const struct mds_code *code) {
    struct product product = {1, 0};
    for (uint32_t t = 1; t <= code->stragglers; t++) {
        product.value *= code->sine_table[code->workers + t];
        if (product.value < 0x1p-512) {
            product.value *= 0x1p512;
            product.shrunk++;
        }
    }
    return product;
}

/* a_i = prod_{j in S} (1 - alpha^(j-i)) / prod_{t=1…s} (1 - alpha^-t): with 1 - e^(i phi) = -2 i sin(phi/2) e^(i phi/2)
 * the modulus is a product of sines and the angle a multiple of pi / (2 n), which is reduced exactly. */
static void weigh_complex(struct mds_code *code, uint32_t left_out) {
    int64_t n = code->workers, s = code->stragglers, places = 0;
    for (uint32_t q = 0; q < left_out; q++)
        places += code->left_out[q];
    struct product below = first_sines(code);
    for (uint32_t i = 0; i < code->workers; i++) {
        struct product above = {ldexp(1, -(int)s), 0};
        int64_t turn = s * (s + 1) - s * n;
        if (left_out > 0) {
            above = sines_from(code, i);
            turn = s * (s + 1) + 2 * (places - s * (int64_t)i);
        }
        double modulus = ldexp(above.value / below.value, 512 * (below.shrunk - above.shrunk));
        code->real[i] = modulus * cosine(turn, 2 * n);
        code->imaginary[i] = modulus * sine(turn, 2 * n);
    }
}

void mds_code_decode(struct mds_code *code, const struct message *message, uint32_t messages) {
    uint32_t left_out = list_silent(code, message, messages);
    while (left_out > 0 && left_out < code->stragglers)
        leave_out_one(code, left_out++);
    if (code->field == MDS_REAL)
        weigh_real(code, left_out);
    else
        weigh_complex(code, left_out);
    for (uint32_t q = 0; q < left_out; q++)
        code->real[code->left_out[q]] = code->imaginary[code->left_out[q]] = 0;
}
