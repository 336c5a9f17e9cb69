/* earliest_rows.h: the largest values of some rows, kept sorted in registers. Included once for each width by earliest.c, which
 * names the function, its lanes, the vectors of them that go side by side, the least and most values that are kept, and what the
 * function is compiled for. */
#define SORT_JOINED(a, b) a##_##b
#define SORT_NAMED(a, b)  SORT_JOINED(a, b)
#define SORT_VECTOR       SORT_NAMED(SORT_NAME, lanes)

typedef uint64_t SORT_VECTOR __attribute__((vector_size(8 * SORT_LANES), aligned(8), may_alias));

/* kept[0] are the largest of their rows: a value gives way to a larger one and sinks on. */
INLINED void SORT_NAMED(SORT_NAME, sink)(double *kept, double *value) {
    LANE_LOOP
    for (size_t r = 0; r < SORT_LANES; r++) {
        const double less = kept[r] < value[r] ? kept[r] : value[r];
        kept[r] = kept[r] > value[r] ? kept[r] : value[r];
        value[r] = less;
    }
}

/* Several values follow each other down, each a place behind the one before, so that none of them is waited for. */
INLINED void SORT_NAMED(SORT_NAME, sink_all)(const uint32_t depth, size_t count, double (*kept)[SORT_LANES],
                                             double (*value)[SORT_LANES]) {
    UNROLLED
    for (size_t turn = 0; turn < depth + count - 1; turn++)
        UNROLLED
    for (size_t j = 0; j < count; j++)
        if (j <= turn && turn - j < depth)
            SORT_NAMED(SORT_NAME, sink)(kept[turn - j], value[j]);
}

/* As many values of as many rows as there are lanes, with the rows side by side. */
INLINED void SORT_NAMED(SORT_NAME, turn)(const double *row, size_t stride, uint64_t mask,
                                         double (*side)[SORT_LANES]) {
    SORT_VECTOR from[SORT_LANES], pair[SORT_LANES];
    for (size_t r = 0; r < SORT_LANES; r++)
        from[r] = *(const SORT_VECTOR *)(row + r * stride) ^ mask;
#if SORT_LANES == 8
    SORT_VECTOR four[SORT_LANES];
    for (size_t r = 0; r < 8; r += 2) {
        pair[r] = __builtin_shufflevector(from[r], from[r + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        pair[r + 1] = __builtin_shufflevector(from[r], from[r + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (size_t r = 0; r < 8; r++) {
        const SORT_VECTOR a = pair[r / 4 * 4 + r % 2], b = pair[r / 4 * 4 + 2 + r % 2];
        four[r] = r % 4 < 2 ? __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
                            : __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (size_t r = 0; r < 4; r++) {
        *(SORT_VECTOR *)side[r] = __builtin_shufflevector(four[r], four[r + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        *(SORT_VECTOR *)side[r + 4] =
            __builtin_shufflevector(four[r], four[r + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
#else
    for (size_t r = 0; r < 4; r += 2) {
        pair[r] = __builtin_shufflevector(from[r], from[r + 1], 0, 4, 2, 6);
        pair[r + 1] = __builtin_shufflevector(from[r], from[r + 1], 1, 5, 3, 7);
    }
    for (size_t r = 0; r < 2; r++) {
        *(SORT_VECTOR *)side[r] = __builtin_shufflevector(pair[r], pair[r + 2], 0, 1, 4, 5);
        *(SORT_VECTOR *)side[r + 2] = __builtin_shufflevector(pair[r], pair[r + 2], 2, 3, 6, 7);
    }
#endif
}

/* The `depth` largest of each row. */
INLINED void SORT_NAMED(SORT_NAME, rows)(const uint32_t depth, const struct rows_kept *of, const double *row,
                                         double (*kept)[DEEPEST][SORT_LANES]) {
    double own[SORT_VECTORS][DEEPEST][SORT_LANES], side[SORT_VECTORS][SORT_LANES][SORT_LANES];
    const size_t values = of->values, stride = of->stride;
    size_t i = 0;
    for (size_t v = 0; v < SORT_VECTORS; v++)
        for (uint32_t q = 0; q < depth; q++)
            for (size_t r = 0; r < SORT_LANES; r++)
                own[v][q][r] = -(double)INFINITY;
    for (; i + SORT_LANES <= values; i += SORT_LANES) {
        for (size_t v = 0; v < SORT_VECTORS; v++)
            SORT_NAMED(SORT_NAME, turn)(row + v * SORT_LANES * stride + i, stride, of->mask, side[v]);
        for (size_t v = 0; v < SORT_VECTORS; v++)
            SORT_NAMED(SORT_NAME, sink_all)(depth, SORT_LANES, own[v], side[v]);
    }
    for (; i < values; i++)
        for (size_t v = 0; v < SORT_VECTORS; v++) {
            for (size_t r = 0; r < SORT_LANES; r++)
                side[v][0][r] = turned(row[(v * SORT_LANES + r) * stride + i], of->mask);
            SORT_NAMED(SORT_NAME, sink_all)(depth, 1, own[v], side[v]);
        }
    memcpy(kept, own, sizeof own);
}

#define SORT(depth)                                                                                          \
    case depth:                                                                                              \
        if (depth >= SORT_LEAST && depth <= SORT_MOST)                                                       \
            SORT_NAMED(SORT_NAME, rows)(depth, of, row, kept);                                               \
        break;

SORT_CLONED static void SORT_NAME(const struct rows_kept *of, const double *row, double *kth, double *next) {
    double kept[SORT_VECTORS][DEEPEST][SORT_LANES];
    const uint32_t depth = of->depth;
    assert(depth >= SORT_LEAST && depth <= SORT_MOST);
    switch (depth) {
        SORT(1)
        SORT(2)
        SORT(3)
        SORT(4)
        SORT(5)
        SORT(6)
        SORT(7)
        SORT(8)
        SORT(9)
        SORT(10)
        SORT(11)
        SORT(12)
    }
    /* The smallest ones: next is the last kept, the k-th before it. */
    const uint32_t at = of->mask ? depth - 2 : depth - 1, after = of->mask ? depth - 1 : depth - 2;
    for (size_t r = 0; r < SORT_VECTORS * SORT_LANES; r++) {
        kth[r] = turned(kept[r / SORT_LANES][at][r % SORT_LANES], of->mask);
        next[r] =
            depth == 1 ? (double)INFINITY : turned(kept[r / SORT_LANES][after][r % SORT_LANES], of->mask);
    }
}

#undef SORT_NAME
#undef SORT_LANES
#undef SORT_LEAST
#undef SORT_MOST
#undef SORT_VECTORS
#undef SORT_CLONED
#undef SORT_JOINED
#undef SORT_NAMED
#undef SORT_VECTOR
#undef SORT
