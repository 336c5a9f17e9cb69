/* Evaluations of a task all take the same time, so that a count of each use is enough: it stands with the round of the task until
 * another round takes its place in the ledger, when it becomes seconds. So sums have the ledger's order. Counts are doubles, which
 * hold them exactly and meet seconds in one kind of register. */
#include "late_book.h"
#include "cloned.h"
#include "ledger.h"
#include "memory.h"
#include "ring_race.h"
#include "worker_set.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64, LANES = 8 };

/* Evaluations of a round that await their use, by worker; those of one who did not end in it are of an earlier one. */
struct awaiting {
    double *each_s;      /* what one took */
    double *ended_s;     /* when the worker's last one ended */
    double *evaluations; /* all */
    double *used[USES];  /* of those, by use; none where that is USE_DISCARDED */
    bool any[USES];      /* some worker's count is not 0 */
};

struct late_book {
    struct late_book_spec spec;
    struct arena *arena;
    size_t words, lanes;                       /* 64 for each word */
    uint32_t kept;                             /* rounds */
    struct awaiting *awaiting;                 /* [kept]: of round r at r mod kept */
    double *evaluated_s[USES];                 /* as struct spending has them, as all that follows [lanes] */
    double *booked_s;                          /* whose use was none at once */
    double *evaluated, *skipped, *used, *late; /* as struct worker_row has them */
    double *evaluations;                       /* of the present round's tasks */
    uint64_t *all, *finished, *unended, *missing,
        *sent;           /* sets of workers: the middle three of the last round */
    uint32_t round, due; /* the present one; the next if none is idle */
    struct parcel *parcel;
    struct ring_race race;
    double *rank; /* [workers]: 0, 1, … */
    struct won *won;
};

static void begin_awaiting(struct late_book *book) {
    struct arena *arena = book->arena;
    book->awaiting = arena_zeroed(arena, book->kept, sizeof *book->awaiting);
    for (uint32_t q = 0; q < book->kept; q++) {
        struct awaiting *awaiting = &book->awaiting[q];
        awaiting->each_s = arena_zeroed(arena, book->lanes, sizeof(double));
        awaiting->ended_s = arena_zeroed(arena, book->lanes, sizeof(double));
        awaiting->evaluations = arena_zeroed(arena, book->lanes, sizeof(double));
        for (unsigned use = USE_DISCARDED + 1; use < USES; use++)
            awaiting->used[use] = arena_zeroed(arena, book->lanes, sizeof(double));
    }
}

static void begin_sums(struct late_book *book) {
    double **const sums[] = {&book->booked_s, &book->evaluated,   &book->skipped, &book->used,
                             &book->late,     &book->evaluations, &book->rank};
    uint64_t **const sets[] = {&book->all, &book->finished, &book->unended, &book->missing, &book->sent};
    for (unsigned use = 0; use < USES; use++)
        book->evaluated_s[use] = arena_zeroed(book->arena, book->lanes, sizeof(double));
    for (size_t q = 0; q < sizeof sums / sizeof *sums; q++)
        *sums[q] = arena_zeroed(book->arena, book->lanes, sizeof(double));
    for (size_t q = 0; q < sizeof sets / sizeof *sets; q++)
        *sets[q] = arena_zeroed(book->arena, book->words, sizeof(uint64_t));
}

struct late_book *late_book_new(const struct late_book_spec *spec) {
    struct late_book *book = memory_zeroed(1, sizeof *book);
    size_t parts = spec->limits->parts > 0 ? spec->limits->parts : 1;
    book->spec = *spec;
    book->arena = arena_new();
    book->words = set_words(spec->workers);
    book->lanes = book->words * WORD;
    book->kept = spec->limits->held + 1;
    begin_awaiting(book);
    begin_sums(book);
    book->parcel = arena_zeroed(book->arena, 2 * parts, sizeof *book->parcel);
    book->won = arena_zeroed(book->arena, spec->workers, sizeof *book->won);
    ring_race_begin(&book->race, spec->workers, book->arena);
    set_fill(book->all, spec->workers);
    for (uint32_t i = 0; i < spec->workers; i++)
        book->rank[i] = i;
    if (spec->rules->keep)
        spec->rules->keep(spec->state, book->arena);
    return book;
}

