#include "cluster_inside.h"
#include <math.h>

/* Everyone sends to the next and hears from the one before, so each round is as slow as the slowest path. */
double cluster_ring_seconds(const struct cluster *cluster) {
    const struct cluster_spec *spec = cluster->spec;
    double workers = spec->workers, latency_s = 0, rate = (double)INFINITY;
    for (uint32_t g = 0; g < spec->groups; g++) {
        const struct network_spec *network = spec->group[g].network ? spec->group[g].network : spec->network;
        if (!network)
            continue;
        latency_s = fmax(latency_s, network->up->latency_s);
        rate = fmin(rate, network->up->bytes_per_s);
    }
    return 2 * (workers - 1) * (latency_s + cluster->run.result_bytes / (workers * rate));
}
