/* cluster_written.h: a fitted cluster as a scenario writes it. Estimates nothing. */
#ifndef LAGGARD_CLUSTER_WRITTEN_H
#define LAGGARD_CLUSTER_WRITTEN_H
#include "cluster_fit.h"

/* {cluster: {workers: [...]}}, in the fit's arena. */
struct node *cluster_written(const struct cluster_fit *fit, const struct cluster_request *request);
#endif
