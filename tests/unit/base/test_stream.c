/* The keyed random numbers: the generator, the layout of the key, and the numbers made of the bits. */
#include "stream.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <signal.h>

struct known_answer {
    const char *name;
    uint32_t key[2], counter[4], out[4];
};

/* The vectors that Random123 publishes for philox4x32 with ten rounds. */
static const struct known_answer known[] = {
    {"zeros", {0, 0}, {0, 0, 0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {"ones",
     {0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {"digits of pi",
     {0xa4093822, 0x299f31d0},
     {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

Test(stream, philox_known_answers) {
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        uint32_t out[4];
        philox(known[k].key, known[k].counter, out);
        for (int word = 0; word < 4; word++)
            cr_expect(eq(u32, out[word], known[k].out[word]), "%s, word %d", known[k].name, word);
    }
}

static const struct draw somewhere = {
    .stream = {.seed = 0x123456789abcdef0, .replication = 7, .purpose = PURPOSE_DELAY},
    .worker = 1001,
    .step = 31,
    .draw = 2,
};

/* The layout, written out a second time. */
static uint64_t bits_of_layout(const struct draw *draw) {
    uint32_t key[2] = {draw->stream.seed & 0xffffffff, draw->stream.seed >> 32};
    uint32_t counter[4] = {draw->worker / 2, draw->step, draw->stream.replication,
                           (draw->stream.purpose << 16) | draw->draw};
    uint32_t out[4];
    philox(key, counter, out);
    return draw->worker % 2 ? out[2] + ((uint64_t)out[3] << 32) : out[0] + ((uint64_t)out[1] << 32);
}

Test(stream, bits_follow_the_layout) {
    struct draw even = somewhere, odd = somewhere;
    even.worker = 1000;
    cr_expect(eq(u64, bits_of_layout(&somewhere), draw_bits(&odd)), "odd worker");
    cr_expect(eq(u64, bits_of_layout(&(struct draw){even.stream, 1000, 31, 2}), draw_bits(&even)),
              "even worker");
    cr_expect(eq(u32, odd.draw, 3), "a draw moves on to the next");
    cr_expect(eq(u64, bits_of_layout(&odd), draw_bits(&odd)), "the next draw");
}

Test(stream, every_part_of_the_key_matters) {
    struct draw other[6] = {somewhere, somewhere, somewhere, somewhere, somewhere, somewhere};
    static const char *const part[] = {"seed", "replication", "purpose", "worker", "step", "draw"};
    other[0].stream.seed++;
    other[1].stream.replication++;
    other[2].stream.purpose++;
    other[3].worker--;
    other[4].step++;
    other[5].draw++;
    struct draw first = somewhere;
    uint64_t bits = draw_bits(&first);
    for (int k = 0; k < 6; k++)
        cr_expect(ne(u64, draw_bits(&other[k]), bits), "%s", part[k]);
}

/* 12 bits are dropped, so u is an odd multiple of 2^-53 and 1 - u loses nothing. */
Test(stream, units_are_inside_and_mirror_exactly) {
    struct draw draw = somewhere;
    for (draw.step = 0; draw.step < 20000; draw.step++) {
        draw.draw = 0;
        double u = draw_unit(&draw);
        cr_assert(u > 0 && u < 1, "step %u", draw.step);
        cr_assert(1 - (1 - u) == u, "step %u", draw.step);
        cr_assert(fmod(u * 0x1p53, 2) == 1, "step %u", draw.step);
    }
}

/* Chi-square over 64 equal cells, 63 degrees of freedom: beyond 120 once in 1e5 seeds; the seed is fixed. */
Test(stream, units_are_uniform) {
    enum { CELLS = 64, DRAWS = 64000 };
    double seen[CELLS] = {0}, statistic = 0;
    struct draw draw = {.stream = {.seed = 5, .purpose = PURPOSE_DATA}};
    for (draw.step = 0; draw.step < DRAWS; draw.step++) {
        draw.draw = 0;
        seen[(int)(draw_unit(&draw) * CELLS)]++;
    }
    for (int cell = 0; cell < CELLS; cell++)
        statistic += pow(seen[cell] - DRAWS / CELLS, 2) / (DRAWS / CELLS);
    cr_expect(statistic < 120, "chi-square %g", statistic);
}

Test(stream, neighbours_are_not_correlated) {
    enum { PAIRS = 40000 };
    double workers = 0, steps = 0;
    for (uint32_t t = 0; t < PAIRS; t++) {
        struct draw here = {.stream = {.seed = 9, .purpose = PURPOSE_DELAY}, .worker = 4, .step = t};
        struct draw beside = here, after = here;
        beside.worker = 5;
        after.step++;
        double u = draw_unit(&here) - 0.5;
        workers += u * (draw_unit(&beside) - 0.5);
        steps += u * (draw_unit(&after) - 0.5);
    }
    /* A product of two centred units has deviation 1/12; five standard errors: once in 2e6 seeds. */
    double bound = 5.0 / 12 / sqrt(PAIRS);
    cr_expect(fabs(workers / PAIRS) < bound, "workers %g", workers / PAIRS);
    cr_expect(fabs(steps / PAIRS) < bound, "steps %g", steps / PAIRS);
}

Test(stream, indices_are_the_product_rounded_down) {
    static const uint32_t choices[] = {1, 2, 3, 10, 1000003, UINT32_MAX};
    for (size_t k = 0; k < sizeof choices / sizeof *choices; k++)
        for (uint32_t t = 0; t < 1000; t++) {
            struct draw draw = somewhere;
            draw.step = t;
            uint64_t bits = bits_of_layout(&draw);
            uint32_t expected = (uint32_t)((unsigned __int128)bits * choices[k] >> 64);
            cr_assert(eq(u32, draw_index(&draw, choices[k]), expected), "%u choices, step %u", choices[k], t);
        }
}

Test(stream, too_many_draws_end_the_program, .signal = SIGABRT) {
    struct draw draw = somewhere;
    draw.draw = 1u << 16;
    draw_bits(&draw);
}
