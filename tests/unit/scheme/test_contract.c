/* What every scheme of the registry promises, on shapes it accepts. */
#include "rehearsal.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

static const struct {
    uint32_t workers;
    const char *values;
} shapes[] = {{1, "stragglers=0 copies=1 groups=1 pieces=2 seconds=1"},
              {2, "stragglers=1 copies=1 copies_local=0 groups=2 field=complex pieces=3 seconds=1"},
              {4, "stragglers=0 copies=2 copies_local=2 groups=2 pieces=3 order=staircase seconds=1"},
              {6, "stragglers=1 copies=2 groups=3 pieces=3 seconds=1"},
              {6, "stragglers=2 copies=3 copies_local=2 groups=1 field=complex pieces=7 delay_per=message"},
              {7, "stragglers=2 copies=3 groups=1 pieces=4 order=staircase"},
              {7, "stragglers=6 copies=7 copies_local=3 groups=1 pieces=8 order=random"},
              {8, "stragglers=3 copies=2 groups=2 pieces=5"},
              {9, "stragglers=2 copies=3 groups=3 field=complex pieces=4 seconds=1"},
              {12, "stragglers=3 copies=4 copies_local=2 groups=3 pieces=5 order=random"},
              {12, "stragglers=5 copies=6 copies_local=3 groups=2 pieces=9"},
              {5, "stragglers=1 density=1.5 decoder=one-step replication=2 copies=5 results=3"},
              {8, "stragglers=2 density=2 decoder=least-squares replication=3 p=0 copies=2 results=5"},
              {7, "stragglers=2 blocks=scenarios/data/fano-plane.csv"},
              {10, "stragglers=3 blocks=scenarios/data/pairs-of-six.csv"},
              {12, "stragglers=4 blocks=scenarios/data/affine-plane-3.csv"},
              {6, "stragglers=2 matrix=tests/unit/scheme/matrix.csv decoder=one-step"},
              {6, "stragglers=2 matrix=tests/unit/scheme/matrix.csv decoder=constant"},
              {6, "stragglers=2 matrix=tests/unit/scheme/matrix.csv decoder=least-squares"},
              {5, "stragglers=4 tolerance=strict B=1 W=2 lambda=0"},
              {6, "stragglers=2 tolerance=paper B=1 W=2 lambda=2"},
              {7, "B=2 W=3 lambda=3 models=all"},
              {8, "B=2 W=5 lambda=8"},
              {8, "B=1 W=4 lambda=7 models=all"},
              {5, "stragglers=2 local_steps=1 k=2"},
              {6, "stragglers=1 local_steps=3 k=6 increment=2"}};

static const char *values_checked;

/* Calls `check` for every scheme on every shape that it accepts. */
static void each_case(void (*check)(struct rehearsal *)) {
    uint32_t cases = 0;
    struct arena *arena = arena_new();
    for (const struct variant *const *variant = scheme_family.variants; *variant; variant++) {
        const struct scheme *scheme = (const struct scheme *)*variant;
        if (scheme->starts)
            continue;
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            const void *params = params_bound(arena, scheme, values_checked = shapes[s].values);
            struct setting setting = plain_setting(shapes[s].workers);
            struct sentence why;
            if (!params)
                continue;
            struct picked picked = {&scheme->head, (void *)params};
            setting.shape.partitions = scheme_partitions(&picked, setting.shape.workers);
            if (scheme->refuses(params, setting.shape, &why))
                continue;
            struct rehearsal rehearsal;
            rehearsal_begin(&rehearsal, scheme->head.name, params, setting);
            check(&rehearsal);
            rehearsal_end(&rehearsal);
            cases++;
        }
    }
    arena_free(arena);
    cr_assert(ge(u32, cases, 60), "only %u cases", cases);
}

#define CASE               "%s, n = %u, %s"
#define CASE_OF(rehearsal) (rehearsal)->scheme->head.name, (rehearsal)->setting.shape.workers, values_checked

/* Calls `check` after a step for every set of results that the scheme must bear. */
static void each_set(struct rehearsal *rehearsal, void (*check)(struct rehearsal *, uint32_t step)) {
    uint32_t workers = rehearsal->setting.shape.workers, step = 0;
    uint32_t fewest = rehearsal->scheme->fewest(rehearsal->params, rehearsal->setting.shape);
    for (uint64_t mask = 1; mask < 1ULL << workers; mask++) {
        if ((uint32_t)__builtin_popcountll(mask) < fewest)
            continue;
        rehearse_mask(rehearsal, step++, mask);
        if (rehearsal->completed > 0)
            check(rehearsal, step - 1);
    }
}

