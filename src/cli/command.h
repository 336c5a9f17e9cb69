/* command.h: the commands of the program and a call of one of them. One file per command, one line in
 * commands.def. Knows words, options and exit codes; no algorithm. */
#ifndef LAGGARD_COMMAND_H
#define LAGGARD_COMMAND_H
#include "diag.h"
#include "memory.h"

/* What the program ends with. */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_UNFINISHED = 1, /* could not finish: input and output, gnuplot */
    EXIT_USAGE = 2,      /* wrong usage or bad input */
};

struct option_spec {
    char letter;       /* 0: none */
    const char *name;  /* without the dashes */
    const char *value; /* what the value is called in help; NULL: takes none */
    const char *help;
    const char *(*choice)(size_t index); /* the values that there are, ended by NULL; NULL: any */
};
/* Those of every command. */
extern const struct option_spec options_common[];

struct taken {
    const struct option_spec *option;
    const char *value;
};

/* One command line, taken apart. */
struct call {
    const struct command *command;
    struct arena *arena;
    const char *const *line; /* the whole command line as it was typed, ended by NULL */
    struct taken *taken;     /* [options] in the order given */
    size_t options;
    const char *const *operand;
    size_t operands;
};

struct command {
    const char *name, *summary;
    const char *usage;                   /* what follows the name */
    const char *details;                 /* paragraphs of its help; NULL: none */
    const struct option_spec *options;   /* ended by a name of NULL; --help and --version are everywhere */
    void (*details_print)(FILE *stream); /* more of them, after `details`; NULL: none */
    size_t operands_min, operands_max;
    int (*run)(struct call *call);
};

/* All commands, ended by NULL. */
extern const struct command *const commands[];

/* Takes the command line of `call->command` apart: argv[0] is the command's name. Returns -1, or the exit
 * code with which the program ends now: after --help, --version or a mistake, which was told. */
int call_parse(struct call *call, int argc, char **argv);

/* The last value given for an option; NULL when it was not given. */
const char *option_value(const struct call *call, const char *name);
bool option_given(const struct call *call, const char *name);

/* Tells a mistake in the command line and where help is; returns EXIT_USAGE. */
int usage_error(const struct call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Tells what is wrong with the input, where the command line is fine; returns EXIT_USAGE. */
int refused(const struct call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Tells what could not be finished; returns EXIT_UNFINISHED. */
int unfinished(const struct call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* `(did you mean 'check'?)` with a blank before it, or "". In the arena. */
const char *did_you_mean(struct arena *arena, const char *word, const char *const *names);
#endif
