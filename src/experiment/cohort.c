#include "cohort.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct member {
    struct run *run;
    size_t job;
    double bytes;
};

struct cohort {
    struct finish finish;
    size_t runs, places;
    struct member *member; /* [places], the first `runs` in use */
    double bytes;          /* that they keep */
    struct passes *passes;
    size_t wants, capacity;          /* what there is to be evaluated, and room for it */
    struct wanted_gradients *wanted; /* [capacity] */
    struct learner **wanting;        /* [capacity] */
};

struct cohort *cohort_new(size_t runs, struct finish finish) {
    struct cohort *cohort = memory_zeroed(1, sizeof *cohort);
    cohort->finish = finish;
    cohort->places = runs;
    cohort->member = memory_zeroed(runs, sizeof *cohort->member);
    cohort->passes = passes_new();
    return cohort;
}

void cohort_free(struct cohort *cohort) {
    for (size_t m = 0; m < cohort->runs; m++)
        result_free(run_end(cohort->member[m].run));
    passes_free(cohort->passes);
    free(cohort->member);
    free(cohort->wanted);
    free(cohort->wanting);
    free(cohort);
}

size_t cohort_runs(const struct cohort *cohort) {
    return cohort->runs;
}

bool cohort_has_room(const struct cohort *cohort, double bytes) {
    return cohort->runs == 0 || (cohort->runs < cohort->places && cohort->bytes + bytes <= COHORT_BYTES);
}

double cohort_bytes(double run_bytes) {
    return fmax(run_bytes, fmin(COHORT_BYTES, COHORT_RUNS * run_bytes));
}

static void finish(const struct cohort *cohort, size_t job, struct result *result) {
    cohort->finish.finish(cohort->finish.context, job, result);
}

void cohort_join(struct cohort *cohort, const struct trial_spec *spec, size_t job, double bytes) {
    assert(cohort->runs < cohort->places);
    struct run *run = run_new(spec);
    if (!run_waits(run) && !run_continue(run)) {
        finish(cohort, job, run_end(run));
        return;
    }
    cohort->member[cohort->runs++] = (struct member){run, job, bytes};
    cohort->bytes += bytes;
}

static void want(struct cohort *cohort, struct learner *learner) {
    if (cohort->wants == cohort->capacity) {
        cohort->capacity = 2 * cohort->capacity + 16;
        cohort->wanted = memory_resized(cohort->wanted, cohort->capacity, sizeof *cohort->wanted);
        cohort->wanting = memory_resized(cohort->wanting, cohort->capacity, sizeof *cohort->wanting);
    }
    if (learner_want(learner, &cohort->wanted[cohort->wants]))
        cohort->wanting[cohort->wants++] = learner;
}

static void evaluate(struct cohort *cohort) {
    cohort->wants = 0;
    for (size_t m = 0; m < cohort->runs; m++) {
        size_t learners;
        struct learner *const *learner = run_learners(cohort->member[m].run, &learners);
        for (size_t q = 0; q < learners; q++)
            want(cohort, learner[q]);
    }
    gradients_take_all(cohort->passes, cohort->wanted, cohort->wants);
    for (size_t q = 0; q < cohort->wants; q++)
        learner_take(cohort->wanting[q]);
}

/* The last member takes the place of one that has ended. */
static void dismiss(struct cohort *cohort, size_t place) {
    const struct member ended = cohort->member[place];
    cohort->member[place] = cohort->member[--cohort->runs];
    cohort->bytes = cohort->runs > 0 ? cohort->bytes - ended.bytes : 0;
    finish(cohort, ended.job, run_end(ended.run));
}

void cohort_advance(struct cohort *cohort) {
    evaluate(cohort);
    for (size_t m = cohort->runs; m-- > 0;)
        if (!run_continue(cohort->member[m].run))
            dismiss(cohort, m);
}