static void describes_itself(struct rehearsal *rehearsal) {
    const struct scheme *scheme = rehearsal->scheme;
    struct sentence why = {"?"};
    struct picked picked = {&scheme->head, (void *)rehearsal->params};
    cr_expect(scheme->head.summary && scheme->head.summary[0], CASE, CASE_OF(rehearsal));
    cr_expect(scheme_accepts_late(&picked, scheme->late, &why), CASE ": %s", CASE_OF(rehearsal), why.text);
    why = (struct sentence){""};
    if (scheme->built)
        scheme->built(rehearsal->params, rehearsal->setting.shape, &why);
    cr_expect(scheme->built == NULL || why.text[0], CASE ": built says nothing", CASE_OF(rehearsal));
    bool own = scheme->own_wait && scheme->own_wait(rehearsal->params, &why);
    cr_expect(own || !scheme->takes_no_wait, CASE ": no rule of its own", CASE_OF(rehearsal));
    if (scheme->own_wait)
        return; /* its rule is a text, read as if it were written: see the scheme's tests */
    const struct wait_rule *rule = (const struct wait_rule *)family_find(&wait_family, scheme->wait);
    cr_assert(ne(ptr, (void *)rule, NULL), CASE ": no wait rule %s", CASE_OF(rehearsal), scheme->wait);
    uint32_t results = PARAM_ABSENT;
    struct picked wait = {&rule->head, &results};
    cr_expect(scheme_accepts_wait(&picked, rehearsal->setting.shape, &wait, &why), CASE ": %s",
              CASE_OF(rehearsal), why.text);
}

Test(contract, every_scheme_accepts_its_own_defaults) {
    each_case(describes_itself);
}

/* The share of a partition that an evaluation is: all of it where partitions are not cut. */
static double work_of(const struct rehearsal *rehearsal, const struct evaluation *evaluation) {
    const struct cut *cut = &rehearsal->limits.cut;
    struct shape shape = rehearsal->setting.shape;
    uint32_t piece = evaluation->partition % cut_pieces(cut);
    return (double)(cut_units(cut, piece + 1) - cut_units(cut, piece)) / cut_units(cut, cut_pieces(cut)) *
           shape.workers / shape.partitions;
}

/* Steps of a walk are of one partition and follow each other. */
static bool walks(const struct rehearsal *rehearsal, uint32_t partition, uint32_t next) {
    return rehearsal->limits.local_steps > 0 && partition == next;
}

/* Parts follow each other, and the last one ends the task; evaluations ascend within one. */
static void check_parts(const struct rehearsal *rehearsal, const struct task *task) {
    const struct part whole = {task->work, task->evaluations}, *part = task->parts > 0 ? task->part : &whole;
    uint32_t parts = task->parts > 0 ? task->parts : 1, evaluations = 0;
    double work = 0;
    cr_assert(le(u32, parts, rehearsal->parts), CASE, CASE_OF(rehearsal));
    for (uint32_t q = 0; q < parts; q++) {
        const struct evaluation *evaluation = task->evaluation + evaluations;
        for (uint32_t e = 0; e < part[q].evaluations; e++) {
            cr_assert(e == 0 || evaluation[e - 1].partition < evaluation[e].partition ||
                          walks(rehearsal, evaluation[e - 1].partition, evaluation[e].partition),
                      CASE, CASE_OF(rehearsal));
            work += work_of(rehearsal, &evaluation[e]);
        }
        evaluations += part[q].evaluations;
        /* Rounds of a sequential code cost the same whatever they carry. */
        if (rehearsal->scheme->rounds)
            cr_assert(le(dbl, work, part[q].work + 1e-12), CASE ", part %u", CASE_OF(rehearsal), q);
        else
            cr_assert(epsilon_eq(dbl, part[q].work, work, 1e-12), CASE ", part %u", CASE_OF(rehearsal), q);
    }
    cr_assert(eq(u32, evaluations, task->evaluations), CASE, CASE_OF(rehearsal));
    cr_assert(eq(dbl, part[parts - 1].work, task->work), CASE, CASE_OF(rehearsal));
}

