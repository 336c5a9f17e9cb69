/* lockstep_tile.h: the kernels of lockstep_kernel.h for one instruction set. Included once for each, after definitions
 * of TARGET (its attribute), VECTOR (its register of doubles), FMA and SPREAD (on such registers), TILE (rows or features
 * that meet two registers of columns at once, as many as there are registers for), SPARSE_VECTORS (registers of columns
 * that a sparse row meets at once, in eight sums each) and NAMED (its function names). */

/* Sums of up to TILE rows' scores, or features' gradients. */
typedef VECTOR NAMED(tile)[TILE][2];

/* The tree over the lanes is that of a binary counter: lanes come in the order of their reversed bits, and the i-th is
 * joined with as many of those that wait as i ends in ones. So registers hold one lane at a time. */
TARGET INLINED void NAMED(score_tile)(const size_t rows, const size_t vectors,
                                      const struct lockstep_block *block, uint32_t first) {
    const size_t stride = block->data->stride, features = block->data->features;
    const double *tile = block->data->row + (block->first + (size_t)first) * stride;
    const double *ahead = tile + rows * stride;
    VECTOR waiting[3][TILE * 2], *score = (VECTOR *)block->score + first * vectors;
    size_t held = 0;
    for (size_t i = 0; i < LANES; i++) {
        const size_t l = reversed[i];
        const VECTOR *w = (const VECTOR *)block->w + l * vectors;
        NAMED(tile) sum;
        UNROLLED for (size_t r = 0; r < rows; r++) UNROLLED for (size_t c = 0; c < vectors; c++) sum[r][c] =
            (VECTOR){0};
        for (const double *row = tile + l; row < tile + features;
             row += LANES, w += LANES * vectors, ahead += AHEAD(rows)) {
            __builtin_prefetch(ahead);
            if (AHEAD(rows) > LANES)
                __builtin_prefetch(ahead + LANES);
            UNROLLED for (size_t r = 0; r < rows; r++) {
                const VECTOR x = SPREAD(row[r * stride]);
                UNROLLED for (size_t c = 0; c < vectors; c++) sum[r][c] = FMA(x, w[c], sum[r][c]);
            }
        }
        for (size_t ones = i; ones & 1; ones >>= 1) {
            held--;
            UNROLLED for (size_t r = 0; r < rows; r++) UNROLLED for (size_t c = 0; c < vectors; c++)
                sum[r][c] = waiting[held][r * vectors + c] + sum[r][c];
        }
        VECTOR *to = i + 1 < LANES ? waiting[held++] : score;
        UNROLLED for (size_t r = 0; r < rows; r++) UNROLLED for (size_t c = 0; c < vectors; c++)
            to[r * vectors + c] = sum[r][c];
    }
}

TARGET INLINED void NAMED(score_rows)(const size_t vectors, const struct lockstep_block *block) {
    uint32_t r = 0;
    for (; r + TILE <= block->rows; r += TILE)
        NAMED(score_tile)(TILE, vectors, block, r);
    for (; r + TILE / 3 <= block->rows; r += TILE / 3)
        NAMED(score_tile)(TILE / 3, vectors, block, r);
    for (; r < block->rows; r++)
        NAMED(score_tile)(1, vectors, block, r);
}

/* Adds all rows to the gradients' `features` features from feature j on. */
TARGET INLINED void NAMED(add_tile)(const size_t features, const size_t vectors,
                                    const struct lockstep_block *block, size_t j) {
    const size_t stride = block->data->stride;
    const double *row = block->data->row + block->first * stride + j;
    const VECTOR *slope = (const VECTOR *)block->score;
    VECTOR *gradient = (VECTOR *)block->gradient + j * vectors;
    NAMED(tile) sum;
    UNROLLED for (size_t q = 0; q < features; q++) UNROLLED for (size_t c = 0; c < vectors; c++) sum[q][c] =
        gradient[q * vectors + c];
    const size_t ahead = block->rows * stride;
    for (size_t r = 0; r < block->rows; r++, row += stride, slope += vectors) {
        PREFETCH_FAR(row + ahead);
        PREFETCH_FAR(row + ahead + LANES);
        UNROLLED for (size_t q = 0; q < features; q++) {
            const VECTOR x = SPREAD(row[q]);
            UNROLLED for (size_t c = 0; c < vectors; c++) sum[q][c] = FMA(x, slope[c], sum[q][c]);
        }
    }
    UNROLLED for (size_t q = 0; q < features; q++) UNROLLED for (size_t c = 0; c < vectors; c++)
        gradient[q * vectors + c] = sum[q][c];
}

TARGET INLINED void NAMED(add_features)(const size_t vectors, const struct lockstep_block *block) {
    const size_t features = block->data->features;
    size_t j = 0;
    for (; j + TILE <= features; j += TILE)
        NAMED(add_tile)(TILE, vectors, block, j);
    for (; j + TILE / 3 <= features; j += TILE / 3)
        NAMED(add_tile)(TILE / 3, vectors, block, j);
    for (; j < features; j++)
        NAMED(add_tile)(1, vectors, block, j);
}

enum { NAMED(COLUMNS) = sizeof(VECTOR) / sizeof(double) };

TARGET INLINED void NAMED(spread_labels)(const struct lockstep_block *block) {
    const size_t vectors = block->columns / NAMED(COLUMNS);
    const double *label = block->data->label + block->first;
    for (size_t r = 0; r < block->rows; r++)
        for (size_t c = 0; c < vectors; c++)
            ((VECTOR *)block->label)[r * vectors + c] = SPREAD(label[r]);
}

TARGET INLINED void NAMED(add_losses)(const struct lockstep_block *block) {
    const size_t vectors = block->columns / NAMED(COLUMNS);
    for (size_t c = 0; c < vectors; c++) {
        const VECTOR *losses = (const VECTOR *)block->losses + c;
        VECTOR sum = ((VECTOR *)block->loss)[c];
        for (size_t r = 0; r < block->rows; r++)
            sum = sum + losses[r * vectors];
        ((VECTOR *)block->loss)[c] = sum;
    }
}

TARGET static void NAMED(dense_scores)(const struct lockstep_block *block) {
    NAMED(spread_labels)(block);
    if (block->columns == NAMED(COLUMNS))
        NAMED(score_rows)(1, block);
    else
        NAMED(score_rows)(2, block);
}

TARGET static void NAMED(dense_add_rows)(const struct lockstep_block *block) {
    NAMED(add_losses)(block);
    if (block->columns == NAMED(COLUMNS))
        NAMED(add_features)(1, block);
    else
        NAMED(add_features)(2, block);
}

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
    NAMED(spread_labels)(block);
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
    NAMED(add_losses)(block);
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

static const struct lockstep_kernel NAMED(dense) = {NAMED(COLUMNS), NAMED(dense_scores),
                                                    NAMED(dense_add_rows)};
static const struct lockstep_kernel NAMED(sparse) = {NAMED(COLUMNS), NAMED(sparse_scores),
                                                     NAMED(sparse_add_rows)};
