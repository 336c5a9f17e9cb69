/* stream_lanes.h: draw_units and draw_runs for one instruction set, a block of Philox in every lane. Included once for each by
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

/* The four words of as many blocks as there are lanes. They keep what is above their 32 bits, which the product does not read. */
struct WAY_NAMED(WAY, words) {
    WAY_VECTOR c0[WAY_VECTORS], c1[WAY_VECTORS], c2[WAY_VECTORS], c3[WAY_VECTORS];
};

__attribute__((target(WAY_TARGET), always_inline)) static inline void
WAY_NAMED(WAY, mix)(const struct stream *stream, const struct WAY_NAMED(WAY, places) * at,
                    struct WAY_NAMED(WAY, words) * words) {
    WAY_VECTOR c0[WAY_VECTORS], c1[WAY_VECTORS], c2[WAY_VECTORS], c3[WAY_VECTORS];
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
    for (int v = 0; v < WAY_VECTORS; v++) {
        words->c0[v] = c0[v];
        words->c1[v] = c1[v];
        words->c2[v] = c2[v];
        words->c3[v] = c3[v];
    }
}

/* ((x >> 12) + 1/2) 2^-52 of two words as a number in [1, 2) less 1 - 2^-53: both exact. */
__attribute__((target(WAY_TARGET), always_inline)) static inline WAY_DOUBLES
WAY_NAMED(WAY, unit)(WAY_VECTOR first, WAY_VECTOR second) {
    const WAY_VECTOR bits = ((first & UINT32_MAX) | second << 32) >> 12 | 0x3ff0000000000000;
    return (WAY_DOUBLES)bits - (1 - 0x1p-53);
}

/* Both halves of every block. */
__attribute__((target(WAY_TARGET), always_inline)) static inline void
WAY_NAMED(WAY, blocks)(const struct stream *stream, const struct WAY_NAMED(WAY, places) * at, double *unit) {
    struct WAY_NAMED(WAY, words) words;
    WAY_NAMED(WAY, mix)(stream, at, &words);
    for (int v = 0; v < WAY_VECTORS; v++) {
        const WAY_DOUBLES first = WAY_NAMED(WAY, unit)(words.c0[v], words.c1[v]),
                          second = WAY_NAMED(WAY, unit)(words.c2[v], words.c3[v]);
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

/* The half of every block that is the worker's: a vector holds a run, or half of one. */
__attribute__((target(WAY_TARGET))) static void
WAY_NAMED(WAY, runs)(const struct stream *stream, const struct draw_runs *of, double *unit) {
    const struct draw_run *run = of->run;
    const size_t runs = of->runs;
    enum { AT_ONCE = WAY_WIDTH * WAY_VECTORS / DRAW_RUN };
    struct WAY_NAMED(WAY, places) at;
    struct WAY_NAMED(WAY, words) words;
    WAY_VECTOR on[WAY_VECTORS] = {{0}}, odd[WAY_VECTORS];
    for (unsigned v = 0; v < WAY_VECTORS; v++)
        for (unsigned l = 0; l < WAY_WIDTH; l++)
            on[v][l] = (v * WAY_WIDTH + l) % DRAW_RUN;
    for (size_t q = 0; q < runs; q += AT_ONCE) {
        for (size_t v = 0; v < WAY_VECTORS; v++) {
            /* What is left over draws the last run once more. */
            const size_t mine = q + v * WAY_WIDTH / DRAW_RUN;
            const struct draw_run one = run[mine < runs ? mine : runs - 1];
            at.step[v] = on[v] + (uint64_t)one.step;
            at.pair[v] = (WAY_VECTOR){0} + (uint64_t)(one.worker >> 1);
            odd[v] = (WAY_VECTOR){0} - (uint64_t)(one.worker & 1);
        }
        WAY_NAMED(WAY, mix)(stream, &at, &words);
        for (size_t v = 0; v < WAY_VECTORS && q + v * WAY_WIDTH / DRAW_RUN < runs; v++)
            *(WAY_DOUBLES *)(unit + q * DRAW_RUN + v * WAY_WIDTH) =
                WAY_NAMED(WAY, unit)((words.c0[v] & ~odd[v]) | (words.c2[v] & odd[v]),
                                     (words.c1[v] & ~odd[v]) | (words.c3[v] & odd[v]));
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
