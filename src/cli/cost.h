/* cost.h: what a study will cost, from a few steps of its runs, taken on this machine and thrown away. */
#ifndef LAGGARD_COST_H
#define LAGGARD_COST_H
#include "study.h"

struct cost {
    double resident_bytes; /* of the program once it has read all files: data, traces, matrices */
    double data_bytes;     /* of the data sets, and of what is made of them once */
    double thread_bytes;   /* of the runs that a thread has at a time, at most */
    double sample_bytes;   /* of the numbers that runs are compared by, of one point */
    double steps;          /* of all distinct runs together, at most */
    double processor_s;    /* for those, on one thread */
    bool guessed;          /* some runs have no limit on steps: their number follows from their seconds */
};
struct cost study_cost(const struct study *study);
#endif
