/* bisection.h: the quantile of a law of which only the distribution function is known.
 * Knows nothing of the law. */
#ifndef LAGGARD_BISECTION_H
#define LAGGARD_BISECTION_H

/* The smallest double t >= 0 with cdf(params, t) >= p; INFINITY when no finite one is. Also right where the
 * distribution function jumps. About 64 calls. */
double bisected_quantile(double (*cdf)(const void *params, double seconds), const void *params, double p);
#endif
