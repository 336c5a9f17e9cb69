#include "cloned.h"
#include "memory.h"
#include "steady_inside.h"
#include "stream_grid.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the nearest cache holds. */
enum { PAIRS_AT_ONCE = 1024 };

static bool group_serves(const struct group_spec *group) {
    return !group->failure && !group->regime && !group->network && group->joins_s <= 0 &&
           isinf(group->leaves_s) && !(group->compute && law_skips(group->compute)) &&
           !(group->delay && law_skips(group->delay));
}

bool steady_serves(const struct cluster_spec *spec) {
    bool serves = !spec->network && !spec->link && !spec->shock && !spec->overlap &&
                  spec->topology == TOPOLOGY_SERVER && spec->load != LOAD_INDEPENDENT;
    for (uint32_t g = 0; g < spec->groups; g++)
        serves &= group_serves(&spec->group[g]);
    return serves;
}

static bool fixed(const struct picked *law) {
    return !law || law_fixed(law);
}

bool steady_alike(const struct cluster_spec *spec) {
    const struct group_spec *group = &spec->group[0];
    return steady_serves(spec) && spec->groups == 1 && fixed(group->slowness) &&
           !(group->compute && law_dependent(group->compute)) &&
           !(group->delay && law_dependent(group->delay));
}

static struct occasion occasion_of(const struct steady *steady, enum purpose purpose, uint32_t worker,
                                   uint32_t step) {
    return (struct occasion){.draw = {{steady->run.seed, steady->run.replication, purpose}, worker, step, 0}};
}

static double fixed_seconds(const struct picked *law) {
    return law ? law_quantile(law, 0.5) : 0;
}

static void lay_out(struct steady *steady) {
    const struct cluster_spec *spec = steady->spec;
    uint32_t *group = steady->group = memory_zeroed(spec->workers, sizeof *group);
    uint32_t *member = steady->place = memory_zeroed(spec->workers, sizeof *member);
    cluster_layout(spec, steady->run.seed, group, member);
    steady->crew = memory_zeroed(spec->groups, sizeof *steady->crew);
    for (uint32_t g = 0; g < spec->groups; g++)
        steady->crew[g] =
            (struct crew){&spec->group[g], memory_zeroed(spec->group[g].count, sizeof(uint32_t)), true};
    for (uint32_t i = 0; i < spec->workers; i++) {
        struct crew *crew = &steady->crew[group[i]];
        crew->worker[member[i]] = i;
        crew->together &= i == crew->worker[0] + member[i];
        steady->speed[i] = crew->group->speed;
        if (crew->group->slowness) {
            struct occasion occasion = occasion_of(steady, PURPOSE_SLOWNESS, i, 0);
            occasion.member = member[i];
            steady->factor[i] = law_sample(crew->group->slowness, occasion);
        }
    }
}

static bool any_slow(const struct cluster_spec *spec) {
    bool any = false;
    for (uint32_t g = 0; g < spec->groups; g++)
        any |= spec->group[g].slowness != NULL;
    return any;
}

/* Leaves compute_s NULL where some worker's computing times vary. */
static void settle_compute(struct steady *steady) {
    double *compute_s = memory_zeroed(steady->row, sizeof *compute_s);
    bool settled = true;
    for (uint32_t g = 0; g < steady->spec->groups; g++) {
        const struct group_spec *group = steady->crew[g].group;
        settled &= fixed(group->compute);
        for (uint32_t m = 0; settled && m < group->count; m++)
            compute_s[steady->crew[g].worker[m]] = fixed_seconds(group->compute) / group->speed;
    }
    steady->compute_s = settled ? compute_s : NULL;
    if (!settled)
        free(compute_s);
    steady->even = settled;
    for (uint32_t i = 1; settled && i < steady->spec->workers; i++)
        steady->even &= memcmp(&compute_s[i], &compute_s[0], sizeof *compute_s) == 0;
}

struct steady *steady_new(const struct cluster_spec *spec, const struct cluster_run *run, double work) {
    struct steady *steady = memory_zeroed(1, sizeof *steady);
    steady->spec = spec;
    steady->run = *run;
    steady->work = work;
    steady->row = spec->workers + (spec->workers & 1);
    steady->speed = memory_zeroed(steady->row, sizeof *steady->speed);
    steady->member = memory_zeroed(steady->row, sizeof *steady->member);
    if (any_slow(spec))
        steady->factor = memory_zeroed(steady->row, sizeof *steady->factor);
    for (uint32_t i = 0; i < steady->row; i++) {
        steady->speed[i] = 1;
        if (steady->factor)
            steady->factor[i] = 1;
    }
    lay_out(steady);
    settle_compute(steady);
    return steady;
}

void steady_free(struct steady *steady) {
    if (!steady)
        return;
    for (uint32_t g = 0; g < steady->spec->groups; g++)
        free(steady->crew[g].worker);
    free(steady->crew);
    free(steady->group);
    free(steady->place);
    free(steady->speed);
    free(steady->factor);
    free(steady->compute_s);
    free(steady->drawn_s);
    free(steady->member);
    free(steady);
}

