/* events.csv: what a hand would write on a small cluster, and what workers.csv says of the same runs, computed again from
 * the events alone. */
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two workers of 1 s and one of 2.5 s; the master needs 0.5 s to update; a late worker drops its task for the new model,
 * which is on its way 0.25 s. Messages of 1 byte at 4 bytes a second upload in 0.25 s. */
static const char by_hand[] = "name: hand\n"
                              "problem: {loss: none, message_bytes: 1}\n"
                              "stop: {steps: 2}\n"
                              "cluster:\n"
                              "  late: cancel\n"
                              "  master: {update: 500ms}\n"
                              "  network: {down: {latency: 250ms}, up: {bandwidth: 4}}\n"
                              "  workers: [{count: 2, compute: {type: constant, value: 1s}},\n"
                              "            {count: 1, compute: {type: constant, value: 2.5s}}]\n"
                              "schemes: [{type: ignore, stragglers: 1, label: a}]\n"
                              "record: {events: true}\n";
static const char by_hand_events[] = "point,scheme,replication,time_s,event,worker,step,part\n"
                                     "0,a,0,0,open,,0,\n"
                                     "0,a,0,0,sent,0,0,\n"
                                     "0,a,0,0,sent,1,0,\n"
                                     "0,a,0,0,sent,2,0,\n"
                                     "0,a,0,0.25,model,0,0,\n"
                                     "0,a,0,0.25,start,0,0,0\n"
                                     "0,a,0,0.25,model,1,0,\n"
                                     "0,a,0,0.25,start,1,0,0\n"
                                     "0,a,0,0.25,model,2,0,\n"
                                     "0,a,0,0.25,start,2,0,0\n"
                                     "0,a,0,1.25,finish,0,0,0\n"
                                     "0,a,0,1.25,finish,1,0,0\n"
                                     "0,a,0,1.5,heard,0,0,0\n"
                                     "0,a,0,1.5,heard,1,0,0\n"
                                     "0,a,0,1.5,close,,0,\n"
                                     "0,a,0,1.5,used,0,0,0\n"
                                     "0,a,0,1.5,used,1,0,0\n"
                                     "0,a,0,2,update,,0,\n"
                                     "0,a,0,2,open,,1,\n"
                                     "0,a,0,2,sent,0,1,\n"
                                     "0,a,0,2,sent,1,1,\n"
                                     "0,a,0,2,sent,2,1,\n"
                                     "0,a,0,2.25,model,0,1,\n"
                                     "0,a,0,2.25,start,0,1,0\n"
                                     "0,a,0,2.25,model,1,1,\n"
                                     "0,a,0,2.25,start,1,1,0\n"
                                     "0,a,0,2.25,model,2,1,\n"
                                     "0,a,0,2.25,dropped,2,0,0\n"
                                     "0,a,0,2.25,start,2,1,0\n"
                                     "0,a,0,3.25,finish,0,1,0\n"
                                     "0,a,0,3.25,finish,1,1,0\n"
                                     "0,a,0,3.5,heard,0,1,0\n"
                                     "0,a,0,3.5,heard,1,1,0\n"
                                     "0,a,0,3.5,close,,1,\n"
                                     "0,a,0,3.5,used,0,1,0\n"
                                     "0,a,0,3.5,used,1,1,0\n"
                                     "0,a,0,4,update,,1,\n"
                                     "0,a,0,4,end,,,\n";

Test(events, by_hand, .timeout = 120) {
    struct scratch scratch;
    scratch_init(&scratch);
    run_scenario(&scratch, "out", "1", "%s", by_hand);
    char *text = scratch_text(&scratch, "out/events.csv");
    cr_expect_str_eq(text, by_hand_events);
    free(text);
    scratch_fini(&scratch);
}

/* What a worker is about, and how many seconds it was. */
struct account {
    bool down, computing, warming;
    int uploads;
    double busy_s, idle_s, down_s;
};

static bool is(const char *event, const char *name) {
    return strcmp(event, name) == 0;
}

