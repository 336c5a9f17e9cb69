#include "choice.h"
#include "code_params.h"
#include "whole.h"
#include <string.h>

/* Two responders conflict when their windows overlap: when they are fewer than c apart on the ring. From a responder the
 * greedy walk goes on to the nearest one that does not conflict, and ends before it would meet its start. A largest
 * conflict-free set that holds a given responder is found by its walk, so the best of all walks is a largest set. */
struct isgc_cr {
    struct whole whole;
    struct stream code;
    uint32_t step;
    uint32_t *heard; /* [c]: responders i with i mod c = r since the step opened */
    /* While choosing: the messages, by worker index, so in the order of the ring. */
    const struct message *message;
    uint32_t messages;
    uint32_t *stride; /* [messages]: how many further on the nearest one is that does not conflict */
    uint32_t *length; /* [messages]: responders on the walk from each */
};

static struct limits limits(const void *params, const struct setting *setting) {
    (void)setting;
    return whole_limits(((const struct code_params *)params)->copies);
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    uint32_t workers = setting->shape.workers, copies = ((const struct code_params *)params)->copies;
    struct isgc_cr *isgc = arena_zeroed(arena, 1, sizeof *isgc);
    whole_begin(&isgc->whole, placement_cr(workers, copies), setting, arena);
    isgc->code = code;
    isgc->heard = arena_zeroed(arena, copies, sizeof *isgc->heard);
    isgc->stride = arena_zeroed(arena, workers, sizeof *isgc->stride);
    isgc->length = arena_zeroed(arena, workers, sizeof *isgc->length);
    return isgc;
}

static void open(void *state, uint32_t step, uint32_t version) {
    struct isgc_cr *isgc = state;
    (void)version;
    isgc->step = step;
    memset(isgc->heard, 0, isgc->whole.placement.copies * sizeof *isgc->heard);
}

static void hear(void *state, const struct message *message) {
    struct isgc_cr *isgc = state;
    isgc->heard[message->worker % isgc->whole.placement.copies]++;
}

/* Disjoint windows cover the ring only when they stand c apart all the way round. */
static bool decodable(const void *state) {
    const struct isgc_cr *isgc = state;
    uint32_t workers = isgc->whole.placement.workers, copies = isgc->whole.placement.copies;
    for (uint32_t r = 0; workers % copies == 0 && r < copies; r++)
        if (isgc->heard[r] == workers / copies)
            return true;
    return false;
}

static bool never_exact(const void *params, struct shape shape) {
    return shape.workers % ((const struct code_params *)params)->copies != 0;
}

/* The m-th responder's place on the ring unrolled: m goes round and round. */
static uint64_t place(const struct isgc_cr *isgc, uint64_t m) {
    return isgc->message[m % isgc->messages].worker + m / isgc->messages * isgc->whole.placement.workers;
}

static void measure_strides(struct isgc_cr *isgc) {
    uint64_t next = 0;
    for (uint32_t m = 0; m < isgc->messages; m++) {
        /* Once round is always far enough, since c <= n. */
        while (place(isgc, next) < place(isgc, m) + isgc->whole.placement.copies)
            next++;
        isgc->stride[m] = (uint32_t)(next - m);
    }
}

/* The last place at which a walk from the m-th responder does not meet its start. */
static uint64_t last_place(const struct isgc_cr *isgc, uint32_t m) {
    return place(isgc, m) + isgc->whole.placement.workers - isgc->whole.placement.copies;
}

static uint32_t walk_length(const struct isgc_cr *isgc, uint32_t start) {
    uint32_t length = 0;
    for (uint64_t m = start; place(isgc, m) <= last_place(isgc, start); m += isgc->stride[m % isgc->messages])
        length++;
    return length;
}

/* Writes the lengths of all walks and returns the largest. O(messages * n / c). */
static uint32_t measure_walks(struct isgc_cr *isgc) {
    uint32_t longest = 0;
    for (uint32_t m = 0; m < isgc->messages; m++) {
        isgc->length[m] = walk_length(isgc, m);
        longest = isgc->length[m] > longest ? isgc->length[m] : longest;
    }
    return longest;
}

/* Draws one of the walks of this length. */
static uint32_t drawn_start(const struct isgc_cr *isgc, uint32_t length) {
    uint32_t walks = 0, start = 0;
    for (uint32_t m = 0; m < isgc->messages; m++)
        walks += isgc->length[m] == length;
    struct draw draw = {.stream = isgc->code, .worker = STREAM_TIE, .step = isgc->step};
    for (uint32_t skipped = draw_index(&draw, walks);; start++)
        if (isgc->length[start] == length && skipped-- == 0)
            return start;
}

static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    struct isgc_cr *isgc = state;
    isgc->message = message;
    isgc->messages = messages;
    measure_strides(isgc);
    uint32_t longest = measure_walks(isgc), start = drawn_start(isgc, longest);
    memset(out->weight, 0, messages * sizeof *out->weight);
    for (uint64_t m = start; place(isgc, m) <= last_place(isgc, start); m += isgc->stride[m % messages])
        out->weight[m % messages] = 1;
    out->recovered = longest * isgc->whole.placement.copies;
    out->claim = choice_claim(out, isgc->whole.placement.workers);
}

static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct isgc_cr *isgc = state;
    (void)message;
    choice_rescale(messages, isgc->whole.placement.workers, out);
}

const struct scheme scheme_isgc_cr = {
    .head = {.name = "isgc-cr",
             .summary =
                 "ignore-straggler coding on cyclic windows: a largest set of disjoint responders, scaled up",
             .source = "Su et al., ICDCS 2023 (IS-GC)",
             .params = &copies_params},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = code_refuses_copies,
    .stragglers = code_stragglers,
    .fewest = code_any_one,
    .limits = limits,
    .begin = begin,
    .open = open,
    .assign = whole_assign,
    .finish = whole_finish,
    .hear = hear,
    .decodable = decodable,
    .never_exact = never_exact,
    .choose = choose,
    .weigh = weigh,
};
