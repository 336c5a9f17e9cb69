#include "mailbox.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MANY_LETTERS = 32 }; /* to be sorted by insertion */

static void begin_waiting(struct mailbox *mailbox, const struct limits *limits, struct arena *arena) {
    mailbox->capacity = mailbox->workers + limits->arrivals;
    struct term *term = arena_zeroed(arena, (size_t)mailbox->capacity * limits->terms, sizeof *term);
    mailbox->waiting = arena_zeroed(arena, mailbox->capacity, sizeof *mailbox->waiting);
    for (size_t l = 0; l < mailbox->capacity; l++)
        mailbox->waiting[l].term = term + l * limits->terms;
}

size_t mailbox_messages(const struct mailbox *mailbox) {
    return mailbox->capacity > 0 ? mailbox->capacity
                                 : (size_t)mailbox->rounds * mailbox->workers * mailbox->parts;
}

void mailbox_begin(struct mailbox *mailbox, uint32_t workers, const struct limits *limits,
                   struct arena *arena) {
    mailbox->workers = workers;
    mailbox->parts = limits->parts > 0 ? limits->parts : 1;
    mailbox->rounds = limits->held + 1;
    size_t letters = (size_t)mailbox->rounds * workers * mailbox->parts;
    struct term *term = arena_zeroed(arena, letters * limits->terms, sizeof *term);
    mailbox->letter = arena_zeroed(arena, letters, sizeof *mailbox->letter);
    for (size_t l = 0; l < letters; l++)
        mailbox->letter[l].term = term + l * limits->terms;
    mailbox->place = arena_zeroed(arena, letters, sizeof *mailbox->place);
    mailbox->posted = arena_zeroed(arena, mailbox->rounds, sizeof *mailbox->posted);
    mailbox->arrival = arena_zeroed(arena, letters, sizeof *mailbox->arrival);
    mailbox->arrivals = arena_zeroed(arena, mailbox->rounds, sizeof *mailbox->arrivals);
    mailbox->arrivals_step = arena_zeroed(arena, mailbox->rounds, sizeof *mailbox->arrivals_step);
    if (limits->arrivals > 0)
        begin_waiting(mailbox, limits, arena);
    mailbox->message = arena_zeroed(arena, mailbox_messages(mailbox), sizeof *mailbox->message);
    mailbox->of = arena_zeroed(arena, mailbox_messages(mailbox), sizeof *mailbox->of);
}

void mailbox_carry(struct mailbox *mailbox, size_t length, struct arena *arena) {
    size_t letters = (size_t)mailbox->rounds * mailbox->workers * mailbox->parts;
    double *sent = arena_zeroed(arena, (letters + mailbox->capacity) * length, sizeof *sent);
    mailbox->sent_length = length;
    for (size_t l = 0; l < letters; l++, sent += length)
        mailbox->letter[l].sent = sent;
    for (size_t l = 0; l < mailbox->capacity; l++, sent += length)
        mailbox->waiting[l].sent = sent;
}

static size_t round_letters(const struct mailbox *mailbox) {
    return (size_t)mailbox->workers * mailbox->parts;
}

void mailbox_open(struct mailbox *mailbox, uint32_t step) {
    uint32_t round = step % mailbox->rounds;
    mailbox->opened = mailbox->taken;
    mailbox->arrivals[round] = 0;
    mailbox->arrivals_step[round] = step;
    if (mailbox->capacity > 0)
        return;
    mailbox->posted[round] = 0;
    memset(mailbox->place + round * round_letters(mailbox), 0,
           round_letters(mailbox) * sizeof *mailbox->place);
}

static uint32_t *place_of(const struct mailbox *mailbox, uint32_t step, uint32_t worker, uint32_t part) {
    return &mailbox->place[step % mailbox->rounds * round_letters(mailbox) + (size_t)worker * mailbox->parts +
                           part];
}

static struct letter *letter_at(const struct mailbox *mailbox, uint32_t step, uint32_t place) {
    assert(place > 0);
    return &mailbox->letter[step % mailbox->rounds * round_letters(mailbox) + place - 1];
}

struct letter *mailbox_post(struct mailbox *mailbox, const struct computed *computed) {
    uint32_t step = computed->step, *place = place_of(mailbox, step, computed->worker, computed->part);
    if (*place == 0)
        *place = ++mailbox->posted[step % mailbox->rounds];
    struct letter *letter = letter_at(mailbox, step, *place);
    letter->worker = computed->worker;
    letter->step = step;
    letter->part = computed->part;
    letter->heard = letter->used = false;
    letter->seconds = 0;
    return letter;
}

struct letter *mailbox_posted(struct mailbox *mailbox, uint32_t worker) {
    return letter_at(mailbox, 0, *place_of(mailbox, 0, worker, 0));
}