uint32_t steady_row(const struct steady *steady) {
    return steady->row;
}

static const struct picked *compute_of(const struct group_spec *group) {
    return group->compute;
}
static const struct picked *delay_of(const struct group_spec *group) {
    return group->delay;
}
const struct role steady_computing = {PURPOSE_COMPUTE, compute_of},
                  steady_delaying = {PURPOSE_DELAY, delay_of};

bool steady_inverted(const struct picked *law) {
    return !fixed(law) && law_inverts(law);
}

bool steady_form(const struct steady *steady, const struct role *role, enum draw_form *form) {
    bool any = false;
    *form = DRAW_LOG;
    for (uint32_t g = 0; g < steady->spec->groups; g++) {
        const struct picked *law = role->law(steady->crew[g].group);
        any |= steady_inverted(law);
        if (steady_inverted(law) && law_form(law) == DRAW_UNIT)
            *form = DRAW_UNIT;
    }
    return any;
}

/* A rectangle of draws that become seconds: rows of steps. */
struct sheet_of_steps {
    uint32_t step, steps;
    double *seconds;
};

/* A law, and the form of draws that it finds. */
struct filling {
    const struct picked *law;
    enum draw_form form;
};

/* A crew that is mixed with others: its draws stand apart while the law is at work. */
static void invert_mixed(struct steady *steady, const struct crew *crew, const struct filling *filling,
                         double *seconds) {
    for (uint32_t m = 0; m < crew->group->count; m++)
        steady->member[m] = seconds[crew->worker[m]];
    law_fill(filling->law, filling->form, steady->member, crew->group->count);
    for (uint32_t m = 0; m < crew->group->count; m++)
        seconds[crew->worker[m]] = steady->member[m];
}

static void invert(struct steady *steady, const struct crew *crew, const struct filling *filling,
                   const struct sheet_of_steps *sheet) {
    for (uint32_t s = 0; s < sheet->steps; s++) {
        double *seconds = sheet->seconds + (size_t)s * steady->row;
        if (crew->together)
            law_fill(filling->law, filling->form, seconds + crew->worker[0], crew->group->count);
        else
            invert_mixed(steady, crew, filling, seconds);
    }
}

/* False where the law, or the order of the workers, does not let a crew be drawn at once. */
static bool sample_crew(const struct steady *steady, const struct crew *crew, const struct role *role,
                        const struct sheet_of_steps *sheet) {
    const struct picked *law = role->law(crew->group);
    bool at_once = law && crew->together;
    for (uint32_t s = 0; at_once && s < sheet->steps; s++) {
        struct occasion occasion = occasion_of(steady, role->purpose, crew->worker[0], sheet->step + s);
        double *seconds = sheet->seconds + (size_t)s * steady->row + crew->worker[0];
        at_once = law_sample_all(law, &occasion.draw, crew->group->count, seconds);
    }
    return at_once;
}

double steady_sampled(const struct steady *steady, const struct role *role, uint32_t worker, uint32_t step) {
    const struct picked *law = role->law(steady->crew[steady->group[worker]].group);
    struct occasion occasion = occasion_of(steady, role->purpose, worker, step);
    occasion.member = steady->place[worker];
    return fixed(law) ? fixed_seconds(law) : law_sample(law, occasion);
}

static void sample(struct steady *steady, const struct crew *crew, const struct role *role,
                   const struct sheet_of_steps *sheet) {
    if (sample_crew(steady, crew, role, sheet))
        return;
    for (uint32_t s = 0; s < sheet->steps; s++)
        for (uint32_t m = 0; m < crew->group->count; m++) {
            sheet->seconds[(size_t)s * steady->row + crew->worker[m]] =
                steady_sampled(steady, role, crew->worker[m], sheet->step + s);
        }
}

static struct draw_grid grid_of(const struct steady *steady, const struct role *role,
                                const struct sheet_of_steps *sheet) {
    return (struct draw_grid){.stream = {steady->run.seed, steady->run.replication, role->purpose},
                              .pairs = steady->row / 2,
                              .step = sheet->step,
                              .steps = sheet->steps,
                              .row = steady->row};
}

static void fill_grid(const struct picked *law, const struct draw_grid *grid, double *seconds) {
    const size_t each = 2 * (size_t)grid->pairs;
    draw_grid(grid, seconds);
    if (each == grid->row)
        law_fill(law, grid->form, seconds, each * grid->steps);
    for (uint32_t s = 0; each < grid->row && s < grid->steps; s++)
        law_fill(law, grid->form, seconds + s * grid->row, each);
}

