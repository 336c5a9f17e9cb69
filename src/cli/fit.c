/* laggard fit: laws fitted to measured times, and the cluster that they make. */
#include "cluster_fit.h"
#include "command.h"
#include "draw.h"
#include "fit_curves.h"
#include "fit_words.h"
#include "folder.h"
#include "manifest.h"
#include "yaml_tree.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILES_MAX 64

/* What the command line asks for. */
struct fit_call {
    struct measured_request request; /* of every file; `file` empty */
    const char *file[FILES_MAX];
    double load[FILES_MAX];
    size_t files;
    bool loaded;
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

/* Only a value: times alone. */
static bool take_columns(struct call *call, struct trace_columns *columns) {
    const char *text = option_value(call, "columns");
    *columns = (struct trace_columns){"round", "worker", "seconds"};
    if (!text)
        return true;
    *columns = (struct trace_columns){0};
    while (*text) {
        size_t length = strcspn(text, ",");
        if (!take_column(call, columns, arena_text(call->arena, text, length)))
            return false;
        text += length + (text[length] == ',');
    }
    if (!columns->round != !columns->worker) {
        usage_error(call, "option '--columns' must name both round and worker, or neither");
        return false;
    }
    columns->value = columns->value ? columns->value : "seconds";
    return true;
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
    if (!take_columns(call, &fit->request.columns) || !take_scale(call, &fit->request.scale_s))
        return false;
    for (size_t f = 0; f < call->operands; f++)
        take_file(call, fit, call->operand[f]);
    if (!take_loads(call, fit))
        return false;
    return (fit->files == 1) || loads_valid(call, fit);
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

static const struct bootstrap bootstrap = {.seed = 1, .resamples = RANKING_RESAMPLES};

/* `name` without its folder and its endings: trace of data/trace.csv.gz. */
static const char *stem_of(struct arena *arena, const char *name) {
    static const char *const endings[] = {".gz", ".csv"};
    const char *slash = strrchr(name, '/');
    char *stem = arena_format(arena, "%s", slash ? slash + 1 : name);
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
        size_t length = strlen(stem), ending = strlen(endings[e]);
        if (length > ending && strcmp(stem + length - ending, endings[e]) == 0)
            stem[length - ending] = '\0';
    }
    return stem;
}

static bool write_folder(struct call *call, const struct cluster_fit *fit, const char *path,
                         struct sentence *why) {
    enum replacing replacing = option_given(call, "force") ? REPLACE_EXISTING : KEEP_EXISTING;
    struct folder *folder = folder_new(path, replacing, why);
    if (!folder)
        return false;
    char *manifest = manifest_text(&(struct manifest){.version = LAGGARD_VERSION,
                                                      .name = path,
                                                      .command = call->line,
                                                      .seed = bootstrap.seed,
                                                      .complete = true});
    char *cluster = yaml_text(fit->cluster, NULL);
    struct sheet curves;
    fit_curves_fill(&curves, fit->ranking, fit->sample);
    folder_write(folder, "manifest.json", manifest, strlen(manifest));
    folder_write(folder, "cluster.yaml", cluster, strlen(cluster));
    folder_write(folder, "fit.csv", curves.text, curves.length);
    sheet_fini(&curves);
    free(cluster);
    free(manifest);
    bool finished = folder_finish(folder, why);
    folder_free(folder);
    return finished;
}

static int draw_fit(struct call *call, const struct cluster_fit *fit) {
    const char *given = option_value(call, "output");
    const char *path =
        given ? given : arena_format(call->arena, "fit-%s", stem_of(call->arena, call->operand[0]));
    struct sentence why = {""};
    if (!write_folder(call, fit, path, &why))
        return unfinished(call, "%s", why.text);
    return draw_beside(call,
                       (struct plot_request){.folder = path, .figure = "fit", .formats = {"svg", "png"}});
}

static int fit_and_print(struct call *call, const struct measured_times *times,
                         const struct cluster_request *request) {
    struct cluster_fit *fit = cluster_fit_new(times, request);
    dependence_print(call->arena, fit, stderr);
    ranking_print(call->arena, fit->ranking, stderr);
    char *text = yaml_text(fit->cluster, NULL);
    fputs(text, stdout);
    free(text);
    int code = option_given(call, "plot") ? draw_fit(call, fit) : EXIT_DONE;
    cluster_fit_free(fit);
    return code;
}

static enum slowness_form slowness_of_call(const struct call *call) {
    return option_given(call, "own") ? SLOWNESS_OWN : SLOWNESS_LAW;
}

static int fit_loads(struct call *call, const struct fit_call *fit, struct measured_times **times) {
    struct loaded_times loaded = {(const struct measured_times *const *)times, fit->load, fit->files};
    struct load_line line = load_line_of(&loaded);
    if (!(line.per_load_s > 0))
        return usage_error(call, "times do not grow with the load (b = %.4g s): fit one file at a time",
                           line.per_load_s);
    size_t clipped, workers = 0;
    struct measured_times *rest = load_line_rest(&line, &loaded, &clipped);
    for (size_t f = 0; f < fit->files; f++)
        workers = times[f]->workers > workers ? times[f]->workers : workers;
    load_line_print(&line, clipped, stderr);
    int code = fit_and_print(call, rest,
                             &(struct cluster_request){.bootstrap = bootstrap,
                                                       .slowness = slowness_of_call(call),
                                                       .workers = (uint32_t)workers,
                                                       .line = &line});
    measured_times_free(rest);
    return code;
}

static int run(struct call *call) {
    struct fit_call fit;
    struct measured_times *times[FILES_MAX] = {NULL};
    if (!take_call(call, &fit))
        return EXIT_USAGE;
    int code = EXIT_USAGE;
    if (read_all(&fit, times))
        code = fit.files > 1
                   ? fit_loads(call, &fit, times)
                   : fit_and_print(call, times[0],
                                   &(struct cluster_request){.bootstrap = bootstrap,
                                                             .slowness = slowness_of_call(call),
                                                             .workers = (uint32_t)times[0]->workers});
    for (size_t f = 0; f < fit.files; f++)
        measured_times_free(times[f]);
    return code;
}

static const struct option_spec options[] = {
    {0, "columns", "NAMES",
     "round=NAME,worker=NAME,value=NAME; round, worker, seconds by default; value alone: "
     "a column of times, no rounds or workers"},
    {0, "scale", "TIME", "how long a value of 1 is, such as 1ms; 1s by default"},
    {0, "loads", "LIST", "partitions per task in each file, such as 1,2,4; or FILE:LOAD"},
    {0, "plot", NULL, "draw the times against the best three laws, in a folder fit-NAME"},
    {'o', "output", "DIR", "the folder of the figure"},
    {0, "force", NULL, "replace an existing folder"},
    {0, "own", NULL, "where workers are slow throughout: a group per worker with its own factor, not a law"},
    {0, NULL, NULL, NULL},
};

const struct command command_fit = {
    .name = "fit",
    .summary = "fits laws to measured times and prints the cluster that they make",
    .usage = "TRACE.csv[:LOAD]... [--columns NAMES] [--scale TIME] [--loads LIST] [--own] [--plot]",
    .details = "Tells which laws fit on stderr; prints a cluster: block for a scenario on stdout.\n",
    .options = options,
    .operands_min = 1,
    .operands_max = FILES_MAX,
    .run = run,
};