static void take(struct account *account, const char *event) {
    if (is(event, "start"))
        account->computing = true;
    if (is(event, "finish") || is(event, "dropped"))
        account->computing = false;
    account->uploads += is(event, "finish") - (is(event, "heard") || is(event, "late"));
    if (is(event, "dropped") || is(event, "gone"))
        account->uploads = 0;
    if (is(event, "absent") || is(event, "down") || is(event, "gone"))
        account->down = true;
    if (is(event, "up") || is(event, "join"))
        account->down = false;
    if (is(event, "warmup_start") || is(event, "warmup_finish"))
        account->warming = is(event, "warmup_start");
}

static void pass(struct account *account, double seconds, bool overlap) {
    bool busy = account->computing || account->warming || (account->uploads > 0 && !overlap);
    *(account->down ? &account->down_s : busy ? &account->busy_s : &account->idle_s) += seconds;
}

#define WORKERS 6
/* Clusters and the rules that they can be run by; all must give the same account. */
static const struct setting {
    const char *what, *cluster, *schemes;
    bool overlap;
} settings[] = {
    {"free network", "", "{type: ignore, stragglers: 2, label: a}", false},
    {"network", "  network: {down: {latency: 200ms, bandwidth: 2e3}, up: {latency: 100ms, bandwidth: 2e3}}\n",
     "{type: gc-cr, stragglers: 2, label: a}", false},
    {"shared link",
     "  network: {down: {latency: 200ms}, up: {latency: 100ms}}\n"
     "  master: {update: 300ms, link: {bandwidth: 3e3, sharing: fair}}\n",
     "{type: pgc-cr, stragglers: 2, label: a}", false},
    {"first come on the link", "  master: {link: {bandwidth: 2e3, sharing: fifo}}\n",
     "{type: isgc-cr, stragglers: 3, label: a}", false},
    {"overlap", "  overlap: true\n  network: {up: {latency: 300ms, bandwidth: 1e3}}\n",
     "{type: ignore, stragglers: 2, label: a}", true},
    {"deadline", "  network: {up: {latency: 300ms}}\n",
     "{type: ignore, stragglers: 2, wait: {type: deadline, seconds: 2s, min: 3}, label: a}", false},
    {"warm-up", "  network: {down: {latency: 9s}}\n",
     "{type: pgc-fr, stragglers: 2, warmup: timed, label: a}", false},
};
static const char *const failures[] = {
    "",
    ", failure: {mean_time_to_failure: 15s, mean_time_to_repair: 4s}",
    ", joins: 7s, leaves: 60s",
};
static const char *const lates[] = {"queue", "latest", "cancel"};

static void run_setting(const struct scratch *scratch, const struct setting *setting, const char *late,
                        const char *failure) {
    run_scenario(scratch, "out", "1",
                 "name: booked\n"
                 "problem: {loss: none, message_bytes: 1000}\n"
                 "stop: {steps: 60}\n"
                 "cluster:\n"
                 "  late: %s\n"
                 "%s"
                 "  workers: [{count: 4, compute: {type: constant, value: 0.5s},\n"
                 "             delay: {type: exponential, mean: 1s}},\n"
                 "            {count: 2, speed: 0.4, compute: {type: uniform, low: 0.5s, high: 1s}%s}]\n"
                 "schemes: [%s]\n"
                 "record: {events: true}\n",
                 late, setting->cluster, failure, setting->schemes);
}

/* Sums of at most some thousand differences of times of at most a few hundred seconds: their rounding stays below
 * 1e4 * 1e3 * 2^-53, about 1e-9. */
#define ROUNDING 1e-8

