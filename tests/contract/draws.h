/* draws.h: texts drawn at random, for walks: each draw follows from the seed alone. */
#ifndef LAGGARD_TESTS_DRAWS_H
#define LAGGARD_TESTS_DRAWS_H
#include <stdint.h>

/* From here on, the draws of this seed. */
void draws_begin(uint64_t seed);
/* A draw of [0, end). */
uint32_t draw(uint32_t end);

enum { TEXT_BYTES = 16384 };
struct text {
    char bytes[TEXT_BYTES];
};
/* printf to the end of it. */
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
#endif
