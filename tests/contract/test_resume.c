/* Nothing that is finished is lost: a run that is killed, interrupted, or out of room leaves a folder from which --resume
 * goes on to the same bytes, and computes nothing again. */
#include "folders.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

/* Files of every kind, and points that repeat an earlier one's uncoded runs. */
#define PLAIN                                                                                                \
    "name: plain\nseed: 3\nreplications: 5\n"                                                                \
    "problem: {loss: logistic, l2: 0.01, data: {type: synthetic, samples: 240, features: 20}}\n"             \
    "optimizer: {learning_rate: 0.1}\nstop: {steps: 60}\n"                                                   \
    "cluster: {workers: [{count: 12, compute: {type: constant, value: 0.5s}, "                               \
    "delay: {type: exponential, mean: 1s}}]}\n"                                                              \
    "schemes: [{type: uncoded, label: \"a,b \\\"c\\\"\"}, {type: gc-cr, stragglers: 1}, "                    \
    "{type: pgc-cr, stragglers: 1}]\n"                                                                       \
    "record: {audit: true, events: true}\nsweep: {schemes.stragglers: [1, 2, 3], seed: [3, 4]}\n"
/* Replications decided on the way; rows are put in order at the end. */
#define DECIDED                                                                                              \
    "name: decided\nseed: 3\nreplications: {half_width: 0.012, max: 75}\nproblem: {loss: none}\n"            \
    "stop: {steps: 200}\n"                                                                                   \
    "cluster: {workers: [{count: 12, delay: {type: exponential, mean: 1s}}]}\n"                              \
    "schemes: [{type: uncoded}, {type: ignore, stragglers: 1}, {type: pgc-cr, stragglers: 1}]\n"             \
    "sweep: {schemes.stragglers: [1, 2, 3]}\n"

/* Step sizes are found first, by runs that are kept as well. */
#define TUNED                                                                                                \
    "name: tuned\nseed: 3\nreplications: 2\ntune: {learning_rate: [0.1, 10]}\n"                              \
    "problem: {loss: logistic, l2: 0.01, data: {type: synthetic, samples: 2400, features: 20}}\n"            \
    "optimizer: {learning_rate: 0.1}\nstop: {steps: 60}\n"                                                   \
    "cluster: {workers: [{count: 12, delay: {type: exponential, mean: 1s}}]}\n"                              \
    "schemes: [{type: uncoded}, {type: pgc-cr, stragglers: 1}]\n"

