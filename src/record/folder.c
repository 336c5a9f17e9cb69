#include "folder.h"
#include "file.h"
#include "growing.h"
#include "memory.h"
#include "old_folder.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct folder {
    char *final, *partial, *replaced;
    enum replacing replacing;
    bool finished;
    struct growing growing;
    int lock; /* the open .partial folder, locked while this run writes it; -1: none */
    bool failed;
    struct sentence failure; /* the first */
};

static char *joined(const char *head, const char *middle, const char *tail) {
    size_t length = strlen(head) + strlen(middle) + strlen(tail) + 1;
    char *text = memory_zeroed(length, 1);
    snprintf(text, length, "%s%s%s", head, middle, tail);
    return text;
}

static bool exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

/* Makes the folders above the last name in `path`. */
static bool make_parents(const char *path, struct sentence *why) {
    char *parent = memory_text(path);
    bool made = true;
    for (char *slash = strchr(parent + 1, '/'); made && slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        made = mkdir(parent, 0777) == 0 || errno == EEXIST;
        if (!made)
            sentence_set(why, "cannot make the folder %s: %s", parent, strerror(errno));
        *slash = '/';
    }
    free(parent);
    return made;
}

/* The path without slashes at its end; NULL where its last name is not one that a folder can be given. */
static char *final_path(const char *path) {
    char *final = memory_text(path);
    size_t length = strlen(final);
    while (length > 0 && final[length - 1] == '/')
        final[--length] = '\0';
    const char *slash = strrchr(final, '/');
    const char *name = slash == NULL ? final : slash + 1;
    if (*name != '\0' && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
        return final;
    free(final);
    return NULL;
}

static bool may_replace(const char *path, const char *what, enum replacing replacing, struct sentence *why) {
    struct sentence cause;
    if (!exists(path))
        return true;
    if (replacing == KEEP_EXISTING)
        sentence_set(why, "%s %s; --force replaces it", path, what);
    else if (!old_folder_replaceable(path, &cause))
        sentence_set(why, "%s is not replaced: it %s", path, cause.text);
    else
        return true;
    return false;
}

/* Holds the folder until it is closed; false when another run holds it. */
static bool lock_folder(struct folder *folder) {
    folder->lock = open(folder->partial, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder->lock < 0 || flock(folder->lock, LOCK_EX | LOCK_NB) == 0)
        return true;
    close(folder->lock);
    folder->lock = -1;
    return false;
}

static void unlock_folder(struct folder *folder) {
    if (folder->lock >= 0)
        close(folder->lock);
    folder->lock = -1;
}

static bool make_partial(struct folder *folder, struct sentence *why) {
    struct sentence cause;
    if (exists(folder->partial) && !lock_folder(folder)) {
        sentence_set(why, "%s is being written by another run", folder->partial);
        return false;
    }
    if (!may_replace(folder->final, "exists already", folder->replacing, why) ||
        !may_replace(folder->partial, "is left from a run that did not finish", folder->replacing, why) ||
        !make_parents(folder->final, why))
        return false;
    if (exists(folder->partial) && !old_folder_remove(folder->partial, &cause)) {
        sentence_set(why, "%s %s", folder->partial, cause.text);
        return false;
    }
    unlock_folder(folder);
    if (mkdir(folder->partial, 0777) != 0) {
        sentence_set(why, "cannot make the folder %s: %s", folder->partial, strerror(errno));
        return false;
    }
    if (lock_folder(folder))
        return true;
    sentence_set(why, "%s is being written by another run", folder->partial);
    return false;
}

/* One that stands already, with what is in it. */
static bool take_partial(struct folder *folder, struct sentence *why) {
    struct sentence cause;
    if (!may_replace(folder->final, "exists already", folder->replacing, why))
        return false;
    if (!old_folder_replaceable(folder->partial, &cause))
        sentence_set(why, "%s cannot be continued: it %s", folder->partial, cause.text);
    else if (!lock_folder(folder) || folder->lock < 0)
        sentence_set(why, "%s is being written by another run", folder->partial);
    else
        return true;
    return false;
}

typedef bool folder_begin(struct folder *folder, struct sentence *why);

static struct folder *folder_of(const char *path, enum replacing replacing, folder_begin *begin,
                                struct sentence *why) {
    char *final = final_path(path);
    if (final == NULL) {
        sentence_set(why, "a results folder cannot be called \"%s\"", path);
        return NULL;
    }
    struct folder *folder = memory_zeroed(1, sizeof *folder);
    folder->final = final;
    folder->partial = joined(final, "", ".partial");
    folder->replaced = joined(final, "", ".replaced");
    folder->replacing = replacing;
    folder->lock = -1;
    folder->growing.folder = folder->partial;
    if (begin(folder, why))
        return folder;
    folder_free(folder);
    return NULL;
}

struct folder *folder_new(const char *path, enum replacing replacing, struct sentence *why) {
    return folder_of(path, replacing, make_partial, why);
}

struct folder *folder_reopen(const char *path, enum replacing replacing, struct sentence *why) {
    return folder_of(path, replacing, take_partial, why);
}

static bool fail(struct folder *folder, const char *name) {
    if (!folder->failed)
        sentence_set(&folder->failure, "cannot write %s/%s: %s", folder->partial, name, strerror(errno));
    folder->failed = true;
    return false;
}

bool folder_append(struct folder *folder, const char *name, const char *text, size_t length) {
    assert(!folder->finished);
    return growing_append(&folder->growing, name, text, length) ? !folder->failed : fail(folder, name);
}

bool folder_cut(struct folder *folder, const char *name, uint64_t length) {
    assert(!folder->finished);
    return growing_cut(&folder->growing, name, length) ? !folder->failed : fail(folder, name);
}

bool folder_sync(struct folder *folder, const char *name) {
    bool synced = name == NULL ? fsync(folder->lock) == 0 : growing_sync(&folder->growing, name);
    return synced ? !folder->failed : fail(folder, name == NULL ? "" : name);
}

bool folder_write(struct folder *folder, const char *name, const char *text, size_t length) {
    assert(!folder->finished && !growing_has(&folder->growing, name));
    char *path = joined(folder->partial, "/", name);
    bool written = file_replace(path, text, length);
    free(path);
    return written ? !folder->failed : fail(folder, name);
}

bool folder_supersede(struct folder *folder, const char *name, const char *successor) {
    char *from = joined(folder->partial, "/", successor), *to = joined(folder->partial, "/", name);
    bool moved = growing_close(&folder->growing, successor) && growing_close(&folder->growing, name) &&
                 rename(from, to) == 0;
    free(from);
    free(to);
    return moved ? !folder->failed : fail(folder, name);
}

const char *folder_path(const struct folder *folder) {
    return folder->finished ? folder->final : folder->partial;
}

/* A full disk may show only now. */
static void settle_files(struct folder *folder) {
    for (size_t f = 0; f < folder->growing.files; f++)
        if (!growing_sync(&folder->growing, folder->growing.file[f].name))
            fail(folder, folder->growing.file[f].name);
    if (!growing_close_all(&folder->growing))
        fail(folder, "");
    if (fsync(folder->lock) != 0)
        fail(folder, "");
}

/* The names in the folder above; where they cannot be synced, they get to the disk in their time. */
static void sync_parent(const struct folder *folder) {
    char *parent = memory_text(folder->final);
    char *slash = strrchr(parent, '/');
    if (slash != NULL)
        slash[slash == parent] = '\0';
    int file = open(slash == NULL ? "." : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(parent);
    if (file < 0)
        return;
    fsync(file);
    close(file);
}

static bool move(const char *from, const char *to, struct sentence *why) {
    if (rename(from, to) == 0)
        return true;
    sentence_set(why, "cannot rename %s to %s: %s", from, to, strerror(errno));
    return false;
}

/* Puts the new folder in the place of the old one, which goes only then. */
static bool swap(struct folder *folder, struct sentence *why) {
    struct sentence cause;
    if (!may_replace(folder->final, "has come into being meanwhile", folder->replacing, why))
        return false;
    bool old = exists(folder->final);
    /* Left where an earlier run was killed here. */
    if (old && exists(folder->replaced) && old_folder_replaceable(folder->replaced, &cause))
        old_folder_remove(folder->replaced, &cause);
    if (old && !move(folder->final, folder->replaced, why))
        return false;
    if (!move(folder->partial, folder->final, why)) {
        if (old && rename(folder->replaced, folder->final) != 0)
            sentence_set(why, "cannot put %s in place; the old one is now %s", folder->final,
                         folder->replaced);
        return false;
    }
    folder->finished = true;
    sync_parent(folder);
    if (!old || old_folder_remove(folder->replaced, &cause))
        return true;
    sentence_set(why, "%s is complete, but the old one, now %s, %s", folder->final, folder->replaced,
                 cause.text);
    return false;
}

bool folder_finish(struct folder *folder, struct sentence *why) {
    assert(!folder->finished);
    settle_files(folder);
    if (!folder->failed)
        return swap(folder, why);
    *why = folder->failure;
    return false;
}

bool folder_has(const struct folder *folder, const char *name) {
    char *path = joined(folder_path(folder), "/", name);
    bool there = exists(path);
    free(path);
    return there;
}

const char *folder_failure(const struct folder *folder) {
    return folder->failure.text;
}

void folder_free(struct folder *folder) {
    if (folder == NULL)
        return;
    growing_close_all(&folder->growing);
    unlock_folder(folder);
    free(folder->final);
    free(folder->partial);
    free(folder->replaced);
    free(folder);
}
