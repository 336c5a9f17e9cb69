#include "mailbox.h"
#include <assert.h>

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
    mailbox->arrival = arena_zeroed(arena, letters, sizeof *mailbox->arrival);
    mailbox->arrivals = arena_zeroed(arena, mailbox->rounds, sizeof *mailbox->arrivals);
    mailbox->arrivals_step = arena_zeroed(arena, mailbox->rounds, sizeof *mailbox->arrivals_step);
    mailbox->message = arena_zeroed(arena, letters, sizeof *mailbox->message);
    mailbox->of = arena_zeroed(arena, letters, sizeof *mailbox->of);
}

static size_t letter_index(const struct mailbox *mailbox, uint32_t step, uint32_t worker, uint32_t part) {
    return ((size_t)(step % mailbox->rounds) * mailbox->workers + worker) * mailbox->parts + part;
}

void mailbox_open(struct mailbox *mailbox, uint32_t step) {
    mailbox->arrivals[step % mailbox->rounds] = 0;
    mailbox->arrivals_step[step % mailbox->rounds] = step;
}

struct letter *mailbox_post(struct mailbox *mailbox, const struct computed *computed) {
    struct letter *letter =
        &mailbox->letter[letter_index(mailbox, computed->step, computed->worker, computed->part)];
    letter->worker = computed->worker;
    letter->step = computed->step;
    letter->part = computed->part;
    letter->heard = letter->used = false;
    return letter;
}

struct letter *mailbox_hear(struct mailbox *mailbox, const struct computed *of, double time_s) {
    struct letter *letter = &mailbox->letter[letter_index(mailbox, of->step, of->worker, of->part)];
    uint32_t round = of->step % mailbox->rounds;
    assert(letter->step == of->step && !letter->heard);
    letter->heard = true;
    letter->arrived_s = time_s;
    mailbox->arrival[(size_t)round * mailbox->workers * mailbox->parts + mailbox->arrivals[round]++] = letter;
    return letter;
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
    for (uint32_t i = 0; i < mailbox->workers; i++)
        for (uint32_t t = first_kept(mailbox, step); t <= step; t++)
            for (uint32_t part = 0; part < mailbox->parts; part++)
                gather_part(mailbox, &mailbox->letter[letter_index(mailbox, t, i, part)], t);
}

void mailbox_each_arrival(const struct mailbox *mailbox, uint32_t step,
                          void (*visit)(void *context, struct letter *letter), void *context) {
    for (uint32_t t = first_kept(mailbox, step); t <= step; t++) {
        uint32_t round = t % mailbox->rounds;
        struct letter **arrival = mailbox->arrival + (size_t)round * mailbox->workers * mailbox->parts;
        for (uint32_t a = 0; mailbox->arrivals_step[round] == t && a < mailbox->arrivals[round]; a++)
            visit(context, arrival[a]);
    }
}
