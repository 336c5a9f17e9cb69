/* shard.h: a part of a study that one of several machines computes. */
#ifndef LAGGARD_SHARD_H
#define LAGGARD_SHARD_H
#include <stdint.h>

/* A contiguous part of the runs in their order, one of `count` that are as equal as can be, counted from 0; 0 of 1: all. */
struct shard {
    uint32_t index, count;
};
#endif
