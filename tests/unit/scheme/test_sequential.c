/* gc-deadline, sr-sgc and m-sgc: rounds worked by hand, and random stragglers against rules written once more from the
 * definition, slow and obvious. */
#include "rehearsal.h"
#include "sequential.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>

static void begin(struct rehearsal *rehearsal, struct arena *arena, const char *scheme, uint32_t workers,
                  uint32_t steps, const char *values) {
    const void *params = params_bound(arena, scheme_named(scheme), values);
    cr_assert(ne(ptr, (void *)params, NULL), "%s %s", scheme, values);
    struct setting setting = {
        .shape = {workers, workers}, .late = LATE_CANCEL, .batches = true, .steps = steps};
    rehearsal_begin(rehearsal, scheme, params, setting);
}

/* Messages used by the last update: "worker.round.part" one after another. */
static const char *used(const struct rehearsal *rehearsal, char *text, size_t size) {
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t m = 0; m < rehearsal->messages; m++)
        if (rehearsal->mark[m] != 0)
            length += (size_t)snprintf(text + length, size - length, "%s%u.%u.%u", length > 0 ? " " : "",
                                       rehearsal->message[m].worker, rehearsal->message[m].step,
                                       rehearsal->message[m].part);
    return text;
}

struct hand_round {
    uint64_t heard; /* mask by the deadline */
    uint32_t completed;
    const char *used; /* by the last update it completes */
};

static void play(struct rehearsal *rehearsal, const struct hand_round *rounds, size_t count) {
    char text[400];
    for (uint32_t r = 0; r < count; r++) {
        rehearse_mask(rehearsal, r, rounds[r].heard);
        cr_expect(eq(u32, rehearsal->completed, rounds[r].completed), "%s, round %u",
                  rehearsal->scheme->head.name, r);
        if (rehearsal->completed > 0)
            cr_expect(eq(str, (char *)used(rehearsal, text, sizeof text), (char *)rounds[r].used),
                      "%s, round %u", rehearsal->scheme->head.name, r);
    }
}

/* s = ceil(1 * 2 / 2) = 1. Workers 2 and 3 miss job 0, which then lacks one result: worker 2 redoes it in round 1, and
 * both jobs are complete with three results each. Worker 0 alone may miss job 2: that is within s, so nothing is redone
 * and the round does not count, and workers 1 and 3 may straggle in the next one. */
Test(sequential, sr_sgc_by_hand) {
    static const struct hand_round rounds[] = {
        {0x3, 0, ""}, {0xf, 2, "0.1.0 1.1.0 3.1.0"}, {0xe, 1, "1.2.0 2.2.0 3.2.0"},
        {0x5, 0, ""}, {0xf, 1, "0.3.0 1.4.0 2.3.0"}, /* J = 4: round 4 redoes job 3 */
        {0x0, 0, ""},                                /* nothing to do */
    };
    struct rehearsal rehearsal;
    struct arena *arena = arena_new();
    begin(&rehearsal, arena, "sr-sgc", 4, 4, "B=1 W=2 lambda=2");
    cr_expect(eq(dbl, rehearsal.limits.work, 2));
    cr_expect(eq(u32, rehearsal.scheme->rounds(rehearsal.params, 4), 5));
    play(&rehearsal, rounds, sizeof rounds / sizeof *rounds);
    rehearsal_end(&rehearsal);
    arena_free(arena);
}

Test(sequential, sr_sgc_idles_when_the_last_job_lacks_nothing) {
    struct rehearsal rehearsal;
    struct arena *arena = arena_new();
    begin(&rehearsal, arena, "sr-sgc", 4, 1, "B=1 W=2 lambda=2");
    rehearse_mask(&rehearsal, 0, 0x7);
    cr_expect(eq(u32, rehearsal.completed, 1));
    cr_expect(not(rehearsal.scheme->idle(rehearsal.state)));
    rehearsal.scheme->open(rehearsal.state, 1, 1);
    cr_expect(rehearsal.scheme->idle(rehearsal.state));
    rehearsal_end(&rehearsal);
    arena_free(arena);
}

#define TEXT 200