struct kind {
    const char *name, *scenario, *options;
    int kills;
};
static const struct kind kinds[] = {
    {"plain", PLAIN, "", 30},
    {"decided", DECIDED, "", 12},
    {"shard", PLAIN, " --shard 1/3", 8},
    {"tuned", TUNED, "", 8},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static void write_scenario(const struct scratch *scratch, const struct kind *kind) {
    scratch_write_text(scratch, "scenario.yaml", kind->scenario);
}

static void run_kind(const struct scratch *scratch, const struct kind *kind, const char *more) {
    char words[256];
    snprintf(words, sizeof words, "run scenario.yaml -q%s %s", kind->options, more);
    run_well(scratch, words);
}

static bool is_there(const struct scratch *scratch, const char *name) {
    char path[256];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", scratch->path, name);
    return stat(path, &status) == 0;
}

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Starts the kind into `out`, kills it after `seconds`; false when it was through before. */
static bool killed_after(const struct scratch *scratch, const struct kind *kind, double seconds) {
    char words[256];
    struct timespec pause = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    int status;
    snprintf(words, sizeof words, "run scenario.yaml -o out --resume -j 2 -q%s", kind->options);
    pid_t child = scratch_start(scratch, words_of(words));
    nanosleep(&pause, NULL);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    bool good = WIFSIGNALED(status) || WEXITSTATUS(status) == 0;
    cr_assert(good, "%s: resumed with exit %d", kind->name, WEXITSTATUS(status));
    return WIFSIGNALED(status);
}

static void remove_folder(const struct scratch *scratch, const char *name) {
    struct scratch folder;
    snprintf(folder.path, sizeof folder.path, "%.40s/%.20s", scratch->path, name);
    scratch_fini(&folder);
}

/* Kills after random parts of the time that a run takes, again and again in the same folder until it is complete, then in
 * a new one, until it was killed so many times. */
static void kill_and_resume(const struct kind *kind) {
    struct scratch scratch;
    uint32_t random = 12345;
    scratch_init(&scratch);
    write_scenario(&scratch, kind);
    double begin_s = now_s();
    run_kind(&scratch, kind, "-o whole -j 2");
    double whole_s = now_s() - begin_s;
    for (int kills = 0, rounds = 0; kills < kind->kills; rounds++) {
        cr_assert(rounds < 10 * kind->kills, "%s is never killed in time", kind->name);
        random = random * 1664525 + 1013904223;
        if (killed_after(&scratch, kind, whole_s * (random >> 8) / 0x1000000)) {
            kills++;
            continue;
        }
        expect_same_folders(&scratch, "whole", "out", kind->name);
        remove_folder(&scratch, "out");
    }
    run_kind(&scratch, kind, "-o out --resume");
    expect_same_folders(&scratch, "whole", "out", kind->name);
    cr_expect(not(is_there(&scratch, "out.partial")));
    scratch_fini(&scratch);
}

Test(resume, killed_at_random_moments, .timeout = 300) {
    for (size_t k = 0; k < KINDS; k++)
        kill_and_resume(&kinds[k]);
}

/* A folder `out.partial` in which what a kind's journal says of `last` is finished, and not all. */
static void leave_unfinished(const struct scratch *scratch, const struct kind *kind, const char *last) {
    bool enough = false;
    write_scenario(scratch, kind);
    for (double seconds = 0.02; !enough; seconds *= 1.1) {
        if (!killed_after(scratch, kind, seconds)) {
            remove_folder(scratch, "out");
            seconds /= 2;
        }
        char *journal = scratch_text(scratch, "out.partial/runs.journal");
        enough = journal && strstr(journal, last);
        free(journal);
    }
}

static void copy_folder(const struct scratch *scratch, const char *from, const char *to) {
    char command[512];
    snprintf(command, sizeof command, "cp -r %s/%s %s/%s", scratch->path, from, scratch->path, to);
    cr_assert(eq(int, system(command), 0));
}

/* What a power cut may leave: the tail of any file gone, whatever the others hold, or not what was written. */
static void damage(const struct scratch *scratch, const char *name, uint32_t random) {
    char path[256];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", scratch->path, name);
    if (stat(path, &status) != 0 || status.st_size == 0)
        return;
    off_t at = (off_t)(random >> 1) % status.st_size;
    if (random & 1) {
        cr_assert(eq(int, truncate(path, at), 0));
        return;
    }
    FILE *file = fopen(path, "r+");
    fseeko(file, at, SEEK_SET);
    int byte = fgetc(file);
    fseeko(file, at, SEEK_SET);
    fputc(byte ^ 4, file);
    fclose(file);
}

static const char *const grown[] = {"runs.journal", "steps.csv",  "runs.csv",      "workers.csv",
                                    "events.csv",   "bounds.csv", "partitions.csv"};

Test(resume, whatever_a_power_cut_leaves, .timeout = 300) {
    struct scratch scratch;
    uint32_t random = 7;
    scratch_init(&scratch);
    leave_unfinished(&scratch, &kinds[0], "|5 ");
    run_kind(&scratch, &kinds[0], "-o whole");
    copy_folder(&scratch, "out.partial", "kept");
    for (size_t f = 0; f < sizeof grown / sizeof *grown; f++)
        for (int c = 0; c < 2; c++) {
            char name[64];
            remove_folder(&scratch, "out.partial");
            copy_folder(&scratch, "kept", "out.partial");
            snprintf(name, sizeof name, "out.partial/%s", grown[f]);
            random = random * 1664525 + 1013904223;
            damage(&scratch, name, (random >> 3) * 2 + (c & 1));
            run_kind(&scratch, &kinds[0], "-o out --resume");
            expect_same_folders(&scratch, "whole", "out", grown[f]);
            remove_folder(&scratch, "out");
        }
    scratch_fini(&scratch);
}

/* Gives a line of the journal the checksum of what it says now. */
static void sign_line(char *line) {
    char *end = strchr(line, '\n'), sum[9];
    snprintf(sum, sizeof sum, "%08lx", crc32(0, (unsigned char *)line, (unsigned)(end - 8 - line)));
    memcpy(end - 8, sum, 8);
}

/* A number in a finished row is changed, and its checksums so that the row still counts as written: if it is there in the end,
 * the run was not computed again. */
Test(resume, finished_runs_are_not_computed_again, .timeout = 300) {
    struct scratch scratch;
    scratch_init(&scratch);
    leave_unfinished(&scratch, &kinds[0], "|5 ");
    char *journal = scratch_text(&scratch, "out.partial/runs.journal");
    char *runs = scratch_text(&scratch, "out.partial/runs.csv");
    char *line = strchr(journal, '\n') + 1, *block = strchr(runs, '\n') + 1;
    char *row_sum = strchr(strchr(line, ' ') + 1, ':') + 1, sum[9];
    size_t block_bytes = (size_t)(strchr(block, '\n') + 1 - block);
    char *steps = strstr(block, ",steps,60,");
    cr_assert_not_null(steps);
    steps[7] = '7';
    snprintf(sum, sizeof sum, "%08lx", crc32(0, (unsigned char *)block, (unsigned)block_bytes));
    memcpy(row_sum, sum, 8);
    sign_line(line);
    scratch_write_text(&scratch, "out.partial/runs.csv", runs);
    scratch_write_text(&scratch, "out.partial/runs.journal", journal);
    run_kind(&scratch, &kinds[0], "-o out --resume");
    free(runs);
    runs = scratch_text(&scratch, "out/runs.csv");
    cr_expect(strstr(runs, ",steps,70,") != NULL, "the first run was computed again");
    free(runs);
    free(journal);
    scratch_fini(&scratch);
}

/* So is the loss of a run by which a step size was tried: only the first of them reads otherwise in the end. */
Test(resume, runs_that_tune_are_not_computed_again, .timeout = 300) {
    const struct kind *tuned = &kinds[KINDS - 1];
    struct scratch scratch;
    scratch_init(&scratch);
    leave_unfinished(&scratch, tuned, "|kept ");
    run_kind(&scratch, tuned, "-o whole");
    char *journal = scratch_text(&scratch, "out.partial/runs.journal");
    char *line = strchr(journal, '\n') + 1,
         *digit = strstr(strchr(strstr(line, "kept ") + 5, ' '), "0x1.") + 4;
    *digit = *digit == '2' ? '3' : '2';
    sign_line(line);
    scratch_write_text(&scratch, "out.partial/runs.journal", journal);
    run_kind(&scratch, tuned, "-o out --resume");
    char *whole = scratch_text(&scratch, "whole/tune.csv"), *out = scratch_text(&scratch, "out/tune.csv");
    char *first = strchr(strchr(whole, '\n') + 1, '\n'), *own = strchr(strchr(out, '\n') + 1, '\n');
    cr_expect_str_neq(whole, out, "the first run was computed again");
    cr_expect_str_eq(first, own);
    free(whole);
    free(out);
    free(journal);
    scratch_fini(&scratch);
}

/* From its first line on a journal says what the folder is about. */
static bool has_begun(const struct scratch *scratch, const char *journal) {
    char *text = scratch_text(scratch, journal);
    bool begun = text && strchr(text, '\n');
    free(text);
    return begun;
}

static pid_t start_long_run(const struct scratch *scratch) {
    write_scenario(scratch, &kinds[0]);
    pid_t child = scratch_start(scratch, words_of("run scenario.yaml -o long -q --set stop.steps=100000000 "
                                                  "--set record.events=false --set record.every=summary"));
    while (!has_begun(scratch, "long.partial/runs.journal"))
        usleep(1000);
    return child;
}

static void interrupt(const struct scratch *scratch, pid_t child, int sent, const char *said) {
    int status;
    kill(child, sent);
    waitpid(child, &status, 0);
    cr_expect(eq(int, WIFSIGNALED(status) ? WTERMSIG(status) : 0, sent));
    char *text = scratch_text(scratch, "said");
    cr_expect(text && strstr(text, said), "%s", text);
    free(text);
}

/* Signals that people and batch systems send. */
Test(resume, interrupted_by_a_signal, .timeout = 300) {
    static const int sent[] = {SIGINT, SIGTERM};
    struct scratch scratch;
    scratch_init(&scratch);
    for (size_t s = 0; s < 2; s++) {
        interrupt(&scratch, start_long_run(&scratch), sent[s],
                  "interrupted; what is finished is kept in long.partial, and --resume goes on");
        struct outcome outcome = run_words(&scratch, "run scenario.yaml -o long --resume");
        cr_expect(eq(int, outcome.exit_code, 2));
        cr_expect(strstr(outcome.err, "is of another scenario: line") != NULL, "%s", outcome.err);
        outcome_fini(&outcome);
        remove_folder(&scratch, "long.partial");
    }
    scratch_fini(&scratch);
}

/* No folder is spoken of that is not there. */
Test(resume, interrupted_without_a_folder, .timeout = 300) {
    struct scratch scratch;
    scratch_init(&scratch);
    pid_t child = start_long_run(&scratch);
    remove_folder(&scratch, "long.partial");
    interrupt(&scratch, child, SIGINT, "interrupted; nothing was finished yet\n");
    scratch_fini(&scratch);
}

struct change {
    const char *arguments, *sentence;
};
static const struct change changes[] = {
    {"--set problem.l2=0.02", "l2: 0.02"},
    {"--set stop.steps=61", "\"stop: {steps: 60}\", now \"stop: {steps: 61}\""},
    {"--sweep schemes.stragglers=1,2", "schemes.stragglers"},
    {"--shard 0/2", "holds shard 0/1 of a study, not 0/2"},
};

Test(resume, not_of_a_changed_scenario, .timeout = 300) {
    struct scratch scratch;
    scratch_init(&scratch);
    leave_unfinished(&scratch, &kinds[0], "|5 ");
    for (int complete = 0; complete < 2; complete++) {
        for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
            char words[256];
            snprintf(words, sizeof words, "run scenario.yaml -o out -q --resume %s", changes[c].arguments);
            struct outcome outcome = run_words(&scratch, words);
            cr_expect(eq(int, outcome.exit_code, 2), "%s", words);
            cr_expect(strstr(outcome.err,
                             complete && c == 3 ? "does not hold this shard" : changes[c].sentence) != NULL,
                      "%s: %s", words, outcome.err);
            outcome_fini(&outcome);
        }
        run_kind(&scratch, &kinds[0], "-o out --resume");
    }
    struct outcome again = run_words(&scratch, "run scenario.yaml -o out --resume");
    cr_expect(strstr(again.out, "out is complete already") != NULL, "%s%s", again.out, again.err);
    outcome_fini(&again);
    scratch_fini(&scratch);
}

