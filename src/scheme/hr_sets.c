#include "hr_sets.h"
#include <math.h>
#include <string.h>

/* What can be done at a place: to begin a window at `first`, or none. */
struct hr_move {
    struct tally tally; /* from there on */
    uint32_t message;   /* 1 + its message; 0: the place is left empty */
    uint32_t first;
};

static const struct tally none = {0}, nothing_more = {.ways = 1};

void hr_sets_begin(struct hr_sets *sets, struct placement placement, struct arena *arena) {
    uint32_t workers = placement.workers, copies = placement.copies;
    sets->placement = placement;
    /* A window that is all below 0 lies at its group's end and wraps round nothing. */
    sets->plain = placement.group - placement.local + (placement.local == copies);
    sets->beginning = arena_zeroed(arena, workers, sizeof *sets->beginning);
    sets->ahead = arena_zeroed(arena, (size_t)workers + copies, sizeof *sets->ahead);
    sets->inside = arena_zeroed(arena, (size_t)workers + copies, sizeof *sets->inside);
    sets->wrapped = arena_zeroed(arena, workers, sizeof *sets->wrapped);
    sets->move = arena_zeroed(arena, (size_t)copies + 2, sizeof *sets->move);
}

uint32_t hr_first(const struct hr_sets *sets, uint32_t worker) {
    return placement_partition(&sets->placement, worker, 0);
}

bool hr_plain(const struct hr_sets *sets, uint32_t worker) {
    return hr_first(sets, worker) % sets->placement.group < sets->plain;
}

/* Counts outgrow doubles where n is some thousands. */
static struct tally kept_in_range(struct tally tally) {
    if (tally.ways >= 0x1p512) {
        tally.ways *= 0x1p-512;
        tally.shifts++;
    }
    return tally;
}

/* The share of b's sets in those of a, which are at least as many. */
static double share(struct tally b, struct tally a) {
    if (b.ways == 0 || b.size != a.size)
        return 0;
    return ldexp(b.ways / a.ways, -512 * (int)(a.shifts - b.shifts));
}

static struct tally either_shifted(struct tally a, struct tally b) {
    if (a.shifts < b.shifts)
        return either_shifted(b, a);
    if (b.ways == 0 || a.size > b.size)
        return a;
    if (a.ways == 0 || b.size > a.size)
        return b;
    a.ways += ldexp(b.ways, -512 * (int)(a.shifts - b.shifts));
    return kept_in_range(a);
}

/* The largest of either kind. Sums of products by conditions, not branches: which is larger is hard to foretell. */
static inline struct tally either(struct tally a, struct tally b) {
    if (a.shifts != b.shifts)
        return either_shifted(a, b);
    a.ways = a.ways * (a.size >= b.size) + b.ways * (b.size >= a.size);
    a.size = a.size >= b.size ? a.size : b.size;
    return kept_in_range(a);
}

/* One more window, with any of a and any of b. */
static inline struct tally one_more(struct tally a, struct tally b) {
    double ways = a.ways * b.ways;
    uint32_t possible = ways > 0;
    return kept_in_range((struct tally){ways, possible * (a.size + b.size + 1), a.shifts + b.shifts});
}

static struct tally after_plain(const struct hr_sets *sets, const struct tally *ahead, uint32_t first) {
    return sets->beginning[first] ? one_more(nothing_more, ahead[first + sets->placement.copies]) : none;
}

static struct tally after_wrap(const struct hr_sets *sets, const struct tally *ahead, uint32_t first) {
    uint32_t group = sets->placement.group;
    return sets->beginning[first] ? one_more(sets->wrapped[first], ahead[(first / group + 1) * group]) : none;
}

/* Fills the table from place `end` back to `begin`. The last window goes `over` places beyond the end, exactly. */
static void look_ahead(const struct hr_sets *sets, struct tally *ahead, const uint32_t span[2],
                       uint32_t over) {
    uint32_t group = sets->placement.group, begin = span[0], end = span[1];
    for (uint32_t l = 0; l < sets->placement.copies; l++)
        ahead[end + l] = l == over ? nothing_more : none;
    uint32_t offset = end % group;
    for (uint32_t place = end; place-- > begin;) {
        offset = (offset > 0 ? offset : group) - 1;
        struct tally best = ahead[place + 1];
        if (offset < sets->plain)
            best = either(best, after_plain(sets, ahead, place));
        for (uint32_t wrap = sets->plain; offset == 0 && wrap < group; wrap++)
            best = either(best, after_wrap(sets, ahead, place + wrap));
        ahead[place] = best;
    }
}

/* Writes to `span` the places that a wrapping window leaves free between its two ends. */
static void span_within(const struct hr_sets *sets, uint32_t first, uint32_t span[2]) {
    span[0] = first + sets->placement.copies - sets->placement.group;
    span[1] = first;
}

