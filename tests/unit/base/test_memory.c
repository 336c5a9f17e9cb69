/* Storage: zeroed, aligned, and gone as a whole; things on a shelf. */
#include "memory.h"
#include "shelf.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool all_zero(const void *block, size_t bytes) {
    const char *byte = block;
    for (size_t b = 0; b < bytes; b++)
        if (byte[b])
            return false;
    return true;
}

Test(memory, zeroed_blocks_are_aligned) {
    static const size_t counts[] = {0, 1, 7, 64, 1000, 100000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        double *block = memory_zeroed(counts[k], sizeof *block);
        cr_expect(eq(u64, (uintptr_t)block % 64, 0), "%zu items", counts[k]);
        cr_expect(all_zero(block, counts[k] * sizeof *block), "%zu items", counts[k]);
        free(block);
    }
}

Test(memory, huge_blocks_are_aligned) {
    char *block = memory_zeroed_huge(3, 1 << 20);
    cr_expect(eq(u64, (uintptr_t)block % (2 << 20), 0));
    cr_expect(all_zero(block, 3 << 20));
    free(block);
}

Test(memory, resized_keeps_what_was_there) {
    int *block = memory_resized(NULL, 2, sizeof *block);
    block[0] = 3;
    block[1] = 4;
    block = memory_resized(block, 1000, sizeof *block);
    cr_expect(eq(int, block[0], 3));
    cr_expect(eq(int, block[1], 4));
    free(memory_resized(block, 0, sizeof *block));
}

Test(memory, texts) {
    char *copy = memory_text("word"), *made = memory_format("%s-%d", "word", 7);
    cr_expect(eq(str, copy, (char *)"word"));
    cr_expect(eq(str, made, (char *)"word-7"));
    free(copy);
    free(made);
}

Test(memory, a_product_that_overflows_ends_the_program, .exit_code = 1) {
    memory_zeroed(SIZE_MAX / 2, 4);
}

Test(memory, a_product_that_rounds_over_ends_the_program, .exit_code = 1) {
    memory_zeroed_huge(SIZE_MAX, 1);
}

Test(memory, resized_too_large_ends_the_program, .exit_code = 1) {
    memory_resized(NULL, SIZE_MAX / 8, 16);
}

/* Sizes below, at and above a chunk of the arena. */
Test(arena, blocks_are_zeroed_aligned_and_apart) {
    struct arena *arena = arena_new();
    char *block[60];
    for (size_t k = 0; k < 60; k++) {
        block[k] = arena_zeroed(arena, k * 700, 1);
        cr_expect(eq(u64, (uintptr_t)block[k] % 64, 0), "block %zu", k);
        cr_expect(all_zero(block[k], k * 700), "block %zu", k);
        memset(block[k], (int)k + 1, k * 700);
        arena_text(arena, "odd", 3);
    }
    for (size_t k = 1; k < 60; k++)
        cr_expect(block[k][0] == (char)(k + 1) && block[k][k * 700 - 1] == (char)(k + 1), "block %zu", k);
    arena_free(arena);
}

Test(arena, texts) {
    struct arena *arena = arena_new();
    cr_expect(eq(str, arena_text(arena, "abcdef", 3), (char *)"abc"));
    cr_expect(eq(str, arena_text(arena, NULL, 0), (char *)""));
    cr_expect(eq(str, arena_format(arena, "%s[%d]", "workers", 12), (char *)"workers[12]"));
    char *longer = arena_format(arena, "%*d", 100000, 1);
    cr_expect(eq(sz, strlen(longer), 100000));
    arena_free(arena);
    arena_free(NULL);
}

static int released;

static void release(void *item) {
    released += *(int *)item;
}

Test(shelf, finds_what_was_put_and_releases_it) {
    struct shelf *shelf = shelf_new();
    int one = 1, two = 2;
    cr_expect(eq(ptr, shelf_find(shelf, "one"), NULL));
    char key[] = "one";
    shelf_put(shelf, key, &one, release);
    key[0] = '?';
    shelf_put(shelf, "two", &two, release);
    cr_expect(eq(ptr, shelf_find(shelf, "one"), &one), "the key is a copy");
    cr_expect(eq(ptr, shelf_find(shelf, "two"), &two));
    cr_expect(eq(ptr, shelf_find(shelf, "thre"), NULL));
    shelf_free(shelf);
    cr_expect(eq(int, released, 3));
    shelf_free(NULL);
}
