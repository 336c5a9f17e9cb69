#include "run_list.h"
#include "memory.h"
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

void run_list_fini(struct run_list *list) {
    free(list->series);
    *list = (struct run_list){0};
}

void run_list_clear(struct run_list *list) {
    list->count = list->runs = 0;
}

static struct run_id run_of(const struct run_series *series, size_t index) {
    return (struct run_id){series->first.contest,
                           series->first.replication + (uint32_t)(index - series->before)};
}

static bool goes_on(const struct run_list *list, struct run_id run) {
    if (list->count == 0)
        return false;
    struct run_id next = run_of(&list->series[list->count - 1], list->runs);
    return next.contest == run.contest && next.replication == run.replication;
}

void run_list_add(struct run_list *list, struct run_id run) {
    if (!goes_on(list, run)) {
        if (list->count == list->capacity) {
            list->capacity = list->capacity * 2 + 16;
            list->series = memory_resized(list->series, list->capacity, sizeof *list->series);
        }
        list->series[list->count++] = (struct run_series){run, list->runs};
    }
    list->runs++;
}

struct run_id run_list_at(const struct run_list *list, size_t index) {
    assert(index < list->runs);
    size_t low = 0, high = list->count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (list->series[middle].before <= index)
            low = middle;
        else
            high = middle;
    }
    return run_of(&list->series[low], index);
}