/* Ends at the time of the last event. */
static void account_events(const struct results *events, bool overlap, struct account account[WORKERS]) {
    double now_s = 0;
    bool in_order = true;
    for (size_t e = 0; e < events->rows; e++) {
        double time_s = results_number(events, e, "time_s");
        in_order &= now_s <= time_s;
        for (size_t i = 0; i < WORKERS; i++)
            pass(&account[i], time_s - now_s, overlap);
        now_s = time_s;
        if (*results_cell(events, e, "worker"))
            take(&account[(size_t)results_number(events, e, "worker")], results_cell(events, e, "event"));
    }
    cr_expect(in_order);
}

static void expect_seconds(const struct results *workers, size_t worker, const char *column, double seconds,
                           const char *what) {
    double booked = results_number(workers, worker, column);
    cr_expect(epsilon_eq(dbl, seconds, booked, ROUNDING), "%s: worker %zu: %s %.12g, booked %.12g", what,
              worker, column, seconds, booked);
}

static void expect_booked(const struct scratch *scratch, bool overlap, const char *what) {
    struct account account[WORKERS] = {{0}};
    struct results events, workers;
    results_init(&events, scratch, "out/events.csv");
    results_init(&workers, scratch, "out/workers.csv");
    cr_assert(eq(sz, workers.rows, WORKERS));
    cr_expect(lt(sz, 60 * WORKERS, events.rows), "%s", what);
    account_events(&events, overlap, account);
    for (size_t i = 0; i < WORKERS; i++) {
        expect_seconds(&workers, i, "busy_s", account[i].busy_s, what);
        expect_seconds(&workers, i, "idle_s", account[i].idle_s, what);
        expect_seconds(&workers, i, "down_s", account[i].down_s, what);
    }
    results_fini(&events);
    results_fini(&workers);
}

Test(events, give_the_booked_seconds_again, .timeout = 120) {
    struct scratch scratch;
    for (size_t q = 0; q < sizeof settings / sizeof *settings; q++)
        for (size_t l = 0; l < 3; l++)
            for (size_t f = 0; f < 3; f++) {
                char what[96];
                scratch_init(&scratch);
                snprintf(what, sizeof what, "%s, %s, workers '%s'", settings[q].what, lates[l], failures[f]);
                run_setting(&scratch, &settings[q], lates[l], failures[f]);
                expect_booked(&scratch, settings[q].overlap, what);
                scratch_fini(&scratch);
            }
}

/* Seconds of every task, and whether it was used. */
#define STEPS_ROOM 64
struct task_seconds {
    double spent_s;
    bool used;
};

/* A worker is on one task at a time; uploads take no time here. */
static void gather_tasks(const struct results *events, struct task_seconds task[WORKERS][STEPS_ROOM]) {
    struct task_seconds *on[WORKERS] = {NULL};
    double begun_s[WORKERS] = {0};
    for (size_t e = 0; e < events->rows; e++) {
        const char *event = results_cell(events, e, "event");
        double time_s = results_number(events, e, "time_s");
        for (size_t i = 0; is(event, "end") && i < WORKERS; i++)
            if (on[i])
                on[i]->spent_s += time_s - begun_s[i];
        if (!*results_cell(events, e, "worker") || !*results_cell(events, e, "part"))
            continue;
        size_t i = (size_t)results_number(events, e, "worker");
        struct task_seconds *its = &task[i][(size_t)results_number(events, e, "step")];
        its->used |= is(event, "used");
        if (is(event, "start"))
            begun_s[i] = time_s;
        if (is(event, "finish") || is(event, "dropped"))
            its->spent_s += time_s - begun_s[i];
        if (is(event, "start") || is(event, "finish") || is(event, "dropped"))
            on[i] = is(event, "start") ? its : NULL;
    }
}

static void expect_discarded(const struct scratch *scratch, const char *what) {
    struct task_seconds task[WORKERS][STEPS_ROOM] = {{{0}}};
    struct results events, runs;
    double wasted_s = 0;
    results_init(&events, scratch, "out/events.csv");
    results_init(&runs, scratch, "out/runs.csv");
    gather_tasks(&events, task);
    for (size_t i = 0; i < WORKERS; i++)
        for (size_t t = 0; t < STEPS_ROOM; t++)
            wasted_s += task[i][t].used ? 0 : task[i][t].spent_s;
    cr_expect(lt(dbl, 0, wasted_s), "%s", what);
    cr_expect(epsilon_eq(dbl, wasted_s, results_number(&runs, 0, "discarded_s"), ROUNDING), "%s", what);
    results_fini(&events);
    results_fini(&runs);
}

