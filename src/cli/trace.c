/* laggard trace: what happens in one run, event by event. */
#include "event_plan.h"
#include "number_text.h"
#include "param.h"
#include "plan.h"
#include "run.h"
#include "study_call.h"
#include "text_table.h"
#include "timeline.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEPS_SHOWN 20          /* when the call names none */
#define STEPS_END   4000000000u /* of any run, with room to spare */

/* What the call asks for. */
struct choice {
    const struct scenario *scenario;
    const struct scheme_entry *entry;
    uint32_t point, replication;
    uint32_t first, end; /* steps */
    bool end_asked;      /* the call names the end */
    const struct timeline_format *format;
};

/* A whole number of [0, limit); false otherwise. */
static bool whole(const char *text, double limit, uint32_t *number) {
    double value;
    if (!param_number(text, &value) || value < 0 || value >= limit || floor(value) < value)
        return false;
    *number = (uint32_t)value;
    return true;
}

/* An option that counts from 0; left as it is when it was not given. */
static int choose_index(const struct call *call, const char *name, size_t count, uint32_t *index) {
    const char *text = option_value(call, name);
    if (!text || whole(text, (double)count, index))
        return EXIT_DONE;
    return usage_error(call, "option '--%s' must be a whole number in [0, %zu], found '%s'", name, count - 1,
                       text);
}

static int choose_scheme(struct call *call, struct choice *choice) {
    const struct scenario *scenario = choice->scenario;
    const char *label = option_value(call, "scheme"), *all = "";
    const char **labels = arena_zeroed(call->arena, (size_t)scenario->schemes + 1, sizeof *labels);
    choice->entry = scenario->scheme;
    for (uint32_t e = 0; e < scenario->schemes; e++) {
        labels[e] = scenario->scheme[e].label;
        all = arena_format(call->arena, "%s%s'%s'", all, e > 0 ? ", " : "", labels[e]);
        if (label && strcmp(label, labels[e]) == 0)
            choice->entry = &scenario->scheme[e];
    }
    if (!label || strcmp(label, choice->entry->label) == 0)
        return EXIT_DONE;
    return usage_error(call, "unknown scheme '%s'%s; the scenario has %s", label,
                       did_you_mean(call->arena, label, labels), all);
}

/* A:B; A or B may be left out. A run may end before B, whatever ends it. */
static bool steps_taken(struct call *call, const char *text, struct choice *choice) {
    const char *colon = strchr(text, ':');
    if (!colon)
        return false;
    const char *first = arena_text(call->arena, text, (size_t)(colon - text));
    bool good = !*first || whole(first, STEPS_END, &choice->first);
    choice->end = choice->first < STEPS_END - STEPS_SHOWN ? choice->first + STEPS_SHOWN : STEPS_END;
    choice->end_asked = colon[1] != '\0';
    good = good && (!choice->end_asked || whole(colon + 1, STEPS_END + 1.0, &choice->end));
    return good && choice->first < choice->end;
}

/* No more are run than there can be. */
static uint32_t steps_run(const struct choice *choice) {
    uint32_t most = choice->scenario->stop.steps; /* PARAM_ABSENT is more than any */
    return choice->end < most ? choice->end : most;
}

static int choose_steps(struct call *call, struct choice *choice) {
    const char *text = option_value(call, "steps");
    if (!steps_taken(call, text ? text : ":", choice))
        return usage_error(call,
                           "option '--steps' must be A:B, the steps from A up to but not including B, with "
                           "0 <= A < B <= %u, found '%s'",
                           STEPS_END, text);
    double events = events_expected(choice->scenario, choice->entry, steps_run(choice));
    if (events <= MOMENTS_MAX)
        return EXIT_DONE;
    return usage_error(call, "%u steps have about %.2g events, of at most %u; choose a smaller B in --steps",
                       steps_run(choice), events, MOMENTS_MAX);
}

static int choose_format(struct call *call, struct choice *choice) {
    const char *name = option_value(call, "format"), *names[8] = {NULL};
    choice->format = timeline_formats;
    for (size_t q = 0; name && timeline_formats[q].name && q < 7; q++) {
        names[q] = timeline_formats[q].name;
        if (strcmp(name, names[q]) == 0)
            choice->format = &timeline_formats[q];
    }
    if (!name || strcmp(name, choice->format->name) == 0)
        return EXIT_DONE;
    return usage_error(call, "unknown format '%s'%s; must be text | perfetto", name,
                       did_you_mean(call->arena, name, names));
}

