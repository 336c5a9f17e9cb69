/* The program: its own options, the choice of a command, the exit code. */
#include "help.h"
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <string.h>

#define COMMANDS_MAX 32
/* A word for --help, which some programs have as a command. */
#define HELP "help"

static const struct command *command_named(const char *name) {
    for (const struct command *const *command = commands; *command; command++)
        if (strcmp((*command)->name, name) == 0)
            return *command;
    return NULL;
}

static int command_unknown(const struct call *call, const char *name) {
    const char *names[COMMANDS_MAX] = {HELP};
    for (size_t q = 0; commands[q] && q + 2 < COMMANDS_MAX; q++)
        names[q + 1] = commands[q]->name;
    return usage_error(call, "unknown command '%s'%s", name, did_you_mean(call->arena, name, names));
}

/* Options before the command. Returns -1 when a command follows, else the exit code. */
static int program_options(const struct call *call, int argc, char **argv) {
    static const struct option options[] = {
        {"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'V'}, {NULL, 0, NULL, 0}};
    static const char *const names[] = {"help", "version", NULL};
    opterr = 0;
    int place = -1, code = getopt_long(argc, argv, "+:hV", options, &place);
    const char *word = argv[optind > 1 ? optind - 1 : 1];
    bool cut =
        place >= 0 && strlen(word + 2) < strlen(options[place].name); /* getopt takes --he for --help */
    if (cut)
        return usage_error(call, "unknown option '%s' (did you mean '--%s'?)", word, options[place].name);
    if (code == 'h')
        help_program(stdout);
    if (code == 'V')
        help_version(stdout);
    if (code == 'h' || code == 'V')
        return EXIT_DONE;
    if (code == -1 && optind < argc)
        return -1;
    if (code == -1) {
        help_program(stderr);
        return EXIT_USAGE;
    }
    const char *near = nearest_name(word + strspn(word, "-"), names);
    return near ? usage_error(call, "unknown option '%s' (did you mean '--%s'?)", word, near)
                : usage_error(call, "unknown option '%s'", word);
}

/* `laggard help`, as --help; `laggard help COMMAND`, as COMMAND --help. */
static int help_run(const struct call *call, int words, char **word) {
    if (words > 1)
        return usage_error(call, "unexpected '%s'", word[1]);
    const struct command *command = words == 1 ? command_named(word[0]) : NULL;
    if (words == 1 && !command)
        return command_unknown(call, word[0]);
    if (command)
        help_command(command, stdout);
    else
        help_program(stdout);
    return EXIT_DONE;
}

static int program_run(struct call *call, int argc, char **argv) {
    int end = program_options(call, argc, argv);
    if (end >= 0)
        return end;
    int first = optind;
    const char *name = argv[first];
    if (strcmp(name, HELP) == 0)
        return help_run(call, argc - first - 1, argv + first + 1);
    const struct command *command = command_named(name);
    if (!command)
        return command_unknown(call, name);
    call->command = command;
    end = call_parse(call, argc - first, argv + first);
    return end >= 0 ? end : command->run(call);
}

/* The command line as it was typed: getopt_long moves operands behind the options. */
static const char *const *line_typed(struct arena *arena, int argc, char **argv) {
    const char **line = arena_zeroed(arena, (size_t)argc + 1, sizeof *line);
    for (int a = 0; a < argc; a++)
        line[a] = argv[a];
    return line;
}

int main(int argc, char **argv) {
    signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is told as a full disk is */
    struct call call = {.arena = arena_new()};
    call.line = line_typed(call.arena, argc, argv);
    int code = program_run(&call, argc, argv);
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == EXIT_DONE)
        code = unfinished(&call, "cannot write to standard output: %s", strerror(errno ? errno : EIO));
    arena_free(call.arena);
    return code;
}
