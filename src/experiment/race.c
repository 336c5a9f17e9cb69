#include "race.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From stage to stage so many times the replications, of one in so many of the settings. */
#define ETA 3
/* Replications at first, as a share of those at the end. */
#define FIRST_SHARE 20

static int racer_order(const void *one, const void *other) {
    const struct racer *a = one, *b = other;
    if (a->runs != b->runs)
        return a->runs > b->runs ? -1 : 1;
    int merit = merit_compare_costs(&a->merit, &b->merit);
    return merit != 0 ? merit : (a->candidate > b->candidate) - (a->candidate < b->candidate);
}

/* Runs each of the standing racers, the first ones, in further replications, and puts them in order. */
static void run_stage(struct race *race, size_t standing, uint32_t until, struct heat *heat) {
    uint32_t from = race->racer[0].runs;
    size_t more = until - from, runs = standing * more;
    struct run_id *run = memory_zeroed(runs, sizeof *run);
    struct showing *showing = memory_zeroed(runs, sizeof *showing);
    for (size_t q = 0; q < runs; q++)
        run[q] = (struct run_id){race->racer[q / more].candidate, from + (uint32_t)(q % more)};
    heat->run = run;
    heat->runs = runs;
    heat_run(heat, showing);
    race->runs += runs;
    for (size_t q = 0; q < standing; q++) {
        struct racer *racer = &race->racer[q];
        racer->showing = memory_resized(racer->showing, until, sizeof *racer->showing);
        for (size_t r = 0; r < more; r++)
            racer->showing[from + r] = showing[q * more + r];
        racer->runs = until;
        racer->merit = merit_of(racer->showing, until);
    }
    free(showing);
    free(run);
    qsort(race->racer, standing, sizeof *race->racer, racer_order);
}

/* Who is still in the race: the first racers. */
struct standing_field {
    size_t racers, settings;
    size_t each; /* racers of a setting, at most */
};

static size_t better_part(size_t count) {
    return (count + ETA - 1) / ETA;
}

/* Those who go on come first: of the settings the better part, by the best racer of each, and whoever is as good as the last of
 * them; of each setting the better part of its racers. */
static struct standing_field field_after(struct race *race, const struct standing_field *before,
                                         const struct candidates *candidates) {
    size_t part = better_part(before->settings), kept = part < RACE_FINALISTS ? RACE_FINALISTS : part,
           left = 0;
    struct standing_field after = {.each = better_part(before->each)};
    size_t *taken = memory_zeroed(candidates->settings, sizeof *taken);
    struct racer *dropped = memory_zeroed(before->racers, sizeof *dropped);
    struct merit last = {0};
    for (size_t q = 0; q < before->racers; q++) {
        struct racer racer = race->racer[q];
        size_t *own = &taken[candidates->candidate[racer.candidate].setting];
        bool new = *own == 0 && (after.settings < kept || merit_compare_costs(&racer.merit, &last) == 0);
        last = new ? racer.merit : last;
        after.settings += new;
        if ((new || *own > 0) && *own < after.each) {
            race->racer[after.racers++] = racer;
            ++*own;
        } else {
            dropped[left++] = racer;
        }
    }
    memcpy(&race->racer[after.racers], dropped, left * sizeof *dropped);
    free(dropped);
    free(taken);
    return after;
}

static void run_stages(struct race *race, const struct race_request *request, struct heat *heat) {
    const struct candidates *candidates = request->candidates;
    size_t budget = race->racers * request->replications / RACE_SAVING;
    struct standing_field field = {race->racers, candidates->settings, candidates->places};
    uint32_t until = request->replications / FIRST_SHARE > 0 ? request->replications / FIRST_SHARE : 1;
    heat->runs_in_all = budget;
    run_stage(race, field.racers, until, heat);
    while (until < request->replications) {
        field = field_after(race, &field, candidates);
        size_t more = budget > race->runs ? (budget - race->runs) / field.racers : 0;
        size_t next = (size_t)until * ETA;
        if (field.settings <= RACE_FINALISTS || next > request->replications)
            next = request->replications;
        if (more == 0)
            break;
        until = next - until < more ? (uint32_t)next : until + (uint32_t)more;
        run_stage(race, field.racers, until, heat);
    }
    race->finalists = field.racers;
}

struct race race_run(const struct race_request *request) {
    const struct candidates *candidates = request->candidates;
    struct race race = {.racers = candidates->count};
    struct entrant *entrant = memory_zeroed(race.racers, sizeof *entrant);
    struct progress_line line = progress_line_of(request->progress);
    struct heat heat = {
        .entrant = entrant, .entrants = race.racers, .threads = request->threads, .progress = &line};
    race.racer = memory_zeroed(race.racers, sizeof *race.racer);
    for (size_t q = 0; q < race.racers; q++) {
        const struct scenario *scenario = candidates->candidate[q].scenario;
        entrant[q] = (struct entrant){scenario, scenario->scheme};
        race.racer[q].candidate = (uint32_t)q;
    }
    if (race.racers > 0)
        run_stages(&race, request, &heat);
    progress_line_end(&line);
    free(entrant);
    return race;
}

void race_fini(struct race *race) {
    for (size_t q = 0; q < race->racers; q++)
        free(race->racer[q].showing);
    free(race->racer);
}