/* The law of all workers: as many numbers at a time as the nearest cache holds are drawn and turned into seconds. */
static void draw_of_one_law(struct steady *steady, const struct role *role, const struct picked *law,
                            const struct sheet_of_steps *sheet) {
    const uint32_t pairs = steady->row / 2;
    struct draw_grid grid = grid_of(steady, role, sheet);
    const uint32_t steps = pairs < PAIRS_AT_ONCE ? PAIRS_AT_ONCE / pairs : sheet->steps;
    grid.form = law_form(law);
    for (uint32_t s = 0; s < sheet->steps; s += steps)
        for (uint32_t pair = 0; pair < pairs; pair += PAIRS_AT_ONCE) {
            grid.pair = pair;
            grid.pairs = pairs - pair < PAIRS_AT_ONCE ? pairs - pair : PAIRS_AT_ONCE;
            grid.step = sheet->step + s;
            grid.steps = sheet->steps - s < steps ? sheet->steps - s : steps;
            fill_grid(law, &grid, sheet->seconds + s * grid.row + 2 * (size_t)pair);
        }
}

static void draw_role(struct steady *steady, const struct role *role, const struct sheet_of_steps *sheet) {
    const struct picked *only = role->law(steady->crew[0].group);
    if (steady->spec->groups == 1 && steady_inverted(only)) {
        draw_of_one_law(steady, role, only, sheet);
        return;
    }
    struct draw_grid grid = grid_of(steady, role, sheet);
    if (steady_form(steady, role, &grid.form))
        draw_grid(&grid, sheet->seconds);
    for (uint32_t g = 0; g < steady->spec->groups; g++) {
        const struct crew *crew = &steady->crew[g];
        const struct picked *law = role->law(crew->group);
        if (steady_inverted(law))
            invert(steady, crew, &(struct filling){law, grid.form}, sheet);
        else
            sample(steady, crew, role, sheet);
    }
}

CLONED static void divide(double *restrict seconds, const double *restrict speed, size_t count) {
    for (size_t i = 0; i < count; i++)
        seconds[i] /= speed[i];
}

void steady_make_room(struct steady *steady, size_t count) {
    if (steady->capacity >= count)
        return;
    steady->drawn_s = memory_resized(steady->drawn_s, count, sizeof *steady->drawn_s);
    steady->capacity = count;
}

/* Writes the seconds of a partition of the steps to drawn_s. */
static void draw_compute(struct steady *steady, const struct sheet_of_steps *sheet) {
    steady_make_room(steady, (size_t)sheet->steps * steady->row);
    draw_role(steady, &steady_computing,
              &(struct sheet_of_steps){sheet->step, sheet->steps, steady->drawn_s});
    for (uint32_t s = 0; s < sheet->steps; s++)
        divide(steady->drawn_s + (size_t)s * steady->row, steady->speed, steady->row);
}

CLONED static void join_even(double *seconds, double compute_s, double work, size_t count) {
    double computed_s = work * compute_s;
    for (size_t i = 0; i < count; i++)
        seconds[i] = computed_s + seconds[i];
}

CLONED static void join_additive(double *restrict seconds, const double *restrict compute_s, double work,
                                 size_t count) {
    for (size_t i = 0; i < count; i++)
        seconds[i] = work * compute_s[i] + seconds[i];
}

CLONED static void join_multiplicative(double *restrict seconds, const double *restrict compute_s,
                                       double work, size_t count) {
    for (size_t i = 0; i < count; i++)
        seconds[i] = work * (compute_s[i] + seconds[i]);
}

/* Computing joins the delay of a step. */
static void join(const struct steady *steady, const double *compute_s, double *seconds) {
    if (steady->spec->load == LOAD_MULTIPLICATIVE)
        join_multiplicative(seconds, compute_s, steady->work, steady->row);
    else
        join_additive(seconds, compute_s, steady->work, steady->row);
}

static void slow_down(const struct steady *steady, double *seconds) {
    for (uint32_t i = 0; i < steady->row; i++)
        seconds[i] = steady_slowed(seconds[i], steady->factor[i]);
}

void steady_seconds(struct steady *steady, uint32_t step, uint32_t steps, double *seconds) {
    struct sheet_of_steps sheet = {step, steps, seconds};
    draw_role(steady, &steady_delaying, &sheet);
    if (!steady->compute_s)
        draw_compute(steady, &sheet);
    bool at_once = steady->even && steady->spec->load == LOAD_ADDITIVE;
    if (at_once && steady->compute_s[0] > 0)
        join_even(seconds, steady->compute_s[0], steady->work, (size_t)steps * steady->row);
    for (uint32_t s = 0; s < steps; s++) {
        size_t first = (size_t)s * steady->row;
        if (!at_once)
            join(steady, steady->compute_s ? steady->compute_s : steady->drawn_s + first, seconds + first);
        if (steady->factor)
            slow_down(steady, seconds + first);
    }
}

bool steady_stored(const struct cluster_spec *spec, const struct cluster_run *run, uint32_t step,
                   struct stored_row *row) {
    const struct group_spec *group = &spec->group[0];
    const struct draw draw = {{run->seed, run->replication, PURPOSE_DELAY}, 0, step, 0};
    return spec->groups == 1 && spec->load == LOAD_ADDITIVE && !group->compute && !group->slowness &&
           group->delay && law_stored(group->delay, &draw, group->count, row);
}
