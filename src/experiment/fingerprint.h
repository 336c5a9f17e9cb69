/* fingerprint.h: a number that tells whether two plans ask for the same: of all that is written in the scenario, and of the
 * bytes of the files that it names rather than where they are. */
#ifndef LAGGARD_FINGERPRINT_H
#define LAGGARD_FINGERPRINT_H
#include "plan.h"

/* CRC-32 of a file that the plan names: taken once, when it is first asked for. */
uint32_t plan_file_checksum(const struct plan *plan, const char *file);

/* FNV-1a of 64 bits. */
uint64_t plan_fingerprint(const struct plan *plan);
#endif