/* Where a task is one evaluation, the discarded seconds are those of the tasks that no event calls used. */
Test(events, used_tells_what_was_not_discarded, .timeout = 120) {
    static const char *const schemes[] = {"{type: ignore, stragglers: 3, label: a}",
                                          "{type: pgc-cr, stragglers: 3, label: a}",
                                          "{type: pgc-fr, stragglers: 2, label: a}"};
    for (size_t q = 0; q < 3; q++)
        for (size_t l = 0; l < 3; l++) {
            struct scratch scratch;
            char what[96];
            scratch_init(&scratch);
            snprintf(what, sizeof what, "%s, %s", schemes[q], lates[l]);
            run_setting(&scratch, &(struct setting){"", "", schemes[q], false}, lates[l], "");
            expect_discarded(&scratch, what);
            scratch_fini(&scratch);
        }
}

#define FRAME                                                                                                \
    "name: alike\n"                                                                                          \
    "replications: 3\n"                                                                                      \
    "problem: {loss: logistic, data: {type: synthetic, samples: 60, features: 4}}\n"                         \
    "optimizer: {learning_rate: 0.3}\n"                                                                      \
    "stop: {steps: 30}\n"                                                                                    \
    "cluster: {workers: [{count: 6, delay: {type: exponential, mean: 1s},\n"                                 \
    "          failure: {mean_time_to_failure: 20s, mean_time_to_repair: 3s}}]}\n"                           \
    "schemes: [{type: gc-fr, stragglers: 1, label: a}, {type: pgc-cr, stragglers: 2, warmup: timed, "        \
    "label: b}]\n"                                                                                           \
    "record: {events: %s}\n"

static void expect_same_file(const struct scratch *scratch, const char *one, const char *other,
                             const char *file) {
    char name[64];
    snprintf(name, sizeof name, "%s/%s", one, file);
    char *a = scratch_text(scratch, name);
    snprintf(name, sizeof name, "%s/%s", other, file);
    char *b = scratch_text(scratch, name);
    cr_assert(a && b, "%s is missing", file);
    cr_expect(strcmp(a, b) == 0, "%s of %s and %s", file, one, other);
    free(a);
    free(b);
}

Test(events, same_bytes_on_any_number_of_threads_and_no_change_elsewhere, .timeout = 120) {
    static const char *const others[] = {"steps.csv", "runs.csv", "workers.csv", "summary.csv"};
    struct scratch scratch;
    scratch_init(&scratch);
    run_scenario(&scratch, "one", "1", FRAME, "true");
    run_scenario(&scratch, "two", "2", FRAME, "true");
    run_scenario(&scratch, "none", "2", FRAME, "false");
    expect_same_file(&scratch, "one", "two", "events.csv");
    for (size_t f = 0; f < 4; f++)
        expect_same_file(&scratch, "two", "none", others[f]);
    cr_expect(scratch_text(&scratch, "none/events.csv") == NULL);
    scratch_fini(&scratch);
}

/* A warm-up that the clock counts, and workers that are there from the start. */
Test(events, tell_the_warm_up, .timeout = 120) {
    struct scratch scratch;
    scratch_init(&scratch);
    run_setting(&scratch, &(struct setting){"", "", "{type: pgc-fr, stragglers: 2, warmup: timed, label: a}"},
                "queue", "");
    char *text = scratch_text(&scratch, "out/events.csv");
    cr_expect(strstr(text, "0,a,0,0,warmup_start,5,,\n") != NULL);
    free(text);
    expect_booked(&scratch, false, "warm-up");
    scratch_fini(&scratch);
}
