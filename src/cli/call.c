/* Command lines by getopt_long, with messages of our own. */
#include "command.h"
#include "help.h"
#include "text_table.h"
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Codes that getopt_long returns for what has no letter. */
enum { CODE_OPTION = 256 };
#define OPTIONS_MAX 32

/* The command's options as getopt wants them. */
struct grammar {
    struct option option[OPTIONS_MAX];
    char letters[2 * OPTIONS_MAX + 4];
    const char *names[OPTIONS_MAX]; /* of all long options, for "did you mean" */
    size_t options;
};

static void grammar_add(struct grammar *grammar, const struct option_spec *spec, int code) {
    int argument = spec->value ? required_argument : no_argument;
    grammar->option[grammar->options] = (struct option){spec->name, argument, NULL, code};
    grammar->names[grammar->options++] = spec->name;
    if (spec->letter)
        strcat(grammar->letters, (char[]){spec->letter, spec->value ? ':' : 0, 0});
}

static void grammar_init(struct grammar *grammar, const struct command *command) {
    *grammar = (struct grammar){.letters = ":hV"};
    grammar_add(grammar, &(struct option_spec){.name = "help"}, 'h');
    grammar_add(grammar, &(struct option_spec){.name = "version"}, 'V');
    for (int q = 0; command->options && command->options[q].name; q++)
        grammar_add(grammar, &command->options[q], CODE_OPTION + q);
}

__attribute__((format(printf, 2, 0))) static int tell(const struct call *call, const char *format,
                                                      va_list arguments) {
    bool coloured = stream_coloured(stderr);
    fprintf(stderr, "laggard%s%s: %serror:%s ", call->command ? " " : "",
            call->command ? call->command->name : "", coloured ? "\033[1;31m" : "",
            coloured ? "\033[0m" : "");
    char *text;
    if (vasprintf(&text, format, arguments) >= 0) {
        diag_print_text(text, stderr);
        free(text);
    }
    fputc('\n', stderr);
    return EXIT_UNFINISHED;
}

int unfinished(const struct call *call, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tell(call, format, arguments);
    va_end(arguments);
    return EXIT_UNFINISHED;
}

int refused(const struct call *call, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tell(call, format, arguments);
    va_end(arguments);
    return EXIT_USAGE;
}

int usage_error(const struct call *call, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tell(call, format, arguments);
    va_end(arguments);
    fprintf(stderr, "'laggard%s%s --help' shows how it is used.\n", call->command ? " " : "",
            call->command ? call->command->name : "");
    return EXIT_USAGE;
}

const char *did_you_mean(struct arena *arena, const char *word, const char *const *names) {
    const char *near = nearest_name(word, names);
    return near ? arena_format(arena, " (did you mean '%s'?)", near) : "";
}

static const struct option_spec *option_of_code(const struct command *command, int code) {
    if (code >= CODE_OPTION)
        return &command->options[code - CODE_OPTION];
    for (const struct option_spec *option = command->options; option && option->name; option++)
        if (option->letter == code)
            return option;
    return NULL;
}

/* getopt's complaint about argv[optind - 1] in our words. */
static int option_refused(struct call *call, const struct grammar *grammar, int complaint, char **argv) {
    const char *word = argv[optind - 1];
    if (complaint == ':')
        return usage_error(call, "option '%s' needs a value", word);
    if (strncmp(word, "--", 2) != 0)
        return usage_error(call, "unknown option '-%c'", optopt);
    const char *name = arena_text(call->arena, word + 2, strcspn(word + 2, "="));
    if (optopt)
        return usage_error(call, "option '--%s' takes no value", name);
    size_t begins = 0;
    for (size_t q = 0; q < grammar->options; q++)
        begins += strncmp(grammar->option[q].name, name, strlen(name)) == 0;
    if (begins > 1)
        return usage_error(call, "option '--%s' may mean several options; write it in full", name);
    const char *near = nearest_name(name, grammar->names);
    return near ? usage_error(call, "unknown option '--%s' (did you mean '--%s'?)", name, near)
                : usage_error(call, "unknown option '--%s'", name);
}

/* getopt takes the beginning of a name for the name; what a script may say should not change with the options there are.
 * Returns the name as it was typed where it was cut short, else NULL. */
static const char *name_cut(struct arena *arena, const char *name, char **argv) {
    const char *word = argv[optarg && optarg == argv[optind - 1] ? optind - 2 : optind - 1] + 2;
    size_t length = strcspn(word, "=");
    return length < strlen(name) ? arena_text(arena, word, length) : NULL;
}

/* `place`: of a long option in the grammar, or -1. */
static int option_taken(struct call *call, const struct grammar *grammar, int code, int place, char **argv) {
    const char *cut = place >= 0 ? name_cut(call->arena, grammar->option[place].name, argv) : NULL;
    if (cut)
        return usage_error(call, "unknown option '--%s' (did you mean '--%s'?)", cut,
                           grammar->option[place].name);
    if (code == 'h')
        help_command(call->command, stdout);
    if (code == 'V')
        help_version(stdout);
    if (code == 'h' || code == 'V')
        return EXIT_DONE;
    if (code == '?' || code == ':')
        return option_refused(call, grammar, code, argv);
    call->taken[call->options++] = (struct taken){option_of_code(call->command, code), optarg};
    return -1;
}

static int operands_check(struct call *call) {
    const struct command *command = call->command;
    if (call->operands < command->operands_min && call->options == 0) {
        help_command(command, stderr);
        return EXIT_USAGE;
    }
    if (call->operands < command->operands_min)
        return usage_error(call, "%.*s is missing", (int)strcspn(command->usage, " "), command->usage);
    if (call->operands > command->operands_max)
        return usage_error(call, "unexpected '%s'", call->operand[command->operands_max]);
    return -1;
}

/* Short options may stand together in one word, so there are at most as many as letters. */
static size_t letters_count(int argc, char **argv) {
    size_t letters = 0;
    for (int a = 0; a < argc; a++)
        letters += strlen(argv[a]);
    return letters;
}

int call_parse(struct call *call, int argc, char **argv) {
    struct grammar grammar;
    grammar_init(&grammar, call->command);
    call->taken = arena_zeroed(call->arena, letters_count(argc, argv), sizeof *call->taken);
    opterr = 0;
    optind = 0; /* glibc: start over, the program's own options were scanned before */
    int code, place = -1, end = -1;
    while (end < 0 && (code = getopt_long(argc, argv, grammar.letters, grammar.option, &place)) != -1) {
        end = option_taken(call, &grammar, code, place, argv);
        place = -1;
    }
    if (end >= 0)
        return end;
    call->operand = (const char *const *)argv + optind;
    call->operands = (size_t)(argc - optind);
    return operands_check(call);
}

const char *option_value(const struct call *call, const char *name) {
    const char *value = NULL;
    for (size_t q = 0; q < call->options; q++)
        if (strcmp(call->taken[q].option->name, name) == 0)
            value = call->taken[q].value;
    return value;
}

bool option_given(const struct call *call, const char *name) {
    for (size_t q = 0; q < call->options; q++)
        if (strcmp(call->taken[q].option->name, name) == 0)
            return true;
    return false;
}