/* What the task of a worker carries: " partition.piece/version/batch/model" for each evaluation, parts parted by '|'. */
static void carried(struct rehearsal *rehearsal, uint32_t worker, uint32_t round, char text[TEXT]) {
    struct task task;
    uint32_t next = 0, pieces = cut_pieces(&rehearsal->limits.cut);
    rehearsal->scheme->assign(rehearsal->state, worker, round, &task);
    FILE *out = fmemopen(text, TEXT, "w");
    for (uint32_t q = 0; q < task.parts; q++) {
        fprintf(out, "%s", q > 0 ? "|" : "");
        for (uint32_t e = 0; e < task.part[q].evaluations; e++, next++) {
            const struct evaluation *evaluation = &task.evaluation[next];
            fprintf(out, " %u.%u/%u/%u/%u", evaluation->partition / pieces, evaluation->partition % pieces,
                    evaluation->version, evaluation->batch, evaluation->model);
        }
    }
    fclose(out);
}

/* Pieces: one plain of two units, one of one unit, three units in all; a round costs 2 * 2/3 of a partition. Worker 0
 * straggles in round 0, so in round 1 it sends the plain chunk of job 0 again where others send coded ones. */
Test(sequential, m_sgc_by_hand) {
    static const struct hand_round rounds[] = {
        {0x6, 0, ""},
        {0x7, 1, "0.1.1 1.0.0 1.1.1 2.0.0 2.1.1"},
        {0x7, 1, "0.1.0 0.2.1 1.1.0 1.2.1 2.1.0 2.2.1"},
        {0x5, 1, "0.2.0 0.3.1 1.2.0 2.2.0 2.3.1"},
    };
    static const char *const second[] = {" 0.0/0/1/0| 0.0/0/0/0", " 1.0/0/1/0| 1.1/0/0/0 2.1/0/0/0",
                                         " 2.0/0/1/0| 0.1/0/0/0 2.1/0/0/0"};
    struct rehearsal rehearsal;
    struct arena *arena = arena_new();
    char text[TEXT];
    begin(&rehearsal, arena, "m-sgc", 3, PARAM_ABSENT, "B=1 W=2 lambda=1");
    cr_expect(epsilon_eq(dbl, rehearsal.limits.work, 4.0 / 3, 1e-15));
    cr_expect(eq(u32, rehearsal.scheme->rounds(rehearsal.params, 4), 5));
    play(&rehearsal, rounds, 1);
    rehearsal.scheme->open(rehearsal.state, 1, 0);
    for (uint32_t i = 0; i < 3; i++) {
        carried(&rehearsal, i, 1, text);
        cr_expect(eq(str, text, (char *)second[i]), "worker %u", i);
    }
    rehearsal_end(&rehearsal);
    begin(&rehearsal, arena, "m-sgc", 3, PARAM_ABSENT, "B=1 W=2 lambda=1");
    play(&rehearsal, rounds, sizeof rounds / sizeof *rounds);
    rehearsal_end(&rehearsal);
    arena_free(arena);
}

/* With lambda = n there is nothing coded: job 0 is complete after W - 1 = 2 rounds without stragglers. */
Test(sequential, m_sgc_without_coded_chunks) {
    static const struct hand_round rounds[] = {
        {0x7, 0, ""},
        {0x7, 1, "0.0.0 0.1.1 1.0.0 1.1.1 2.0.0 2.1.1"},
        {0x4, 0, ""}, /* 0 and 1 lose their second chunks of job 1 and their first of job 2 */
        {0x7, 1, "0.1.0 0.3.2 1.1.0 1.3.2 2.1.0 2.2.1"},
        {0x7, 2, "0.3.0 0.4.1 1.3.0 1.4.1 2.3.0 2.4.1"}, /* and job 2 */
    };
    struct rehearsal rehearsal;
    struct arena *arena = arena_new();
    begin(&rehearsal, arena, "m-sgc", 3, PARAM_ABSENT, "B=1 W=3 lambda=3");
    cr_expect(eq(dbl, rehearsal.limits.work, 1.5));
    cr_expect(eq(u32, rehearsal.limits.cut.small, 0));
    play(&rehearsal, rounds, sizeof rounds / sizeof *rounds);
    rehearsal_end(&rehearsal);
    arena_free(arena);
}

static const struct {
    const char *values;
    uint64_t heard; /* of 4 workers */
    bool admitted;
} tolerances[] = {
    {"stragglers=2", 0x3, true},
    {"stragglers=2", 0x1, false},
    {"stragglers=2 tolerance=strict", 0x3, false},
    {"stragglers=2 tolerance=strict", 0x7, true},
    {"stragglers=0", 0xf, true},
    {"stragglers=0 tolerance=strict", 0xf, false},
};

