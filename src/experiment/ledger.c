#include "ledger.h"
#include <assert.h>
#include <stdlib.h>

struct evaluated {
    double seconds;
    uint32_t partition, version, model;
    uint8_t use; /* one of enum use */
    bool open;   /* awaits its use */
};

struct ledger {
    struct ledger_spec spec;
    size_t blocks;               /* of a worker and a round, or of a worker */
    struct evaluated *evaluated; /* [blocks * slots] */
    uint32_t *round;             /* [blocks]: the step whose evaluations stand there */
    struct spending *spending;   /* [workers] */
    double *spent_s;             /* [workers]: of messages, beside that */
    double seconds[USES];        /* of those, by use */
    uint32_t *fresh_update;      /* [partitions]: the last update whose estimate had it fresh, plus 1 */
};

struct ledger *ledger_new(const struct ledger_spec *spec) {
    struct ledger *ledger = memory_zeroed(1, sizeof *ledger);
    size_t blocks = (size_t)spec->workers * (spec->rounds > 0 ? spec->rounds : 1);
    ledger->spec = *spec;
    ledger->blocks = blocks;
    ledger->evaluated = memory_zeroed(blocks * spec->slots, sizeof *ledger->evaluated);
    ledger->round = memory_zeroed(blocks, sizeof *ledger->round);
    ledger->spending = memory_zeroed(spec->workers, sizeof *ledger->spending);
    ledger->spent_s = memory_zeroed(spec->workers, sizeof *ledger->spent_s);
    ledger->fresh_update = memory_zeroed(spec->partitions, sizeof *ledger->fresh_update);
    return ledger;
}

void ledger_free(struct ledger *ledger) {
    if (!ledger)
        return;
    free(ledger->evaluated);
    free(ledger->round);
    free(ledger->spending);
    free(ledger->spent_s);
    free(ledger->fresh_update);
    free(ledger);
}

static size_t block_of(const struct ledger *ledger, uint32_t worker, uint32_t step) {
    return ledger->spec.rounds > 0 ? (size_t)worker * ledger->spec.rounds + step % ledger->spec.rounds
                                   : worker;
}

/* What stands in a block: one evaluation of a partition where it lives until the next one, else one of each version. */
static bool stands_for(const struct ledger *ledger, const struct evaluated *slot,
                       const struct evaluated *wanted) {
    return slot->open && slot->partition == wanted->partition &&
           (ledger->spec.rounds == 0 || (slot->version == wanted->version && slot->model == wanted->model));
}

/* The slot of an evaluation in a block, or a free one, or NULL. `hint`: where to look first. */
static struct evaluated *slot_of(struct ledger *ledger, size_t block, const struct evaluated *wanted,
                                 uint32_t hint) {
    uint32_t slots = ledger->spec.slots, e = slots > 0 ? hint % slots : 0;
    struct evaluated *slot = &ledger->evaluated[block * slots], *vacant = NULL;
    for (uint32_t looked = 0; looked < slots; looked++, e = e + 1 < slots ? e + 1 : 0) {
        if (stands_for(ledger, &slot[e], wanted))
            return &slot[e];
        if (!slot[e].open && !vacant)
            vacant = &slot[e];
    }
    return vacant;
}

/* The slot of the e-th evaluation of a booking. Where rounds are kept apart, a round's stand in the order of its task. */
static struct evaluated *slot_for(struct ledger *ledger, size_t block, const struct booking *booking,
                                  uint32_t e) {
    const struct evaluation *evaluation = &booking->evaluation[e];
    struct evaluated wanted = {
        .partition = evaluation->partition, .version = evaluation->version, .model = evaluation->model};
    uint32_t place = booking->first + e;
    struct evaluated *slot = ledger->spec.rounds > 0 ? &ledger->evaluated[block * ledger->spec.slots + place]
                                                     : slot_of(ledger, block, &wanted, place);
    assert(slot && place < ledger->spec.slots);
    return slot;
}

/* Evaluations that took the same time and were of the same use are booked as one product. */
static void book_alike(struct spending *spending, uint32_t alike[USES], double seconds) {
    for (unsigned use = 0; use < USES; use++) {
        spending->evaluated_s[use] += alike[use] * seconds;
        alike[use] = 0;
    }
}

/* Slots whose use is certain from now on. */
static void close_slots(struct spending *spending, struct evaluated *slot, uint32_t slots) {
    uint32_t alike[USES] = {0};
    double seconds = 0;
    for (struct evaluated *end = slot + slots; slot < end; slot++) {
        if (!slot->open)
            continue;
        if (slot->seconds < seconds || slot->seconds > seconds)
            book_alike(spending, alike, seconds);
        seconds = slot->seconds;
        alike[slot->use]++;
        slot->open = false;
    }
    book_alike(spending, alike, seconds);
}

/* Where rounds are kept apart, the block's earlier round can be used no more. */
static size_t block_for(struct ledger *ledger, const struct booking *booking) {
    size_t block = block_of(ledger, booking->worker, booking->step);
    uint32_t slots = ledger->spec.slots;
    if (ledger->spec.rounds > 0 && ledger->round[block] != booking->step)
        close_slots(&ledger->spending[booking->worker], &ledger->evaluated[block * slots], slots);
    ledger->round[block] = booking->step;
    return block;
}