static int choose(struct call *call, const struct study *study, struct choice *choice) {
    int code = choose_index(call, "point", study_points(study), &choice->point);
    if (code != EXIT_DONE)
        return code;
    choice->scenario = study_scenario(study, choice->point);
    if (choice->scenario->method == METHOD_BETA)
        return usage_error(call, "method: beta draws no worker, so there is nothing within a step to show; "
                                 "--set method=events shows the run worker by worker");
    code = choose_scheme(call, choice);
    if (code == EXIT_DONE)
        code = choose_index(call, "replication", choice->scenario->replications, &choice->replication);
    if (code == EXIT_DONE)
        code = choose_steps(call, choice);
    return code == EXIT_DONE ? choose_format(call, choice) : code;
}

/* With the optimizer that the scheme is compared with. */
static void take_tuned(const struct call *call, const struct study *study, struct choice *choice) {
    struct contest contest = study_contest(study, choice->entry, threads_of_call(call));
    choice->scenario = contest.point->scenario;
    choice->entry = contest.entry;
}

/* The run up to the last step that is shown: later steps change nothing in it. */
static struct result *run_shown(const struct choice *choice) {
    struct scenario few = *choice->scenario;
    few.stop.steps = steps_run(choice);
    few.record = (struct record_spec){.mode = RECORD_SUMMARY, .events = true};
    struct trial_spec spec = {&few, choice->entry, choice->replication};
    return run_whole(&spec);
}

/* Index of the moment at which the first step opens; with step 0 all before it is shown. The count: it never opens. */
static size_t first_moment(const struct moment_log *log, uint32_t step) {
    size_t m = 0;
    while (step > 0 && m < log->count && (log->moment[m].kind != MOMENT_OPEN || log->moment[m].step != step))
        m++;
    return m;
}

/* It was ended only because no later step is shown. */
static bool goes_on(const struct choice *choice, const struct run_row *run) {
    bool cut = run->rounds > choice->end;
    return cut || (strcmp(run->status, "steps") == 0 && choice->end < choice->scenario->stop.steps);
}

/* Drops the rounds from `end` on, which a run of as many updates may have; else its end, where that is no end. */
static void drop_later(struct moment_log *log, const struct choice *choice, const struct run_row *run) {
    size_t m = 0;
    while (m < log->count && (log->moment[m].kind != MOMENT_OPEN || log->moment[m].step != choice->end))
        m++;
    if (m == log->count && goes_on(choice, run))
        m--;
    log->count = m;
}

/* The call asked for more steps than there are. */
static void shortage_tell(const struct call *call, const struct choice *choice, const struct run_row *run) {
    if (choice->end_asked && run->rounds < choice->end)
        fprintf(stderr, "laggard trace: the run ends after %s: %s; there is no step %u\n",
                count_text(call->arena, run->steps, "step"), run->status, choice->end - 1);
}

/* What a status means, where its word is for scripts. */
static const char *end_text(struct arena *arena, const struct run_row *run) {
    static const char *const meaning[][2] = {{"trace_end", "the trace has no further round"},
                                             {"stalled", "nothing more can arrive"}};
    for (size_t q = 0; q < sizeof meaning / sizeof *meaning; q++)
        if (strcmp(run->status, meaning[q][0]) == 0)
            return arena_format(arena, "%s, as %s", run->status, meaning[q][1]);
    return run->status;
}

static const char *title_of(struct call *call, const struct study *study, const struct choice *choice,
                            const struct run_row *run) {
    struct arena *arena = call->arena;
    const char *title = arena_format(arena, "%s: ", choice->scenario->name);
    if (study_swept(study) > 0)
        title = arena_format(arena, "%spoint %u of %zu, ", title, choice->point, study_points(study));
    title = arena_format(arena, "%s%s, replication %u, from step %u", title, choice->entry->label,
                         choice->replication, choice->first);
    if (goes_on(choice, run))
        return arena_format(arena, "%s to %u; the run goes on", title, choice->end - 1);
    return arena_format(arena, "%s; the run ends after %s: %s", title, count_text(arena, run->steps, "step"),
                        end_text(arena, run));
}

/* Half a file would look like a whole one, so it has another name until it is whole; a terminal or a pipe has no other. */
static const char *path_written(struct call *call) {
    const char *path = option_value(call, "output");
    struct stat status;
    bool special = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    return special ? path : arena_format(call->arena, "%s.partial", path);
}

/* The stream to write to; NULL after telling why there is none. */
static FILE *open_output(struct call *call, int *code) {
    const char *path = option_value(call, "output");
    struct stat status;
    if (!path)
        return stdout;
    bool regular = stat(path, &status) == 0 && S_ISREG(status.st_mode);
    if (regular && !option_given(call, "force")) {
        *code = usage_error(call, "%s exists; --force replaces it, -o chooses another file", path);
        return NULL;
    }
    if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode) && stat(path, &status) != 0) {
        *code = usage_error(call, "%s is a link that leads nowhere", path);
        return NULL;
    }
    const char *written = path_written(call);
    bool special = strcmp(written, path) == 0;
    if (!special)
        unlink(written); /* of an earlier call that was cut off, or a link that leads elsewhere */
    FILE *out = fopen(written, special ? "w" : "wx");
    if (!out)
        *code = unfinished(call, "cannot write %s: %s", path, strerror(errno));
    return out;
}

