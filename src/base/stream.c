#include "stream.h"
#include <assert.h>

#define DRAWS (1u << 16)

void philox(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4]) {
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < PHILOX_ROUNDS; round++, k0 += PHILOX_WEYL_0, k1 += PHILOX_WEYL_1) {
        uint64_t left = (uint64_t)PHILOX_MULTIPLIER_0 * c0, right = (uint64_t)PHILOX_MULTIPLIER_1 * c2;
        c0 = (uint32_t)(right >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)right;
        c2 = (uint32_t)(left >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)left;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

uint64_t draw_bits(struct draw *draw) {
    assert(draw->draw < DRAWS);
    const struct stream *stream = &draw->stream;
    uint32_t key[2] = {(uint32_t)stream->seed, (uint32_t)(stream->seed >> 32)};
    uint32_t counter[4] = {draw->worker >> 1, draw->step, stream->replication,
                           (uint32_t)stream->purpose * DRAWS + draw->draw};
    uint32_t word[4];
    philox(key, counter, word);
    draw->draw++;
    uint32_t half = (draw->worker & 1) * 2;
    return word[half] | (uint64_t)word[half + 1] << 32;
}

double draw_unit(struct draw *draw) {
    return ((double)(draw_bits(draw) >> 12) + 0.5) * 0x1p-52;
}

/* floor(bits * choices / 2^64), by halves so that no product leaves 64 bits. */
uint32_t draw_index(struct draw *draw, uint32_t choices) {
    assert(choices >= 1);
    uint64_t bits = draw_bits(draw);
    uint64_t low = (bits & UINT32_MAX) * choices >> 32;
    return (uint32_t)(((bits >> 32) * choices + low) >> 32);
}
