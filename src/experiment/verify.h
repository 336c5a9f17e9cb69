/* verify.h: compares every prediction with simulation. Knows no words but the names of predictions. */
#ifndef LAGGARD_VERIFY_H
#define LAGGARD_VERIFY_H
#include "prediction.h"

/* A prediction that was tried. */
struct finding {
    const struct prediction *prediction;
    double
        expected; /* seconds per step by quadrature, without simulation; NAN: no formula, or not a step time */
    double found, error;    /* mean over the replications and its standard error */
    double standard_errors; /* between the value and what was found; NAN within the tolerance */
    bool agrees;            /* within four standard errors and the tolerance, the quadrature too */
};

/* Whether a prediction's name is wanted: all without words, else those that hold one of them, capitals alike. */
bool prediction_wanted(const struct prediction *prediction, const char *const *words, size_t count);

struct verify_request {
    const char *const *words; /* as prediction_wanted takes them */
    size_t word_count;
    unsigned threads;
};
/* Tries the wanted predictions of a table and writes them in its order; returns how many. `finding` has room for all of it. */
size_t verify_predictions(const struct predictions *predictions, const struct verify_request *request,
                          struct finding *finding);
#endif
