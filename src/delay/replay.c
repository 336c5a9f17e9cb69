#include "replay.h"
#include <math.h>
#include <stdlib.h>

static void replay_free(void *item) {
    struct replay *replay = item;
    free(replay->value);
    free(replay->least);
    free(replay->most);
    ecdf_free(replay->ecdf);
    free(replay);
}

static struct replay *replay_cut(const struct trace_table *table, uint32_t first, uint32_t members) {
    struct replay *replay = memory_zeroed(1, sizeof *replay);
    *replay = (struct replay){.rounds = (uint32_t)table->rounds, .members = members};
    replay->value = memory_zeroed(table->rounds * members, sizeof *replay->value);
    for (size_t r = 0; r < table->rounds; r++)
        for (size_t i = 0; i < members; i++)
            replay->value[r * members + i] = table->value[r * table->workers + first + i];
    return replay;
}

/* Copies what was measured of every `stride`-th cell from `start` on to `value`; returns how many. */
static size_t measured_values(const struct replay *replay, size_t start, size_t stride, double *value) {
    size_t count = 0;
    for (size_t c = start; c < (size_t)replay->rounds * replay->members; c += stride)
        if (!isnan(replay->value[c]))
            value[count++] = replay->value[c];
    return count;
}

/* "on line 7" where the cell is empty; else "near line 7", of the row before or after it, rounds in order. */
static void place_describe(const struct trace_table *table, size_t cell, struct sentence *out) {
    size_t cells = table->rounds * table->workers, near = cell;
    while (near > 0 && table->line[near] == 0)
        near--;
    while (near + 1 < cells && table->line[near] == 0)
        near++;
    sentence_set(out, "%s line %u", table->line[cell] > 0 ? "on" : "near", table->line[near]);
}

/* Where the user wrote the key, or the law. */
static const struct node *key_node(const struct law_files *files, const char *key) {
    const struct node *node = node_child(files->node, key);
    return node ? node : files->node;
}

/* One sentence for all missing cells, of the first of them, at the key that can accept them. */
static bool all_present(const struct replay *replay, const struct replay_spec *spec,
                        const struct trace_table *table, const struct law_files *files) {
    size_t cells = (size_t)replay->rounds * replay->members, missing = 0, first = 0;
    for (size_t c = cells; c-- > 0;)
        if (isnan(replay->value[c])) {
            missing++;
            first = c;
        }
    if (missing == 0)
        return true;
    size_t round = first / replay->members, worker = spec->first + first % replay->members;
    struct sentence cell, place, others = {""};
    cell_describe(table, round, worker, &cell);
    place_describe(table, round * table->workers + worker, &place);
    if (missing > 1)
        sentence_set(&others, ", and %zu more like it", missing - 1);
    node_error(files->diag, key_node(files, "missing"),
               "%s has no value for %s (%s)%s: write missing: skip or missing: median to accept that",
               spec->source->path, cell.text, place.text, others.text);
    return false;
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median_of(double *value, size_t count) {
    qsort(value, count, sizeof *value, ascending);
    return value[(count - 1) / 2] / 2 + value[count / 2] / 2;
}

static bool medians_put(struct replay *replay, const struct replay_spec *spec,
                        const struct trace_table *table, struct diag *diag) {
    double *value = memory_zeroed(replay->rounds, sizeof *value);
    bool known = true;
    for (size_t i = 0; i < replay->members; i++) {
        size_t count = measured_values(replay, i, replay->members, value);
        if (count == 0) {
            struct sentence worker;
            label_describe(&table->worker_names, table->worker_label[spec->first + i], &worker);
            diag_error(diag, (struct place){.file = spec->source->path}, NULL,
                       "worker %s has no value at all, so no median", worker.text);
            known = false;
            continue;
        }
        double median = count < replay->rounds ? median_of(value, count) : 0;
        for (size_t c = i; c < (size_t)replay->rounds * replay->members; c += replay->members)
            if (isnan(replay->value[c]))
                replay->value[c] = median;
    }
    free(value);
    return known;
}

static bool missing_settled(struct replay *replay, const struct replay_spec *spec,
                            const struct trace_table *table, const struct law_files *files) {
    if (spec->missing == MISSING_ERROR)
        return all_present(replay, spec, table, files);
    if (spec->missing == MISSING_MEDIAN)
        return medians_put(replay, spec, table, files->diag);
    return true;
}

static bool ecdf_put(struct replay *replay, const char *path, struct diag *diag) {
    double *value = memory_zeroed((size_t)replay->rounds * replay->members, sizeof *value);
    size_t count = measured_values(replay, 0, 1, value);
    if (count > 0)
        replay->ecdf = ecdf_new(value, count);
    else
        diag_error(diag, (struct place){.file = path}, NULL,
                   "the trace has no value for any worker of the group");
    free(value);
    return count > 0;
}

static void extremes_put(struct replay *replay) {
    replay->least = memory_zeroed(replay->rounds, sizeof *replay->least);
    replay->most = memory_zeroed(replay->rounds, sizeof *replay->most);
    for (size_t r = 0; r < replay->rounds; r++) {
        const double *value = replay->value + r * replay->members;
        replay->least[r] = replay->most[r] = value[0];
        for (size_t i = 1; i < replay->members; i++) {
            replay->least[r] = fmin(value[i], replay->least[r]);
            replay->most[r] = fmax(value[i], replay->most[r]);
        }
    }
}

static bool workers_suffice(const struct replay_spec *spec, const struct trace_table *table,
                            const struct law_files *files) {
    if ((size_t)spec->first + files->members <= table->workers)
        return true;
    node_error(files->diag, files->node,
               "the trace has %zu worker%s, but the group needs %u from number %u on", table->workers,
               table->workers == 1 ? "" : "s", files->members, spec->first);
    return false;
}

static struct replay *replay_made(const struct replay_spec *spec, const struct law_files *files) {
    const struct trace_table *table = trace_table_read(spec->source, files);
    if (!table || !workers_suffice(spec, table, files))
        return NULL;
    struct replay *replay = replay_cut(table, spec->first, files->members);
    if (!missing_settled(replay, spec, table, files) || !ecdf_put(replay, spec->source->path, files->diag)) {
        replay_free(replay);
        return NULL;
    }
    extremes_put(replay);
    return replay;
}

const struct replay *replay_read(const struct replay_spec *spec, const struct law_files *files) {
    char *source = trace_source_key(spec->source);
    char *key =
        memory_format("replay\n%u\n%u\n%d\n%s", spec->first, files->members, (int)spec->missing, source);
    struct replay *replay = shelf_find(files->shelf, key);
    if (!replay) {
        replay = replay_made(spec, files);
        if (replay)
            shelf_put(files->shelf, key, replay, replay_free);
    }
    free(key);
    free(source);
    return replay;
}
