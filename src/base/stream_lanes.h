/* stream_lanes.h: draw_grid_fill and draw_runs_fill for one instruction set, a block of Philox in every lane. Included once for
 * each by stream_grid.c, which names the way, its vectors and the instructions that no compiler finds by itself.
 *
 * What a block depends on meets late in Philox. Of pair and step alone are the products of its first rounds:
 *     round 0: pair; round 1: step (left), pair (right); round 2: pair (left),
 * so these are made once for every pair and once for every step of a grid. Blocks go by step, then pair, so that lanes are full
 * whatever the number of workers is. */

typedef uint64_t WAY_VECTOR __attribute__((vector_size(8 * WAY_WIDTH), aligned(8), may_alias));
#define WAY_JOINED(a, b) a##_##b
#define WAY_NAMED(a, b)  WAY_JOINED(a, b)
#define WAY_DOUBLES      WAY_NAMED(WAY_VECTOR, doubles)
#define WAY_PRODUCT(a, b)                                                                                    \
    ((WAY_VECTOR)WAY_MULTIPLY((WAY_WORDS)(a), (WAY_WORDS)((WAY_VECTOR){0} + (uint64_t)(b))))
#define WAY_LEFT(a)      WAY_PRODUCT(a, PHILOX_MULTIPLIER_0)
#define WAY_RIGHT(a)     WAY_PRODUCT(a, PHILOX_MULTIPLIER_1)
#define WAY_INLINE       __attribute__((target(WAY_TARGET), always_inline)) static inline
#define WAY_FMA(a, b, c) ((WAY_DOUBLES)WAY_FUSED((WAY_REALS)(a), (WAY_REALS)(b), (WAY_REALS)(c)))
typedef double WAY_DOUBLES __attribute__((vector_size(8 * WAY_WIDTH), aligned(8), may_alias));

/* The four words of as many blocks as there are lanes. They keep what is above their 32 bits, which the product does not read. */
struct WAY_NAMED(WAY, words) {
    WAY_VECTOR c0[WAY_VECTORS], c1[WAY_VECTORS], c2[WAY_VECTORS], c3[WAY_VECTORS];
};

/* Some vectors of numbers, side by side: each waits for itself, so that the others go on meanwhile. */
struct WAY_NAMED(WAY, numbers) {
    WAY_DOUBLES of[WAY_VECTORS];
};

/* The rounds from `first` on. */
WAY_INLINE void WAY_NAMED(WAY, mix)(const struct stream *stream, unsigned first,
                                    struct WAY_NAMED(WAY, words) * words) {
    uint32_t k0 = (uint32_t)stream->seed + first * PHILOX_WEYL_0,
             k1 = (uint32_t)(stream->seed >> 32) + first * PHILOX_WEYL_1;
    struct WAY_NAMED(WAY, words) own = *words;
    for (unsigned round = first; round < PHILOX_ROUNDS; round++, k0 += PHILOX_WEYL_0, k1 += PHILOX_WEYL_1)
        for (int v = 0; v < WAY_VECTORS; v++) {
            WAY_VECTOR left = WAY_LEFT(own.c0[v]), right = WAY_RIGHT(own.c2[v]);
            own.c0[v] = (right >> 32) ^ own.c1[v] ^ (uint64_t)k0;
            own.c1[v] = right;
            own.c2[v] = (left >> 32) ^ own.c3[v] ^ (uint64_t)k1;
            own.c3[v] = left;
        }
    *words = own;
}

/* ((x >> 12) + 1/2) 2^-52 of two words as a number in [1, 2) less 1 - 2^-53: both exact. */
WAY_INLINE void WAY_NAMED(WAY, units)(struct WAY_NAMED(WAY, numbers) * numbers) {
    for (int v = 0; v < WAY_VECTORS; v++) {
        const WAY_VECTOR bits = (WAY_VECTOR)numbers->of[v] >> 12 | 0x3ff0000000000000;
        numbers->of[v] = (WAY_DOUBLES)bits - (1 - 0x1p-53);
    }
}

/* Of 1 - u = 2^e m, which is as u is with all bits of x turned: e, which is counted from -1024 at first, and (m - 1)/(m + 1). */
struct WAY_NAMED(WAY, split) {
    struct WAY_NAMED(WAY, numbers) e, s;
};

