/* Evaluations of a task all take the same time, so that a count of each use is enough: it stands with the round of the task until
 * another round takes its place in the ledger, when it becomes seconds. So sums have the ledger's order. Counts are doubles, which
 * hold them exactly and meet seconds in one kind of register. */
#include "late_book.h"
#include "cloned.h"
#include "late_set.h"
#include "ledger.h"
#include "memory.h"
#include "ring_race.h"
#include "worker_set.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64, LANES = 8 };

/* Counts by worker: of those in the domain, `common` beside their own. */
struct counts {
    double *own;
    double common;
    bool any; /* some count is not 0 */
};

/* Evaluations of a round that await their use, by worker; those of one who did not end in it are of an earlier one. */
struct awaiting {
    double *each_s;           /* what one took */
    double *ended_s;          /* when the worker's last one ended */
    double *evaluations;      /* all */
    struct counts used[USES]; /* of those, by use; none where that is USE_DISCARDED */
    uint64_t *heard;          /* who was, in the round: the domain of the counts */
    bool unheard;             /* some evaluations may be of no use */
};

/* So much for each who is in a set. */
struct set_share {
    const uint64_t *set;
    double each;
};

/* A set of workers as numbers: 1 for a member, else 0. */
struct marks {
    double *mark;
    size_t workers;
};

struct late_book {
    struct late_book_spec spec;
    struct arena *arena;
    size_t words, lanes;                /* 64 for each word */
    struct marks marks;                 /* of `finished` */
    uint32_t kept;                      /* rounds */
    struct awaiting *awaiting;          /* [kept]: of round r at r mod kept */
    double *evaluated_s[USES];          /* as struct spending has them, as all that follows [lanes] */
    double *booked_s;                   /* whose use was none at once */
    double *evaluated, *skipped, *late; /* as struct worker_row has them */
    struct counts used;                 /* likewise, of all */
    double *evaluations;                /* of the present round's tasks */
    uint64_t *all, *finished, *unended, *missing; /* sets of workers: the last three of the last round */
    uint64_t *sent, *rest;                        /* in the making */
    uint32_t round, due;                          /* the present one; the next if none is idle */
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
            awaiting->used[use].own = arena_zeroed(arena, book->lanes, sizeof(double));
        awaiting->heard = arena_zeroed(arena, book->words, sizeof *awaiting->heard);
    }
}

