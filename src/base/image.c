#include "image.h"
#include "csv_file.h"
#include "memory.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define SUFFIX ".laggard-cache"
/* zlib counts in int. */
#define SUMMED_BYTES ((size_t)1 << 30)

/* In front of what was put. Files of machines that order bytes in another way differ in `order`. */
struct head {
    char magic[8], kind[32];
    uint32_t order, file_checksum, checksum, unused;
    uint64_t file_bytes, bytes;
};
static const char magic[8] = "laggard\n";
#define ORDER UINT32_C(0x01020304)

struct image {
    FILE *stream;
    struct head head;
    uint64_t left;
    uint32_t checksum; /* of what was taken */
};

struct image_writer {
    struct image_subject subject;
    struct head head;
    char *path, *partial;
    FILE *stream;
};

static uint32_t sum_on(uint32_t checksum, const void *from, size_t bytes) {
    const unsigned char *at = from;
    for (size_t count; bytes > 0; bytes -= count, at += count) {
        count = bytes < SUMMED_BYTES ? bytes : SUMMED_BYTES;
        checksum = (uint32_t)crc32(checksum, at, (uInt)count);
    }
    return checksum;
}

static char *image_path(const char *file) {
    return memory_format("%s" SUFFIX, file);
}

/* The head that an image of this subject begins with, but for what it holds and the checksum of the file. False for files
 * that have none. */
static bool head_expected(struct image_subject subject, struct head *head) {
    struct stat status;
    if (stat(subject.file, &status) != 0 || !S_ISREG(status.st_mode) ||
        (uint64_t)status.st_size < IMAGE_FILE_BYTES)
        return false;
    *head = (struct head){.order = ORDER, .file_bytes = (uint64_t)status.st_size};
    memcpy(head->magic, magic, sizeof magic);
    snprintf(head->kind, sizeof head->kind, "%s", subject.kind);
    return true;
}

static FILE *regular_opened(const char *path, uint64_t *bytes) {
    struct stat status;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    FILE *stream = NULL;
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode))
        stream = fdopen(file, "rb");
    if (file >= 0 && !stream)
        close(file);
    *bytes = stream ? (uint64_t)status.st_size : 0;
    return stream;
}

/* Whether it is an image of the file as it is now, and of the length that its head says. */
static bool head_agrees(const struct head *head, struct image_subject subject, uint64_t bytes) {
    struct head expected;
    return head_expected(subject, &expected) && memcmp(head->magic, magic, sizeof magic) == 0 &&
           head->order == ORDER && memcmp(head->kind, expected.kind, sizeof expected.kind) == 0 &&
           head->file_bytes == expected.file_bytes && bytes == sizeof *head + head->bytes &&
           head->file_checksum == file_checksum(subject.file);
}

struct image *image_open(struct image_subject subject) {
    char *path = image_path(subject.file);
    struct image *image = memory_zeroed(1, sizeof *image);
    uint64_t bytes;
    image->stream = regular_opened(path, &bytes);
    free(path);
    if (image->stream && fread(&image->head, sizeof image->head, 1, image->stream) == 1 &&
        head_agrees(&image->head, subject, bytes)) {
        image->left = image->head.bytes;
        return image;
    }
    image_close(image);
    return NULL;
}

bool image_take(struct image *image, void *to, size_t bytes) {
    if (bytes > image->left || fread(to, 1, bytes, image->stream) != bytes)
        return false;
    image->left -= bytes;
    image->checksum = sum_on(image->checksum, to, bytes);
    return true;
}

void *image_take_array(struct image *image, size_t count, size_t size) {
    if (count > image->left / size)
        return NULL;
    void *array = memory_resized(NULL, count, size);
    if (image_take(image, array, count * size))
        return array;
    free(array);
    return NULL;
}

bool image_close(struct image *image) {
    if (!image)
        return false;
    bool whole = image->stream && image->left == 0 && image->checksum == image->head.checksum;
    if (image->stream)
        fclose(image->stream);
    free(image);
    return whole;
}

/* The folder of the file may be written to, by someone at least: the superuser needs no permission, but a folder without
 * any is not meant to change. */
static bool folder_writable(const char *file) {
    struct stat status;
    const char *slash = strrchr(file, '/');
    char *folder = slash ? memory_format("%.*s/", (int)(slash - file), file) : memory_text(".");
    bool writable = stat(folder, &status) == 0 && (status.st_mode & 0222) != 0 && access(folder, W_OK) == 0;
    free(folder);
    return writable;
}

/* A new file that whoever may read the data may read. */
static FILE *partial_opened(char *partial, const char *file) {
    struct stat status;
    int opened = mkostemp(partial, O_CLOEXEC);
    FILE *stream = NULL;
    if (opened >= 0 && stat(file, &status) == 0 && fchmod(opened, status.st_mode & 0666) == 0)
        stream = fdopen(opened, "wb");
    if (opened >= 0 && !stream) {
        close(opened);
        unlink(partial);
    }
    return stream;
}

struct image_writer *image_begin(struct image_subject subject) {
    struct head head;
    if (!head_expected(subject, &head) || !folder_writable(subject.file))
        return NULL;
    struct image_writer *writer = memory_zeroed(1, sizeof *writer);
    *writer = (struct image_writer){.subject = subject, .head = head, .path = image_path(subject.file)};
    writer->head.file_checksum = file_checksum(subject.file);
    return writer;
}

/* Nothing is written before there is something to put: a file with mistakes leaves no trace. */
static FILE *stream_of(struct image_writer *writer) {
    if (!writer->partial) {
        writer->partial = memory_format("%s.XXXXXX", writer->path);
        writer->stream = partial_opened(writer->partial, writer->subject.file);
        if (writer->stream)
            fwrite(&writer->head, sizeof writer->head, 1, writer->stream);
    }
    return writer->stream;
}

void image_put(struct image_writer *writer, const void *from, size_t bytes) {
    if (!stream_of(writer))
        return;
    fwrite(from, 1, bytes, writer->stream); /* the stream remembers that it failed */
    writer->head.bytes += bytes;
    writer->head.checksum = sum_on(writer->head.checksum, from, bytes);
}

static bool head_written(struct image_writer *writer) {
    return writer->stream && fseek(writer->stream, 0, SEEK_SET) == 0 &&
           fwrite(&writer->head, sizeof writer->head, 1, writer->stream) == 1 &&
           fflush(writer->stream) == 0 && !ferror(writer->stream);
}

void image_keep(struct image_writer *writer) {
    struct head now;
    if (!writer)
        return;
    if (head_written(writer) && head_expected(writer->subject, &now) &&
        now.file_bytes == writer->head.file_bytes &&
        file_checksum(writer->subject.file) == writer->head.file_checksum &&
        rename(writer->partial, writer->path) == 0)
        *writer->partial = '\0';
    image_drop(writer);
}

void image_drop(struct image_writer *writer) {
    if (!writer)
        return;
    if (writer->stream)
        fclose(writer->stream);
    if (writer->stream && *writer->partial)
        unlink(writer->partial);
    free(writer->path);
    free(writer->partial);
    free(writer);
}
