#include "elementary.h"
#include "stream.h"
#include "twin.h"
#include <math.h>
#include <string.h>

size_t twin_placed(const struct twin_spec *spec, const struct twin_scheme *scheme) {
    if (scheme->copies)
        return spec->copies;
    return scheme->placement == TWIN_OWN ? 1 : spec->stragglers + 1;
}

size_t twin_partition(const struct twin_spec *spec, const struct twin_scheme *scheme, size_t i, size_t l) {
    size_t c = twin_placed(spec, scheme);
    if (scheme->placement == TWIN_REPEATED)
        return i / c * c + l;
    return (i + l) % spec->workers;
}

/* Solves A x = b, s x s, by elimination with the largest pivot of the column; A and b are spoilt. */
static void solve(size_t s, double A[TWIN_WORKERS][TWIN_WORKERS], double *b, double *x) {
    for (size_t q = 0; q < s; q++) {
        size_t largest = q;
        for (size_t r = q; r < s; r++)
            if (fabs(A[r][q]) > fabs(A[largest][q]))
                largest = r;
        for (size_t j = 0; j < s; j++) {
            double kept = A[q][j];
            A[q][j] = A[largest][j];
            A[largest][j] = kept;
        }
        double kept = b[q];
        b[q] = b[largest];
        b[largest] = kept;
        for (size_t r = q + 1; r < s; r++) {
            double ratio = A[r][q] / A[q][q];
            for (size_t j = q; j < s; j++)
                A[r][j] -= ratio * A[q][j];
            b[r] -= ratio * b[q];
        }
    }
    for (size_t q = s; q-- > 0;) {
        x[q] = b[q];
        for (size_t j = q + 1; j < s; j++)
            x[q] -= A[q][j] * x[j];
        x[q] /= A[q][q];
    }
}

/* H, s x n: independent standard normal numbers, the last column minus the sum of the others. */
static void draw_normals(const struct draw *first, size_t n, size_t s, double H[][TWIN_WORKERS]) {
    for (size_t r = 0; r < s; r++) {
        H[r][n - 1] = 0;
        for (size_t j = 0; j + 1 < n; j++) {
            struct draw draw = *first;
            draw.worker = (uint32_t)j;
            draw.step = (uint32_t)r;
            H[r][j] = normal_quantile(draw_unit(&draw));
            H[r][n - 1] -= H[r][j];
        }
    }
}

/* B_ii = 1, and the rest of row i is orthogonal to H; returns the largest |entry|. */
static double code_of_normals(size_t n, size_t s, double H[][TWIN_WORKERS], double *code) {
    static double A[TWIN_WORKERS][TWIN_WORKERS];
    double b[TWIN_WORKERS], x[TWIN_WORKERS], largest = 1;
    memset(code, 0, n * n * sizeof *code);
    for (size_t i = 0; i < n; i++) {
        for (size_t r = 0; r < s; r++) {
            b[r] = -H[r][i];
            for (size_t l = 0; l < s; l++)
                A[r][l] = H[r][(i + 1 + l) % n];
        }
        solve(s, A, b, x);
        code[i * n + i] = 1;
        for (size_t l = 0; l < s; l++) {
            code[i * n + (i + 1 + l) % n] = x[l];
            largest = fmax(largest, fabs(x[l]));
        }
    }
    return largest;
}

void twin_code(uint64_t seed, size_t n, size_t s, double *code) {
    static double H[TWIN_WORKERS][TWIN_WORKERS];
    struct draw draw = {.stream = {seed, 0, PURPOSE_CODE}};
    do
        draw_normals(&draw, n, s, H);
    while (draw.draw++, !(code_of_normals(n, s, H, code) <= 10 * (double)n));
}

/* Row i is the polynomial with the roots -e^(2 pi i q / n), q = -(s-1)/2 … (s-1)/2, from worker i's own partition on.
 * Roots q and -q multiply to x^2 + 2 cos(2 pi q / n) x + 1, and q = 0 is x + 1. */
static void cyclic_code(uint64_t seed, size_t n, size_t s, double *code) {
    double row[TWIN_WORKERS + 2] = {1};
    (void)seed;
    for (size_t t = 0; t < s / 2; t++) {
        double middle = 2 * cos(2 * 3.14159265358979323846 * ((double)(s - 1) / 2 - (double)t) / (double)n);
        for (size_t j = 2 * t + 3; j-- > 0;)
            row[j] += (j > 0 ? middle * row[j - 1] : 0) + (j > 1 ? row[j - 2] : 0);
    }
    for (size_t j = s + 1; s % 2 == 1 && j-- > 1;)
        row[j] += row[j - 1];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= s; j++)
            code[i * n + (i + j) % n] += row[j];
}

