#include "command.h"

#define COMMAND(name) extern const struct command command_##name;
#include "commands.def"
#undef COMMAND

#define COMMAND(name) &command_##name,
const struct command *const commands[] = {
#include "commands.def"
    NULL};
#undef COMMAND
