#include "build_facts.h"
#include "help.h"
#include "kinds.h"
#include "papers.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Letters of other languages stand for themselves, and so does what scdoc might take for markup after a backslash. */
static void put_text(FILE *out, const char *text) {
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (ispunct(byte))
            fputc('\\', out);
        fputc(byte, out);
    }
}

/* Lines of one paragraph, from the first letter on: a line that begins with a blank would be no text. */
static void put_lines(FILE *out, const char *text) {
    put_text(out, text);
    fputs(text[strlen(text) - 1] == '\n' ? "\n" : "\n\n", out);
}

static void put_option(FILE *out, const struct option_spec *option) {
    fputc('*', out);
    if (option->letter)
        fprintf(out, "-%c, ", option->letter);
    fputs("--", out);
    put_text(out, option->name);
    fputc('*', out);
    if (option->value) {
        fputc(' ', out);
        put_text(out, option->value);
    }
    fputs("\n\t", out);
    put_lines(out, option->help);
}

static void put_options(FILE *out, const struct option_spec *options) {
    for (; options && options->name; options++)
        put_option(out, options);
}

/* A table as it stands. */
static void put_literal(FILE *out, void (*print)(FILE *stream)) {
    fputs("```\n", out);
    print(out);
    fputs("```\n\n", out);
}

static void put_command(FILE *out, const struct command *command) {
    fprintf(out, "## %s\n\n*laggard %s* ", command->name, command->name);
    put_lines(out, command->usage);
    put_text(out, "laggard ");
    put_text(out, command->name);
    fputc(' ', out);
    put_text(out, command->summary);
    fputs("\\.\n\n", out);
    if (command->details)
        put_lines(out, command->details);
    if (command->details_print)
        put_literal(out, command->details_print);
    put_options(out, command->options);
}

static void put_kind(FILE *out, const struct kind *kind) {
    fprintf(out, "## %s\n\n", kind->name);
    put_lines(out, kind->summary);
    for (const struct variant *const *variant = kind->family->variants; *variant; variant++) {
        fputc('*', out);
        put_text(out, (*variant)->name);
        fputs("*\n\t", out);
        put_lines(out, (*variant)->summary);
    }
}

static void put_terms(FILE *out, const char *const (*term)[2]) {
    for (; (*term)[0]; term++) {
        fputc('*', out);
        put_text(out, (*term)[0]);
        fputs("*\n\t", out);
        put_lines(out, (*term)[1]);
    }
}

static const char *const statuses[][2] = {{"0", "done"},
                                          {"1", "could not finish: input and output, gnuplot"},
                                          {"2", "wrong usage or bad input"},
                                          {NULL, NULL}};
static const char *const variables[][2] = {
    {"LAGGARD_ANALYSIS", "folder of the scripts of figures, instead of those that were installed"},
    {"NO_COLOR", "where it is set and not empty, nothing is coloured"},
    {"TMPDIR", "where report draws its figures; /tmp by default"},
    {NULL, NULL}};
static const char *const examples[] = {
    "laggard check scenarios/02-core-schemes.yaml",
    "laggard run scenarios/01-smallest.yaml -o first --set stop.steps=200 --set replications=3",
    "laggard run scenarios/02-core-schemes.yaml -o second --set replications=2",
    "laggard plot second --format svg --figure time-to-target",
    "laggard report second -o second.html",
    "laggard list schemes gc-cr",
    "laggard trace scenarios/05-slow-workers.yaml --steps 0:3",
    NULL};

static void put_examples(FILE *out) {
    fputs("# EXAMPLES\n\n", out);
    put_lines(out, "In the folder that holds the scenarios which come with laggard:");
    fputs("```\n", out);
    for (const char *const *line = examples; *line; line++)
        fprintf(out, "%s\n", *line);
    fputs("```\n\n", out);
}

void manual_write(FILE *out) {
    fputs("laggard(1) \"laggard " LAGGARD_VERSION "\" \"laggard\"\n\n# NAME\n\nlaggard - ", out);
    put_text(out, "compares straggler schemes for distributed training in a simulation");
    fputs("\n\n# SYNOPSIS\n\n*laggard* ", out);
    put_lines(out, program_usage);
    fputs("# DESCRIPTION\n\nlaggard ", out);
    put_text(out, program_summary);
    fputs("\\.\n\n# OPTIONS\n\nThese are everywhere\\.\n\n", out);
    put_options(out, options_common);
    fputs("# COMMANDS\n\n", out);
    for (const struct command *const *command = commands; *command; command++)
        put_command(out, *command);
    fputs("# WHAT A SCENARIO CHOOSES FROM\n\n*laggard list* KIND NAME tells the keys of each, with their "
          "units and defaults\\.\n\n",
          out);
    for (const struct kind *kind = kinds; kind->name; kind++)
        put_kind(out, kind);
    fputs("# EXIT STATUS\n\n", out);
    put_terms(out, statuses);
    fputs("# ENVIRONMENT\n\n", out);
    put_terms(out, variables);
    put_examples(out);
    fputs("# SEE ALSO\n\n*gnuplot*(1)\n", out);
}
