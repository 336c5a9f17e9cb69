/* laggard fit: laws fitted to measured times, and the cluster that they make. */
#include "cluster_fit.h"
#include "command.h"
#include "fit_folder.h"
#include "fit_words.h"
#include "yaml_tree.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILES_MAX 64
#define SEED_MAX  9007199254740992.0

/* What the command line asks for. */
struct fit_call {
    struct measured_request request; /* of every file; `file` empty */
    const char *file[FILES_MAX];
    double load[FILES_MAX];
    size_t files;
    bool loaded;
    struct bootstrap bootstrap;
};

/* One of round=…, worker=…, value=…; false after telling. */
static bool take_column(struct call *call, struct trace_columns *columns, const char *pair) {
    static const char *const names[] = {"round", "worker", "value", NULL};
    const char **slot[] = {&columns->round, &columns->worker, &columns->value};
    size_t length = strcspn(pair, "=");
    const char *name = arena_text(call->arena, pair, length);
    for (size_t n = 0; names[n] && pair[length] && pair[length + 1]; n++)
        if (strcmp(name, names[n]) == 0) {
            *slot[n] = pair + length + 1;
            return true;
        }
    usage_error(call, "option '--columns' takes round=NAME,worker=NAME,value=NAME, found '%s'%s", pair,
                did_you_mean(call->arena, name, names));
    return false;
}

static const struct trace_columns usual = {"round", "worker", "seconds"};

/* Only a value: times alone. A wide file has a name of its rounds alone. */
static bool settle_columns(struct call *call, struct measured_request *request) {
    struct trace_columns *columns = &request->columns;
    if (request->layout == TRACE_WIDE && (columns->worker || columns->value))
        return usage_error(call, "with '--layout wide' option '--columns' names the round alone"), false;
    if (request->layout == TRACE_WIDE)
        *columns = (struct trace_columns){columns->round, usual.worker, usual.value};
    if (!columns->round != !columns->worker)
        return usage_error(call, "option '--columns' must name both round and worker, or neither"), false;
    columns->value = columns->value ? columns->value : usual.value;
    return true;
}

static bool take_columns(struct call *call, struct measured_request *request) {
    const char *text = option_value(call, "columns");
    request->columns = usual;
    if (!text)
        return true;
    request->columns = (struct trace_columns){0};
    request->named_in = "--columns";
    if (!*text)
        return usage_error(call, "option '--columns' takes round=NAME,worker=NAME,value=NAME"), false;
    while (*text) {
        size_t length = strcspn(text, ",");
        if (!take_column(call, &request->columns, arena_text(call->arena, text, length)))
            return false;
        text += length + (text[length] == ',');
    }
    return settle_columns(call, request);
}

static bool take_layout(struct call *call, enum trace_layout *layout) {
    static const char *const names[] = {[TRACE_LONG] = "long", [TRACE_WIDE] = "wide", NULL};
    const char *text = option_value(call, "layout");
    *layout = TRACE_LONG;
    for (int n = 0; text && names[n]; n++)
        if (strcmp(text, names[n]) == 0) {
            *layout = (enum trace_layout)n;
            return true;
        }
    if (!text)
        return true;
    usage_error(call, "unknown layout '%s'%s; must be long | wide", text,
                did_you_mean(call->arena, text, names));
    return false;
}

static bool take_seed(struct call *call, struct bootstrap *bootstrap) {
    const char *text = option_value(call, "seed");
    double seed = 1;
    bool fine = !text || (param_number(text, &seed) && seed >= 0 && seed <= SEED_MAX && floor(seed) >= seed);
    *bootstrap = (struct bootstrap){.seed = fine ? (uint64_t)seed : 0, .resamples = RANKING_RESAMPLES};
    if (!fine)
        usage_error(call, "option '--seed' must be a whole number in [0, 2^53], found '%s'", text);
    return fine;
}

static bool take_scale(struct call *call, double *scale_s) {
    const char *text = option_value(call, "scale");
    *scale_s = 1;
    if (!text || (param_seconds(text, scale_s) && *scale_s > 0))
        return true;
    usage_error(call, "option '--scale' is how long a value of 1 is, such as 1ms, found '%s'", text);
    return false;
}

