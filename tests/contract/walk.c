#include "walk.h"
#include "all_runs.h"
#include "plan.h"
#include "run.h"
#include "walk_inside.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* Processor seconds after which a combination, or a study of many, is taken never to end: a busy machine does not count. */
enum { PATIENCE_S = 60, STUDY_PATIENCE_S = 1000 };

char walked_text[WALKED_BYTES];

static void tell_case(int signal_number) {
    static const char lead[] = "\nended in this combination:\n";
    if (write(STDERR_FILENO, lead, sizeof lead - 1) < 0 ||
        write(STDERR_FILENO, walked_text, strlen(walked_text)) < 0)
        _exit(1);
    signal(signal_number == SIGPROF ? SIGABRT : signal_number, SIG_DFL);
    raise(signal_number == SIGPROF ? SIGABRT : signal_number);
}

static void be_patient(time_t seconds) {
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
}

static void watch(time_t patience_s) {
    signal(SIGABRT, tell_case);
    signal(SIGSEGV, tell_case);
    signal(SIGPROF, tell_case);
    be_patient(patience_s);
}

static void watch_no_more(void) {
    be_patient(0);
}

static void add_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add_text(const char *format, ...) {
    size_t length = strlen(walked_text);
    va_list list;
    va_start(list, format);
    int added = vsnprintf(walked_text + length, sizeof walked_text - length, format, list);
    va_end(list);
    cr_assert(added >= 0 && length + (size_t)added < sizeof walked_text, "the scenario is too long");
}

static void begin_text(const struct combination *of) {
    walked_text[0] = 0;
    add_text("name: walk\n%scluster: {%s}\nschemes:\n", of->problem, of->cluster);
}

static void add_scheme(const struct combination *of, const char *label) {
    add_text("  - {%s%s%s%s%s%s%s}\n", of->scheme, *of->wait ? ", wait: " : "", of->wait,
             *of->late ? ", late: " : "", of->late, *label ? ", label: " : "", label);
}

/* Files are found beside the tests. */
static bool read_plan(struct plan *plan, struct diag *diag) {
    static char file[512];
    snprintf(file, sizeof file, "%s/tests/contract/walk.yaml", getenv("LAGGARD_SOURCE"));
    struct plan_request request = {.file = file, .text = walked_text};
    return plan_read(plan, diag, &request);
}

/* A test that has told so many faults ends. */
enum { FAULTS_TOLD = 20 };

void walk_tell(const char *condition, const char *format, ...) {
    static uint32_t told;
    char what[256];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    cr_expect(false, "%s: %s\n%s", condition, what, walked_text);
    told++;
    cr_assert(lt(u32, told, FAULTS_TOLD), "and no further");
}

/* Whether `FILE:LINE:COLUMN: ` is in front of the kind of message. */
static bool has_place(const char *line, const char *end) {
    unsigned row = 0, column = 0;
    for (const char *at = line; (at = strchr(at, ':')) && at < end; at++)
        if (sscanf(at, ":%u:%u: error: ", &row, &column) == 2 && row > 0 && column > 0)
            return true;
    return false;
}

/* One line for each mistake of the scenario, at its line and column; a file that it names may have more. */
static void expect_sentences(const struct diag *diag, uint32_t most) {
    char *text = NULL;
    size_t length = 0;
    uint32_t lines = 0;
    FILE *stream = open_memstream(&text, &length);
    diag_print(diag, stream);
    fclose(stream);
    for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        const char *warning = strstr(line, ": warning: ");
        if (warning && warning < end)
            continue;
        const char *scenario = strstr(line, "walk.yaml:");
        HOLDS(has_place(line, end), "no place: %s", text);
        lines += scenario && scenario < end;
    }
    HOLDS(lines >= 1 && lines <= most, "%u sentences, not 1 to %u: %s", lines, most, text);
    free(text);
}

static bool in_unit(double share) {
    return share >= 0 && share <= 1;
}

