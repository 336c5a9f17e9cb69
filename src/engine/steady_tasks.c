/* Where there is one group, all draws go through its law at once; else those of each group are brought together for it. */
#include "cloned.h"
#include "steady_inside.h"
#include <string.h>

static const struct picked *law_of(const struct steady *steady, const struct role *role, uint32_t g) {
    return role->law(steady->crew[g].group);
}

static void sample_runs(const struct steady *steady, const struct role *role, const struct draw_run *run,
                        double *seconds) {
    for (uint32_t s = 0; s < DRAW_RUN; s++)
        seconds[s] = steady_sampled(steady, role, run->worker, run->step + s);
}

/* Those of a group whose samples are quantiles. */
static void invert_group(struct steady *steady, const struct picked *law, const struct draw_runs *of,
                         uint32_t g, double *seconds) {
    enum { TOGETHER = 64 };
    double mine[TOGETHER][DRAW_RUN];
    size_t place[TOGETHER], count = 0;
    for (size_t q = 0; q <= of->runs; q++) {
        if (q < of->runs && steady->group[of->run[q].worker] == g) {
            memcpy(mine[count], seconds + q * DRAW_RUN, sizeof *mine);
            place[count++] = q;
        }
        if (count < TOGETHER && q < of->runs)
            continue;
        law_fill(law, of->form, mine[0], count * DRAW_RUN);
        for (size_t r = 0; r < count; r++)
            memcpy(seconds + place[r] * DRAW_RUN, mine[r], sizeof *mine);
        count = 0;
    }
}

static void draw_role(struct steady *steady, const struct role *role, struct draw_runs *of, double *seconds) {
    const struct stream stream = {steady->run.seed, steady->run.replication, role->purpose};
    const bool any = steady_form(steady, role, &of->form);
    if (any)
        draw_runs(&stream, of, seconds);
    if (any && steady->spec->groups == 1) {
        law_fill(law_of(steady, role, 0), of->form, seconds, of->runs * DRAW_RUN);
        return;
    }
    for (uint32_t g = 0; any && g < steady->spec->groups; g++)
        if (steady_inverted(law_of(steady, role, g)))
            invert_group(steady, law_of(steady, role, g), of, g, seconds);
    for (size_t q = 0; q < of->runs; q++)
        if (!steady_inverted(law_of(steady, role, steady->group[of->run[q].worker])))
            sample_runs(steady, role, &of->run[q], seconds + q * DRAW_RUN);
}

/* Seconds of a partition in every run, if they differ from task to task. */
static void draw_compute(struct steady *steady, struct draw_runs *of) {
    steady_make_room(steady, of->runs * DRAW_RUN);
    draw_role(steady, &steady_computing, of, steady->drawn_s);
    for (size_t q = 0; q < of->runs; q++)
        for (size_t s = 0; s < DRAW_RUN; s++)
            steady->drawn_s[q * DRAW_RUN + s] /= steady->speed[of->run[q].worker];
}

/* Computing joins the delays of a run: compute_s[s * next], where `next` is 0 if all tasks take the same. */
static void join(const struct steady *steady, const double *compute_s, size_t next, double *seconds) {
    const bool each = steady->spec->load == LOAD_MULTIPLICATIVE;
    for (size_t s = 0; s < DRAW_RUN; s++) {
        const double one_s = compute_s[s * next];
        seconds[s] = each ? steady->work * (one_s + seconds[s]) : steady->work * one_s + seconds[s];
    }
}

/* Whether no computing joins. */
static bool idle(const struct steady *steady) {
    return steady->even && steady->compute_s[0] <= 0 && steady->spec->load == LOAD_ADDITIVE;
}

void steady_tasks(struct steady *steady, struct draw_runs *of, double *seconds) {
    const bool joins = !idle(steady);
    draw_role(steady, &steady_delaying, of, seconds);
    if (!steady->compute_s)
        draw_compute(steady, of);
    for (size_t q = 0; q < of->runs && (joins || steady->factor); q++) {
        const uint32_t i = of->run[q].worker;
        double *mine = seconds + q * DRAW_RUN;
        if (joins && steady->compute_s)
            join(steady, &steady->compute_s[i], 0, mine);
        else if (joins)
            join(steady, steady->drawn_s + q * DRAW_RUN, 1, mine);
        for (size_t s = 0; steady->factor && s < DRAW_RUN; s++)
            mine[s] = steady_slowed(mine[s], steady->factor[i]);
    }
}
