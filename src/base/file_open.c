#include "file_open.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void tell_cause(struct sentence *why) {
    sentence_set(why, "cannot be opened: %s", strerror(errno));
}

/* /dev/fd/3 leads to a pipe without a name, to which no path leads. */
static bool is_named(const char *file) {
    char *real = realpath(file, NULL);
    free(real);
    return real != NULL;
}

static bool is_readable(int descriptor, const char *file, bool pipes, struct sentence *why) {
    struct stat entry;
    if (fstat(descriptor, &entry) != 0)
        tell_cause(why);
    else if (S_ISDIR(entry.st_mode))
        sentence_set(why, "is a folder, a file is needed");
    else if (!S_ISREG(entry.st_mode) && !(pipes && S_ISFIFO(entry.st_mode) && !is_named(file)))
        sentence_set(why, "is no regular file but a %s, which may have no end; a file is needed",
                     S_ISFIFO(entry.st_mode) ? "pipe" : "device");
    else
        return true;
    return false;
}

/* Opening waits for no writer; reading what is taken does. */
static int opened(const char *file, bool pipes, struct sentence *why) {
    int descriptor = open(file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) {
        tell_cause(why);
        return -1;
    }
    if (is_readable(descriptor, file, pipes, why) && fcntl(descriptor, F_SETFL, 0) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}

int file_open(const char *file, struct sentence *why) {
    return opened(file, false, why);
}

int file_or_pipe_open(const char *file, struct sentence *why) {
    return opened(file, true, why);
}
