/* origin.h: what a results folder says of itself: how the study is called and whether all of it is there. Knows the
 * keys of manifest.json that it reads. */
#ifndef LAGGARD_ORIGIN_H
#define LAGGARD_ORIGIN_H
#include "memory.h"
#include <stdbool.h>

struct origin {
    const char *name; /* of the scenario; of the folder where there is no manifest */
    bool complete;
};
/* The name lives in the arena. */
struct origin origin_of(struct arena *arena, const char *folder);
#endif
