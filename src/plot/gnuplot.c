#include "gnuplot.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* What gnuplot says, from its start. */
struct answer {
    char text[4096];
    size_t length;
};

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Starts it with `output` as its standard output and error. Returns 0 or an errno. */
static int start(const struct gnuplot_job *job, int output, pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, job->folder);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    /* posix_spawnp asks for strings that it might change; it does not. -d: no settings of the user's own. */
    char name[] = "gnuplot", defaults[] = "-d", execute[] = "-e";
    char *arguments[] = {
        name, defaults, execute, (char *)(uintptr_t)job->settings, (char *)(uintptr_t)job->script, NULL};
    int refused = posix_spawnp(child, name, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return refused;
}

/* Keeps the first words; reads on, so that the writer is never held up. False at the end. */
static bool listen(int input, struct answer *answer) {
    char bytes[1024];
    ssize_t got = read(input, bytes, sizeof bytes);
    if (got < 0)
        return errno == EINTR;
    size_t room = sizeof answer->text - 1 - answer->length, kept = (size_t)got < room ? (size_t)got : room;
    memcpy(answer->text + answer->length, bytes, kept);
    answer->length += kept;
    return got > 0;
}

/* False when the time is over before gnuplot closes its output. */
static bool listen_until(int input, double end_s, struct answer *answer) {
    for (;;) {
        double left_s = end_s - now_s();
        struct pollfd wanted = {.fd = input, .events = POLLIN};
        if (left_s <= 0)
            return false;
        int ready = poll(&wanted, 1, (int)(1000 * left_s) + 1);
        if (ready < 0 && errno != EINTR)
            return false;
        if (ready > 0 && !listen(input, answer))
            return true;
    }
}

/* False when the child had to be ended. */
static bool wait_until(pid_t child, double end_s, int *status) {
    for (;;) {
        pid_t ended = waitpid(child, status, WNOHANG);
        if (ended == child)
            return true;
        if (now_s() >= end_s || (ended < 0 && errno != EINTR))
            break;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    kill(child, SIGKILL);
    while (waitpid(child, status, 0) < 0 && errno == EINTR)
        continue;
    return false;
}

/* gnuplot repeats the line at fault with a caret below it before the sentence that says what is wrong. */
static const char *complaint(struct answer *answer) {
    answer->text[answer->length] = '\0';
    char *line = answer->text, *found = answer->text;
    while (line != NULL && *line != '\0') {
        char *end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        if (strstr(line, "line ") != NULL && strstr(line, ": ") != NULL)
            return line;
        if (line[strspn(line, " \t^")] != '\0')
            found = line;
        line = end;
    }
    return found;
}

bool gnuplot_run(const struct gnuplot_job *job, struct sentence *why) {
    int ends[2];
    pid_t child;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        sentence_set(why, "cannot start gnuplot: %s", strerror(errno));
        return false;
    }
    int refused = start(job, ends[1], &child);
    close(ends[1]);
    if (refused != 0) {
        close(ends[0]);
        sentence_set(why, "cannot start gnuplot: %s%s", strerror(refused),
                     refused == ENOENT ? " (is it installed?)" : "");
        return false;
    }
    struct answer answer = {.length = 0};
    double end_s = now_s() + job->limit_s;
    int status = 0;
    bool closed = listen_until(ends[0], end_s, &answer);
    bool ended = wait_until(child, closed ? end_s : 0, &status);
    close(ends[0]);
    if (!ended)
        sentence_set(why, "gnuplot took longer than %g s on %s/%s", job->limit_s, job->folder, job->script);
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        sentence_set(why, "gnuplot could not draw %s/%s: %s", job->folder, job->script, complaint(&answer));
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
