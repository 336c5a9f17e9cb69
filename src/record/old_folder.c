#include "old_folder.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIGURES    "figures"
#define NAME_BYTES 256

/* Something done to every entry of an open folder; false stops. */
typedef bool entry_visit(int folder, const char *name, struct sentence *why);

static bool each_entry(int folder, entry_visit *visit, struct sentence *why) {
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listing = copy < 0 ? NULL : fdopendir(copy);
    if (listing == NULL) {
        if (copy >= 0)
            close(copy);
        sentence_set(why, "cannot be listed: %s", strerror(errno));
        return false;
    }
    bool going = true;
    for (struct dirent *entry = readdir(listing); going && entry != NULL; entry = readdir(listing))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            going = visit(folder, entry->d_name, why);
    closedir(listing);
    return going;
}

static mode_t entry_type(int folder, const char *name) {
    struct stat status;
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status.st_mode & S_IFMT : 0;
}

static int open_folder(int parent, const char *name) {
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static bool named_as_result(const char *name) {
    static const char *const kinds[] = {".csv", ".yaml", ".json",    ".html", ".gp",
                                        ".svg", ".png",  ".partial", ".pdf",  ".journal"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t kind = strlen(kinds[i]);
        if (length > kind && strcmp(name + length - kind, kinds[i]) == 0)
            return true;
    }
    return false;
}

static bool is_result(int folder, const char *name, struct sentence *why) {
    if (named_as_result(name) && entry_type(folder, name) == S_IFREG)
        return true;
    sentence_set(why, "holds %s, which is not one of its results", name);
    return false;
}

static bool in_figures(int folder, entry_visit *visit, struct sentence *why) {
    int figures = open_folder(folder, FIGURES);
    if (figures < 0) {
        sentence_set(why, "its %s cannot be opened: %s", FIGURES, strerror(errno));
        return false;
    }
    bool done = each_entry(figures, visit, why);
    close(figures);
    return done;
}

/* A figure's files stand together: NAME.gp and NAME.csv beside each picture. What lacks them is somebody's own. */
static bool is_figure(int folder, const char *name, struct sentence *why) {
    char beside[NAME_BYTES];
    size_t stem = strcspn(name, ".");
    static const char *const both[] = {".gp", ".csv"};
    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        int length = snprintf(beside, sizeof beside, "%.*s%s", (int)stem, name, both[i]);
        if (length < 0 || (size_t)length >= sizeof beside || entry_type(folder, beside) != S_IFREG) {
            sentence_set(why, "holds %s/%s, which is not one of its figures", FIGURES, name);
            return false;
        }
    }
    return is_result(folder, name, why);
}

static bool is_result_or_figures(int folder, const char *name, struct sentence *why) {
    if (strcmp(name, FIGURES) == 0 && entry_type(folder, name) == S_IFDIR)
        return in_figures(folder, is_figure, why);
    return is_result(folder, name, why);
}

/* A run may have been killed before its manifest stood. */
static bool is_nothing(int folder, const char *name, struct sentence *why) {
    if (strcmp(name, "manifest.json.partial") == 0 && entry_type(folder, name) == S_IFREG)
        return true;
    sentence_set(why, "holds %s but no manifest.json, so it is not a results folder", name);
    return false;
}

bool old_folder_replaceable(const char *path, struct sentence *why) {
    int folder = open_folder(AT_FDCWD, path);
    if (folder < 0) {
        if (errno == ENOTDIR || errno == ELOOP)
            sentence_set(why, "is not a folder");
        else
            sentence_set(why, "cannot be opened: %s", strerror(errno));
        return false;
    }
    bool ours = entry_type(folder, "manifest.json") == S_IFREG;
    bool replaceable = each_entry(folder, ours ? is_result_or_figures : is_nothing, why);
    close(folder);
    return replaceable;
}

static bool remove_result(int folder, const char *name, struct sentence *why) {
    if (!is_result(folder, name, why))
        return false;
    if (unlinkat(folder, name, 0) == 0)
        return true;
    sentence_set(why, "its %s cannot be removed: %s", name, strerror(errno));
    return false;
}

static bool remove_result_or_figures(int folder, const char *name, struct sentence *why) {
    if (strcmp(name, FIGURES) != 0 || entry_type(folder, name) != S_IFDIR)
        return remove_result(folder, name, why);
    if (!in_figures(folder, remove_result, why))
        return false;
    if (unlinkat(folder, FIGURES, AT_REMOVEDIR) == 0)
        return true;
    sentence_set(why, "its %s cannot be removed: %s", FIGURES, strerror(errno));
    return false;
}

bool old_folder_remove(const char *path, struct sentence *why) {
    int folder = open_folder(AT_FDCWD, path);
    if (folder < 0) {
        sentence_set(why, "cannot be opened: %s", strerror(errno));
        return false;
    }
    bool emptied = each_entry(folder, remove_result_or_figures, why);
    close(folder);
    if (!emptied)
        return false;
    if (rmdir(path) == 0)
        return true;
    sentence_set(why, "cannot be removed: %s", strerror(errno));
    return false;
}
