#include "memory.h"
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define CACHE_LINE ((size_t)64)
#define HUGE_PAGE  ((size_t)2 << 20)
#define CHUNK      ((size_t)16 << 10)

static _Noreturn void out_of_memory(size_t count, size_t size) {
    fprintf(stderr, "laggard: out of memory: asked for %zu items of %zu bytes\n", count, size);
    exit(1);
}

/* Bytes of the items, rounded up to whole multiples of `alignment`; never 0, so that no items have an address too. */
static size_t rounded_bytes(size_t count, size_t size, size_t alignment) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - alignment)
        out_of_memory(count, size);
    return bytes == 0 ? alignment : (bytes + alignment - 1) / alignment * alignment;
}

void *memory_zeroed(size_t count, size_t size) {
    size_t bytes = rounded_bytes(count, size, CACHE_LINE);
    void *block = aligned_alloc(CACHE_LINE, bytes);
    if (!block)
        out_of_memory(count, size);
    return memset(block, 0, bytes);
}

void *memory_zeroed_huge(size_t count, size_t size) {
    void *block = memory_huge(count, size);
    return memset(block, 0, count * size);
}

void *memory_huge(size_t count, size_t size) {
    size_t asked;
    const bool small = !__builtin_mul_overflow(count, size, &asked) && asked < HUGE_PAGE;
    const size_t alignment = small ? CACHE_LINE : HUGE_PAGE, bytes = rounded_bytes(count, size, alignment);
    void *block = aligned_alloc(alignment, bytes);
    if (!block)
        out_of_memory(count, size);
    /* Before the first touch, which decides the page size; a kernel that refuses costs speed alone. */
    if (!small)
        (void)madvise(block, bytes, MADV_HUGEPAGE);
    return block;
}

void *memory_grown(void *block, size_t used, size_t count, size_t size) {
    void *grown = memory_huge(count, size);
    if (used > 0)
        memcpy(grown, block, used * size);
    free(block);
    return grown;
}

void *memory_resized(void *block, size_t count, size_t size) {
    void *resized = realloc(block, rounded_bytes(count, size, 1));
    if (!resized)
        out_of_memory(count, size);
    return resized;
}

double memory_bytes_most(void) {
    struct rlimit limit;
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGE_SIZE);
    double most = pages > 0 && page_bytes > 0 ? (double)pages * (double)page_bytes : (double)INFINITY;
    bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return limited && (double)limit.rlim_cur < most ? (double)limit.rlim_cur : most;
}

char *memory_text(const char *text) {
    size_t bytes = strlen(text) + 1;
    return memcpy(memory_resized(NULL, bytes, 1), text, bytes);
}

char *memory_format(const char *format, ...) {
    char *text;
    va_list list;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0)
        out_of_memory(1, strlen(format));
    va_end(list);
    return text;
}

/* A run of blocks; `bytes` starts on a cache line. */
struct chunk {
    struct chunk *next;
    size_t used, capacity;
    _Alignas(64) char bytes[];
};

struct arena {
    struct chunk *newest;
};

struct arena *arena_new(void) {
    return memory_zeroed(1, sizeof(struct arena));
}

void arena_free(struct arena *arena) {
    if (!arena)
        return;
    for (struct chunk *chunk = arena->newest, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(arena);
}

static struct chunk *chunk_added(struct arena *arena, size_t bytes) {
    size_t capacity = bytes > CHUNK ? bytes : CHUNK;
    struct chunk *chunk = memory_zeroed_huge(1, rounded_bytes(1, capacity, CACHE_LINE) + sizeof *chunk);
    chunk->capacity = capacity;
    chunk->next = arena->newest;
    arena->newest = chunk;
    return chunk;
}

void arena_reserve(struct arena *arena, size_t bytes) {
    if (!arena->newest || arena->newest->capacity - arena->newest->used < bytes)
        chunk_added(arena, bytes);
}

static void *bytes_taken(struct arena *arena, size_t bytes, size_t alignment) {
    struct chunk *chunk = arena->newest;
    size_t start = chunk ? (chunk->used + alignment - 1) / alignment * alignment : 0;
    if (!chunk || start > chunk->capacity || bytes > chunk->capacity - start) {
        chunk = chunk_added(arena, bytes);
        start = 0;
    }
    chunk->used = start + bytes;
    return chunk->bytes + start;
}

void *arena_zeroed(struct arena *arena, size_t count, size_t size) {
    return bytes_taken(arena, rounded_bytes(count, size, CACHE_LINE), CACHE_LINE);
}

char *arena_text(struct arena *arena, const char *text, size_t length) {
    char *copy = bytes_taken(arena, length + 1, 1);
    if (length > 0)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *arena_format(struct arena *arena, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    size_t bytes = length < 0 ? 1 : (size_t)length + 1;
    char *text = bytes_taken(arena, bytes, 1);
    vsnprintf(text, bytes, format, again);
    va_end(again);
    return text;
}