/* The data are part of what a folder is about, wherever they lie; of several files the one that changed is named. */
Test(resume, not_with_changed_data, .timeout = 300) {
    struct scratch scratch;
    scratch_init(&scratch);
    scratch_write_text(&scratch, "d.csv", "x,y\n1,0\n2,1\n3,0\n4,1\n");
    scratch_write_text(&scratch, "t.csv", "a,b\n1,2\n3,4\n");
    scratch_write_text(&scratch, "scenario.yaml",
                       "name: d\nproblem: {loss: logistic, data: {type: csv, path: d.csv, label: y}}\n"
                       "optimizer: {learning_rate: 0.1}\nstop: {steps: 5}\n"
                       "cluster: {workers: [{count: 2, delay: {type: trace, layout: wide, path: t.csv, "
                       "beyond: wrap}}]}\nschemes: [{type: uncoded}]\n");
    run_well(&scratch, "run scenario.yaml -o out -q");
    run_well(&scratch, "run scenario.yaml -o out -q --resume");
    static const char *const changed[][2] = {{"d.csv", "x,y\n1,0\n2,1\n3,0\n5,1\n"},
                                             {"t.csv", "a,b\n1,2\n3,5\n"}};
    for (size_t c = 0; c < 2; c++) {
        char *before = scratch_text(&scratch, changed[c][0]), sentence[64];
        snprintf(sentence, sizeof sentence, "%s has changed since out was begun", changed[c][0]);
        scratch_write_text(&scratch, changed[c][0], changed[c][1]);
        struct outcome outcome = run_words(&scratch, "run scenario.yaml -o out -q --resume");
        cr_expect(eq(int, outcome.exit_code, 2));
        cr_expect(strstr(outcome.err, sentence) != NULL, "%s", outcome.err);
        outcome_fini(&outcome);
        scratch_write_text(&scratch, changed[c][0], before);
        free(before);
    }
    scratch_fini(&scratch);
}

