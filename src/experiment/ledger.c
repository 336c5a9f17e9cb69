#include "ledger.h"
#include <assert.h>
#include <stdlib.h>

struct evaluated {
    uint32_t partition, version;
    double seconds;
    enum use use;
    bool open; /* awaits its use */
};

struct ledger {
    struct shape shape;
    uint32_t slots;
    struct evaluated *evaluated; /* [workers * slots] */
    double *busy_s;              /* [workers] */
    double seconds[USES];
    uint32_t *fresh_version; /* [partitions]: the last version at which it was in an estimate, plus 1 */
};

struct ledger *ledger_new(struct shape shape, uint32_t slots) {
    struct ledger *ledger = memory_zeroed(1, sizeof *ledger);
    ledger->shape = shape;
    ledger->slots = slots;
    ledger->evaluated = memory_zeroed((size_t)shape.workers * slots, sizeof *ledger->evaluated);
    ledger->busy_s = memory_zeroed(shape.workers, sizeof *ledger->busy_s);
    ledger->fresh_version = memory_zeroed(shape.partitions, sizeof *ledger->fresh_version);
    return ledger;
}

void ledger_free(struct ledger *ledger) {
    if (!ledger)
        return;
    free(ledger->evaluated);
    free(ledger->busy_s);
    free(ledger->fresh_version);
    free(ledger);
}

/* The worker's slot of a partition, or a free one, or NULL. `hint`: where to look first. */
static struct evaluated *slot_of(struct ledger *ledger, uint32_t worker, uint32_t partition, uint32_t hint) {
    struct evaluated *slot = &ledger->evaluated[(size_t)worker * ledger->slots], *vacant = NULL;
    for (uint32_t e = 0; e < ledger->slots; e++) {
        struct evaluated *one = &slot[(hint + e) % ledger->slots];
        if (one->open && one->partition == partition)
            return one;
        if (!one->open && !vacant)
            vacant = one;
    }
    return vacant;
}

static void close_slot(struct ledger *ledger, struct evaluated *evaluated) {
    if (evaluated->open)
        ledger->seconds[evaluated->use] += evaluated->seconds;
    evaluated->open = false;
}

void ledger_finished(struct ledger *ledger, const struct task *task, uint32_t worker, double seconds) {
    ledger->busy_s[worker] += seconds;
    for (uint32_t e = 0; e < task->evaluations; e++) {
        uint32_t partition = task->evaluation[e].partition;
        struct evaluated *slot = slot_of(ledger, worker, partition, e);
        assert(slot);
        close_slot(ledger, slot);
        *slot = (struct evaluated){partition, task->evaluation[e].version, seconds / task->evaluations,
                                   USE_DISCARDED, true};
    }
}

void ledger_extend(struct ledger *ledger, const struct task *task, uint32_t worker, double seconds) {
    ledger->busy_s[worker] += seconds;
    for (uint32_t e = 0; e < task->evaluations; e++) {
        struct evaluated *slot = slot_of(ledger, worker, task->evaluation[e].partition, e);
        assert(slot);
        slot->seconds += seconds / task->evaluations;
    }
}

void ledger_book(struct ledger *ledger, uint32_t worker, double seconds, enum use use) {
    ledger->busy_s[worker] += seconds;
    ledger->seconds[use] += seconds;
}

void ledger_use(struct ledger *ledger, uint32_t worker, const struct term *term, size_t terms,
                uint32_t version) {
    for (uint32_t e = 0; e < terms; e++) {
        struct evaluated *slot = slot_of(ledger, worker, term[e].partition, e);
        if (!slot || !slot->open || slot->version != term[e].version)
            continue; /* of the warm-up: booked when it was done */
        enum use use = USE_STALE;
        if (term[e].version == version) {
            use = ledger->fresh_version[term[e].partition] == version + 1 ? USE_REDUNDANT : USE_USEFUL;
            ledger->fresh_version[term[e].partition] = version + 1;
        }
        slot->use = use > slot->use ? use : slot->use;
    }
}

bool ledger_holds(struct ledger *ledger, uint32_t worker, const struct term *term) {
    const struct evaluated *slot = slot_of(ledger, worker, term->partition, 0);
    return slot && slot->open && slot->version == term->version;
}

void ledger_settle(struct ledger *ledger) {
    for (size_t e = 0; e < (size_t)ledger->shape.workers * ledger->slots; e++)
        close_slot(ledger, &ledger->evaluated[e]);
}

double ledger_seconds(const struct ledger *ledger, enum use use) {
    return ledger->seconds[use];
}

double ledger_busy(const struct ledger *ledger, uint32_t worker) {
    return ledger->busy_s[worker];
}
