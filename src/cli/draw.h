/* draw.h: pictures of a results folder, for the commands that draw them. */
#ifndef LAGGARD_DRAW_H
#define LAGGARD_DRAW_H
#include "command.h"
#include "figure.h"

/* Draws with the scripts of LAGGARD_ANALYSIS, else those installed with the program, else those of its source. Says on
 * stdout where the pictures are, unless the call has --quiet. Returns an exit code. */
int draw(const struct call *call, struct plot_request request);
/* Draws and leaves it to the caller to say how many pictures there are; -1 after telling why there are none. */
int pictures_drawn(const struct call *call, struct plot_request request);
#endif
