/* lockstep_sparse.h: the kernel of lockstep_kernel.h on sparse data, for one instruction set. Included after
 * lockstep_tile.h in double precision, and after a definition of SPARSE_VECTORS: registers of columns that a row meets at
 * once, in eight sums each. */

/* One entry of a sparse row, at `held` registers of columns from the c-th on. */
TARGET INLINED void NAMED(add_entry)(const size_t held, const struct lockstep_block *block, uint64_t entry,
                                     size_t c, VECTOR *sum) {
    const size_t vectors = block->columns / NAMED(COLUMNS);
    const VECTOR *w = (const VECTOR *)block->w + block->data->column[entry] * vectors + c;
    const VECTOR x = SPREAD(block->data->value[entry]);
    UNROLLED for (size_t v = 0; v < held; v++) sum[v] = FMA(x, w[v], sum[v]);
}

/* The lanes take entries, eight at a time; what is left goes to the first lanes. */
TARGET INLINED void NAMED(score_entries)(const size_t held, const struct lockstep_block *block, uint32_t r,
                                         size_t c) {
    const size_t vectors = block->columns / NAMED(COLUMNS);
    const uint64_t *start = block->data->start + block->first + r;
    VECTOR sum[LANES][2], *score = (VECTOR *)block->score + r * vectors + c;
    UNROLLED for (size_t l = 0; l < LANES; l++) UNROLLED for (size_t v = 0; v < held; v++) sum[l][v] =
        (VECTOR){0};
    uint64_t entry = start[0];
    for (; entry + LANES <= start[1]; entry += LANES)
        UNROLLED for (size_t l = 0; l < LANES; l++) NAMED(add_entry)(held, block, entry + l, c, sum[l]);
    UNROLLED for (size_t l = 0; l < LANES; l++) if (entry + l < start[1])
        NAMED(add_entry)(held, block, entry + l, c, sum[l]);
    UNROLLED for (size_t v = 0; v < held; v++) score[v] =
        ((sum[0][v] + sum[4][v]) + (sum[2][v] + sum[6][v])) +
        ((sum[1][v] + sum[5][v]) + (sum[3][v] + sum[7][v]));
}

TARGET static void NAMED(sparse_scores)(const struct lockstep_block *block) {
    const size_t vectors = block->columns / NAMED(COLUMNS);
    for (uint32_t r = 0; r < block->rows; r++) {
        size_t c = 0;
        for (; c + SPARSE_VECTORS <= vectors; c += SPARSE_VECTORS)
            NAMED(score_entries)(SPARSE_VECTORS, block, r, c);
        for (; c < vectors; c++)
            NAMED(score_entries)(1, block, r, c);
    }
}

TARGET static void NAMED(sparse_add_rows)(const struct lockstep_block *block) {
    const size_t vectors = block->columns / NAMED(COLUMNS);
    const VECTOR *slope = (const VECTOR *)block->score;
    for (uint32_t r = 0; r < block->rows; r++, slope += vectors) {
        const uint64_t *start = block->data->start + block->first + r;
        for (uint64_t entry = start[0]; entry < start[1]; entry++) {
            const VECTOR x = SPREAD(block->data->value[entry]);
            VECTOR *sum = (VECTOR *)block->gradient + block->data->column[entry] * vectors;
            for (size_t c = 0; c < vectors; c++)
                sum[c] = FMA(x, slope[c], sum[c]);
        }
    }
}

static const struct lockstep_kernel NAMED(sparse) = {NAMED(COLUMNS), NAMED(sparse_scores),
                                                     NAMED(sparse_add_rows)};
