#include "heat.h"
#include "runner.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct collecting {
    const struct heat *heat;
    struct showing *showing;
    size_t done;
};

static double cost_of(const struct scenario *scenario, const struct run_row *run) {
    bool lost = strcmp(run->status, status_name(STATUS_STALLED)) == 0 ||
                strcmp(run->status, status_name(STATUS_DIVERGED)) == 0;
    double cost = !scenario->objective.data    ? run->step_mean_s
                  : isnan(scenario->stop.loss) ? run->final_loss
                                               : run->time_to_loss_s;
    return isnan(cost) || lost ? (double)INFINITY : cost;
}

static bool collect(void *context, size_t contest, uint32_t replication, const struct result *result,
                    const struct rendering *rendering) {
    struct collecting *collecting = context;
    const struct heat *heat = collecting->heat;
    const struct entrant *entrant = &heat->entrant[contest];
    (void)replication;
    (void)rendering;
    struct showing *showing = &collecting->showing[collecting->done++];
    *showing = (struct showing){.cost = cost_of(entrant->scenario, &result->run),
                                .final_loss = result->run.final_loss,
                                .time_s = result->run.time_s,
                                .first_loss = result->steps > 0 ? result->step[0].loss : (double)NAN};
    if (heat->progress) {
        heat->progress->done++;
        progress_line_tell(heat->progress, heat->runs_in_all);
    }
    return !heat->book || heat->book->keep(heat->book->context, showing);
}

void showing_print(char line[SHOWING_BYTES], const struct showing *showing) {
    snprintf(line, SHOWING_BYTES, "%a %a %a %a", showing->cost, showing->final_loss, showing->time_s,
             showing->first_loss);
}

bool showing_read(struct showing *showing, const char *line) {
    double *const number[] = {&showing->cost, &showing->final_loss, &showing->time_s, &showing->first_loss};
    char *end = NULL;
    for (size_t q = 0; q < sizeof number / sizeof *number; q++, line = end) {
        *number[q] = strtod(line, &end);
        if (end == line)
            return false;
    }
    return *line == '\0';
}

/* How many of the first runs are known from before. */
static size_t recall(const struct heat *heat, struct showing *showing) {
    size_t known = 0;
    while (heat->book && known < heat->runs && heat->book->recall(heat->book->context, &showing[known]))
        known++;
    if (heat->progress) {
        heat->progress->done += known;
        heat->progress->known += known;
    }
    return known;
}

bool heat_run(const struct heat *heat, struct showing *showing) {
    struct point *point = memory_zeroed(heat->entrants, sizeof *point);
    struct contest *contest = memory_zeroed(heat->entrants, sizeof *contest);
    for (size_t e = 0; e < heat->entrants; e++) {
        point[e] =
            (struct point){.index = (uint32_t)e, .scenario = (struct scenario *)heat->entrant[e].scenario};
        contest[e] = (struct contest){&point[e], heat->entrant[e].entry, (uint32_t)e};
    }
    const struct plan plan = {
        .points = heat->entrants, .point = point, .contests = heat->entrants, .contest = contest};
    struct collecting collecting = {heat, showing, recall(heat, showing)};
    struct run_list list = {0};
    for (size_t r = collecting.done; r < heat->runs; r++)
        run_list_add(&list, heat->run[r]);
    bool good =
        list.runs == 0 || runner_run(&plan, &list, heat->threads, (struct receiver){collect, &collecting});
    run_list_fini(&list);
    free(contest);
    free(point);
    return good;
}

struct merit merit_of(const struct showing *showing, size_t runs) {
    struct merit merit = {0};
    size_t ended = 0;
    for (size_t r = 0; r < runs; r++) {
        bool good = isfinite(showing[r].cost);
        ended += good;
        merit.cost += good ? showing[r].cost : 0;
        merit.final_loss += isnan(showing[r].final_loss) ? (double)INFINITY : showing[r].final_loss;
    }
    merit.reached = runs > 0 ? (double)ended / (double)runs : 0;
    merit.cost = ended > 0 ? merit.cost / (double)ended : (double)INFINITY;
    merit.final_loss = runs > 0 ? merit.final_loss / (double)runs : (double)INFINITY;
    return merit;
}

static int order(double a, double b) {
    return (a > b) - (a < b);
}

int merit_compare_costs(const struct merit *a, const struct merit *b) {
    int reached = order(b->reached, a->reached), cost = order(a->cost, b->cost);
    return reached != 0 ? reached : cost != 0 || a->reached > 0 ? cost : order(a->final_loss, b->final_loss);
}

int merit_compare(const struct merit *a, const struct merit *b) {
    int costs = merit_compare_costs(a, b);
    return costs != 0 ? costs : order(a->final_loss, b->final_loss);
}
