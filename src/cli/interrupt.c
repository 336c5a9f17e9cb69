#include "interrupt.h"
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
#define CAUGHT (sizeof caught / sizeof *caught)

/* Written before a signal can come: a handler may not format. */
struct words {
    char text[PATH_MAX + 256];
    size_t bytes;
};
static struct words with_folder, without_folder;
static char partial[PATH_MAX + 16];

static void say(struct words *words, const struct call *call, const char *kept) {
    int length = snprintf(words->text, sizeof words->text, "%slaggard %s: interrupted; %s\n",
                          isatty(STDERR_FILENO) ? "\r\033[K" : "", call->command->name, kept);
    words->bytes = (size_t)length < sizeof words->text ? (size_t)length : sizeof words->text - 1;
}

static void handle(int signal_number) {
    const struct words *words = access(partial, F_OK) == 0 ? &with_folder : &without_folder;
    if (write(STDERR_FILENO, words->text, words->bytes) < 0)
        partial[0] = '\0';
    raise(signal_number); /* the handler is reset, so this ends the program */
}

void interrupt_watch(const struct call *call, const char *folder) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = (int)SA_RESETHAND};
    snprintf(partial, sizeof partial, "%s.partial", folder);
    say(&without_folder, call, "nothing was finished yet");
    say(&with_folder, call,
        arena_format(call->arena, "what is finished is kept in %s, and --resume goes on from there",
                     partial));
    sigemptyset(&action.sa_mask);
    for (size_t s = 0; s < CAUGHT; s++) {
        struct sigaction before;
        /* What was ignored when the program began (nohup) stays so. */
        if (sigaction(caught[s], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(caught[s], &action, NULL);
    }
}

void interrupt_forget(void) {
    for (size_t s = 0; s < CAUGHT; s++) {
        struct sigaction now;
        if (sigaction(caught[s], NULL, &now) == 0 && now.sa_handler == handle)
            signal(caught[s], SIG_DFL);
    }
}
