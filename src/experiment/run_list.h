/* run_list.h: runs in an order, kept as series of replications of one contest: a list takes room by series, not by run. */
#ifndef LAGGARD_RUN_LIST_H
#define LAGGARD_RUN_LIST_H
#include <stddef.h>
#include <stdint.h>

struct run_id {
    uint32_t contest, replication;
};

struct run_series {
    struct run_id first; /* the others are the replications after it */
    size_t before;       /* runs of the list before it */
};

/* Zeroed at first: empty. */
struct run_list {
    struct run_series *series;
    size_t count, capacity;
    size_t runs;
};
void run_list_fini(struct run_list *list);
/* Leaves the room that it took. */
void run_list_clear(struct run_list *list);
void run_list_add(struct run_list *list, struct run_id run);
/* The run of that index. By bisection of the series. */
struct run_id run_list_at(const struct run_list *list, size_t index);
#endif
