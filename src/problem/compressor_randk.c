#include "compressor.h"
#include "kept_values.h"
#include <math.h>

/* k of d by selection sampling (Knuth, volume 2, algorithm 3.4.2 S): each value is taken with probability (still to take) /
 * (still to come), so every set of k is equally likely. */
static void compress(const void *params, const struct noise *noise, double *message, size_t values) {
    size_t wanted = kept_values_count(params, values);
    const double scale = (double)values / (double)wanted;
    for (size_t j = 0; j < values; j++) {
        struct draw draw = noise_draw(noise, j);
        bool taken = draw_index(&draw, (uint32_t)(values - j)) < wanted;
        message[j] = taken ? message[j] * scale : 0;
        wanted -= taken;
    }
}

/* The master knows the stream that the indices are drawn from by its seed. Where whole messages are shorter, they are
 * sent. */
static double bytes(const void *params, size_t values) {
    return fmin(8.0 * (double)kept_values_count(params, values) + 8, 8.0 * (double)values);
}

static double omega(const void *params, size_t values) {
    return (double)values / (double)kept_values_count(params, values) - 1;
}

const struct compressor compressor_randk = {
    .head = {.name = "randk",
             .summary =
                 "k values, every set of k alike, times d/k: unbiased; 8 bytes a value and 8 the seed of "
                 "the indices, at most the 8 d of the whole message",
             .source = "Konecny et al., arXiv 1610.05492, random mask; Stich et al., arXiv 1809.07599",
             .params = &kept_values_table},
    .refuses = kept_values_refuses,
    .compress = compress,
    .bytes = bytes,
    .omega = omega,
};
