/* gnuplot.h: running gnuplot on a script, without a shell and not for ever. Knows no figure. */
#ifndef LAGGARD_GNUPLOT_H
#define LAGGARD_GNUPLOT_H
#include "diag.h"

/* Seconds after which gnuplot is ended. */
#define GNUPLOT_LIMIT_S 120

struct gnuplot_job {
    const char *folder;   /* where it runs */
    const char *script;   /* file in it */
    const char *settings; /* gnuplot commands before the script */
    double limit_s;
};
/* False after writing why: gnuplot is not installed, failed (with its own first words), or took too long. */
bool gnuplot_run(const struct gnuplot_job *job, struct sentence *why);
#endif
