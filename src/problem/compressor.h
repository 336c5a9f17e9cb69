/* compressor.h: what a worker sends instead of its message: fewer values, or coarser ones. One file per compressor.
 * Knows no worker's memory, no network and not what a message is made of.
 *
 * Notation: d values in a message; C(v) what is sent of a message v, as the master reads it: d values again.
 * A compressor is unbiased when E C(v) = v over its draws; then omega bounds E |C(v) - v|^2 <= omega |v|^2. */
#ifndef LAGGARD_COMPRESSOR_H
#define LAGGARD_COMPRESSOR_H
#include "param.h"
#include "stream.h"

/* Where a message takes its draws: no two values of it, no two messages of a run share one. */
struct noise {
    struct stream stream; /* of PURPOSE_COMPRESSION */
    uint32_t sender,
        senders;   /* of its messages: they are numbered over all workers and the parts of a task */
    uint32_t step; /* of the sender's task */
};
/* The draw of value j: at worker = sender + senders floor(j / 2^16), draw = j mod 2^16. */
struct draw noise_draw(const struct noise *noise, size_t value);

struct compressor {
    struct variant head;
    /* False, or true with the sentence that refuses these parameters for messages of d values. NULL: never. */
    bool (*refuses)(const void *params, size_t values, struct sentence *why);
    /* v becomes C(v). NULL: C(v) = v. */
    void (*compress)(const void *params, const struct noise *noise, double *message, size_t values);
    /* Bytes of C(v) on the network. */
    double (*bytes)(const void *params, size_t values);
    /* omega of an unbiased one. NULL: it is biased, and never longer than what it leaves out of v is short:
     * |C(v) - v|^2 < |v|^2. */
    double (*omega)(const void *params, size_t values);
};
extern const struct family compressor_family; /* none, topk, randk, qsgd */

/* The scenario's `optimizer.compression` mapping. */
struct compression_spec {
    struct picked compressor;
    bool error_feedback;
};
extern const struct param_table compression_table;

/* Messages are not what workers compute. */
bool compression_acts(const struct compression_spec *spec);
/* Bytes of a message of so many values. */
double compression_bytes(const struct compression_spec *spec, size_t values);
/* False, or true with the sentence that refuses the spec for messages of so many values. */
bool compression_refuses(const struct compression_spec *spec, size_t values, struct sentence *why);
/* What is sent of `message`, in place. With error feedback `memory`, zero at the start, is what the sender has left out
 * so far: it sends of message + memory, and keeps the rest, whatever becomes of what it sent (arXiv 1901.09847,
 * algorithm 2, in units of gradients). For that C must shrink what is left: an unbiased one is divided by 1 + omega,
 * which leaves at most omega/(1 + omega) of |v|^2. `memory` is NULL without it. */
void compression_apply(const struct compression_spec *spec, const struct noise *noise, double *message,
                       double *memory, size_t values);
#endif