static void begin_sums(struct late_book *book) {
    double **const sums[] = {&book->marks.mark, &book->booked_s,    &book->evaluated, &book->skipped,
                             &book->late,       &book->evaluations, &book->rank,      &book->used.own};
    uint64_t **const sets[] = {&book->all,     &book->finished, &book->unended,
                               &book->missing, &book->sent,     &book->rest};
    for (unsigned use = 0; use < USES; use++)
        book->evaluated_s[use] = arena_zeroed(book->arena, book->lanes, sizeof(double));
    for (size_t q = 0; q < sizeof sums / sizeof *sums; q++)
        *sums[q] = arena_zeroed(book->arena, book->lanes, sizeof(double));
    for (size_t q = 0; q < sizeof sets / sizeof *sets; q++)
        *sets[q] = arena_zeroed(book->arena, book->words, sizeof(uint64_t));
    set_fill(book->all, book->spec.workers);
    set_fill(book->finished, book->spec.workers);
    set_add(book->marks.mark, book->all, book->words, 1);
    book->marks.workers = book->spec.workers;
    for (uint32_t i = 0; i < book->spec.workers; i++)
        book->rank[i] = i;
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

/* Adds to those of the domain who are in a set: to all and off the others, where these are few. */
static void counts_add(const struct late_book *book, struct counts *counts, const uint64_t *domain,
                       const struct set_share *share) {
    for (size_t w = 0; w < book->words; w++)
        book->rest[w] = domain[w] & ~share->set[w];
    counts->any = true;
    if (set_count(book->rest, book->words) >= SET_FEW * book->words) {
        set_add(counts->own, share->set, book->words, share->each);
        return;
    }
    counts->common += share->each;
    set_add(counts->own, book->rest, book->words, -share->each);
}

/* Rounds between are jumped over by all. */
void late_book_open(struct late_book *book, uint32_t round) {
    double jumped = (double)(round - book->due) * book->spec.limits->evaluations;
    for (size_t w = 0; w < book->words; w++)
        for (uint64_t left = book->unended[w]; left != 0;) {
            size_t i = w * WORD + set_next(&left);
            book->skipped[i] += book->evaluations[i];
        }
    if (round > book->due)
        set_add(book->skipped, book->all, book->words, jumped);
    book->round = round;
    book->due = round + 1;
    book->spec.rules->evaluations(book->spec.state, book->evaluations);
}

/* Counts of those that are marked become seconds, and 0. */
CLONED static void late_book_settle(double *restrict total_s, struct counts *counts,
                                    const double *restrict each_s, const struct marks *marks) {
    const double *restrict mark = marks->mark, common = counts->common;
    double *restrict own = counts->own;
    for (size_t i = 0; i < marks->workers; i++) {
        const double count = own[i] + common;
        total_s[i] += mark[i] > 0 ? count * each_s[i] : 0;
        own[i] = mark[i] > 0 ? 0 : count;
    }
    counts->common = 0;
}

/* What was used is none of the rest, which was of no use. */
static void settle_unused(struct late_book *book, struct awaiting *awaiting) {
    for (size_t w = 0; w < book->words; w++)
        for (uint64_t left = book->finished[w]; left != 0;) {
            size_t i = w * WORD + set_next(&left);
            double unused = awaiting->evaluations[i];
            for (unsigned use = USE_DISCARDED + 1; use < USES; use++)
                unused -= awaiting->used[use].own[i] + awaiting->used[use].common;
            book->evaluated_s[USE_DISCARDED][i] += unused * awaiting->each_s[i];
        }
}

/* Whether some who have not finished have counts of their own. */
static bool others_have(const struct late_book *book, const double *own) {
    for (size_t w = 0; w < book->words; w++)
        for (uint64_t left = book->all[w] & ~book->finished[w]; left != 0;)
            if (own[w * WORD + set_next(&left)] > 0)
                return true;
    return false;
}

/* What those who have finished evaluated in an earlier round can be used no more. What was common to those heard in it is then
 * everybody's own. */
static void settle(struct late_book *book, struct awaiting *awaiting) {
    set_others(book->rest, awaiting->heard, book->spec.workers);
    for (unsigned use = USE_DISCARDED + 1; use < USES; use++)
        if (awaiting->used[use].common > 0)
            set_add(awaiting->used[use].own, book->rest, book->words, -awaiting->used[use].common);
    if (awaiting->unheard)
        settle_unused(book, awaiting);
    for (unsigned use = USE_DISCARDED + 1; use < USES; use++) {
        struct counts *counts = &awaiting->used[use];
        if (!counts->any)
            continue;
        late_book_settle(book->evaluated_s[use], counts, awaiting->each_s, &book->marks);
        counts->any = others_have(book, counts->own);
    }
}

/* What those that are marked evaluated in the present round awaits its use. */
CLONED static void late_book_await(const struct awaiting *awaiting, const struct heard_round *round,
                                   const double *restrict evaluations, const struct marks *marks) {
    const double *restrict seconds = round->seconds, *restrict mark = marks->mark, opened_s = round->opened_s;
    double *restrict each_s = awaiting->each_s, *restrict ended_s = awaiting->ended_s;
    double *restrict of = awaiting->evaluations;
    for (size_t i = 0; i < marks->workers; i++) {
        const double one_s = seconds[i] / (evaluations[i] > 0 ? evaluations[i] : 1);
        each_s[i] = mark[i] > 0 ? one_s : each_s[i];
        ended_s[i] = mark[i] > 0 ? opened_s + seconds[i] : ended_s[i];
        of[i] = mark[i] > 0 ? evaluations[i] : of[i];
    }
}

CLONED static void late_book_count(double *restrict evaluated, const double *restrict evaluations,
                                   const struct marks *marks) {
    const double *restrict mark = marks->mark;
    for (size_t i = 0; i < marks->workers; i++)
        evaluated[i] += mark[i] > 0 ? evaluations[i] : 0;
}

/* Seconds of no evaluation are of no use. */
static void book_empty(struct late_book *book, const struct heard_round *round) {
    for (uint32_t i = 0; i < book->spec.workers; i++)
        if (set_has(book->finished, i) && book->evaluations[i] <= 0)
            book->booked_s[i] += round->seconds[i];
}

/* Who was not heard but ended before the next round has finished too; the others' seconds are lost. */
static void note_missing(struct late_book *book, const struct heard_round *round) {
    const double lost_s = round->next_s - round->opened_s;
    set_add(book->marks.mark, book->unended, book->words, 1);
    for (size_t w = 0; w < book->words; w++) {
        book->unended[w] = 0;
        for (uint64_t left = round->missing[w]; left != 0;) {
            const uint32_t bit = set_next(&left);
            const size_t i = w * WORD + bit;
            const bool ended = round->opened_s + round->seconds[i] <= round->next_s;
            book->unended[w] |= (uint64_t)!ended << bit;
            book->booked_s[i] += ended ? 0 : lost_s;
        }
        book->finished[w] = book->all[w] & ~book->unended[w];
    }
    set_add(book->marks.mark, book->unended, book->words, -1);
}

static void book_round(struct late_book *book, const struct heard_round *round) {
    struct awaiting *awaiting = awaiting_of(book, book->round);
    note_missing(book, round);
    settle(book, awaiting);
    late_book_await(awaiting, round, book->evaluations, &book->marks);
    late_book_count(book->evaluated, book->evaluations, &book->marks);
    if (least_of(book->evaluations, book->spec.workers) <= 0)
        book_empty(book, round);
    set_others(awaiting->heard, round->missing, book->spec.workers);
    awaiting->unheard |= memcmp(awaiting->heard, book->finished, book->words * sizeof *book->finished) != 0;
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
    counts_add(book, &awaiting->used[use], awaiting->heard,
               &(struct set_share){parcel->workers, parcel->evaluations});
}

/* Who sent these comes when it ended, all others never. */
CLONED static void late_book_line_up(struct ring_race *race, const double *restrict ended_s,
                                     const struct parcel *parcel, const double *restrict own) {
    double *restrict when = race->when, *restrict rank = race->rank;
    for (size_t first = 0; first < race->workers; first += LANES) {
        const uint64_t senders = parcel->workers[first / WORD] >> first % WORD;
        LANE_LOOP
        for (size_t l = 0; l < LANES; l++) {
            when[first + l] = senders >> l & 1 ? ended_s[first + l] : (double)INFINITY;
            rank[first + l] = own[first + l];
        }
    }
}

/* Those who brought the rest come after the others that come at one time. */
static void line_up_rest(struct late_book *book, const struct parcel *parcel) {
    const double *ended_s = awaiting_of(book, parcel->round)->ended_s;
    for (size_t w = 0; w < book->words; w++)
        for (uint64_t left = parcel->workers[w]; left != 0;) {
            size_t i = w * WORD + set_next(&left);
            book->race.when[i] = ended_s[i];
            book->race.rank[i] += book->spec.workers;
        }
}

/* Of messages of the same gradients the first is useful, gradient by gradient. */
static void count_first(struct late_book *book, const struct parcel *parcel, size_t parcels) {
    struct awaiting *of[2];
    for (size_t q = 0; q < parcels; q++) {
        of[q] = awaiting_of(book, parcel[q].round);
        of[q]->used[USE_USEFUL].any = true;
        count_use(book, &parcel[q], USE_REDUNDANT);
    }
    late_book_line_up(&book->race, of[0]->ended_s, parcel, book->rank);
    if (parcels > 1)
        line_up_rest(book, &parcel[1]);
    size_t runs = ring_race_run(&book->race, parcel->evaluations, book->won);
    for (size_t run = 0; run < runs; run++) {
        uint32_t rank = (uint32_t)book->won[run].rank, rest = rank >= book->spec.workers;
        uint32_t i = rest ? rank - book->spec.workers : rank;
        of[rest]->used[USE_USEFUL].own[i] += book->won[run].partitions;
        of[rest]->used[USE_REDUNDANT].own[i] -= book->won[run].partitions;
    }
}

/* Returns how many of the parcels, which are of the same gradients, are counted. */
static size_t count_fresh(struct late_book *book, const struct parcel *parcel, size_t parcels) {
    size_t together = parcels > 1 && parcel[1].rest ? 2 : 1;
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
    counts_add(book, &book->used, book->all, &(struct set_share){book->sent, 1});
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
                             .used = (uint32_t)(book->used.own[i] + book->used.common),
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
    memcpy(book->finished, book->all, book->words * sizeof *book->all);
    set_add(book->marks.mark, book->unended, book->words, 1);
    for (uint32_t q = 0; q < book->kept; q++) {
        book->awaiting[q].unheard = true;
        settle(book, &book->awaiting[q]);
    }
    for (uint32_t i = 0; i < book->spec.workers; i++)
        report_worker(book, i, result);
}
