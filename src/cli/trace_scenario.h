/* trace_scenario.h: a scenario made of options: workers that replay measured times. */
#ifndef LAGGARD_TRACE_SCENARIO_H
#define LAGGARD_TRACE_SCENARIO_H
#include "command.h"

#define EXAMPLE_DATA "{type: synthetic, samples: 1200, features: 20}"

/* The file that the call names, or the text of the scenario that its --trace makes, with a name for messages. In the arena.
 * False after telling a mistake. */
bool trace_scenario(struct call *call, const char **file, const char **text);
#endif