/* elementary_log of 1 - u in two parts: what comes between them is done while the processor divides. */
WAY_INLINE void WAY_NAMED(WAY, begin_logs)(const struct WAY_NAMED(WAY, numbers) * numbers,
                                           struct WAY_NAMED(WAY, split) * split) {
    const uint64_t least = 0x3fe6a09e667f3bcd, fraction = 0x000fffffffffffff;
    for (int v = 0; v < WAY_VECTORS; v++) {
        const WAY_VECTOR turned = (WAY_VECTOR)numbers->of[v] >> 12 ^ 0x3fffffffffffffff;
        const WAY_VECTOR bits = (WAY_VECTOR)((WAY_DOUBLES)turned - (1 - 0x1p-53)) - (least - (1024ULL << 52));
        const WAY_DOUBLES f = (WAY_DOUBLES)((bits & fraction) + least) - 1;
        split->e.of[v] = (WAY_DOUBLES)(bits >> 52 | 0x4330000000000000) - (0x1p52 + 1024);
        split->s.of[v] = f / (2 + f);
    }
}
WAY_INLINE void WAY_NAMED(WAY, end_logs)(const struct WAY_NAMED(WAY, split) * split,
                                         struct WAY_NAMED(WAY, numbers) * numbers) {
    struct WAY_NAMED(WAY, numbers) z, p;
    for (int v = 0; v < WAY_VECTORS; v++) {
        z.of[v] = split->s.of[v] * split->s.of[v];
        p.of[v] = (WAY_DOUBLES){0} + elementary_log_series[0];
    }
    for (int term = 1; term < ELEMENTARY_LOG_TERMS; term++)
        for (int v = 0; v < WAY_VECTORS; v++)
            p.of[v] = WAY_FMA(p.of[v], z.of[v], (WAY_DOUBLES){0} + elementary_log_series[term]);
    for (int v = 0; v < WAY_VECTORS; v++)
        p.of[v] = WAY_FMA(split->s.of[v] * z.of[v], p.of[v], split->s.of[v] + split->s.of[v]);
    for (int v = 0; v < WAY_VECTORS; v++)
        p.of[v] = WAY_FMA(split->e.of[v], (WAY_DOUBLES){0} + ELEMENTARY_LN2_LOW, p.of[v]);
    for (int v = 0; v < WAY_VECTORS; v++)
        numbers->of[v] = WAY_FMA(split->e.of[v], (WAY_DOUBLES){0} + ELEMENTARY_LN2_HIGH, p.of[v]);
}
WAY_INLINE void WAY_NAMED(WAY, logs)(struct WAY_NAMED(WAY, numbers) * numbers) {
    struct WAY_NAMED(WAY, split) split;
    WAY_NAMED(WAY, begin_logs)(numbers, &split);
    WAY_NAMED(WAY, end_logs)(&split, numbers);
}

WAY_INLINE void WAY_NAMED(WAY, form)(enum draw_form form, struct WAY_NAMED(WAY, numbers) * numbers) {
    if (form == DRAW_LOG)
        WAY_NAMED(WAY, logs)(numbers);
    else
        WAY_NAMED(WAY, units)(numbers);
}

/* What the blocks of a grid's pairs and steps have in common; `steps` of them. */
__attribute__((target(WAY_TARGET))) static void WAY_NAMED(WAY, prepare)(const struct draw_grid *grid,
                                                                        size_t steps, struct parts *parts) {
    uint32_t k0[3], k1[3];
    for (uint32_t round = 0; round < 3; round++) {
        k0[round] = (uint32_t)grid->stream.seed + round * PHILOX_WEYL_0;
        k1[round] = (uint32_t)(grid->stream.seed >> 32) + round * PHILOX_WEYL_1;
    }
    const uint64_t same = (uint64_t)PHILOX_MULTIPLIER_1 * grid->stream.replication;
    WAY_VECTOR lane;
    for (unsigned l = 0; l < WAY_WIDTH; l++)
        lane[l] = l;
    for (size_t q = 0; q < grid->pairs; q += WAY_WIDTH) {
        const WAY_VECTOR own = WAY_LEFT(lane + grid->pair + q);
        const WAY_VECTOR right =
            WAY_RIGHT((own >> 32) ^ ((uint64_t)grid->stream.purpose << 16) ^ (uint64_t)k1[0]);
        const WAY_VECTOR left = WAY_LEFT((right >> 32) ^ same ^ (uint64_t)k0[1]);
        *(WAY_VECTOR *)(parts->own + q) = own ^ (uint64_t)k1[1];
        *(WAY_VECTOR *)(parts->right + q) = right ^ (uint64_t)k0[2];
        *(WAY_VECTOR *)(parts->high + q) = (left >> 32) ^ (uint64_t)k1[2];
        *(WAY_VECTOR *)(parts->left + q) = left;
    }
    for (size_t s = 0; s < steps; s += WAY_WIDTH)
        *(WAY_VECTOR *)(parts->step + s) = WAY_LEFT((lane + grid->step + s) ^ (same >> 32) ^ (uint64_t)k0[0]);
    go_round(parts, grid->pairs);
}

