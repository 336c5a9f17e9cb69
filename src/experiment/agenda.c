#include "agenda.h"
#include <math.h>
#include <stdlib.h>

/* Runs planned at a time. */
#define STAGE_RUNS ((size_t)1 << 20)

struct agenda {
    const struct plan *plan;
    size_t begin, end;            /* of the plan's runs, those that the shard holds */
    struct run_id first_held;     /* the run `begin` */
    uint32_t *next_equal;         /* [contests]: the next contest of equal settings, or `contests` */
    uint32_t *first_equal;        /* [contests], by original: the first that is held in part at least */
    uint32_t *replications;       /* [points]: known to be needed so far */
    size_t *first_contest;        /* [points + 1] */
    size_t point, contest, index; /* what comes next: contest of the point, run of the plan */
    uint32_t replication;
    size_t left; /* runs that may be needed beyond `end` less those that were given up */
    struct run_list stage;
};

static const struct scenario *scenario_of(const struct plan *plan, size_t contest) {
    return plan->contest[contest].point->scenario;
}

static bool decides(const struct scenario *scenario) {
    return !isnan(scenario->half_width);
}

size_t plan_runs(const struct plan *plan) {
    size_t runs = 0;
    for (size_t c = 0; c < plan->contests; c++)
        runs += scenario_of(plan, c)->replications;
    return runs;
}

size_t plan_distinct_runs(const struct plan *plan) {
    size_t runs = 0;
    for (size_t c = 0; c < plan->contests; c++)
        if (plan->contest[c].original == c)
            runs += scenario_of(plan, c)->replications;
    return runs;
}

bool plan_decides(const struct plan *plan) {
    for (size_t q = 0; q < plan->points; q++)
        if (decides(plan->point[q].scenario))
            return true;
    return false;
}

/* Of an index among the plan's runs; one contest beyond the last where there are no more. */
static struct run_id run_at(const struct plan *plan, size_t index) {
    size_t c = 0;
    for (; c < plan->contests && index >= scenario_of(plan, c)->replications; c++)
        index -= scenario_of(plan, c)->replications;
    return (struct run_id){(uint32_t)c, (uint32_t)index};
}

static void chain_equals(struct agenda *agenda) {
    const struct plan *plan = agenda->plan;
    for (size_t c = plan->contests; c-- > 0;) {
        uint32_t original = plan->contest[c].original;
        agenda->next_equal[c] = agenda->first_equal[original];
        if (c >= agenda->first_held.contest)
            agenda->first_equal[original] = (uint32_t)c;
    }
}

struct agenda *agenda_new(const struct plan *plan, struct shard shard) {
    struct agenda *agenda = memory_zeroed(1, sizeof *agenda);
    size_t runs = plan_runs(plan);
    agenda->plan = plan;
    /* runs * index may not fit; runs / count * index does. */
    agenda->begin = runs / shard.count * shard.index + runs % shard.count * shard.index / shard.count;
    agenda->end =
        runs / shard.count * (shard.index + 1) + runs % shard.count * (shard.index + 1) / shard.count;
    agenda->left = agenda->end - agenda->begin;
    agenda->first_held = run_at(plan, agenda->begin);
    agenda->next_equal = memory_zeroed(plan->contests, sizeof *agenda->next_equal);
    agenda->first_equal = memory_zeroed(plan->contests, sizeof *agenda->first_equal);
    agenda->replications = memory_zeroed(plan->points, sizeof *agenda->replications);
    agenda->first_contest = memory_zeroed(plan->points + 1, sizeof *agenda->first_contest);
    for (size_t c = 0; c < plan->contests; c++)
        agenda->first_equal[c] = (uint32_t)plan->contests;
    chain_equals(agenda);
    for (size_t q = 0; q < plan->points; q++)
        agenda->first_contest[q + 1] = agenda->first_contest[q] + plan->point[q].scenario->schemes;
    return agenda;
}

void agenda_free(struct agenda *agenda) {
    if (!agenda)
        return;
    free(agenda->next_equal);
    free(agenda->first_equal);
    free(agenda->replications);
    free(agenda->first_contest);
    run_list_fini(&agenda->stage);
    free(agenda);
}

size_t agenda_runs(const struct agenda *agenda) {
    return agenda->left;
}

static void add(struct agenda *agenda, size_t contest, size_t replication) {
    run_list_add(&agenda->stage, (struct run_id){(uint32_t)contest, (uint32_t)replication});
}

static void next_point(struct agenda *agenda) {
    agenda->point++;
    agenda->contest = 0;
    agenda->replication = 0;
}

/* Those of the point whose number is fixed, as far as the stage has room. */
static void add_fixed(struct agenda *agenda, const struct scenario *scenario) {
    agenda->replications[agenda->point] = scenario->replications;
    for (; agenda->contest < scenario->schemes; agenda->contest++, agenda->replication = 0)
        for (; agenda->replication < scenario->replications; agenda->replication++, agenda->index++) {
            if (agenda->stage.runs == STAGE_RUNS)
                return;
            if (agenda->index >= agenda->begin && agenda->index < agenda->end)
                add(agenda, agenda->first_contest[agenda->point] + agenda->contest, agenda->replication);
        }
    next_point(agenda);
}

/* The point's next block; none where what was found settles it. */
static void add_block(struct agenda *agenda, const struct scenario *scenario, const struct tally *tally) {
    uint32_t *done = &agenda->replications[agenda->point], rest = scenario->replications - *done;
    if (rest == 0 || (*done > 0 && tally_settled(tally, scenario->half_width))) {
        agenda->left -= (size_t)rest * scenario->schemes;
        agenda->index += (size_t)scenario->schemes * scenario->replications;
        next_point(agenda);
        return;
    }
    uint32_t block = rest < BLOCK_REPLICATIONS ? rest : BLOCK_REPLICATIONS;
    for (size_t e = 0; e < scenario->schemes; e++)
        for (uint32_t r = 0; r < block; r++)
            add(agenda, agenda->first_contest[agenda->point] + e, *done + r);
    *done += block;
}

const struct run_list *agenda_next(struct agenda *agenda, const struct tally *tally) {
    const struct plan *plan = agenda->plan;
    run_list_clear(&agenda->stage);
    while (agenda->point < plan->points && agenda->stage.runs < STAGE_RUNS) {
        const struct scenario *scenario = plan->point[agenda->point].scenario;
        if (!decides(scenario))
            add_fixed(agenda, scenario);
        else if (agenda->stage.runs > 0)
            break;
        else
            add_block(agenda, scenario, tally);
        if (decides(scenario) && agenda->stage.runs > 0)
            break;
    }
    return agenda->stage.runs > 0 ? &agenda->stage : NULL;
}

static bool holds(const struct agenda *agenda, size_t contest, uint32_t replication) {
    bool inside = contest > agenda->first_held.contest || replication >= agenda->first_held.replication;
    return inside && replication < agenda->replications[agenda->plan->contest[contest].point->index];
}

struct run_id agenda_source(const struct agenda *agenda, struct run_id run) {
    uint32_t c = agenda->first_equal[agenda->plan->contest[run.contest].original];
    while (c < run.contest && !holds(agenda, c, run.replication))
        c = agenda->next_equal[c];
    return (struct run_id){c, run.replication};
}

bool agenda_repeats(const struct agenda *agenda, struct run_id run) {
    return agenda->next_equal[run.contest] < agenda->plan->contests;
}
