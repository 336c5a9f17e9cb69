/* help.h: what the program says about itself. */
#ifndef LAGGARD_HELP_H
#define LAGGARD_HELP_H
#include "command.h"

void help_program(FILE *stream);
void help_command(const struct command *command, FILE *stream);
void help_version(FILE *stream);
#endif