/* What a recorded update says; a value that does not apply is NAN. */
static void expect_step(const struct step_row *row, const struct step_row *before, struct shape shape,
                        bool learns) {
    HOLDS(isfinite(row->time_s) && row->time_s >= before->time_s, "step %u at %g s after %g s", row->step,
          row->time_s, before->time_s);
    HOLDS(learns ? isfinite(row->loss) : isnan(row->loss), "step %u: loss %g", row->step, row->loss);
    if (row->step == 0)
        return;
    HOLDS(row->step > before->step, "step %u after %u", row->step, before->step);
    HOLDS(row->responders <= shape.workers, "step %u: %u", row->step, row->responders);
    HOLDS(row->recovered <= shape.partitions, "step %u: %u", row->step, row->recovered);
    HOLDS(isnan(row->staleness_mean) == isnan(row->staleness_max), "step %u", row->step);
    HOLDS(isnan(row->staleness_mean) || (row->staleness_mean >= 0 && row->staleness_max <= row->step &&
                                         row->staleness_mean <= row->staleness_max),
          "step %u: %g, %g", row->step, row->staleness_mean, row->staleness_max);
    HOLDS(isnan(row->aggregation_s) || row->aggregation_s >= 0, "step %u: %g", row->step, row->aggregation_s);
    HOLDS(isnan(row->decode_largest) || row->decode_largest >= 0, "step %u: %g", row->step,
          row->decode_largest);
}

static void expect_steps(const struct result *result, struct shape shape, bool learns) {
    struct step_row before = {.time_s = 0};
    for (size_t t = 0; t < result->steps; t++) {
        expect_step(&result->step[t], &before, shape, learns);
        before = result->step[t];
    }
}

/* Each second of each worker has one place. Sums of a few thousand terms of the run's own size: their rounding is far
 * below a billionth of it. */
static void expect_seconds(const struct result *result) {
    const struct run_row *run = &result->run;
    const double booked[] = {run->useful_s, run->redundant_s, run->stale_s, run->discarded_s};
    double whole_s = result->workers * run->time_s, rounding_s = 1e-9 * (1 + whole_s), busy_s = 0;
    HOLDS(isfinite(run->time_s) && run->time_s >= 0, "%g s", run->time_s);
    for (size_t use = 0; use < 4; use++) {
        HOLDS(booked[use] >= 0, "use %zu: %g s", use, booked[use]);
        busy_s += booked[use];
    }
    HOLDS(fabs(busy_s + run->idle_s + run->down_s - whole_s) <= rounding_s,
          "%g of %g s: busy %g, idle %g, down %g", busy_s + run->idle_s + run->down_s, whole_s, busy_s,
          run->idle_s, run->down_s);
    for (uint32_t i = 0; i < result->workers; i++) {
        const struct worker_row *row = &result->worker[i];
        HOLDS(row->busy_s >= 0 && row->idle_s >= 0 && row->down_s >= 0, "worker %u", i);
        HOLDS(fabs(row->busy_s + row->idle_s + row->down_s - run->time_s) <= rounding_s,
              "worker %u: busy %g, idle %g, down %g s of %g", i, row->busy_s, row->idle_s, row->down_s,
              run->time_s);
        busy_s -= row->busy_s;
    }
    HOLDS(fabs(busy_s) <= rounding_s, "booked is not busy by %g s", busy_s);
}

/* An estimate that was made is of a step that was, or of one that the end of the run left without an update. */
static void expect_workers(const struct result *result, uint32_t accumulated) {
    uint32_t estimates = (result->run.steps + 1) * accumulated;
    for (uint32_t i = 0; i < result->workers; i++) {
        const struct worker_row *row = &result->worker[i];
        HOLDS(row->used <= estimates, "worker %u: %u of %u", i, row->used, estimates);
        HOLDS(isnan(row->participation) || in_unit(row->participation) ||
                  strcmp(result->run.status, "diverged") == 0,
              "worker %u: %g", i, row->participation);
        HOLDS(row->late <= result->run.rounds, "worker %u: %u", i, row->late);
        HOLDS(row->backlog_end <= row->backlog_max, "worker %u: %u, %u", i, row->backlog_end,
              row->backlog_max);
    }
}

static void expect_status(const struct result *result, const struct scenario *scenario) {
    static const char *const statuses[] = {"loss", "steps", "seconds", "stalled", "diverged", "trace_end"};
    const struct run_row *run = &result->run;
    bool known = false;
    for (size_t q = 0; q < sizeof statuses / sizeof *statuses; q++)
        known |= run->status && strcmp(run->status, statuses[q]) == 0;
    HOLDS(known, "%s", run->status ? run->status : "none");
    HOLDS(run->steps <= scenario->stop.steps, "%u", run->steps);
    HOLDS(known && (strcmp(run->status, "steps") != 0 || run->steps == scenario->stop.steps), "%u",
          run->steps);
}

static void expect_same(const struct sheet *one, const struct sheet *other, const char *what) {
    bool same = one->length == other->length;
    HOLDS(same && (one->length == 0 || memcmp(one->text, other->text, one->length) == 0), "%s", what);
}

