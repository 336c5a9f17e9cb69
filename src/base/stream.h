/* stream.h: named random streams. A draw is a function of (seed, replication, purpose, worker, step, draw) alone,
 * never of the order of events, the scheme, the point of a sweep or the number of threads.
 *
 * Philox4x32-10 (Salmon et al., SC 2011): key = low, high word of the seed; counter = (worker >> 1, step,
 * replication, purpose * 2^16 + draw). worker & 1 selects the 64-bit half, x = first word + 2^32 * second word;
 * u = ((x >> 12) + 1/2) * 2^-52, in (0, 1). One block serves two workers. Every number depends on this layout. */
#ifndef LAGGARD_STREAM_H
#define LAGGARD_STREAM_H
#include <stdint.h>

/* What a draw is for. The values are part of the layout. */
enum purpose {
    PURPOSE_DATA = 1,    /* synthetic data: worker = feature, step = row */
    PURPOSE_SHUFFLE = 2, /* order of rows: step = position */
    PURPOSE_CODE = 3,    /* code matrices (replication 0); ties among decodings (worker = STREAM_TIE) */
    PURPOSE_COMPUTE = 4, /* seconds of computing: worker, step */
    PURPOSE_DELAY = 5,   /* seconds of delay: worker, step */
    PURPOSE_BATCH = 6,   /* order of rows in a mini-batch pass: worker = partition, step = epoch */
    PURPOSE_FAILURE = 7, /* time of a failure: worker, step = failure number */
    PURPOSE_TRACE = 8,   /* round that a bootstrap replays: step */
    PURPOSE_WARMUP_COMPUTE = 9, /* as COMPUTE and DELAY, for the warm-up before step 0 */
    PURPOSE_WARMUP_DELAY = 10,
    PURPOSE_SLOWNESS = 12, /* a worker's factor: worker */
    PURPOSE_REGIME = 13,   /* spells of slow steps: worker, step */
    PURPOSE_RACK = 14,     /* shocks: worker = rack, step */
    PURPOSE_ORDER = 15,    /* shuffled groups: worker = position */
    PURPOSE_COMPRESSION =
        17,            /* what a message leaves out or rounds: worker = its sender, see compressor.h, step */
    PURPOSE_BETA = 18, /* k-th times drawn by themselves: step; worker = number, see beta_rounds.h */
    PURPOSE_SAMPLE = 11, /* samples shown by `check` */
};
#define STREAM_TIE UINT32_MAX

/* Of the generator. */
#define PHILOX_ROUNDS       10
#define PHILOX_MULTIPLIER_0 0xD2511F53u
#define PHILOX_MULTIPLIER_1 0xCD9E8D57u
#define PHILOX_WEYL_0       0x9E3779B9u
#define PHILOX_WEYL_1       0xBB67AE85u

struct stream {
    uint64_t seed;
    uint32_t replication;
    enum purpose purpose;
};

/* A place in a stream. `draw` is the number of the next draw there, below 2^16. */
struct draw {
    struct stream stream;
    uint32_t worker, step, draw;
};

/* Philox4x32-10 of one counter: four words. */
void philox(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4]);

/* The 64 bits at a place; moves on to the next draw. */
uint64_t draw_bits(struct draw *draw);
/* The same as a number in (0, 1), never 0 or 1; 1 - u is exact. */
double draw_unit(struct draw *draw);
/* A whole number in [0, choices), choices >= 1, from one draw. */
uint32_t draw_index(struct draw *draw, uint32_t choices);
#endif
