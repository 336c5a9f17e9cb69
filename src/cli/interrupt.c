#include "interrupt.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
#define CAUGHT (sizeof caught / sizeof *caught)

/* Written before a signal can come: a handler may not format. */
static char sentence[1024];
static size_t sentence_bytes;

static void handle(int signal_number) {
    if (write(STDERR_FILENO, sentence, sentence_bytes) < 0)
        sentence_bytes = 0;
    raise(signal_number); /* the handler is reset, so this ends the program */
}

void interrupt_watch(const struct call *call, const char *folder) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = (int)SA_RESETHAND};
    int length =
        snprintf(sentence, sizeof sentence,
                 "%slaggard %s: interrupted; what is finished is kept in %s.partial, and --resume goes "
                 "on from there\n",
                 isatty(STDERR_FILENO) ? "\r\033[K" : "", call->command->name, folder);
    sentence_bytes = (size_t)length < sizeof sentence ? (size_t)length : sizeof sentence - 1;
    sigemptyset(&action.sa_mask);
    for (size_t s = 0; s < CAUGHT; s++) {
        struct sigaction before;
        /* What was ignored when the program began (nohup) stays so. */
        if (sigaction(caught[s], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(caught[s], &action, NULL);
    }
    signal(SIGXFSZ, SIG_IGN);
}

void interrupt_forget(void) {
    for (size_t s = 0; s < CAUGHT; s++) {
        struct sigaction now;
        if (sigaction(caught[s], NULL, &now) == 0 && now.sa_handler == handle)
            signal(caught[s], SIG_DFL);
    }
}
