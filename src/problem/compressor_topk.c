/* Why by the bits of |v|: as whole numbers they are in the order of the numbers, those that are no numbers come last, and
 * the k-th largest is found byte by byte without moving a value. */
#include "compressor.h"
#include "elementary.h"
#include "kept_values.h"
#include <math.h>

static uint64_t magnitude(double value) {
    return elementary_bits(fabs(value));
}

/* The highest byte at `shift` such that at least `rank` of those counted have it or a higher one; `rank` becomes the rank
 * among those that have it. */
static uint64_t byte_of_rank(const size_t *count, size_t *rank) {
    uint64_t byte = 255;
    for (; *rank > count[byte]; byte--)
        *rank -= count[byte];
    return byte;
}

/* Of the rank-th largest magnitude, ranks from 1; `rank` becomes its rank among those that equal it. */
static uint64_t threshold(const double *message, size_t values, size_t *rank) {
    uint64_t prefix = 0, known = 0;
    for (unsigned shift = 64; shift > 0;) {
        size_t count[256] = {0};
        shift -= 8;
        for (size_t j = 0; j < values; j++)
            if ((magnitude(message[j]) & known) == prefix)
                count[magnitude(message[j]) >> shift & 255]++;
        prefix |= byte_of_rank(count, rank) << shift;
        known |= (uint64_t)255 << shift;
    }
    return prefix;
}

static void compress(const void *params, const struct noise *noise, double *message, size_t values) {
    (void)noise;
    size_t equals = kept_values_count(params, values);
    uint64_t least = threshold(message, values, &equals);
    for (size_t j = 0; j < values; j++) {
        uint64_t own = magnitude(message[j]);
        if (own < least || (own == least && equals == 0))
            message[j] = 0;
        else if (own == least)
            equals--;
    }
}

/* Where whole messages are shorter, they are sent. */
static double bytes(const void *params, size_t values) {
    return fmin(12.0 * (double)kept_values_count(params, values), 8.0 * (double)values);
}

const struct compressor compressor_topk = {
    .head = {.name = "topk",
             .summary =
                 "the k values of largest magnitude, of equal ones the first; biased; 8 bytes a value and 4 "
                 "an index, at most the 8 d of the whole message",
             .source = "Aji and Heafield, arXiv 1704.05021; Stich et al., arXiv 1809.07599",
             .params = &kept_values_table},
    .refuses = kept_values_refuses,
    .compress = compress,
    .bytes = bytes,
};
