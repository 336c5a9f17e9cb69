/* lockstep_tile.h: the kernel of lockstep_kernel.h on dense data, for one instruction set and one precision. Included once
 * for each, after definitions of TARGET (the attribute of the set), NUMBER (double or float), ROWS (the member of a data
 * set that holds them), VECTOR (a register of them), FMA and SPREAD (on such registers), TILE (rows or features that meet
 * two registers of columns at once, as many as there are registers for) and NAMED (the names). */

/* Sums of up to TILE rows' scores, or features' gradients. */
typedef VECTOR NAMED(tile)[TILE][2];

/* The tree over the lanes is that of a binary counter: lanes come in the order of their reversed bits, and the i-th is
 * joined with as many of those that wait as i ends in ones. So registers hold one lane at a time. */
TARGET INLINED void NAMED(score_tile)(const size_t rows, const size_t vectors,
                                      const struct lockstep_block *block, uint32_t first) {
    const size_t stride = block->data->stride, features = block->data->features;
    const NUMBER *tile = block->data->ROWS + (block->first + (size_t)first) * stride;
    const NUMBER *ahead = tile + rows * stride;
    VECTOR waiting[3][TILE * 2], *score = (VECTOR *)block->score + first * vectors;
    size_t held = 0;
    for (size_t i = 0; i < LANES; i++) {
        const size_t l = reversed[i];
        const VECTOR *w = (const VECTOR *)block->w + l * vectors;
        NAMED(tile) sum;
        UNROLLED for (size_t r = 0; r < rows; r++) UNROLLED for (size_t c = 0; c < vectors; c++) sum[r][c] =
            (VECTOR){0};
        for (const NUMBER *row = tile + l; row < tile + features;
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
    const NUMBER *row = block->data->ROWS + block->first * stride + j;
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

enum { NAMED(COLUMNS) = sizeof(VECTOR) / sizeof(NUMBER) };

TARGET static void NAMED(dense_scores)(const struct lockstep_block *block) {
    if (block->columns == NAMED(COLUMNS))
        NAMED(score_rows)(1, block);
    else
        NAMED(score_rows)(2, block);
}

TARGET static void NAMED(dense_add_rows)(const struct lockstep_block *block) {
    if (block->columns == NAMED(COLUMNS))
        NAMED(add_features)(1, block);
    else
        NAMED(add_features)(2, block);
}

static const struct lockstep_kernel NAMED(dense) = {NAMED(COLUMNS), NAMED(dense_scores),
                                                    NAMED(dense_add_rows)};