/* The rows of a run, events apart. */
static void render(struct rendering *rendering, const struct plan *plan, const struct result *result) {
    rendering_init(rendering, plan);
    rendering_add(rendering, &plan->contest[0], 0, result);
}

/* That events are kept changes nothing else. */
static void expect_unchanged_without_events(const struct plan *plan, const struct result *result) {
    struct point *point = &plan->point[0];
    struct trial_spec spec = {point->scenario, plan->contest[0].entry, 0};
    struct rendering with, without;
    render(&with, plan, result);
    point->scenario->record.events = false;
    struct result *other = run_whole(&spec);
    render(&without, plan, other);
    point->scenario->record.events = true;
    expect_same(&with.steps, &without.steps, "steps.csv without events");
    expect_same(&with.runs, &without.runs, "runs.csv without events");
    expect_same(&with.workers, &without.workers, "workers.csv without events");
    rendering_fini(&with);
    rendering_fini(&without);
    result_free(other);
}

static void run_and_look(const struct plan *plan) {
    const struct scenario *scenario = plan->point[0].scenario;
    const struct scheme_entry *entry = plan->contest[0].entry;
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    struct setting setting = scenario_setting(scenario, entry);
    struct limits limits = scheme->limits(entry->scheme.params, &setting);
    plan->point[0].scenario->record.events = true;
    struct result *result = run_whole(&(struct trial_spec){scenario, entry, 0});
    expect_status(result, scenario);
    expect_steps(result, setting.shape, scenario->objective.data != NULL);
    expect_seconds(result);
    expect_workers(result, scenario_accumulated(scenario));
    walk_moments(result, &limits);
    expect_unchanged_without_events(plan, result);
    result_free(result);
}

enum walked walk(const struct combination *combination) {
    struct plan plan;
    struct diag *diag = diag_new();
    begin_text(combination);
    add_scheme(combination, "");
    watch(PATIENCE_S);
    bool good = read_plan(&plan, diag);
    if (good)
        run_and_look(&plan);
    else
        expect_sentences(diag, combination->mistakes);
    watch_no_more();
    plan_fini(&plan);
    diag_free(diag);
    return good ? WALKED_RUN : WALKED_REFUSED;
}

static bool is_refused(const struct combination *combination) {
    struct plan plan;
    struct diag *diag = diag_new();
    begin_text(combination);
    add_scheme(combination, "");
    bool good = read_plan(&plan, diag);
    plan_fini(&plan);
    diag_free(diag);
    return !good;
}

static bool append(void *context, size_t contest, uint32_t replication, const struct result *result,
                   const struct rendering *rendering) {
    const struct sheet *const sheets[] = {&rendering->steps, &rendering->runs, &rendering->workers,
                                          &rendering->events};
    (void)contest, (void)replication, (void)result;
    for (size_t s = 0; s < 4; s++)
        if (sheets[s]->length > 0)
            fwrite(sheets[s]->text, 1, sheets[s]->length, context);
    return true;
}

static char *all_rows(const struct plan *plan, unsigned threads, size_t *length) {
    char *text = NULL;
    FILE *stream = open_memstream(&text, length);
    cr_expect(all_runs(plan, threads, (struct receiver){append, stream}));
    fclose(stream);
    return text;
}

void walk_together(const struct combination *combination, size_t combinations) {
    struct plan plan;
    struct diag *diag = diag_new();
    static bool refused[1024];
    cr_assert(lt(sz, combinations, sizeof refused / sizeof *refused));
    for (size_t c = 0; c < combinations; c++)
        refused[c] = is_refused(&combination[c]);
    begin_text(&combination[0]);
    for (size_t c = 0; c < combinations; c++) {
        char label[16];
        snprintf(label, sizeof label, "s%zu", c);
        if (!refused[c])
            add_scheme(&combination[c], label);
    }
    watch(STUDY_PATIENCE_S);
    bool good = read_plan(&plan, diag);
    diag_print(diag, stderr);
    cr_assert(good, "refused together\n%s", walked_text);
    size_t one_length, four_length;
    char *one = all_rows(&plan, 1, &one_length), *four = all_rows(&plan, 4, &four_length);
    HOLDS(one_length == four_length && memcmp(one, four, one_length) == 0, "one thread and four");
    watch_no_more();
    free(one);
    free(four);
    plan_fini(&plan);
    diag_free(diag);
}
