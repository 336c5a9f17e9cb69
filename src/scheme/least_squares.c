#include "least_squares.h"
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

struct least_squares {
    const struct listing *listing;
    struct arena *arena;
    double *
        entry; /* B_R^T, row-major, padded with rows of zeros until it is not wider than high; NULL before use */
    double *right, *error; /* [max(n, k)]: ones, then what the solution leaves of them */
    double *solution;      /* a [n] */
    double *reflection[2]; /* of the decomposition [n] each */
    double *work;          /* [n] */
    size_t *order;         /* [n] */
};

bool least_squares_refuses(struct shape shape, struct sentence *why) {
    uint32_t rows = shape.partitions > shape.workers ? shape.partitions : shape.workers;
    if ((uint64_t)shape.workers * rows <= LEAST_SQUARES_ENTRIES)
        return false;
    sentence_set(why,
                 "decoder: least-squares solves matrices of at most %d entries, but workers = %u with %u "
                 "partitions make %llu; use one-step",
                 LEAST_SQUARES_ENTRIES, shape.workers, shape.partitions,
                 (unsigned long long)shape.workers * rows);
    return true;
}

struct least_squares *least_squares_begin(const struct listing *listing, struct arena *arena) {
    struct least_squares *squares = arena_zeroed(arena, 1, sizeof *squares);
    squares->listing = listing;
    squares->arena = arena;
    return squares;
}

/* Runs of which only the time counts never solve, so what is large waits for the first solution. */
static void make_room(struct least_squares *squares) {
    size_t workers = squares->listing->workers, partitions = squares->listing->partitions;
    size_t rows = partitions > workers ? partitions : workers;
    squares->entry = arena_zeroed(squares->arena, rows * workers, sizeof(double));
    squares->right = arena_zeroed(squares->arena, rows, sizeof(double));
    squares->error = arena_zeroed(squares->arena, rows, sizeof(double));
    squares->solution = arena_zeroed(squares->arena, workers, sizeof(double));
    for (size_t r = 0; r < 2; r++)
        squares->reflection[r] = arena_zeroed(squares->arena, workers, sizeof(double));
    squares->work = arena_zeroed(squares->arena, workers, sizeof(double));
    squares->order = arena_zeroed(squares->arena, workers, sizeof(size_t));
}

static uint32_t used_messages(uint32_t messages, const struct decoding *out) {
    uint32_t used = 0;
    for (uint32_t m = 0; m < messages; m++)
        used += out->weight[m] != 0;
    return used;
}

/* B_R^T: a row for each partition, a column for each message used. */
static gsl_matrix posed(struct least_squares *squares, const struct message *message, uint32_t messages,
                        const struct decoding *out) {
    const struct listing *listing = squares->listing;
    size_t used = used_messages(messages, out), column = 0;
    size_t rows = listing->partitions > used ? listing->partitions : used;
    memset(squares->entry, 0, rows * used * sizeof *squares->entry);
    for (uint32_t m = 0; m < messages; m++) {
        if (out->weight[m] == 0)
            continue;
        for (size_t e = listing->first[message[m].worker]; e < listing->first[message[m].worker + 1]; e++)
            squares->entry[listing->partition[e] * used + column] = listing_coefficient(listing, e);
        column++;
    }
    return gsl_matrix_view_array(squares->entry, rows, used).matrix;
}

static void solve(struct least_squares *squares, gsl_matrix *equations) {
    size_t rows = equations->size1, used = equations->size2, rank;
    gsl_vector left = gsl_vector_view_array(squares->reflection[0], used).vector;
    gsl_vector behind = gsl_vector_view_array(squares->reflection[1], used).vector;
    gsl_vector work = gsl_vector_view_array(squares->work, used).vector;
    gsl_vector right = gsl_vector_view_array(squares->right, rows).vector;
    gsl_vector error = gsl_vector_view_array(squares->error, rows).vector;
    gsl_vector solution = gsl_vector_view_array(squares->solution, used).vector;
    gsl_permutation order = {.size = used, .data = squares->order};
    for (size_t p = 0; p < rows; p++)
        squares->right[p] = p < squares->listing->partitions;
    gsl_linalg_COD_decomp(equations, &left, &behind, &order, &rank, &work);
    gsl_linalg_COD_lssolve(equations, &left, &behind, &order, rank, &right, &solution, &error);
}

void least_squares_weigh(struct least_squares *squares, const struct message *message, uint32_t messages,
                         struct decoding *out) {
    if (!squares->entry)
        make_room(squares);
    gsl_matrix equations;
    out->residual = out->largest_weight = (double)NAN;
    if (used_messages(messages, out) == 0)
        return;
    equations = posed(squares, message, messages, out);
    solve(squares, &equations);
    out->residual = out->largest_weight = 0;
    for (uint32_t p = 0; p < squares->listing->partitions; p++)
        out->residual = fmax(out->residual, fabs(squares->error[p]));
    for (uint32_t m = 0, column = 0; m < messages; m++) {
        if (out->weight[m] == 0)
            continue;
        out->weight[m] = squares->solution[column++];
        out->largest_weight = fmax(out->largest_weight, fabs(out->weight[m]));
    }
}
