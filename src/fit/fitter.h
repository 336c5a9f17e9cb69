/* fitter.h: how a law's parameters are estimated from a sample. One file per fitter, one line in fits.def.
 *
 * The fit layer stands beside the engine on the laws of delay: it knows rounds and workers of a trace, which delay must
 * not, and neither the clock nor a scheme, so that an estimate cannot depend on the simulator that it feeds. */
#ifndef LAGGARD_FITTER_H
#define LAGGARD_FITTER_H
#include "sample.h"
#include "tree.h"

/* Parameters of the largest fitter. */
enum { FIT_PARAMETERS = 5 };

struct fitter {
    const char *name;  /* for tables: "mixture of exponentials" */
    size_t parameters; /* counted by Akaike's criterion */
    /* Writes the parameters that maximise the likelihood. False after writing why the law cannot be fitted. */
    bool (*estimate)(const struct sample *sample, double *theta, struct sentence *why);
    /* The logarithm of the density, or of the probability for a law without one, at a time of the sample;
     * `log_seconds` is its logarithm, NAN where the sample has zeros. */
    double (*log_density)(const double *theta, double seconds, double log_seconds);
    /* The law as a scenario writes it. */
    struct node *(*written)(const double *theta, struct arena *arena);
};

/* All fitters, ended by NULL. */
extern const struct fitter *const fitters[];

double fit_log_likelihood(const struct fitter *fitter, const double *theta, const struct sample *sample);

/* {type: `type`}, and a number under `key` with eight digits: the error is far below any standard error. */
struct node *written_law(struct arena *arena, const char *type);
void written_number(struct arena *arena, struct node *mapping, const char *key, double number);
/* The same for an end of a law's support: as many digits as it takes to read back, or the measured time it was found at
 * would be outside. */
void written_bound(struct arena *arena, struct node *mapping, const char *key, double bound);
#endif