Test(sequential, gc_deadline_tolerates_s_or_fewer) {
    struct arena *arena = arena_new();
    for (size_t r = 0; r < sizeof tolerances / sizeof *tolerances; r++) {
        struct rehearsal rehearsal;
        begin(&rehearsal, arena, "gc-deadline", 4, PARAM_ABSENT, tolerances[r].values);
        rehearsal.scheme->open(rehearsal.state, 0, 0);
        for (uint32_t i = 0; i < 4; i++)
            if (tolerances[r].heard >> i & 1)
                rehearsal.scheme->hear(rehearsal.state, &(struct message){.worker = i});
        cr_expect(eq(int, rehearsal.scheme->admits(rehearsal.state), tolerances[r].admitted), "row %zu", r);
        rehearsal_end(&rehearsal);
    }
    arena_free(arena);
}

static const struct {
    const char *scheme, *values, *rule;
} rules[] = {
    {"gc-deadline", "stragglers=2", "{type: deadline, factor: 2, else: all}"},
    {"sr-sgc", "B=1 W=2 lambda=2 mu=0.5", "{type: deadline, factor: 1.5, else: all}"},
    {"m-sgc", "B=1 W=2 lambda=2 mu=0.1", "{type: deadline, factor: 1.1000000000000001, else: all}"},
};

Test(sequential, the_wait_rule_follows_from_mu) {
    struct arena *arena = arena_new();
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        const struct scheme *scheme = scheme_named(rules[r].scheme);
        struct sentence rule = {""};
        cr_expect(scheme->own_wait(params_bound(arena, scheme, rules[r].values), &rule));
        cr_expect(eq(str, rule.text, (char *)rules[r].rule), "%s", rules[r].scheme);
    }
    arena_free(arena);
}

static const struct {
    const char *scheme, *values;
    struct shape shape;
    const char *why; /* NULL: accepted */
} refusals[] = {
    {"gc-deadline", "stragglers=3", {4, 4}, NULL},
    {"gc-deadline", "stragglers=4", {4, 4}, "stragglers = 4 must be below workers = 4"},
    {"sr-sgc", "B=2 W=5 lambda=4", {4, 4}, NULL},
    {"sr-sgc", "B=2 W=5 lambda=5", {4, 4}, "lambda = 5 must be at most workers = 4"},
    {"sr-sgc", "B=2 W=4 lambda=2", {4, 4}, "B = 2 must divide W - 1 = 3"},
    {"sr-sgc", "B=2 W=2 lambda=2", {4, 4}, "B = 2 must be below W = 2"},
    {"sr-sgc", "B=1 W=2 lambda=1", {4, 8}, "partitions = 8 must equal workers = 4"},
    {"sr-sgc",
     "B=1 W=2 lambda=1",
     {1, 1},
     "lambda = 1 makes s = ceil(B lambda / (W - 1 + B)) = 1, which must be below workers = 1"},
    {"sr-sgc",
     "B=1 W=1000000 lambda=1",
     {1000, 1000},
     "B, W and lambda make 1000003 entries for each of workers = 1000, more than the 100000000 in all that "
     "fit in "
     "memory"},
    {"m-sgc", "B=2 W=4 lambda=4", {4, 4}, NULL},
    {"m-sgc", "B=2 W=4 lambda=5", {4, 4}, "lambda = 5 must be at most workers = 4"},
    {"m-sgc", "B=4 W=4 lambda=2", {4, 4}, "B = 4 must be below W = 4"},
    {"m-sgc",
     "B=1 W=10000 lambda=4",
     {4, 4},
     "B, W and lambda make 100010001 entries for each of workers = 4, more than the 100000000 in all that "
     "fit in "
     "memory"},
};

Test(sequential, refuses_what_does_not_fit) {
    struct arena *arena = arena_new();
    for (size_t r = 0; r < sizeof refusals / sizeof *refusals; r++) {
        const struct scheme *scheme = scheme_named(refusals[r].scheme);
        struct sentence why = {""};
        const void *params = params_bound(arena, scheme, refusals[r].values);
        bool refused = scheme->refuses(params, refusals[r].shape, &why);
        cr_expect(eq(int, refused, refusals[r].why != NULL), "row %zu: %s", r, why.text);
        cr_expect(eq(str, why.text, (char *)(refusals[r].why ? refusals[r].why : "")), "row %zu", r);
    }
    arena_free(arena);
}