void late_book_free(struct late_book *book) {
    if (!book)
        return;
    arena_free(book->arena);
    free(book);
}

static struct awaiting *awaiting_of(const struct late_book *book, uint32_t round) {
    return &book->awaiting[round % book->kept];
}

/* The first member of a set, which it leaves. */
static uint32_t next_member(uint64_t *word) {
    uint32_t bit = (uint32_t)__builtin_ctzll(*word);
    *word &= *word - 1;
    return bit;
}

/* Rounds between are jumped over by all. */
void late_book_open(struct late_book *book, uint32_t round) {
    double jumped = (double)(round - book->due) * book->spec.limits->evaluations;
    for (size_t w = 0; w < book->words; w++)
        for (uint64_t left = book->unended[w]; left != 0;) {
            size_t i = w * WORD + next_member(&left);
            book->skipped[i] += book->evaluations[i];
        }
    if (round > book->due)
        set_add(book->skipped, book->all, book->words, jumped);
    book->round = round;
    book->due = round + 1;
    book->spec.rules->evaluations(book->spec.state, book->evaluations);
}

/* Counts of the members of a set become seconds, and 0. */
CLONED static void late_book_settle(double *restrict total_s, double *restrict count,
                                    const double *restrict each_s, const uint64_t *set, size_t words) {
    for (size_t first = 0; first < words * WORD; first += LANES) {
        const uint64_t members = set[first / WORD] >> first % WORD;
        double *of = count + first, *to_s = total_s + first;
        LANE_LOOP
        for (size_t l = 0; l < LANES; l++) {
            const bool member = members >> l & 1;
            to_s[l] += member ? of[l] * each_s[first + l] : 0;
            of[l] = member ? 0 : of[l];
        }
    }
}

/* What was used is none of the rest, which was of no use. */
static double unused(const struct awaiting *awaiting, size_t i) {
    double unused = awaiting->evaluations[i];
    for (unsigned use = USE_DISCARDED + 1; use < USES; use++)
        unused -= awaiting->used[use][i];
    return unused;
}

static void settle_unused(struct late_book *book, struct awaiting *awaiting, const uint64_t *set) {
    for (size_t w = 0; w < book->words; w++)
        for (uint64_t left = set[w]; left != 0;) {
            size_t i = w * WORD + next_member(&left);
            book->evaluated_s[USE_DISCARDED][i] += unused(awaiting, i) * awaiting->each_s[i];
        }
}

/* Whether some who are not in the set have counts. */
static bool others_have(const struct late_book *book, const double *count, const uint64_t *set) {
    for (size_t w = 0; w < book->words; w++)
        for (uint64_t left = book->all[w] & ~set[w]; left != 0;)
            if (count[w * WORD + next_member(&left)] > 0)
                return true;
    return false;
}

/* What a set of workers evaluated in an earlier round can be used no more. */
static void settle(struct late_book *book, struct awaiting *awaiting, const uint64_t *set) {
    if (awaiting->any[USE_DISCARDED])
        settle_unused(book, awaiting, set);
    for (unsigned use = USE_DISCARDED + 1; use < USES; use++) {
        if (!awaiting->any[use])
            continue;
        late_book_settle(book->evaluated_s[use], awaiting->used[use], awaiting->each_s, set, book->words);
        awaiting->any[use] = others_have(book, awaiting->used[use], set);
    }
}