static void tasks_keep_limits(struct rehearsal *rehearsal) {
    for (uint32_t step = 0; step < 9; step++) {
        rehearsal->scheme->open(rehearsal->state, step, step);
        for (uint32_t i = 0; i < rehearsal->setting.shape.workers; i++) {
            struct task task;
            rehearsal->scheme->assign(rehearsal->state, i, step, &task);
            cr_assert(eq(u32, task.step, step), CASE, CASE_OF(rehearsal));
            cr_assert(le(u32, task.evaluations, rehearsal->limits.evaluations), CASE, CASE_OF(rehearsal));
            check_parts(rehearsal, &task);
        }
    }
}

Test(contract, tasks_are_of_their_step_and_ascending) {
    each_case(tasks_keep_limits);
}

/* Pieces of all partitions; of those that are not cut, the partitions. */
static uint32_t pieces_of(const struct rehearsal *rehearsal) {
    return rehearsal->setting.shape.partitions * cut_pieces(&rehearsal->limits.cut);
}

static void check_terms(const struct rehearsal *rehearsal, const struct message *message) {
    size_t terms;
    uint32_t step = message->step;
    const struct term *term = rehearsed_terms(rehearsal, message, &terms);
    cr_assert(le(sz, terms, rehearsal->limits.terms), CASE, CASE_OF(rehearsal));
    for (size_t e = 0; e < terms; e++) {
        cr_assert(lt(u32, term[e].partition, pieces_of(rehearsal)), CASE, CASE_OF(rehearsal));
        cr_assert(le(u32, term[e].version, step), CASE, CASE_OF(rehearsal));
        cr_assert(rehearsal->limits.span == 0 || step < rehearsal->limits.span ||
                      term[e].version > step - rehearsal->limits.span,
                  CASE ": version %u at step %u", CASE_OF(rehearsal), term[e].version, step);
        cr_assert(e == 0 || term[e - 1].partition < term[e].partition ||
                      walks(rehearsal, term[e - 1].partition, term[e].partition),
                  CASE, CASE_OF(rehearsal));
    }
}

static void terms_keep_limits(struct rehearsal *rehearsal) {
    const struct scheme *scheme = rehearsal->scheme;
    for (uint32_t step = 0; step < 9; step++) {
        scheme->open(rehearsal->state, step, step);
        for (uint32_t i = 0; i < rehearsal->setting.shape.workers; i++) {
            rehearse_task(rehearsal, i, step);
            for (uint32_t q = 0; q < rehearsal->parts; q++)
                check_terms(rehearsal, &(struct message){.worker = i, .step = step, .part = q});
        }
    }
}

Test(contract, terms_are_ascending_and_within_the_span) {
    each_case(terms_keep_limits);
}

static void kept_within(struct rehearsal *rehearsal) {
    const struct scheme *scheme = rehearsal->scheme;
    cr_assert(eq(int, rehearsal->limits.kept > 0, scheme->kept != NULL), CASE, CASE_OF(rehearsal));
    if (!scheme->kept)
        return;
    struct term kept[16];
    rehearse_task(rehearsal, 0, 4);
    cr_assert(le(u32, scheme->kept(rehearsal->state, 0, kept), rehearsal->limits.kept), CASE,
              CASE_OF(rehearsal));
}

Test(contract, what_is_kept_is_announced) {
    each_case(kept_within);
}

/* The estimate of an exact claim is the sum of all gradients: to rounding times the largest decode weight, since the
 * terms that cancel are at most that large times the entries of B, at most 10 n. */
static void check_estimate(struct rehearsal *rehearsal, uint32_t step) {
    const struct decoding *decoding = &rehearsal->decoding;
    uint32_t pieces = cut_pieces(&rehearsal->limits.cut), covered = 0;
    double largest = 1;
    bool complete = false;
    for (uint32_t m = 0; m < rehearsal->messages; m++)
        largest = fmax(largest, fabs(decoding->weight[m]));
    cr_assert(isfinite(largest), CASE, CASE_OF(rehearsal));
    for (uint32_t p = 0; p < pieces_of(rehearsal); p++) {
        double coefficient = estimate_coefficient(rehearsal, p);
        /* A partition is recovered with the last of its pieces. */
        complete = (p % pieces == 0 || complete) && coefficient != 0;
        covered += complete && p % pieces == pieces - 1;
        if (decoding->claim == EXACT)
            cr_assert(epsilon_eq(dbl, coefficient, 1, 1e-9 * largest), CASE ", step %u", CASE_OF(rehearsal),
                      step);
    }
    /* Sums of random coefficients do not vanish by chance, so what has a coefficient is what was recovered. */
    cr_assert(eq(u32, decoding->recovered, covered), CASE ", step %u", CASE_OF(rehearsal), step);
    if (rehearsal->scheme->exact)
        cr_assert(eq(int, decoding->claim, EXACT), CASE ", step %u", CASE_OF(rehearsal), step);
    if (rehearsal->scheme->decodable)
        cr_assert(eq(int, rehearsal->scheme->decodable(rehearsal->state), decoding->claim == EXACT),
                  CASE ", step %u", CASE_OF(rehearsal), step);
}

