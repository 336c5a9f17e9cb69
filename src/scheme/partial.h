/* partial.h: what partial-fr and partial-cr share: cut partitions, a private sum first and a coded one second.
 * Knows not how the coded pieces are decoded.
 *
 * Notation: P pieces in a task, s stragglers, c = s + 1. A partition is cut into P - s equal pieces, of which the last
 * one is coded and on c workers; those before it are its own worker's alone. So a worker has P - s - 1 private pieces and
 * c coded ones, P in all; a piece is 1 / (P - s) of a partition.
 * Source: Tandon et al., arXiv 1612.03301, the scheme for partial stragglers. */
#ifndef LAGGARD_PARTIAL_H
#define LAGGARD_PARTIAL_H
#include "code_params.h"
#include "placement.h"

/* The messages of a task, by their part. */
enum { PARTIAL_PRIVATE, PARTIAL_CODED, PARTIAL_PARTS };

struct partial_params {
    struct code_params code; /* stragglers */
    uint32_t pieces;         /* P */
    uint32_t delay_per;      /* enum delay_per */
};
extern const struct param_table partial_table;

/* The first member of such a scheme's state, so that the hooks below serve it. */
struct partial {
    struct placement placement; /* of the coded pieces */
    uint32_t pieces, cut;       /* of a task: P; of a partition: P - s */
    bool batches;
    enum delay_per delay_per;
    struct part part[PARTIAL_PARTS];
    const double *coefficient; /* of coded pieces [workers * c], by worker and position; NULL: all 1 */
    struct evaluation
        *evaluation; /* [workers * P]: the private pieces, then the coded ones, each ascending */
    uint32_t heard[PARTIAL_PARTS]; /* messages since the step opened, by their part */
    struct message *coded;         /* [workers]: while choosing, the coded messages, by worker */
    struct decoding decoding;      /* of those */
};

/* `partial` is zeroed; the placement's copies are s + 1. Its coefficient may be set before the first task ends. */
void partial_begin(struct partial *partial, const struct partial_params *params, struct placement placement,
                   const struct setting *setting, struct arena *arena);

/* Lists the coded messages in `coded`, by worker, and returns how many. All private sums are among the messages. */
uint32_t partial_coded(struct partial *partial, const struct message *message, uint32_t messages);
/* Gives each coded message its weight in `decoding`, and each private sum 1. */
void partial_weights(const struct partial *partial, const struct message *message, uint32_t messages,
                     struct decoding *out);

/* True, after writing why, when P is below s + 2 or all pieces together are more than memory is for. */
bool partial_refuses_pieces(const void *params, struct shape shape, struct sentence *why);

/* Hooks of struct scheme. */
uint32_t partial_fewest(const void *params, struct shape shape); /* n: a private sum is on no other worker */
struct limits partial_limits(const void *params, const struct setting *setting);
void partial_open(void *state, uint32_t step, uint32_t version);
void partial_assign(void *state, uint32_t worker, uint32_t step, struct task *task);
size_t partial_finish(void *state, const struct computed *computed, struct term *term);
void partial_hear(void *state, const struct message *message);
/* All n private sums and n - s coded messages were heard: the paper's condition, under FR too, where the groups may have
 * answered sooner. */
bool partial_decodable(const void *state);
#endif
