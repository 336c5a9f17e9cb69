/* interrupt.h: what a run says when it is interrupted by a signal. What it has finished stands in its folder whenever that
 * comes, so that there is nothing to do but to say so. */
#ifndef LAGGARD_INTERRUPT_H
#define LAGGARD_INTERRUPT_H
#include "command.h"

/* From now on SIGINT, SIGTERM and SIGHUP tell how to go on and end the program as they would without it; a file that grows
 * beyond the system's limit is an error of writing and no signal. */
void interrupt_watch(const struct call *call, const char *folder);
void interrupt_forget(void);
#endif
