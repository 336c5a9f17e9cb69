#include "csv_file.h"
#include "file_open.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* Read at a time: at least, where the text grows, and at most. */
enum { CHUNK_BYTES = 1 << 17, READ_BYTES = 1 << 30 };

/* What is being filled: `length` bytes of `capacity`, and the folder entry's size as a first guess. */
struct filling {
    char *bytes;
    size_t length, capacity;
};

static void tell_size(struct diag *diag, const char *file) {
    diag_error(diag, (struct place){.file = file}, NULL,
               "is larger than the %.2g GB of memory that can be had", 1e-9 * memory_bytes_most());
}

static gzFile open_regular(struct diag *diag, const char *file, struct filling *text) {
    struct sentence why;
    int opened = file_open(file, &why);
    if (opened < 0) {
        diag_error(diag, (struct place){.file = file}, NULL, "%s", why.text);
        return NULL;
    }
    struct stat entry = {.st_size = 0};
    bool fits = fstat(opened, &entry) == 0 && (double)entry.st_size + CHUNK_BYTES <= memory_bytes_most();
    gzFile stream = fits ? gzdopen(opened, "rb") : NULL;
    if (!stream) {
        close(opened);
        tell_size(diag, file);
        return NULL;
    }
    gzbuffer(stream, CHUNK_BYTES);
    text->capacity = (size_t)entry.st_size + CHUNK_BYTES;
    text->bytes = memory_resized(NULL, text->capacity, 1);
    return stream;
}

/* Room for a chunk more; false where there cannot be, as when a small .gz holds a large text. */
static bool make_room(struct filling *text) {
    if (text->capacity - text->length > CHUNK_BYTES)
        return true;
    if (2 * (double)text->capacity > memory_bytes_most())
        return false;
    text->capacity *= 2;
    text->bytes = memory_resized(text->bytes, text->capacity, 1);
    return true;
}

/* Returns the last count that zlib gave: 0 at the end, -1 when the file cannot be read on; 1 when it is too large. */
static int read_all(gzFile stream, struct filling *text) {
    int count;
    do {
        if (!make_room(text))
            return 1;
        size_t room = text->capacity - text->length - 1; /* a NUL follows */
        count = gzread(stream, text->bytes + text->length, room < READ_BYTES ? (unsigned)room : READ_BYTES);
        text->length += count > 0 ? (size_t)count : 0;
    } while (count > 0);
    text->bytes[text->length] = '\0';
    return count;
}

static void strip_byte_order_mark(struct filling *text) {
    if (text->length < 3 || memcmp(text->bytes, "\xef\xbb\xbf", 3) != 0)
        return;
    text->length -= 3;
    memmove(text->bytes, text->bytes + 3, text->length + 1);
}

/* A .gz that was cut short reads like one that ends: only the close tells. */
static bool close_whole(struct diag *diag, const char *file, gzFile stream, int count) {
    int status = Z_OK, closing;
    char why[160] = "";
    if (count < 0)
        snprintf(why, sizeof why, "%s", gzerror(stream, &status));
    if (status == Z_ERRNO)
        snprintf(why, sizeof why, "%s", strerror(errno));
    closing = gzclose(stream);
    struct place place = {.file = file};
    if (count > 0)
        tell_size(diag, file);
    else if (status == Z_BUF_ERROR || closing == Z_BUF_ERROR)
        diag_error(diag, place, NULL, "the compressed file is truncated: its end is missing");
    else if (count < 0 || closing != Z_OK)
        diag_error(diag, place, NULL, "cannot be read: %s", *why ? why : "the compressed file is damaged");
    else
        return true;
    return false;
}

char *file_text(struct diag *diag, const char *file, size_t *length) {
    struct filling text = {0};
    gzFile stream = open_regular(diag, file, &text);
    if (!stream)
        return NULL;
    int count = read_all(stream, &text);
    if (!close_whole(diag, file, stream, count)) {
        free(text.bytes);
        return NULL;
    }
    strip_byte_order_mark(&text);
    *length = text.length;
    return text.bytes;
}

uint32_t file_checksum(const char *file) {
    FILE *stream = fopen(file, "rb");
    if (!stream)
        return 0;
    unsigned char chunk[1 << 14];
    uLong sum = crc32(0, NULL, 0);
    for (size_t count; (count = fread(chunk, 1, sizeof chunk, stream)) > 0;)
        sum = crc32(sum, chunk, (uInt)count);
    if (ferror(stream))
        sum = 0;
    fclose(stream);
    return (uint32_t)sum;
}