static void expect_full(const struct outcome *outcome, const char *reason, const char *name) {
    cr_expect(eq(int, outcome->exit_code, 1), "%s", name);
    cr_expect(strstr(outcome->err, reason) != NULL && strstr(outcome->err, "cannot write") != NULL &&
                  strstr(outcome->err, "--resume goes on") != NULL,
              "%s: %s", name, outcome->err);
}

/* Both ways to be out of room, for every kind: a file that may not grow beyond a limit, which ever rises… */
Test(resume, limited_files, .timeout = 300) {
    struct scratch scratch;
    scratch_init(&scratch);
    for (size_t k = 0; k < KINDS; k++) {
        struct rlimit limit;
        char words[128];
        write_scenario(&scratch, &kinds[k]);
        run_kind(&scratch, &kinds[k], "-o whole");
        snprintf(words, sizeof words, "run scenario.yaml -o out -q --resume%s", kinds[k].options);
        getrlimit(RLIMIT_FSIZE, &limit);
        int code = 1;
        for (rlim_t bytes = 1500; code != 0 && bytes < 1 << 28; bytes = bytes * 7 / 2) {
            setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes, limit.rlim_max});
            struct outcome outcome = run_words(&scratch, words);
            code = outcome.exit_code;
            setrlimit(RLIMIT_FSIZE, &limit);
            if (code != 0)
                expect_full(&outcome, "File too large", kinds[k].name);
            outcome_fini(&outcome);
        }
        cr_expect(eq(int, code, 0));
        expect_same_folders(&scratch, "whole", "out", kinds[k].name);
        remove_folder(&scratch, "out");
        remove_folder(&scratch, "whole");
    }
    scratch_fini(&scratch);
}