/* What members of a set evaluated in the present round awaits its use; where that is nothing, their seconds are of none. */
CLONED static void late_book_await(struct late_book *book, struct awaiting *awaiting,
                                   const struct heard_round *round, const uint64_t *set) {
    for (size_t first = 0; first < book->lanes; first += LANES) {
        const uint64_t members = set[first / WORD] >> first % WORD;
        const double *restrict seconds = round->seconds + first, *restrict count = book->evaluations + first;
        double *restrict each_s = awaiting->each_s + first, *restrict ended_s = awaiting->ended_s + first;
        double *restrict of = awaiting->evaluations + first, *restrict evaluated = book->evaluated + first;
        double *restrict booked_s = book->booked_s + first;
        LANE_LOOP
        for (size_t l = 0; l < LANES; l++) {
            const bool member = members >> l & 1;
            each_s[l] = member ? (count[l] > 0 ? seconds[l] / count[l] : 0) : each_s[l];
            ended_s[l] = member ? round->opened_s + seconds[l] : ended_s[l];
            of[l] = member ? count[l] : of[l];
            evaluated[l] += member ? count[l] : 0;
            booked_s[l] += member && !(count[l] > 0) ? seconds[l] : 0;
        }
    }
}

/* Who was not heard but ended before the next round joins the finished; the others' seconds are lost. Returns whether there
 * were any. */
static bool note_missing(struct late_book *book, const struct heard_round *round) {
    const double lost_s = round->next_s - round->opened_s;
    bool any = false;
    for (size_t w = 0; w < book->words; w++) {
        book->finished[w] = book->all[w] & ~round->missing[w];
        for (uint64_t left = round->missing[w]; left != 0;) {
            uint32_t bit = next_member(&left);
            size_t i = w * WORD + bit;
            const bool ended = round->opened_s + round->seconds[i] <= round->next_s;
            any |= ended;
            book->finished[w] |= (uint64_t)ended << bit;
            book->booked_s[i] += ended ? 0 : lost_s;
        }
        book->unended[w] = book->all[w] & ~book->finished[w];
    }
    return any;
}

static void book_round(struct late_book *book, const struct heard_round *round) {
    struct awaiting *awaiting = awaiting_of(book, book->round);
    bool unheard = note_missing(book, round);
    settle(book, awaiting, book->finished);
    late_book_await(book, awaiting, round, book->finished);
    awaiting->any[USE_DISCARDED] |= unheard;
}

void late_book_close(struct late_book *book, const struct heard_round *round) {
    book_round(book, round);
    memcpy(book->missing, round->missing, book->words * sizeof *book->missing);
    set_add(book->late, round->missing, book->words, 1);
}

/* Its tasks without an end are not dropped. */
void late_book_hang(struct late_book *book, const struct heard_round *round) {
    book_round(book, round);
}

static void count_use(struct late_book *book, const struct parcel *parcel, enum use use) {
    struct awaiting *awaiting = awaiting_of(book, parcel->round);
    set_add(awaiting->used[use], parcel->workers, book->words, parcel->evaluations);
    awaiting->any[use] = true;
}

/* Who is in a set comes when it ended, at the ranks from `ranks` on. */
CLONED static void late_book_line_up(struct late_book *book, const struct parcel *parcel, double ranks) {
    const double *restrict ended_s = awaiting_of(book, parcel->round)->ended_s, *restrict own = book->rank;
    double *restrict when = book->race.when, *restrict rank = book->race.rank;
    for (size_t i = 0; i < book->spec.workers; i++) {
        const bool member = parcel->workers[i / WORD] >> i % WORD & 1;
        when[i] = member ? ended_s[i] : when[i];
        rank[i] = member ? ranks + own[i] : rank[i];
    }
}

