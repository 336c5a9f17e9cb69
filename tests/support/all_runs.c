#include "all_runs.h"

bool all_runs(const struct plan *plan, unsigned threads, struct receiver receiver) {
    struct agenda *agenda = agenda_new(plan, (struct shard){0, 1});
    const struct run_list *list;
    bool good = true;
    while (good && (list = agenda_next(agenda, NULL)))
        good = runner_run(plan, list, threads, receiver);
    agenda_free(agenda);
    return good;
}
