/* image.h: what was read from a file of text, kept beside it in binary, FILE.laggard-cache, so that the next run need not
 * read the text. An image counts only while it is whole and the file's bytes have the checksum that it was made of; it is
 * written whole or not at all, and nobody is told: without it all is the same but slower. Knows nothing of what it holds
 * but its bytes. Folders without any permission to write, and small files, get none. */
#ifndef LAGGARD_IMAGE_H
#define LAGGARD_IMAGE_H
#include <stdbool.h>
#include <stddef.h>

/* Smaller files are read in a few milliseconds. */
#define IMAGE_FILE_BYTES ((size_t)1 << 20)

/* What an image is of. `kind` says what its bytes mean, with a number that changes when they mean another thing. Used as
 * long as the image is. */
struct image_subject {
    const char *file, *kind;
};

/* The image of the file as it is now; NULL: none. */
struct image;
struct image *image_open(struct image_subject subject);
/* The next bytes; false where there are not as many. */
bool image_take(struct image *image, void *to, size_t bytes);
/* The next `count` items of `size` bytes on the heap, freed with free(); NULL where there are not as many. */
void *image_take_array(struct image *image, size_t count, size_t size);
/* True where all was taken, and was what was put. Frees the image. NULL is fine: false. */
bool image_close(struct image *image);

/* A new one, of a file that is about to be read; NULL: none is to be made. */
struct image_writer;
struct image_writer *image_begin(struct image_subject subject);
void image_put(struct image_writer *writer, const void *from, size_t bytes);
/* Puts it in place, where the file is still the one that it was at the beginning. NULL is fine. */
void image_keep(struct image_writer *writer);
/* Puts nothing in place. NULL is fine. */
void image_drop(struct image_writer *writer);
#endif
