/* known_best.h: clusters of which theory says what is best there: what the test of advice runs on.
 * Knows no advice. */
#ifndef LAGGARD_KNOWN_BEST_H
#define LAGGARD_KNOWN_BEST_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows of one feature that is not 0; a model fits them all. */
struct known_data {
    size_t rows, features;
    void (*row)(size_t row, size_t *feature, double *value);
    double reached; /* the target, as a share of the loss at w = 0 */
};

struct known_cluster {
    const char *name;
    const char *scenario;          /* but for its seed, and for data and target where it has some */
    const struct known_data *data; /* NULL: none, exact schemes are compared by time */
    const char *right[8]; /* the right answers, whatever wait rule goes with them; "x*": all that begin so */
    double seconds;       /* that a right one takes in the mean: to the target, or per step */
    double room; /* of the mean of 20 runs around that, as a share of it: five standard errors and more */
};
extern const struct known_cluster known_clusters[];
extern const size_t known_cluster_count;

/* A CSV file of the data: columns x0, x1, … and y. The model that fits it has entries of both signs and of 0.5 to 1.5 in
 * size, drawn from the seed. Heap. */
char *known_data_csv(const struct known_data *data, uint64_t seed);
/* The scenario with this seed, its data in the file. Heap. */
char *known_scenario(const struct known_cluster *cluster, uint64_t seed, uint64_t data_seed,
                     const char *file);
/* Whether advice gave a right answer. */
bool known_right(const struct known_cluster *cluster, const char *name);
#endif