/* Of messages of the same gradients the first is useful, gradient by gradient. */
static void count_first(struct late_book *book, const struct parcel *parcel, size_t parcels) {
    const uint32_t workers = book->spec.workers;
    for (uint32_t i = 0; i < workers; i++) {
        book->race.when[i] = (double)INFINITY;
        book->race.rank[i] = i;
    }
    for (size_t q = 0; q < parcels; q++) {
        count_use(book, &parcel[q], USE_REDUNDANT);
        late_book_line_up(book, &parcel[q], (double)q * workers);
        awaiting_of(book, parcel[q].round)->any[USE_USEFUL] = true;
    }
    size_t runs = ring_race_run(&book->race, parcel->evaluations, book->won);
    for (size_t run = 0; run < runs; run++) {
        uint32_t rank = (uint32_t)book->won[run].rank, i = rank % workers;
        struct awaiting *awaiting = awaiting_of(book, parcel[rank / workers].round);
        awaiting->used[USE_USEFUL][i] += book->won[run].partitions;
        awaiting->used[USE_REDUNDANT][i] -= book->won[run].partitions;
    }
}

/* Returns how many of the parcels, which are of the same gradients, are counted. */
static size_t count_fresh(struct late_book *book, const struct parcel *parcel, size_t parcels) {
    size_t together = 1;
    while (together < parcels && parcel[together].rest)
        together++;
    if (parcel->evaluations > 1) {
        count_first(book, parcel, together);
        return together;
    }
    count_use(book, parcel, USE_USEFUL);
    return 1;
}

void late_book_use(struct late_book *book, uint32_t age, struct result *result) {
    size_t parcels = book->spec.rules->parcels(book->spec.state, book->parcel);
    uint64_t terms = 0;
    memset(book->sent, 0, book->words * sizeof *book->sent);
    for (size_t q = 0; q < parcels; q++) {
        const struct parcel *parcel = &book->parcel[q];
        terms += (uint64_t)set_count(parcel->workers, book->words) * parcel->evaluations;
        for (size_t w = 0; w < book->words; w++)
            book->sent[w] |= parcel->workers[w];
        if (age > 0)
            count_use(book, parcel, USE_STALE);
    }
    set_add(book->used, book->sent, book->words, 1);
    for (size_t q = 0; age == 0 && q < parcels;)
        q += count_fresh(book, &book->parcel[q], parcels - q);
    if (limits_stale(book->spec.limits))
        result_note_ages(result, age, terms);
}

static void report_worker(const struct late_book *book, uint32_t i, struct result *result) {
    struct run_row *run = &result->run;
    struct spending spending = {.booked_s = {[USE_DISCARDED] = book->booked_s[i]}};
    for (unsigned use = 0; use < USES; use++)
        spending.evaluated_s[use] = book->evaluated_s[use][i];
    struct worker_row row = {.worker = i,
                             .busy_s = spending_busy(&spending),
                             .used = (uint32_t)book->used[i],
                             .late = (uint32_t)book->late[i],
                             .evaluated = (uint64_t)book->evaluated[i],
                             .skipped = (uint64_t)book->skipped[i],
                             .backlog_end = set_has(book->missing, i),
                             .backlog_max = book->late[i] > 0,
                             .oldest_steps = UINT32_MAX,
                             .gone_s = (double)NAN,
                             .heir = NOBODY};
    row.idle_s = fmax(0, run->time_s - row.busy_s);
    row.participation = run->steps > 0 ? (double)row.used / run->steps : (double)NAN;
    result->worker[i] = row;
    run->useful_s += spending_seconds(&spending, USE_USEFUL);
    run->redundant_s += spending_seconds(&spending, USE_REDUNDANT);
    run->stale_s += spending_seconds(&spending, USE_STALE);
    run->discarded_s += spending_seconds(&spending, USE_DISCARDED);
    run->idle_s += row.idle_s;
}

void late_book_report(struct late_book *book, struct result *result) {
    for (uint32_t q = 0; q < book->kept; q++) {
        book->awaiting[q].any[USE_DISCARDED] = true;
        settle(book, &book->awaiting[q], book->all);
    }
    for (uint32_t i = 0; i < book->spec.workers; i++)
        report_worker(book, i, result);
}