/* Seconds of no evaluation are of no use. */
static void book_empty(struct ledger *ledger, const struct booking *booking, double seconds) {
    if (booking->evaluations == 0)
        ledger_book(ledger, booking->worker, seconds, USE_DISCARDED);
}

void ledger_finished(struct ledger *ledger, const struct booking *booking, double seconds) {
    size_t block = block_for(ledger, booking);
    book_empty(ledger, booking, seconds);
    for (uint32_t e = 0; e < booking->evaluations; e++) {
        const struct evaluation *evaluation = &booking->evaluation[e];
        struct evaluated *slot = slot_for(ledger, block, booking, e);
        if (slot->open)
            close_slots(&ledger->spending[booking->worker], slot, 1);
        *slot = (struct evaluated){.partition = evaluation->partition,
                                   .version = evaluation->version,
                                   .model = evaluation->model,
                                   .seconds = seconds / booking->evaluations,
                                   .use = USE_DISCARDED,
                                   .open = true};
    }
}

void ledger_extend(struct ledger *ledger, const struct booking *booking, double seconds) {
    size_t block = block_of(ledger, booking->worker, booking->step);
    book_empty(ledger, booking, seconds);
    for (uint32_t e = 0; e < booking->evaluations; e++)
        slot_for(ledger, block, booking, e)->seconds += seconds / booking->evaluations;
}

void ledger_book(struct ledger *ledger, uint32_t worker, double seconds, enum use use) {
    ledger->spending[worker].booked_s[use] += seconds;
}

void ledger_add(struct ledger *ledger, enum use use, double seconds) {
    ledger->seconds[use] += seconds;
}

/* A term that goes on where the one before it ended, which is one walk with it. */
static bool walks_on(const struct used_message *message, size_t e) {
    const struct term *term = &message->term[e];
    return e > 0 && term[-1].partition == term->partition && term[-1].version == term->version;
}

/* The evaluation behind a term, or NULL: it is of the warm-up, booked when it was done. */
static struct evaluated *behind(struct ledger *ledger, const struct used_message *message, size_t e) {
    const struct term *term = &message->term[e];
    size_t block = block_of(ledger, message->worker, message->step);
    struct evaluated wanted = {.partition = term->partition, .version = term->version, .model = term->model};
    struct evaluated *slot = slot_of(ledger, block, &wanted, message->first + (uint32_t)e);
    return slot && slot->open && slot->version == term->version ? slot : NULL;
}

static enum use use_of(struct ledger *ledger, const struct term *term, uint32_t version, uint32_t update) {
    uint32_t *fresh = &ledger->fresh_update[term->partition];
    if (term->version != version)
        return USE_STALE;
    enum use use = *fresh == update + 1 ? USE_REDUNDANT : USE_USEFUL;
    *fresh = update + 1;
    return use;
}

void ledger_use(struct ledger *ledger, const struct used_message *message, uint32_t version,
                uint32_t update) {
    enum use use = USE_DISCARDED;
    for (size_t e = 0; e < message->terms; e++) {
        struct evaluated *evaluated = behind(ledger, message, e);
        if (!evaluated)
            continue;
        use = walks_on(message, e) ? use : use_of(ledger, &message->term[e], version, update);
        evaluated->use = use > evaluated->use ? (uint8_t)use : evaluated->use;
    }
}

bool ledger_holds(struct ledger *ledger, const struct used_message *message, size_t term) {
    return behind(ledger, message, term) != NULL;
}

void ledger_spend(struct ledger *ledger, uint32_t worker, double seconds) {
    ledger->spent_s[worker] += seconds;
}

void ledger_used(struct ledger *ledger, const struct used_message *message, double seconds,
                 const struct used_in *in) {
    for (size_t e = 0; e < message->terms; e++)
        ledger->seconds[use_of(ledger, &message->term[e], in->version, in->update)] +=
            seconds / (double)message->terms;
}

void ledger_unused(struct ledger *ledger, double seconds) {
    ledger->seconds[USE_DISCARDED] += seconds;
}

void ledger_settle(struct ledger *ledger) {
    size_t blocks = ledger->blocks / ledger->spec.workers;
    for (size_t block = 0; block < ledger->blocks; block++)
        close_slots(&ledger->spending[block / blocks], &ledger->evaluated[block * ledger->spec.slots],
                    ledger->spec.slots);
}

double spendings_seconds(const struct spending *spending, uint32_t workers, enum use use) {
    double seconds = 0;
    for (uint32_t i = 0; i < workers; i++)
        seconds += spending_seconds(&spending[i], use);
    return seconds;
}

double ledger_seconds(const struct ledger *ledger, enum use use) {
    return spendings_seconds(ledger->spending, ledger->spec.workers, use) + ledger->seconds[use];
}

double ledger_busy(const struct ledger *ledger, uint32_t worker) {
    return ledger->spent_s[worker] + spending_busy(&ledger->spending[worker]);
}
