#include "compressor.h"
#include "objective.h"
#include <math.h>

struct qsgd {
    uint32_t levels;
};

static const struct param params[] = {
    {.name = "levels",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct qsgd, levels),
     .minimum = 1,
     .maximum = 1 << 30,
     .help = "s: a value becomes a multiple of |v|/s, up to s of them"},
};
static const struct param_table qsgd_table = {PARAM_TABLE(struct qsgd, params)};

/* |v_j| s/|v| is rounded down or up, to the nearer one more often, so that its mean is itself. */
static void compress(const void *values_read, const struct noise *noise, double *message, size_t values) {
    const double levels = ((const struct qsgd *)values_read)->levels;
    const double norm = vector_norm(message, values);
    for (size_t j = 0; j < values && norm > 0; j++) {
        struct draw draw = noise_draw(noise, j);
        double exact = fabs(message[j]) / norm * levels, level = floor(exact);
        level += draw_unit(&draw) < exact - level;
        message[j] = copysign(norm * (level / levels), message[j]);
    }
}

static double bytes(const void *values_read, size_t values) {
    double words = 2.0 * ((const struct qsgd *)values_read)->levels + 1, bits = 0;
    for (double told = 1; told < words; told *= 2)
        bits++;
    return ceil((double)values * bits / 8) + 8;
}

/* Lemma 3.1 (ii) of the source. */
static double omega(const void *values_read, size_t values) {
    const double levels = ((const struct qsgd *)values_read)->levels, d = (double)values;
    return fmin(d / (levels * levels), sqrt(d) / levels);
}

const struct compressor compressor_qsgd = {
    .head = {.name = "qsgd",
             .summary = "every value rounded at random to a multiple of |v|/levels: unbiased; "
                        "ceil(log2(2 levels + 1)) bits a value and 8 bytes for |v|",
             .source = "Alistarh et al., arXiv 1610.02132, section 3.1; fixed codes in place of Elias's",
             .params = &qsgd_table},
    .compress = compress,
    .bytes = bytes,
    .omega = omega,
};