/* Vectors of blocks after round 2. */
WAY_INLINE void WAY_NAMED(WAY, meet)(const struct parts *parts, struct place *at,
                                     struct WAY_NAMED(WAY, words) * words) {
    for (int v = 0; v < WAY_VECTORS; v++) {
        const WAY_VECTOR several = *(const WAY_VECTOR *)(parts->step + at->step);
        const WAY_VECTOR pick = *(const WAY_VECTOR *)(parts->pick + at->pair);
        const WAY_VECTOR step = (WAY_VECTOR)WAY_PICKED((WAY_WORDS)several, (WAY_WORDS)pick);
        const WAY_VECTOR right = WAY_RIGHT((step >> 32) ^ *(const WAY_VECTOR *)(parts->own + at->pair));
        words->c0[v] = (right >> 32) ^ *(const WAY_VECTOR *)(parts->right + at->pair);
        words->c1[v] = right;
        words->c2[v] = step ^ *(const WAY_VECTOR *)(parts->high + at->pair);
        words->c3[v] = *(const WAY_VECTOR *)(parts->left + at->pair);
        at->pair += at->pairs_on;
        at->step += at->steps_on;
        const bool over = at->pair >= at->pairs;
        at->pair -= over ? at->pairs : 0;
        at->step += over;
    }
}

/* Both halves of every block. */
struct WAY_NAMED(WAY, halves) {
    struct WAY_NAMED(WAY, numbers) first, second;
};

WAY_INLINE void WAY_NAMED(WAY, halve)(const struct WAY_NAMED(WAY, words) * words,
                                      struct WAY_NAMED(WAY, halves) * halves) {
    for (int v = 0; v < WAY_VECTORS; v++) {
        halves->first.of[v] = (WAY_DOUBLES)WAY_JOIN(words->c0[v], words->c1[v]);
        halves->second.of[v] = (WAY_DOUBLES)WAY_JOIN(words->c2[v], words->c3[v]);
    }
}

/* Where all numbers of some vectors go, and how many of them are wanted. */
WAY_INLINE void WAY_NAMED(WAY, write)(const struct WAY_NAMED(WAY, halves) * halves, size_t wanted,
                                      double *number) {
    enum { LANES = WAY_WIDTH * WAY_VECTORS };
    double rest[2 * LANES], *place = wanted < 2 * LANES ? rest : number;
    for (int v = 0; v < WAY_VECTORS; v++) {
        WAY_DOUBLES *to = (WAY_DOUBLES *)(place + 2 * WAY_WIDTH * v);
        to[0] = __builtin_shufflevector(halves->first.of[v], halves->second.of[v], WAY_LOW);
        to[1] = __builtin_shufflevector(halves->first.of[v], halves->second.of[v], WAY_HIGH);
    }
    if (wanted < 2 * LANES)
        memcpy(number, rest, wanted * sizeof *rest);
}

/* Some blocks that follow each other, from the pair and step `at` on. */
WAY_INLINE void WAY_NAMED(WAY, unit_stretch)(const struct draw_grid *grid, const struct parts *parts,
                                             struct place at, size_t blocks, double *number) {
    enum { LANES = WAY_WIDTH * WAY_VECTORS };
    struct WAY_NAMED(WAY, words) words;
    struct WAY_NAMED(WAY, halves) halves;
    for (size_t b = 0; b < blocks; b += LANES) {
        WAY_NAMED(WAY, meet)(parts, &at, &words);
        WAY_NAMED(WAY, mix)(&grid->stream, 3, &words);
        WAY_NAMED(WAY, halve)(&words, &halves);
        WAY_NAMED(WAY, units)(&halves.first);
        WAY_NAMED(WAY, units)(&halves.second);
        WAY_NAMED(WAY, write)(&halves, 2 * (blocks - b), number + 2 * b);
    }
}
WAY_INLINE void WAY_NAMED(WAY, log_stretch)(const struct draw_grid *grid, const struct parts *parts,
                                            struct place at, size_t blocks, double *number) {
    enum { LANES = WAY_WIDTH * WAY_VECTORS };
    struct WAY_NAMED(WAY, words) words;
    struct WAY_NAMED(WAY, halves) halves, next;
    struct WAY_NAMED(WAY, split) first, second;
    size_t b = 0;
    for (; b < blocks; b += LANES) {
        WAY_NAMED(WAY, meet)(parts, &at, &words);
        WAY_NAMED(WAY, mix)(&grid->stream, 3, &words);
        WAY_NAMED(WAY, halve)(&words, &next);
        if (b > 0)
            WAY_NAMED(WAY, end_logs)(&first, &halves.first);
        WAY_NAMED(WAY, begin_logs)(&next.first, &first);
        if (b > 0) {
            WAY_NAMED(WAY, end_logs)(&second, &halves.second);
            WAY_NAMED(WAY, write)(&halves, 2 * LANES, number + 2 * (b - LANES));
        }
        WAY_NAMED(WAY, begin_logs)(&next.second, &second);
    }
    if (b > 0) {
        WAY_NAMED(WAY, end_logs)(&first, &halves.first);
        WAY_NAMED(WAY, end_logs)(&second, &halves.second);
        WAY_NAMED(WAY, write)(&halves, 2 * (blocks - (b - LANES)), number + 2 * (b - LANES));
    }
}
WAY_INLINE void WAY_NAMED(WAY, stretch)(const struct draw_grid *grid, const struct parts *parts,
                                        struct place at, size_t blocks, double *number) {
    if (grid->form == DRAW_LOG)
        WAY_NAMED(WAY, log_stretch)(grid, parts, at, blocks, number);
    else
        WAY_NAMED(WAY, unit_stretch)(grid, parts, at, blocks, number);
}

