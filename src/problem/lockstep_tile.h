/* lockstep_tile.h: the kernel of lockstep_kernel.h on dense data, for one instruction set and one precision. Included once
 * for each, after definitions of TARGET (the attribute of the set), NUMBER (double or float), ROWS (the member of a data
 * set that holds them), VECTOR (a register of them), FMA and SPREAD (on such registers), TILE (rows or features that meet
 * two registers of columns at once, as many as there are registers for) and NAMED (the names). */

/* Where the rows and weights of some lanes stand. */
struct NAMED(place) {
    const NUMBER *row;
    const VECTOR *w;
    size_t stride;
};

/* A feature of each row to the sums of lane l and, if `lanes` is 2, another to those of lane l + 4. */
TARGET INLINED void NAMED(add_lanes)(const size_t rows, const size_t vectors, const size_t lanes,
                                     const struct NAMED(place) * place, VECTOR (*sum)[TILE]) {
    UNROLLED for (size_t r = 0; r < rows; r++) UNROLLED for (size_t h = 0; h < lanes; h++) {
        const VECTOR x = SPREAD(place->row[r * place->stride + h * PAIRS]);
        UNROLLED for (size_t c = 0; c < vectors; c++) sum[h][r * vectors + c] =
            FMA(x, place->w[h * PAIRS * vectors + c], sum[h][r * vectors + c]);
    }
}

/* Two lanes at a time, l and l + 4, whose sums are joined before they leave the registers. The tree over the pairs is that of
 * a binary counter: pairs come in the order of their reversed bits, and the i-th is joined with as many of those that wait as
 * i ends in ones. */
TARGET INLINED void NAMED(score_tile)(const size_t rows, const size_t vectors,
                                      const struct lockstep_block *block, uint32_t first) {
    const size_t stride = block->data->stride, features = block->data->features;
    const NUMBER *tile = block->data->ROWS + (block->first + (size_t)first) * stride;
    const NUMBER *ahead = tile + rows * stride;
    VECTOR waiting[2][TILE], *score = (VECTOR *)block->score + first * vectors;
    size_t held = 0;
    for (size_t i = 0; i < PAIRS; i++) {
        const size_t l = reversed[i];
        struct NAMED(place) place = {tile + l, (const VECTOR *)block->w + l * vectors, stride};
        VECTOR sum[2][TILE];
        UNROLLED for (size_t q = 0; q < rows * vectors; q++) sum[0][q] = sum[1][q] = (VECTOR){0};
        for (size_t j = 0; j + LANES <= features; j += LANES, ahead += 2 * LANES) {
            __builtin_prefetch(ahead);
            __builtin_prefetch(ahead + LANES);
            NAMED(add_lanes)(rows, vectors, 2, &place, sum);
            place.row += LANES;
            place.w += LANES * vectors;
        }
        if (l + PAIRS < features % LANES)
            NAMED(add_lanes)(rows, vectors, 2, &place, sum);
        else if (l < features % LANES)
            NAMED(add_lanes)(rows, vectors, 1, &place, sum);
        UNROLLED for (size_t q = 0; q < rows * vectors; q++) sum[0][q] += sum[1][q];
        for (size_t ones = i; ones & 1; ones >>= 1) {
            held--;
            UNROLLED for (size_t q = 0; q < rows * vectors; q++) sum[0][q] = waiting[held][q] + sum[0][q];
        }
        VECTOR *to = i + 1 < PAIRS ? waiting[held++] : score;
        UNROLLED for (size_t q = 0; q < rows * vectors; q++) to[q] = sum[0][q];
    }
}

/* High tiles, and low ones where two of them take what is left: few sums would wait for each other. */
TARGET INLINED void NAMED(score_rows)(const size_t vectors, const struct lockstep_block *block) {
    const uint32_t high = (uint32_t)(TILE / vectors), low = 2 * high / 3;
    uint32_t r = 0;
    for (; r + high <= block->rows && block->rows - r != 2 * low; r += high)
        NAMED(score_tile)(high, vectors, block, r);
    for (; r + low <= block->rows; r += low)
        NAMED(score_tile)(low, vectors, block, r);
    for (; r < block->rows; r++)
        NAMED(score_tile)(1, vectors, block, r);
}

/* Sums of up to TILE features' gradients. */
typedef VECTOR NAMED(tile)[TILE][2];

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