/* … and a file system that is full, then larger. */
Test(resume, full_file_system, .timeout = 300) {
    struct scratch scratch;
    scratch_init(&scratch);
    char small[128];
    snprintf(small, sizeof small, "%s/small", scratch.path);
    mkdir(small, 0777);
    if (mount("none", small, "tmpfs", 0, "size=200k") != 0) {
        scratch_fini(&scratch);
        cr_skip_test("no tmpfs may be mounted here; a limit on file sizes is tested in its place");
    }
    write_scenario(&scratch, &kinds[0]);
    run_kind(&scratch, &kinds[0], "-o whole");
    struct outcome outcome = run_words(&scratch, "run scenario.yaml -o small/out -q");
    expect_full(&outcome, "No space left on device", "tmpfs");
    outcome_fini(&outcome);
    outcome = run_words(&scratch, "run scenario.yaml -o small/out -q --resume");
    expect_full(&outcome, "No space left on device", "tmpfs, still full");
    outcome_fini(&outcome);
    int enlarged = mount("none", small, "tmpfs", MS_REMOUNT, "size=100m");
    outcome = run_words(&scratch, "run scenario.yaml -o small/out -q --resume");
    cr_expect(eq(int, enlarged, 0));
    cr_expect(eq(int, outcome.exit_code, 0), "%s", outcome.err);
    outcome_fini(&outcome);
    expect_same_folders(&scratch, "whole", "small/out", "tmpfs");
    umount(small);
    scratch_fini(&scratch);
}