static int close_output(struct call *call, FILE *out) {
    const char *path = option_value(call, "output");
    if (out == stdout)
        return EXIT_DONE; /* checked when the program ends */
    const char *written = path_written(call);
    bool special = strcmp(written, path) == 0, failed = ferror(out) != 0;
    errno = 0;
    if (fclose(out) == 0 && !failed && (special || rename(written, path) == 0))
        return EXIT_DONE;
    int code = unfinished(call, "cannot write %s: %s", path, strerror(errno ? errno : EIO));
    if (!special)
        unlink(written);
    return code;
}

static int write_timeline(struct call *call, const struct choice *choice, const struct timeline *timeline) {
    int code = EXIT_DONE;
    if (timeline->moments->lost > 0)
        return unfinished(call, "the run has more than %u events; choose a smaller B in --steps",
                          MOMENTS_MAX);
    FILE *out = open_output(call, &code);
    if (!out)
        return code;
    choice->format->print(timeline, out);
    return close_output(call, out);
}

static int trace(struct call *call, const struct study *study) {
    struct choice choice = {.point = 0};
    int code = choose(call, study, &choice);
    if (code != EXIT_DONE)
        return code;
    if (choice.scenario->tunes > 0)
        take_tuned(call, study, &choice);
    struct result *result = run_shown(&choice);
    drop_later(result->moments, &choice, &result->run);
    struct timeline timeline = {.scheme = choice.entry->label,
                                .title = title_of(call, study, &choice, &result->run),
                                .moments = result->moments,
                                .first = first_moment(result->moments, choice.first),
                                .workers = choice.scenario->cluster.workers};
    if (timeline.first == result->moments->count)
        code = usage_error(call, "there is no step %u: the run ends after %s: %s", choice.first,
                           count_text(call->arena, result->run.steps, "step"), result->run.status);
    else
        code = write_timeline(call, &choice, &timeline);
    if (code == EXIT_DONE)
        shortage_tell(call, &choice, &result->run);
    result_free(result);
    return code;
}

static int run(struct call *call) {
    struct study *study = study_of_call(call);
    if (!study)
        return EXIT_USAGE;
    int code = trace(call, study);
    study_free(study);
    return code;
}

static void events_print(FILE *stream) {
    struct arena *arena = arena_new();
    struct text_table *table = text_table_new((const struct text_column[]){{NULL, LEFT}, {NULL, LEFT}}, 2);
    for (size_t q = 0; q < MOMENTS; q++) {
        const struct moment_type *type = &moment_types[q];
        const char *colon = *type->meaning ? ": " : "";
        text_table_row(table, (const char *const[]){type->name, arena_format(arena, "%s%s%s", type->words,
                                                                             colon, type->meaning)});
    }
    fputs("\nevents, of the master or a worker, which\n", stream);
    text_table_print(table, stream, "  ");
    text_table_free(table);
    arena_free(arena);
}

static const char *format_choice(size_t index) {
    return timeline_formats[index].name;
}

static const struct option_spec options[] = {
    {0, "scheme", "LABEL", "the scheme; the first by default"},
    {0, "replication", "R", "the replication, from 0; 0 by default"},
    {0, "point", "P", "the point of the sweep, from 0; 0 by default"},
    {0, "steps", "A:B", "steps (rounds) from A up to but not including B; 0:20 by default"},
    {0, "format", "FORMAT", "text or perfetto; text by default", format_choice},
    {'o', "output", "FILE", "write there, not to standard output"},
    {0, "force", NULL, "replace an existing file"},
    OPTION_SET,
    {0, NULL, NULL, NULL},
};

const struct command command_trace = {
    .name = "trace",
    .summary = "shows what happens in one run: every event, or a timeline for ui.perfetto.dev",
    .usage = "SCENARIO [--scheme LABEL] [--replication R] [--steps A:B] [--format FORMAT] [-o FILE]",
    .details = "A step is a round of the master, from 0, as in events.csv: some rounds make no update, some "
               "several.\n"
               "text: a line per event. perfetto: JSON with a track per worker; work that is in no estimate "
               "before the\n"
               "last step shown ends is called discarded. 'record: {events: true}' writes the same events of "
               "all runs to\n"
               "events.csv.\n",
    .details_print = events_print,
    .options = options,
    .operands_min = 1,
    .operands_max = 1,
    .run = run,
};