/* FILE:LOAD, where FILE:LOAD is not a file itself. */
static void take_file(struct call *call, struct fit_call *fit, const char *operand) {
    struct stat status;
    const char *colon = strrchr(operand, ':');
    double load;
    fit->file[fit->files] = operand;
    if (colon && stat(operand, &status) != 0 && param_number(colon + 1, &load)) {
        fit->file[fit->files] = arena_text(call->arena, operand, (size_t)(colon - operand));
        fit->load[fit->files] = load;
        fit->loaded = true;
    } else {
        fit->load[fit->files] = -1;
    }
    fit->files++;
}

static bool take_loads(struct call *call, struct fit_call *fit) {
    const char *text = option_value(call, "loads");
    for (size_t f = 0; text && f < fit->files; f++) {
        size_t length = strcspn(text, ",");
        if (!param_number(arena_text(call->arena, text, length), &fit->load[f])) {
            usage_error(call, "option '--loads' takes a number for each of the %zu files", fit->files);
            return false;
        }
        text += length + (text[length] == ',');
        fit->loaded = true;
    }
    if (text && *text)
        usage_error(call, "option '--loads' takes a number for each of the %zu files", fit->files);
    return !text || !*text;
}

/* Loads of at least 0, of which two differ. */
static bool loads_valid(struct call *call, const struct fit_call *fit) {
    bool differ = false;
    for (size_t f = 0; f < fit->files; f++) {
        if (fit->load[f] < 0)
            return usage_error(call, "%s: a load of at least 0 is needed: FILE:LOAD, or --loads",
                               fit->file[f]),
                   false;
        differ |= fit->load[f] > fit->load[0] || fit->load[f] < fit->load[0];
    }
    if (!differ)
        usage_error(call, "several files must differ in their loads");
    return differ;
}

static bool take_call(struct call *call, struct fit_call *fit) {
    *fit = (struct fit_call){0};
    if (!take_layout(call, &fit->request.layout) || !take_columns(call, &fit->request) ||
        !take_scale(call, &fit->request.scale_s) || !take_seed(call, &fit->bootstrap))
        return false;
    for (size_t f = 0; f < call->operands; f++)
        take_file(call, fit, call->operand[f]);
    if (!take_loads(call, fit))
        return false;
    if (fit->files > 1 && option_given(call, "own"))
        return usage_error(call, "option '--own' is for one file: workers of several may be others"), false;
    if (fit->files == 1 && fit->loaded)
        return usage_error(call, "one load shows no growth: give a file for each of two loads at least"),
               false;
    if (option_value(call, "output") && !option_given(call, "plot"))
        return usage_error(call, "option '--output' is the folder of '--plot'"), false;
    return fit->files == 1 || loads_valid(call, fit);
}

static bool read_all(const struct fit_call *fit, struct measured_times **times) {
    struct diag *diag = diag_new();
    bool fine = true;
    for (size_t f = 0; f < fit->files; f++) {
        struct measured_request request = fit->request;
        request.file = fit->file[f];
        times[f] = measured_times_read(diag, &request);
        fine &= times[f] != NULL;
    }
    diag_print(diag, stderr);
    diag_free(diag);
    return fine;
}

static void laws_print(struct call *call, const struct cluster_fit *fit,
                       const struct cluster_request *request) {
    dependence_print(call->arena, fit, request, stderr);
    ranking_print(call->arena, fit->ranking, stderr);
    char *text = yaml_text(fit->cluster, NULL);
    fputs(text, stdout);
    free(text);
}

/* What to do where the seconds of a partition vary themselves. Their deviation grows with the load when a task draws them
 * once, with its root when every partition draws its own: the middle of 1/2 and 1 parts the two. */
static const char *other_load(const struct load_line *line) {
    return !(line->spread_power > 0.25) || line->spread_power > 1.5 ? "fit each file alone"
           : line->spread_power > 0.75 ? "their deviation grows with the load, as load: multiplicative plays "
                                         "it: fit the file of load 1 "
                                         "alone, and write that beside it"
                                       : "their deviation grows with the root of the load, as load: "
                                         "independent plays it: fit the file "
                                         "of load 1 alone, and write that beside it";
}

/* Why no law was fitted beside the load. */
static int line_refused(struct call *call, const struct cluster_fit *fit) {
    const struct left_out *left_out = &fit->left_out;
    if (!(fit->line.per_load_s > 0))
        return refused(call, "times do not grow with the load (b = %.4g s): fit each file alone",
                       fit->line.per_load_s);
    return refused(call,
                   "the times are not b load, always, and a delay of at least 0, as load: additive plays "
                   "them: %zu of %zu are shorter than b load, by up to %.4g s; %s",
                   left_out->count, left_out->of, left_out->most_s, other_load(&fit->line));
}

