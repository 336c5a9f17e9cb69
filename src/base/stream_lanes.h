/* stream_lanes.h: draw_units for one instruction set, a block of Philox in every lane. Included once for each by
 * stream_grid.c, which names the way, its vectors and what multiplies their low words: no compiler finds that
 * instruction by itself. Blocks go by step, then pair, so that lanes are full whatever the number of workers is. */

typedef uint64_t WAY_VECTOR __attribute__((vector_size(8 * WAY_WIDTH), aligned(8), may_alias));
#define WAY_JOINED(a, b) a##_##b
#define WAY_NAMED(a, b)  WAY_JOINED(a, b)
#define WAY_DOUBLES      WAY_NAMED(WAY_VECTOR, doubles)
#define WAY_PRODUCT(a, b)                                                                                    \
    ((WAY_VECTOR)WAY_MULTIPLY((WAY_WORDS)(a), (WAY_WORDS)((WAY_VECTOR){0} + (uint64_t)(b))))
typedef double WAY_DOUBLES __attribute__((vector_size(8 * WAY_WIDTH), aligned(8), may_alias));

/* Where the lanes are: counters 0 and 1 of their blocks. */
struct WAY_NAMED(WAY, places) {
    WAY_VECTOR pair[WAY_VECTORS], step[WAY_VECTORS];
};

/* As many blocks as there are lanes. Words keep what is above their 32 bits, which the product does not read. */
__attribute__((target(WAY_TARGET), always_inline)) static inline void
WAY_NAMED(WAY, blocks)(const struct stream *stream, const struct WAY_NAMED(WAY, places) * at, double *unit) {
    WAY_VECTOR c0[WAY_VECTORS], c1[WAY_VECTORS], c2[WAY_VECTORS], c3[WAY_VECTORS];
    const WAY_VECTOR low = (WAY_VECTOR){0} + UINT32_MAX;
    uint32_t k0 = (uint32_t)stream->seed, k1 = (uint32_t)(stream->seed >> 32);
    for (int v = 0; v < WAY_VECTORS; v++) {
        c0[v] = at->pair[v];
        c1[v] = at->step[v];
        c2[v] = (WAY_VECTOR){0} + (uint64_t)stream->replication;
        c3[v] = (WAY_VECTOR){0} + ((uint64_t)stream->purpose << 16);
    }
    for (int round = 0; round < PHILOX_ROUNDS; round++, k0 += PHILOX_WEYL_0, k1 += PHILOX_WEYL_1)
        for (int v = 0; v < WAY_VECTORS; v++) {
            WAY_VECTOR left = WAY_PRODUCT(c0[v], PHILOX_MULTIPLIER_0);
            WAY_VECTOR right = WAY_PRODUCT(c2[v], PHILOX_MULTIPLIER_1);
            c0[v] = (right >> 32) ^ c1[v] ^ (uint64_t)k0;
            c1[v] = right;
            c2[v] = (left >> 32) ^ c3[v] ^ (uint64_t)k1;
            c3[v] = left;
        }
    /* ((x >> 12) + 1/2) 2^-52 as a number in [1, 2) less 1 - 2^-53: both exact. */
    for (int v = 0; v < WAY_VECTORS; v++) {
        const WAY_VECTOR even = ((c0[v] & low) | c1[v] << 32) >> 12 | 0x3ff0000000000000;
        const WAY_VECTOR odd = ((c2[v] & low) | c3[v] << 32) >> 12 | 0x3ff0000000000000;
        const WAY_DOUBLES first = (WAY_DOUBLES)even - (1 - 0x1p-53),
                          second = (WAY_DOUBLES)odd - (1 - 0x1p-53);
        WAY_DOUBLES *to = (WAY_DOUBLES *)(unit + 2 * WAY_WIDTH * v);
        to[0] = __builtin_shufflevector(first, second, WAY_LOW);
        to[1] = __builtin_shufflevector(first, second, WAY_HIGH);
    }
}

__attribute__((target(WAY_TARGET))) static void WAY(const struct draw_grid *grid, double *unit) {
    enum { LANES = WAY_WIDTH * WAY_VECTORS };
    const size_t blocks = (size_t)grid->pairs * grid->steps;
    const uint64_t pairs = grid->pairs, pairs_on = LANES % pairs, steps_on = LANES / pairs;
    struct WAY_NAMED(WAY, places) at;
    double rest[2 * LANES];
    for (uint32_t l = 0; l < LANES; l++) {
        at.pair[l / WAY_WIDTH][l % WAY_WIDTH] = grid->pair + l % pairs;
        at.step[l / WAY_WIDTH][l % WAY_WIDTH] = (uint32_t)(grid->step + l / pairs);
    }
    for (size_t b = 0; b < blocks; b += LANES) {
        const bool whole = b + LANES <= blocks;
        WAY_NAMED(WAY, blocks)(&grid->stream, &at, whole ? unit + 2 * b : rest);
        if (!whole)
            memcpy(unit + 2 * b, rest, 2 * (blocks - b) * sizeof *rest);
        for (int v = 0; v < WAY_VECTORS; v++) {
            at.pair[v] += pairs_on;
            at.step[v] += steps_on;
            const WAY_VECTOR beyond = (WAY_VECTOR)(at.pair[v] >= grid->pair + pairs);
            at.pair[v] -= beyond & pairs;
            at.step[v] -= beyond;
        }
    }
}

#undef WAY
#undef WAY_VECTOR
#undef WAY_WIDTH
#undef WAY_VECTORS
#undef WAY_TARGET
#undef WAY_MULTIPLY
#undef WAY_WORDS
#undef WAY_LOW
#undef WAY_HIGH
#undef WAY_JOINED
#undef WAY_NAMED
#undef WAY_DOUBLES
#undef WAY_PRODUCT