static void check_estimates(struct rehearsal *rehearsal) {
    each_set(rehearsal, check_estimate);
}

Test(contract, exact_claims_give_every_partition_once, .timeout = 120) {
    each_case(check_estimates);
}

/* `choose` marks, `weigh` weighs what is marked. Of a worker's parts some may weigh 0; and an inexact solution may happen to
 * have a 0 for a message that was marked. */
static void check_marks(struct rehearsal *rehearsal, uint32_t step) {
    const double *mark = rehearsal->mark;
    uint32_t messages = rehearsal->messages;
    for (uint32_t m = 0, first = 0; m < messages; m++) {
        cr_assert(mark[m] == 0 || mark[m] == 1, CASE ", step %u", CASE_OF(rehearsal), step);
        if (rehearsal->message[m].worker != rehearsal->message[first].worker)
            first = m;
        bool last = m + 1 == messages || rehearsal->message[m + 1].worker != rehearsal->message[m].worker;
        bool used = false, weighs = false;
        for (uint32_t q = first; q <= m; q++) {
            used |= mark[q] != 0;
            weighs |= rehearsal->decoding.weight[q] != 0;
        }
        bool chance = used && rehearsal->decoding.claim == INEXACT && !isnan(rehearsal->decoding.residual);
        cr_assert(used == weighs || chance || !last, CASE ", step %u", CASE_OF(rehearsal), step);
    }
}

static void check_all_marks(struct rehearsal *rehearsal) {
    each_set(rehearsal, check_marks);
}

Test(contract, choosing_marks_what_weighing_weighs, .timeout = 120) {
    each_case(check_all_marks);
}

/* What a number of messages recovers whoever sent them is what each set of so many does: all of them are used, and exactly all
 * partitions make the estimate exact. */
static void check_recovered(struct rehearsal *rehearsal, uint32_t step) {
    (void)step;
    struct shape shape = rehearsal->setting.shape;
    uint32_t recovered = rehearsal->scheme->recovers(rehearsal->params, shape, rehearsal->messages);
    const struct decoding *decoding = &rehearsal->decoding;
    const char *name = rehearsal->scheme->head.name;
    cr_expect(eq(u32, decoding->recovered, recovered), "%s, %s", name, values_checked);
    cr_expect(eq(int, decoding->claim == EXACT, recovered == shape.partitions), "%s, %s", name,
              values_checked);
    for (uint32_t m = 0; m < rehearsal->messages; m++)
        cr_expect(rehearsal->mark[m] == 1, "%s, %s: a message is not used", name, values_checked);
}

static void check_all_recovered(struct rehearsal *rehearsal) {
    if (rehearsal->scheme->recovers)
        each_set(rehearsal, check_recovered);
}

Test(contract, what_a_number_of_messages_recovers_every_set_of_them_does, .timeout = 120) {
    each_case(check_all_recovered);
}

/* With nobody missing and nothing stale, the first update is uncoded's, where windows can cover the ring exactly. */
static void check_uncoded(struct rehearsal *rehearsal) {
    bool never = rehearsal->scheme->never_exact &&
                 rehearsal->scheme->never_exact(rehearsal->params, rehearsal->setting.shape);
    rehearsal->completed = 0;
    for (uint32_t step = 0; rehearsal->completed == 0 && step <= rehearsal->limits.held; step++)
        rehearse_mask(rehearsal, step, (1ULL << rehearsal->setting.shape.workers) - 1);
    cr_assert(ne(u32, rehearsal->completed, 0), CASE, CASE_OF(rehearsal));
    for (uint32_t p = 0; !never && p < pieces_of(rehearsal); p++)
        cr_assert(epsilon_eq(dbl, estimate_coefficient(rehearsal, p), 1, 1e-9), CASE, CASE_OF(rehearsal));
}

Test(contract, without_stragglers_every_estimate_is_the_gradient) {
    each_case(check_uncoded);
}