static bool is_heard(const struct twin_round *round, size_t i) {
    for (size_t h = 0; h < round->heard; h++)
        if (round->by_arrival[h] == i)
            return true;
    return false;
}

static void decode_ones(const struct twin_round *round, double *weight) {
    for (size_t h = 0; h < round->heard; h++)
        weight[round->by_arrival[h]] = 1;
}

static void decode_scaled(const struct twin_round *round, double *weight) {
    for (size_t h = 0; h < round->heard; h++)
        weight[round->by_arrival[h]] = (double)round->spec->workers / (double)(round->heard * round->placed);
}

static size_t decode_groups(const struct twin_round *round, double *weight) {
    bool answered[TWIN_WORKERS] = {false};
    size_t groups = 0;
    for (size_t h = 0; h < round->heard; h++) {
        size_t i = round->by_arrival[h];
        if (!answered[i / round->placed]) {
            answered[i / round->placed] = true;
            weight[i] = 1;
            groups++;
        }
    }
    return groups;
}

static void decode_first_of_group(const struct twin_round *round, double *weight) {
    decode_groups(round, weight);
}

/* A largest conflict-free set is one responder of each group heard; they send the same sum, so the first is taken. */
static void decode_groups_scaled(const struct twin_round *round, double *weight) {
    size_t groups = decode_groups(round, weight);
    for (size_t i = 0; i < round->spec->workers; i++)
        weight[i] *= (double)round->spec->workers / (double)(groups * round->placed);
}

/* Equations v . a = beta over the rows heard: the entries of v, then beta. */
static double square_length(const double *equation, size_t rows) {
    double square = 0;
    for (size_t h = 0; h < rows; h++)
        square += equation[h] * equation[h];
    return square;
}

static size_t longest_equation(double equation[][TWIN_WORKERS + 1], size_t equations, size_t rows) {
    size_t longest = 0;
    for (size_t p = 1; p < equations; p++)
        if (square_length(equation[p], rows) > square_length(equation[longest], rows))
            longest = p;
    return longest;
}

/* The least a with a . B_R = 1. Each partition p is an equation v . a = 1, v its entries in the rows heard. Their rank
 * is n - s, or the number of rows where fewer were heard. Gram-Schmidt, the longest first, turns them into q . a = beta
 * with orthonormal q, and a is the sum of beta q. */
static void decode_code(const struct twin_round *round, double *weight) {
    size_t n = round->spec->workers, rows = round->heard, rank = n - round->spec->stragglers;
    static double equation[TWIN_WORKERS][TWIN_WORKERS + 1];
    for (size_t p = 0; p < n; p++) {
        for (size_t h = 0; h < rows; h++)
            equation[p][h] = round->code[round->by_arrival[h] * n + p];
        equation[p][rows] = 1;
    }
    for (size_t q = 0; q < rank && q < rows; q++) {
        size_t longest = longest_equation(equation, n, rows);
        double unit[TWIN_WORKERS + 1], length = sqrt(square_length(equation[longest], rows));
        for (size_t h = 0; h <= rows; h++)
            unit[h] = equation[longest][h] / length;
        for (size_t h = 0; h < rows; h++)
            weight[round->by_arrival[h]] += unit[rows] * unit[h];
        for (size_t p = 0; p < n; p++) {
            double along = 0;
            for (size_t h = 0; h < rows; h++)
                along += equation[p][h] * unit[h];
            for (size_t h = 0; h <= rows; h++)
                equation[p][h] -= along * unit[h];
        }
    }
}

/* How many are heard in a row after worker i. */
static size_t heard_after(const struct twin_round *round, size_t i) {
    size_t n = round->spec->workers, q = 0;
    while (is_heard(round, (i + q + 1) % n))
        q++;
    return q;
}

/* Forgets the worker in the middle of the longest row of workers heard, the first one from worker 0's on. */
static void forget_one(struct twin_round *round) {
    size_t n = round->spec->workers, before = n;
    for (size_t i = 0; i < n; i++)
        if (!is_heard(round, i) && (before == n || heard_after(round, i) > heard_after(round, before)))
            before = i;
    size_t forgotten = (before + (heard_after(round, before) + 1) / 2) % n, h = 0;
    while (round->by_arrival[h] != forgotten)
        h++;
    round->by_arrival[h] = round->by_arrival[--round->heard];
}

/* All n heard weigh the same. Else all but n - s are forgotten, and the solution is unique; who weighs nothing in it is
 * not used. */
