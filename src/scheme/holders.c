#include "holders.h"

const char *const on_leaves[] = {[ON_LEAVE_LOST] = "lost", [ON_LEAVE_REASSIGNED] = "reassigned", NULL};

static uint32_t *nobody_in(uint32_t count, struct arena *arena) {
    uint32_t *list = arena_zeroed(arena, count, sizeof *list);
    for (uint32_t q = 0; q < count; q++)
        list[q] = NOBODY;
    return list;
}

void holders_begin(struct holders *holders, uint32_t workers, enum on_leave rule, struct arena *arena) {
    *holders = (struct holders){.workers = workers, .rule = rule, .without = workers};
    holders->present = arena_zeroed(arena, workers, sizeof *holders->present);
    holders->holder = nobody_in(workers, arena);
    holders->first = nobody_in(workers, arena);
    holders->next = nobody_in(workers, arena);
    holders->load = arena_zeroed(arena, workers, sizeof *holders->load);
}

static void give(struct holders *holders, uint32_t partition, uint32_t worker) {
    uint32_t *link = &holders->first[worker];
    while (*link != NOBODY && *link < partition)
        link = &holders->next[*link];
    holders->next[partition] = *link;
    *link = partition;
    holders->holder[partition] = worker;
    holders->load[worker]++;
    holders->without--;
}

static void take(struct holders *holders, uint32_t partition) {
    uint32_t worker = holders->holder[partition];
    uint32_t *link = &holders->first[worker];
    while (*link != partition)
        link = &holders->next[*link];
    *link = holders->next[partition];
    holders->holder[partition] = NOBODY;
    holders->load[worker]--;
    holders->without++;
}

void holders_join(struct holders *holders, uint32_t worker) {
    holders->present[worker] = true;
    holders->presents++;
    if (holders->holder[worker] != NOBODY)
        take(holders, worker);
    give(holders, worker, worker);
}

void holders_leave(struct holders *holders, uint32_t worker) {
    if (!holders->present[worker])
        return;
    holders->present[worker] = false;
    holders->presents--;
    while (holders->first[worker] != NOBODY)
        take(holders, holders->first[worker]);
}

/* Somebody is there. */
static uint32_t least_busy_after(const struct holders *holders, uint32_t owner) {
    uint32_t least = NOBODY, worker = owner;
    for (uint32_t q = 1; q < holders->workers; q++) {
        worker = worker + 1 < holders->workers ? worker + 1 : 0;
        if (holders->present[worker] && (least == NOBODY || holders->load[worker] < holders->load[least]))
            least = worker;
    }
    return least;
}

void holders_deal(struct holders *holders) {
    if (holders->rule == ON_LEAVE_LOST || holders->without == 0 || holders->presents == 0)
        return;
    for (uint32_t p = 0; holders->without > 0; p++)
        if (holders->holder[p] == NOBODY)
            give(holders, p, least_busy_after(holders, p));
}

uint32_t holders_most(enum on_leave rule, const struct setting *setting) {
    uint32_t workers = setting->shape.workers;
    if (rule == ON_LEAVE_LOST)
        return 1;
    uint32_t always = setting->absentees < workers ? workers - setting->absentees : 1;
    return (workers - 1) / always + 1;
}

uint32_t holders_sharing(const struct holders *holders) {
    return holders->rule == ON_LEAVE_LOST ? holders->workers : holders->presents;
}
