#include "help.h"
#include "build_facts.h"
#include "text_table.h"

const struct option_spec options_common[] = {
    {'h', "help", NULL, "show this help"},
    {'V', "version", NULL, "show the version"},
    {0, NULL, NULL, NULL},
};

const char program_summary[] =
    "compares straggler schemes for distributed training in a simulation: which one reaches\n"
    "the target soonest on this cluster";
const char program_usage[] = "COMMAND [OPTION]... [ARGUMENT]...";

void help_version(FILE *stream) {
    fprintf(stream, "laggard %s\n", LAGGARD_VERSION);
}

static void option_row(struct text_table *table, const struct option_spec *option) {
    char names[64], letter[4] = {'-', option->letter, ',', 0};
    snprintf(names, sizeof names, "%-3s --%s%s%s", option->letter ? letter : "", option->name,
             option->value ? " " : "", option->value ? option->value : "");
    text_table_row(table, (const char *const[]){names, option->help});
}

static void help_options(const struct option_spec *options, FILE *stream) {
    struct text_table *table = text_table_new((const struct text_column[]){{NULL, LEFT}, {NULL, LEFT}}, 2);
    for (const struct option_spec *option = options; option && option->name; option++)
        option_row(table, option);
    for (const struct option_spec *option = options_common; option->name; option++)
        option_row(table, option);
    fputs("\noptions:\n", stream);
    text_table_print(table, stream, "  ");
    text_table_free(table);
}

void help_program(FILE *stream) {
    fprintf(stream, "laggard %s.\n\nusage: laggard %s\n\ncommands:\n", program_summary, program_usage);
    struct text_table *table = text_table_new((const struct text_column[]){{NULL, LEFT}, {NULL, LEFT}}, 2);
    for (const struct command *const *command = commands; *command; command++)
        text_table_row(table, (const char *const[]){(*command)->name, (*command)->summary});
    text_table_print(table, stream, "  ");
    text_table_free(table);
    help_options(NULL, stream);
    fputs("\n'laggard help COMMAND' explains a command. Exit status: 0 done, 1 could not finish,\n"
          "2 wrong usage or bad input.\n",
          stream);
}

void help_command(const struct command *command, FILE *stream) {
    fprintf(stream, "usage: laggard %s %s\n\nlaggard %s %s.\n", command->name, command->usage, command->name,
            command->summary);
    if (command->details)
        fprintf(stream, "\n%s", command->details);
    if (command->details_print)
        command->details_print(stream);
    help_options(command->options, stream);
}