static void look_within(struct hr_sets *sets, uint32_t first) {
    uint32_t span[2];
    span_within(sets, first, span);
    look_ahead(sets, sets->inside, span, 0);
}

static void note_beginnings(struct hr_sets *sets, const struct message *message, uint32_t messages) {
    memset(sets->beginning, 0, sets->placement.workers * sizeof *sets->beginning);
    for (uint32_t m = 0; m < messages; m++)
        sets->beginning[hr_first(sets, message[m].worker)] = m + 1;
    for (uint32_t m = 0; m < messages; m++) {
        uint32_t first = hr_first(sets, message[m].worker);
        if (hr_plain(sets, message[m].worker))
            continue;
        look_within(sets, first);
        sets->wrapped[first] = sets->inside[first + sets->placement.copies - sets->placement.group];
    }
}

/* Ties are drawn one by one; a stream has 2^16 draws at one place. */
static double next_unit(struct draw *draw) {
    if (draw->draw == 1u << 16) {
        draw->worker--;
        draw->draw = 0;
    }
    return draw_unit(draw);
}

/* Draws one of `choices` whose tallies make up `whole` together, each as likely as it has sets. */
static const struct hr_move *drawn_move(const struct hr_move *move, uint32_t choices, struct draw *draw) {
    struct tally whole = none;
    uint32_t possible = 0, last = 0;
    for (uint32_t q = 0; q < choices; q++)
        whole = either(whole, move[q].tally);
    for (uint32_t q = 0; q < choices; q++)
        if (share(move[q].tally, whole) > 0) {
            possible++;
            last = q;
        }
    if (possible == 1)
        return &move[last];
    double left = next_unit(draw);
    for (uint32_t q = 0; q < last; q++) {
        left -= share(move[q].tally, whole);
        if (left < 0)
            return &move[q];
    }
    return &move[last];
}

/* Lists what can be done at a place. */
static uint32_t list_moves(const struct hr_sets *sets, const struct tally *ahead, uint32_t place) {
    uint32_t group = sets->placement.group, offset = place % group, moves = 0;
    sets->move[moves++] = (struct hr_move){.tally = ahead[place + 1]};
    if (offset < sets->plain)
        sets->move[moves++] =
            (struct hr_move){after_plain(sets, ahead, place), sets->beginning[place], place};
    for (uint32_t wrap = sets->plain; offset == 0 && wrap < group; wrap++)
        sets->move[moves++] = (struct hr_move){after_wrap(sets, ahead, place + wrap),
                                               sets->beginning[place + wrap], place + wrap};
    return moves;
}

/* Draws one of the best sets of a span whose table is `ahead`, marks it and returns its size. */
static uint32_t walk(struct hr_sets *sets, const struct tally *ahead, const uint32_t span[2]) {
    uint32_t size = 0;
    for (uint32_t place = span[0]; place < span[1];) {
        const struct hr_move move = *drawn_move(sets->move, list_moves(sets, ahead, place), &sets->draw);
        if (move.message == 0) {
            place++;
            continue;
        }
        sets->weight[move.message - 1] = 1;
        size++;
        if (move.first == place) {
            place += sets->placement.copies;
            continue;
        }
        uint32_t within[2];
        span_within(sets, move.first, within);
        look_within(sets, move.first);
        size += walk(sets, sets->inside, within);
        place += sets->placement.group;
    }
    return size;
}

/* Some window that was heard takes just `over` places beyond the ring's end. */
static bool can_go_over(const struct hr_sets *sets, uint32_t over) {
    uint32_t first = sets->placement.workers - sets->placement.copies + over;
    return first % sets->placement.group < sets->plain && sets->beginning[first];
}

/* Lists the ways to close the ring: `first` is how many places the last window takes of the first group. */
static uint32_t list_closings(struct hr_sets *sets) {
    uint32_t closings = 0;
    for (uint32_t over = 0; over < sets->placement.copies; over++) {
        if (over > 0 && !can_go_over(sets, over))
            continue;
        look_ahead(sets, sets->ahead, (uint32_t[]){over, sets->placement.workers}, over);
        sets->move[closings++] = (struct hr_move){.tally = sets->ahead[over], .first = over};
    }
    return closings;
}

uint32_t hr_sets_choose(struct hr_sets *sets, const struct message *message, uint32_t messages,
                        double *weight) {
    memset(weight, 0, messages * sizeof *weight);
    sets->weight = weight;
    note_beginnings(sets, message, messages);
    uint32_t closings = list_closings(sets), over = drawn_move(sets->move, closings, &sets->draw)->first;
    const uint32_t ring[] = {over, sets->placement.workers};
    look_ahead(sets, sets->ahead, ring, over);
    return walk(sets, sets->ahead, ring);
}