static int fit_and_print(struct call *call, const struct fit_call *asked, const struct measured_times *times,
                         const struct cluster_request *request) {
    struct fit_folder folder = {.file = asked->file, .files = asked->files};
    if (option_given(call, "plot") && !fit_folder_open(call, &folder))
        return EXIT_USAGE;
    struct cluster_fit *fit = cluster_fit_new(times, request);
    if (request->loaded)
        load_line_print(&fit->line, request->loaded->load, stderr);
    int code = EXIT_DONE;
    if (fit->ranking)
        laws_print(call, fit, request);
    else
        code = line_refused(call, fit);
    if (folder.folder && code == EXIT_DONE)
        code = fit_folder_finish(call, &folder, fit, request->bootstrap.seed);
    else
        fit_folder_drop(call, &folder);
    cluster_fit_free(fit);
    return code;
}

static struct cluster_request request_of(const struct call *call, const struct fit_call *fit) {
    return (struct cluster_request){.bootstrap = fit->bootstrap,
                                    .slowness = option_given(call, "own") ? SLOWNESS_OWN : SLOWNESS_LAW};
}

static int fit_loads(struct call *call, const struct fit_call *fit, struct measured_times **times) {
    struct loaded_times loaded = {(const struct measured_times *const *)times, fit->load, fit->files};
    struct cluster_request request = request_of(call, fit);
    request.loaded = &loaded;
    for (size_t f = 0; f < fit->files; f++)
        if (times[f]->workers > request.workers)
            request.workers = (uint32_t)times[f]->workers;
    struct measured_times *all = load_line_beside(&loaded);
    int code = fit_and_print(call, fit, all, &request);
    measured_times_free(all);
    return code;
}

static int fit_alone(struct call *call, const struct fit_call *fit, const struct measured_times *times) {
    struct cluster_request request = request_of(call, fit);
    request.workers = (uint32_t)times->workers;
    return fit_and_print(call, fit, times, &request);
}

static int run(struct call *call) {
    struct fit_call fit;
    struct measured_times *times[FILES_MAX] = {NULL};
    if (!take_call(call, &fit))
        return EXIT_USAGE;
    int code = EXIT_USAGE;
    if (read_all(&fit, times))
        code = fit.files > 1 ? fit_loads(call, &fit, times) : fit_alone(call, &fit, times[0]);
    for (size_t f = 0; f < fit.files; f++)
        measured_times_free(times[f]);
    return code;
}

static const struct option_spec options[] = {
    {0, "columns", "NAMES",
     "round=NAME,worker=NAME,value=NAME; round, worker, seconds by default; value alone: "
     "a column of times, no rounds or workers"},
    {0, "layout", "LAYOUT",
     "long: a row per round and worker; wide: a row per round, a column per worker; "
     "long by default"},
    {0, "scale", "TIME", "how long a value of 1 is, such as 1ms; 1s by default"},
    {0, "loads", "LIST", "partitions per task in each file, such as 1,2,4; or FILE:LOAD"},
    {0, "seed", "SEED",
     "of what is drawn: samples for p-values, states of times that may have been slow; 1 by default"},
    {0, "plot", NULL, "draw the times against the best three laws, in a folder fit-NAME"},
    {'o', "output", "DIR", "the folder of the figure"},
    {0, "force", NULL, "replace an existing folder"},
    {0, "own", NULL, "where workers are slow throughout: a group per worker with its own factor, not a law"},
    {0, NULL, NULL, NULL},
};

const struct command command_fit = {
    .name = "fit",
    .summary = "fits laws to measured times and prints the cluster that they make",
    .usage = "TRACE.csv[:LOAD]... [--layout LAYOUT] [--columns NAMES] [--scale TIME] [--loads LIST] [--own] "
             "[--plot]",
    .details =
        "Tells which laws fit on stderr; prints a cluster: block for a scenario on stdout.\n"
        "Column p is the share of 99 samples of a law that lie as far from their own fit as the times do, "
        "of\n"
        "which 2000 are drawn at random where there are more; 0.01 is the least that it can be. The K-S\n"
        "distance is that of all times.\n",
    .options = options,
    .operands_min = 1,
    .operands_max = FILES_MAX,
    .run = run,
};