struct letter *mailbox_hear(struct mailbox *mailbox, const struct computed *of, double time_s) {
    struct letter *letter = letter_at(mailbox, of->step, *place_of(mailbox, of->step, of->worker, of->part));
    uint32_t round = of->step % mailbox->rounds;
    assert(letter->step == of->step && !letter->heard);
    letter->heard = true;
    letter->arrived_s = time_s;
    mailbox->arrival[round * round_letters(mailbox) + mailbox->arrivals[round]++] = letter;
    return letter;
}

struct letter *mailbox_arrive(struct mailbox *mailbox, const struct computed *of, double time_s) {
    const struct letter *posted = mailbox_posted(mailbox, of->worker);
    assert(posted->step == of->step && mailbox->arrived - mailbox->opened < mailbox->capacity);
    struct letter *letter = &mailbox->waiting[mailbox->arrived++ % mailbox->capacity];
    struct term *term = letter->term;
    double *sent = letter->sent;
    *letter = *posted;
    letter->term = term;
    letter->sent = sent;
    if (sent)
        memcpy(sent, posted->sent, mailbox->sent_length * sizeof *sent);
    for (size_t e = 0; e < posted->terms; e++)
        term[e] = posted->term[e];
    letter->arrived_s = time_s;
    return letter;
}

struct letter *mailbox_take(struct mailbox *mailbox) {
    if (mailbox->taken == mailbox->arrived)
        return NULL;
    struct letter *letter = &mailbox->waiting[mailbox->taken++ % mailbox->capacity];
    letter->heard = true;
    return letter;
}

static bool comes_before(const struct letter *a, const struct letter *b) {
    return a->worker != b->worker ? a->worker < b->worker : a->step < b->step;
}

static int by_worker_and_step(const void *a, const void *b) {
    const struct letter *one = *(struct letter *const *)a, *other = *(struct letter *const *)b;
    return comes_before(other, one) - comes_before(one, other);
}

/* Mostly there are one or two. */
static void sort_letters(struct letter **letter, uint32_t letters) {
    if (letters > MANY_LETTERS) {
        qsort(letter, letters, sizeof(struct letter *), by_worker_and_step);
        return;
    }
    for (uint32_t m = 1; m < letters; m++) {
        struct letter *next = letter[m];
        uint32_t place = m;
        for (; place > 0 && comes_before(next, letter[place - 1]); place--)
            letter[place] = letter[place - 1];
        letter[place] = next;
    }
}

/* Those heard since the round opened, by worker and step: they come in order of arrival. */
static void gather_taken(struct mailbox *mailbox) {
    for (uint64_t q = mailbox->opened; q < mailbox->taken; q++)
        mailbox->of[mailbox->messages++] = &mailbox->waiting[q % mailbox->capacity];
    sort_letters(mailbox->of, mailbox->messages);
    for (uint32_t m = 0; m < mailbox->messages; m++)
        mailbox->message[m] = (struct message){.worker = mailbox->of[m]->worker,
                                               .step = mailbox->of[m]->step,
                                               .arrived_s = mailbox->of[m]->arrived_s};
}

static void gather_part(struct mailbox *mailbox, struct letter *letter, uint32_t step) {
    if (!letter->heard || letter->step != step)
        return;
    mailbox->of[mailbox->messages] = letter;
    mailbox->message[mailbox->messages++] = (struct message){
        .worker = letter->worker, .step = step, .part = letter->part, .arrived_s = letter->arrived_s};
}

static uint32_t first_kept(const struct mailbox *mailbox, uint32_t step) {
    return step + 1 > mailbox->rounds ? step + 1 - mailbox->rounds : 0;
}

void mailbox_gather(struct mailbox *mailbox, uint32_t step) {
    mailbox->messages = 0;
    if (mailbox->capacity > 0) {
        gather_taken(mailbox);
        return;
    }
    for (uint32_t i = 0; i < mailbox->workers; i++)
        for (uint32_t t = first_kept(mailbox, step); t <= step; t++) {
            const uint32_t *place = place_of(mailbox, t, i, 0);
            for (uint32_t part = 0; part < mailbox->parts; part++)
                if (place[part] > 0)
                    gather_part(mailbox, letter_at(mailbox, t, place[part]), t);
        }
}

void mailbox_each_arrival(const struct mailbox *mailbox, uint32_t step,
                          void (*visit)(void *context, struct letter *letter), void *context) {
    for (uint64_t q = mailbox->opened; q < mailbox->taken; q++)
        visit(context, &mailbox->waiting[q % mailbox->capacity]);
    for (uint32_t t = first_kept(mailbox, step); t <= step; t++) {
        uint32_t round = t % mailbox->rounds;
        struct letter **arrival = mailbox->arrival + round * round_letters(mailbox);
        for (uint32_t a = 0; mailbox->arrivals_step[round] == t && a < mailbox->arrivals[round]; a++)
            visit(context, arrival[a]);
    }
}
