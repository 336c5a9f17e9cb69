/* memory.h: storage that is there or ends the program, in one place; and arenas freed as a whole.
 * Knows nothing of what is stored. */
#ifndef LAGGARD_MEMORY_H
#define LAGGARD_MEMORY_H
#include <stddef.h>

/* `count` zeroed items of `size` bytes, 64-byte aligned; freed with free(). Out of memory, or a product
 * that overflows, prints a sentence and ends the program with exit code 1. */
void *memory_zeroed(size_t count, size_t size);

/* The same for large arrays: from 2 MiB on aligned to as much and offered to the kernel as huge pages. Freed with free(). */
void *memory_zeroed_huge(size_t count, size_t size);
/* The same, to be written before it is read: what is never written takes no memory. */
void *memory_huge(size_t count, size_t size);
/* A larger one in place of `block`, whose first `used` items it takes over. */
void *memory_grown(void *block, size_t used, size_t count, size_t size);

/* realloc of `count` items of `size` bytes that ends the program like memory_zeroed. */
void *memory_resized(void *block, size_t count, size_t size);

/* Bytes that the program may have at most: the machine's memory, or less where the shell set a limit. What is sure to need
 * more is refused with a sentence before it is asked for. */
double memory_bytes_most(void);

/* A heap copy of a string. */
char *memory_text(const char *text);
/* printf into a heap string. */
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Blocks that live and die together. */
struct arena;
struct arena *arena_new(void);
void arena_free(struct arena *arena);
/* `count` zeroed items of `size` bytes, 64-byte aligned, valid until arena_free. */
void *arena_zeroed(struct arena *arena, size_t count, size_t size);
/* What is asked for next, so many bytes in all, stands side by side, and in huge pages if it is large. */
void arena_reserve(struct arena *arena, size_t bytes);
/* A copy of the first `length` bytes of `text`, ended by NUL. */
char *arena_text(struct arena *arena, const char *text, size_t length);
/* printf into the arena. */
char *arena_format(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
#endif
