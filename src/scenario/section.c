#include "section.h"
#include "utf8.h"
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_BYTES_MAX 80

bool key_error(struct reading *reading, const struct node *mapping, const char *key, const char *format,
               ...) {
    struct sentence why;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why.text, sizeof why.text, format, arguments);
    va_end(arguments);
    const struct node *child = mapping->kind == NODE_MAPPING ? node_child(mapping, key) : NULL;
    if (child && !child->implied) {
        node_error(reading->binder.diag, child, "%s", why.text);
        return false;
    }
    const char *path = node_path(reading->binder.arena, mapping);
    path = arena_format(reading->binder.arena, "%s%s%s", path, *path && *key ? "." : "", key);
    diag_error(reading->binder.diag, mapping->place, path, "%s", why.text);
    return false;
}

void write_derived(struct reading *reading, struct node *mapping, const char *key, const char *text) {
    if (!reading->sweeps)
        write_default(reading, mapping, key, text);
}

void write_default(struct reading *reading, struct node *mapping, const char *key, const char *text) {
    struct node *scalar = node_scalar(reading->binder.arena, mapping->place, text);
    scalar->implied = true;
    node_append(reading->binder.arena, mapping, key, scalar);
}

/* Told at the key, before a reader of the file tells it at the file. */
static bool file_check(struct reading *reading, const struct node *node) {
    struct stat status;
    if (stat(node->resolved, &status) != 0 || access(node->resolved, R_OK) != 0)
        node_error(reading->binder.diag, node, "%s cannot be read: %s", node->resolved, strerror(errno));
    else if (S_ISDIR(status.st_mode))
        node_error(reading->binder.diag, node, "%s is a folder, not a file", node->resolved);
    else if (!S_ISREG(status.st_mode))
        node_error(reading->binder.diag, node, "%s is not an ordinary file", node->resolved);
    else
        return true;
    return false;
}

bool files_check(struct reading *reading, const struct node *node) {
    bool fine = !node->resolved || file_check(reading, node);
    for (const struct node *child = node->first; child; child = child->next)
        fine &= files_check(reading, child);
    return fine;
}

static const struct node *file_named(const struct node *node) {
    const struct node *found = node->resolved ? node : NULL;
    for (const struct node *child = node->first; child && !found; child = child->next)
        found = file_named(child);
    return found;
}

size_t file_errors(const struct reading *reading, const struct node *node) {
    const struct node *file = file_named(node);
    return file ? diag_errors_in(reading->binder.diag, file->resolved) : 0;
}

void file_blame(struct reading *reading, const struct node *node, size_t errors) {
    const struct node *file = file_named(node);
    if (file && file_errors(reading, node) > errors)
        node_error(reading->binder.diag, file, "%s cannot be used as it is", file->resolved);
}

bool text_check(struct reading *reading, const struct node *mapping, const char *key, const char *text) {
    if (!*text)
        return key_error(reading, mapping, key, "must not be empty");
    if (strlen(text) > TEXT_BYTES_MAX)
        return key_error(reading, mapping, key, "must have at most %d bytes, has %zu", TEXT_BYTES_MAX,
                         strlen(text));
    for (const char *byte = text; *byte; byte++)
        if (utf8_control(byte) > 0)
            return key_error(reading, mapping, key, "must not hold a control character such as a line end");
    return true;
}
