/* help.h: what the program says about itself. */
#ifndef LAGGARD_HELP_H
#define LAGGARD_HELP_H
#include "command.h"

/* After the program's name: what it does, without the full stop; how it is called. */
extern const char program_summary[], program_usage[];

void help_program(FILE *stream);
void help_command(const struct command *command, FILE *stream);
void help_version(FILE *stream);
#endif