static void decode_cyclic(const struct twin_round *round, double *weight) {
    size_t n = round->spec->workers;
    if (round->heard == n) {
        double sum = 0;
        for (size_t p = 0; p < n; p++)
            sum += round->code[p];
        for (size_t i = 0; i < n; i++)
            weight[i] = 1 / sum;
        return;
    }
    struct twin_round fewest = *round;
    while (fewest.heard + fewest.spec->stragglers > n)
        forget_one(&fewest);
    decode_code(&fewest, weight);
    for (size_t i = 0; i < n; i++)
        weight[i] = fabs(weight[i]) < 1e-9 ? 0 : weight[i];
}

/* Cyclic windows overlap when they begin fewer than c apart. */
static bool conflict(const struct twin_round *round, size_t i, size_t other) {
    size_t n = round->spec->workers, c = round->placed;
    return (i + n - other) % n < c || (other + n - i) % n < c;
}

/* From responder `first` on round the circle, each responder that conflicts with none taken. */
static size_t walk(const struct twin_round *round, size_t first, size_t *taken) {
    size_t n = round->spec->workers, size = 0;
    for (size_t j = 0; j < n; j++) {
        size_t i = (first + j) % n;
        bool free = is_heard(round, i);
        for (size_t q = 0; q < size; q++)
            free = free && !conflict(round, i, taken[q]);
        if (free)
            taken[size++] = i;
    }
    return size;
}

static size_t largest_walk(const struct twin_round *round, size_t *reached_by) {
    size_t largest = 0, taken[TWIN_WORKERS];
    *reached_by = 0;
    for (size_t i = 0; i < round->spec->workers; i++) {
        size_t size = is_heard(round, i) ? walk(round, i, taken) : 0;
        if (size > largest) {
            largest = size;
            *reached_by = 0;
        }
        *reached_by += size == largest;
    }
    return largest;
}

static void decode_walk(const struct twin_round *round, double *weight) {
    size_t reached_by, taken[TWIN_WORKERS];
    size_t largest = largest_walk(round, &reached_by);
    struct draw draw = {{round->spec->seed, 0, PURPOSE_CODE}, STREAM_TIE, (uint32_t)round->step, 0};
    size_t drawn = draw_index(&draw, (uint32_t)reached_by);
    for (size_t i = 0; i < round->spec->workers; i++) {
        if (!is_heard(round, i) || walk(round, i, taken) < largest || drawn-- > 0)
            continue;
        for (size_t q = 0; q < largest; q++)
            weight[taken[q]] = (double)round->spec->workers / (double)(largest * round->placed);
        return;
    }
}

static bool exact_all(const struct twin_round *round) {
    return round->heard == round->spec->workers;
}

static bool exact_groups(const struct twin_round *round) {
    double weight[TWIN_WORKERS];
    return decode_groups(round, weight) * round->placed == round->spec->workers;
}

static bool exact_code(const struct twin_round *round) {
    return round->heard + round->spec->stragglers >= round->spec->workers;
}

static bool exact_windows(const struct twin_round *round) {
    size_t reached_by;
    return largest_walk(round, &reached_by) * round->placed == round->spec->workers;
}

const struct twin_scheme *twin_scheme_named(const char *name) {
    static const struct twin_scheme scheme[] = {
        {"uncoded", TWIN_OWN, .decode = decode_ones, .exact = exact_all},
        {"ignore", TWIN_OWN, .decode = decode_scaled},
        {"gc-fr", TWIN_REPEATED, .decode = decode_first_of_group, .exact = exact_groups},
        {"gc-cr", TWIN_CYCLIC, .coded = true, .decode = decode_code, .exact = exact_code},
        {"gc-deadline", TWIN_CYCLIC, .coded = true, .decode = decode_code, .exact = exact_code},
        {"gc-mds", TWIN_CYCLIC, .coded = true, .decode = decode_cyclic, .exact = exact_code,
         .code = cyclic_code},
        {"isgc-fr", TWIN_REPEATED, .copies = true, .decode = decode_groups_scaled, .exact = exact_groups},
        {"isgc-cr", TWIN_CYCLIC, .copies = true, .decode = decode_walk, .exact = exact_windows},
        {"erasurehead", TWIN_REPEATED, .copies = true, .decode = decode_first_of_group,
         .exact = exact_groups},
        {"pgc-fr", TWIN_REPEATED, .rotates = true, .decode = decode_first_of_group},
        {"pgc-cr", TWIN_CYCLIC, .rotates = true, .decode = decode_scaled},
        {"pgc-cr-naive", TWIN_CYCLIC, .rotates = true, .coded = true, .decode = decode_code},
    };
    for (size_t q = 0; q < sizeof scheme / sizeof *scheme; q++)
        if (strcmp(scheme[q].name, name) == 0)
            return &scheme[q];
    return NULL;
}