/* No more pairs and steps than there is room for. */
__attribute__((target(WAY_TARGET))) static void WAY(const struct draw_grid *grid, double *number) {
    struct parts parts;
    struct place at = {
        .pairs = grid->pairs, .pairs_on = WAY_WIDTH % grid->pairs, .steps_on = WAY_WIDTH / grid->pairs};
    WAY_NAMED(WAY, prepare)(grid, grid->steps + BEYOND, &parts);
    if (grid->row == 2 * (size_t)grid->pairs) {
        WAY_NAMED(WAY, stretch)(grid, &parts, at, (size_t)grid->pairs * grid->steps, number);
        return;
    }
    for (at.step = 0; at.step < grid->steps; at.step++, number += grid->row)
        WAY_NAMED(WAY, stretch)(grid, &parts, at, grid->pairs, number);
}

/* The half of every block that is the worker's: a vector holds a run, or half of one. */
__attribute__((target(WAY_TARGET))) static void
WAY_NAMED(WAY, runs)(const struct stream *stream, const struct draw_runs *of, double *number) {
    const struct draw_run *run = of->run;
    const size_t runs = of->runs;
    enum { AT_ONCE = WAY_WIDTH * WAY_VECTORS / DRAW_RUN };
    struct WAY_NAMED(WAY, words) words;
    struct WAY_NAMED(WAY, numbers) numbers;
    WAY_VECTOR on[WAY_VECTORS] = {{0}}, odd[WAY_VECTORS];
    for (unsigned v = 0; v < WAY_VECTORS; v++)
        for (unsigned l = 0; l < WAY_WIDTH; l++)
            on[v][l] = (v * WAY_WIDTH + l) % DRAW_RUN;
    for (size_t q = 0; q < runs; q += AT_ONCE) {
        for (size_t v = 0; v < WAY_VECTORS; v++) {
            /* What is left over draws the last run once more. */
            const size_t mine = q + v * WAY_WIDTH / DRAW_RUN;
            const struct draw_run one = run[mine < runs ? mine : runs - 1];
            words.c0[v] = (WAY_VECTOR){0} + (uint64_t)(one.worker >> 1);
            words.c1[v] = on[v] + (uint64_t)one.step;
            words.c2[v] = (WAY_VECTOR){0} + (uint64_t)stream->replication;
            words.c3[v] = (WAY_VECTOR){0} + ((uint64_t)stream->purpose << 16);
            odd[v] = (WAY_VECTOR){0} - (uint64_t)(one.worker & 1);
        }
        WAY_NAMED(WAY, mix)(stream, 0, &words);
        for (size_t v = 0; v < WAY_VECTORS; v++)
            numbers.of[v] = (WAY_DOUBLES)WAY_JOIN((words.c0[v] & ~odd[v]) | (words.c2[v] & odd[v]),
                                                  (words.c1[v] & ~odd[v]) | (words.c3[v] & odd[v]));
        WAY_NAMED(WAY, form)(of->form, &numbers);
        for (size_t v = 0; v < WAY_VECTORS && q + v * WAY_WIDTH / DRAW_RUN < runs; v++)
            *(WAY_DOUBLES *)(number + q * DRAW_RUN + v * WAY_WIDTH) = numbers.of[v];
    }
}

#undef WAY
#undef WAY_VECTOR
#undef WAY_WIDTH
#undef WAY_VECTORS
#undef WAY_TARGET
#undef WAY_MULTIPLY
#undef WAY_FUSED
#undef WAY_PICKED
#undef WAY_JOIN
#undef WAY_WORDS
#undef WAY_REALS
#undef WAY_LOW
#undef WAY_HIGH
#undef WAY_JOINED
#undef WAY_NAMED
#undef WAY_DOUBLES
#undef WAY_PRODUCT
#undef WAY_LEFT
#undef WAY_RIGHT
#undef WAY_INLINE
#undef WAY_FMA
