#include "file.h"
#include "folder.h"
#include "old_folder.h"
#include "scratch.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static struct scratch scratch;
static struct sentence why;

static void set_up(void) {
    scratch = scratch_new();
    why.text[0] = '\0';
}
static void tear_down(void) {
    scratch_free(&scratch);
}
TestSuite(folder, .init = set_up, .fini = tear_down);

static const char *at(const char *name) {
    return scratch_path(&scratch, name);
}

static void put(struct folder *folder, const char *name, const char *text) {
    cr_expect(folder_append(folder, name, text, strlen(text)), "%s", name);
}

/* A complete results folder called `name`, whose runs.csv holds `text`. */
static void make_results(const char *name, const char *text) {
    struct folder *folder = folder_new(at(name), KEEP_EXISTING, &why);
    cr_assert(folder != NULL, "%s", why.text);
    put(folder, "runs.csv", text);
    folder_write(folder, "manifest.json", "{}", 2);
    cr_assert(folder_finish(folder, &why), "%s", why.text);
    folder_free(folder);
}

static bool refused(const char *name, enum replacing replacing) {
    struct folder *folder = folder_new(at(name), replacing, &why);
    bool none = folder == NULL;
    folder_free(folder);
    return none;
}

Test(folder, appears_only_when_finished) {
    struct folder *folder = folder_new(at("deep/down/new"), KEEP_EXISTING, &why);
    cr_assert(folder != NULL, "%s", why.text);
    put(folder, "steps.csv", "a\n");
    put(folder, "runs.csv", "x\n");
    put(folder, "steps.csv", "b\n");
    cr_expect(folder_write(folder, "manifest.json", "{1}", 3));
    cr_expect(folder_write(folder, "manifest.json", "{2}", 3));
    cr_expect(not(scratch_has(&scratch, "deep/down/new")));
    cr_expect(eq(str, (char *)folder_path(folder), (char *)at("deep/down/new.partial")));
    cr_expect(folder_finish(folder, &why), "%s", why.text);
    cr_expect(eq(str, (char *)folder_path(folder), (char *)at("deep/down/new")));
    folder_free(folder);
    cr_expect(scratch_holds(&scratch, "deep/down/new/steps.csv", "a\nb\n"));
    cr_expect(scratch_holds(&scratch, "deep/down/new/runs.csv", "x\n"));
    cr_expect(scratch_holds(&scratch, "deep/down/new/manifest.json", "{2}"));
    cr_expect(not(scratch_has(&scratch, "deep/down/new.partial")));
    cr_expect(not(scratch_has(&scratch, "deep/down/new/manifest.json.partial")));
}

Test(folder, is_left_partial_when_not_finished) {
    struct folder *folder = folder_new(at("new"), KEEP_EXISTING, &why);
    put(folder, "steps.csv", "a\n");
    folder_free(folder);
    cr_expect(scratch_holds(&scratch, "new.partial/steps.csv", "a\n"));
    cr_expect(not(scratch_has(&scratch, "new")));
    cr_expect(refused("new", KEEP_EXISTING));
    cr_expect(strstr(why.text, "did not finish") != NULL, "%s", why.text);
}

Test(folder, replaces_only_when_asked) {
    make_results("old", "1\n");
    cr_expect(refused("old", KEEP_EXISTING));
    cr_expect(strstr(why.text, "exists already") != NULL, "%s", why.text);
    struct folder *folder = folder_new(at("old/"), REPLACE_EXISTING, &why);
    cr_assert(folder != NULL, "%s", why.text);
    put(folder, "steps.csv", "2\n");
    cr_expect(scratch_holds(&scratch, "old/runs.csv", "1\n"),
              "the old one stays until the new one is complete");
    cr_expect(folder_finish(folder, &why), "%s", why.text);
    folder_free(folder);
    cr_expect(scratch_holds(&scratch, "old/steps.csv", "2\n"));
    cr_expect(not(scratch_has(&scratch, "old/runs.csv")));
    cr_expect(not(scratch_has(&scratch, "old.replaced")));
}

Test(folder, replaces_an_unfinished_one_and_an_empty_one) {
    scratch_make_folder(&scratch, "new");
    struct folder *folder = folder_new(at("new"), REPLACE_EXISTING, &why);
    cr_assert(folder != NULL, "%s", why.text);
    folder_write(folder, "manifest.json", "{}", 2);
    folder_free(folder);
    folder = folder_new(at("new"), REPLACE_EXISTING, &why);
    cr_assert(folder != NULL, "%s", why.text);
    cr_expect(folder_finish(folder, &why), "%s", why.text);
    folder_free(folder);
    cr_expect(not(scratch_has(&scratch, "new.partial")));
    cr_expect(not(scratch_has(&scratch, "new/manifest.json")));
}

/* What must never be removed, whatever was asked: each case stands at `kept`. */
static void foreign_file(void) {
    make_results("kept", "1\n");
    scratch_write(&scratch, "kept/notes.txt", "mine");
}
static void foreign_figure(void) {
    make_results("kept", "1\n");
    scratch_make_folder(&scratch, "kept/figures");
    scratch_write(&scratch, "kept/figures/photo.jpg", "mine");
}
static void foreign_folder(void) {
    make_results("kept", "1\n");
    scratch_make_folder(&scratch, "kept/more.csv");
}
static void no_manifest(void) {
    scratch_make_folder(&scratch, "kept");
    scratch_write(&scratch, "kept/runs.csv", "mine");
}
static void plain_file(void) {
    scratch_write(&scratch, "kept", "mine");
}
static void link_to_results(void) {
    make_results("elsewhere", "1\n");
    cr_assert(symlink(at("elsewhere"), at("kept")) == 0);
}
static void link_inside(void) {
    make_results("kept", "1\n");
    scratch_write(&scratch, "outside.csv", "mine");
    cr_assert(symlink(at("outside.csv"), at("kept/steps.csv")) == 0);
}
static void linked_figures(void) {
    make_results("kept", "1\n");
    scratch_make_folder(&scratch, "outside");
    scratch_write(&scratch, "outside/a.csv", "mine");
    cr_assert(symlink(at("outside"), at("kept/figures")) == 0);
}

static const struct {
    const char *name;
    void (*make)(void);
    const char *survivor, *reason;
} never_replaced[] = {
    {"foreign file", foreign_file, "kept/notes.txt", "holds notes.txt, which is not one of its results"},
    {"foreign figure", foreign_figure, "kept/figures/photo.jpg", "holds figures/photo.jpg"},
    {"foreign folder", foreign_folder, "kept/more.csv", "holds more.csv"},
    {"no manifest", no_manifest, "kept/runs.csv", "no manifest.json"},
    {"plain file", plain_file, "kept", "is not a folder"},
    {"link to results", link_to_results, "elsewhere/runs.csv", "is not a folder"},
    {"link inside", link_inside, "outside.csv", "holds steps.csv"},
    {"linked figures", linked_figures, "outside/a.csv", "holds figures"},
};

Test(folder, never_replaces_what_is_not_results) {
    for (size_t i = 0; i < sizeof never_replaced / sizeof *never_replaced; i++) {
        struct scratch outer = scratch;
        scratch = scratch_new();
        never_replaced[i].make();
        cr_expect(refused("kept", REPLACE_EXISTING), "%s", never_replaced[i].name);
        cr_expect(strstr(why.text, never_replaced[i].reason) != NULL, "%s: %s", never_replaced[i].name,
                  why.text);
        cr_expect(scratch_has(&scratch, never_replaced[i].survivor), "%s", never_replaced[i].name);
        cr_expect(not(scratch_has(&scratch, "kept.partial")), "%s", never_replaced[i].name);
        scratch_free(&scratch);
        scratch = outer;
    }
}

Test(folder, removes_figures_with_the_old_results) {
    make_results("old", "1\n");
    scratch_make_folder(&scratch, "old/figures");
    scratch_write(&scratch, "old/figures/loss-time.gp", "plot");
    scratch_write(&scratch, "old/figures/loss-time.csv", "1");
    scratch_write(&scratch, "old/figures/loss-time.svg", "<svg/>");
    cr_expect(old_folder_replaceable(at("old"), &why), "%s", why.text);
    cr_expect(old_folder_remove(at("old"), &why), "%s", why.text);
    cr_expect(not(scratch_has(&scratch, "old")));
}

Test(folder, keeps_what_came_into_an_old_folder_meanwhile) {
    make_results("old", "1\n");
    struct folder *folder = folder_new(at("old"), REPLACE_EXISTING, &why);
    scratch_write(&scratch, "old/notes.txt", "mine");
    cr_expect(not(folder_finish(folder, &why)));
    cr_expect(strstr(why.text, "holds notes.txt") != NULL, "%s", why.text);
    cr_expect(scratch_has(&scratch, "old/notes.txt"));
    folder_free(folder);
    cr_expect(scratch_has(&scratch, "old.partial"));
}

Test(folder, refuses_names_that_are_none) {
    static const char *const names[] = {"", "/", ".", "..", "a/..", "a/."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect(folder_new(names[i], KEEP_EXISTING, &why) == NULL, "\"%s\"", names[i]);
}

Test(folder, tells_that_a_parent_is_a_file) {
    scratch_write(&scratch, "file", "");
    cr_expect(refused("file/new", KEEP_EXISTING));
    cr_expect(strstr(why.text, "Not a directory") != NULL, "%s", why.text);
}

/* A limit on the size of files stands for a full disk: both fail in write. */
Test(folder, remembers_a_failed_write) {
    signal(SIGXFSZ, SIG_IGN);
    struct folder *folder = folder_new(at("new"), KEEP_EXISTING, &why);
    struct rlimit limit = {1000, 1000};
    cr_assert(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    static char much[1 << 20];
    folder_append(folder, "steps.csv", much, sizeof much);
    folder_append(folder, "steps.csv", "x", 1);
    cr_expect(not(folder_write(folder, "manifest.json", "{}", 2)), "an earlier failure is not forgotten");
    cr_expect(not(folder_finish(folder, &why)));
    cr_expect(strstr(why.text, "cannot write") != NULL && strstr(why.text, "steps.csv") != NULL, "%s",
              why.text);
    cr_expect(not(scratch_has(&scratch, "new")));
    folder_free(folder);
}

/* Rows that were added are with the system, so that they outlive the process: there is no buffer to fill. */
Test(folder, notices_a_small_write_that_fails_at_once) {
    signal(SIGXFSZ, SIG_IGN);
    struct folder *folder = folder_new(at("new"), KEEP_EXISTING, &why);
    struct rlimit limit = {10, 10};
    cr_assert(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    cr_expect(not(folder_append(folder, "steps.csv", "more than ten bytes", 19)));
    cr_expect(strstr(folder_failure(folder), "steps.csv: File too large") != NULL, "%s",
              folder_failure(folder));
    cr_expect(not(folder_finish(folder, &why)));
    cr_expect(strstr(why.text, "steps.csv") != NULL, "%s", why.text);
    cr_expect(not(scratch_has(&scratch, "new")));
    folder_free(folder);
}

Test(folder, replaces_a_file_only_when_it_is_whole) {
    scratch_write(&scratch, "a.csv", "old");
    cr_expect(file_replace(at("a.csv"), "new", 3));
    cr_expect(scratch_holds(&scratch, "a.csv", "new"));
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {10, 10};
    cr_assert(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    cr_expect(not(file_replace(at("a.csv"), "much longer than ten bytes", 26)));
    cr_expect(scratch_holds(&scratch, "a.csv", "new"));
    cr_expect(not(scratch_has(&scratch, "a.csv.partial")));
}

/* Two runs at once into one folder: the second is refused, whatever it asks, and told why. */
Test(folder, one_run_at_a_time) {
    struct folder *first = folder_new(at("busy"), KEEP_EXISTING, &why);
    cr_assert(first != NULL, "%s", why.text);
    folder_write(first, "manifest.json", "{}", 2);
    cr_expect(refused("busy", KEEP_EXISTING));
    cr_expect(refused("busy", REPLACE_EXISTING));
    cr_expect(strstr(why.text, "is being written by another run") != NULL, "%s", why.text);
    folder_free(first);
    cr_expect(refused("busy", KEEP_EXISTING));
    cr_expect(strstr(why.text, "did not finish") != NULL, "%s", why.text);
    struct folder *second = folder_new(at("busy"), REPLACE_EXISTING, &why);
    cr_expect(second != NULL, "%s", why.text);
    folder_free(second);
}

/* A script of the user's own among the figures is not the program's to remove. */
Test(folder, keeps_strange_figures) {
    make_results("pictures", "x\n");
    scratch_make_folder(&scratch, "pictures/figures");
    scratch_write(&scratch, "pictures/figures/loss-time.gp", "g");
    scratch_write(&scratch, "pictures/figures/loss-time.csv", "c");
    scratch_write(&scratch, "pictures/figures/loss-time.png", "p");
    struct folder *folder = folder_new(at("pictures"), REPLACE_EXISTING, &why);
    cr_assert(folder != NULL, "%s", why.text);
    folder_free(folder);
    scratch_write(&scratch, "pictures/figures/mine.gp", "m");
    old_folder_remove(at("pictures.partial"), &why);
    cr_expect(refused("pictures", REPLACE_EXISTING));
    cr_expect(strstr(why.text, "figures/mine.gp") != NULL, "%s", why.text);
}

/* An unfinished folder is gone on with: what was cut off is away, what is added stands behind the rest. */
Test(folder, goes_on_where_it_was_left) {
    struct folder *folder = folder_new(at("new"), KEEP_EXISTING, &why);
    folder_write(folder, "manifest.json", "{}", 2);
    put(folder, "steps.csv", "a\nb\ntorn");
    put(folder, "runs.csv", "torn");
    folder_free(folder);
    folder = folder_reopen(at("new"), KEEP_EXISTING, &why);
    cr_assert(folder != NULL, "%s", why.text);
    cr_expect(folder_cut(folder, "steps.csv", 4));
    cr_expect(folder_cut(folder, "runs.csv", 0));
    cr_expect(not(folder_has(folder, "runs.csv")));
    put(folder, "steps.csv", "c\n");
    cr_expect(folder_sync(folder, "steps.csv") && folder_sync(folder, NULL));
    put(folder, "next", "1\n");
    cr_expect(folder_supersede(folder, "steps.csv", "next"));
    cr_expect(scratch_holds(&scratch, "new.partial/steps.csv", "1\n"));
    cr_expect(folder_finish(folder, &why), "%s", why.text);
    folder_free(folder);
    cr_expect(scratch_holds(&scratch, "new/steps.csv", "1\n"));
    cr_expect(not(scratch_has(&scratch, "new/next")));
    cr_expect(eq(ptr, folder_reopen(at("nowhere"), KEEP_EXISTING, &why), NULL));
}

/* Killed before its manifest stood, or where the old results were on their way out. */
Test(folder, begins_again_where_little_was_left) {
    scratch_make_folder(&scratch, "new.partial");
    scratch_write(&scratch, "new.partial/manifest.json.partial", "{");
    struct folder *folder = folder_reopen(at("new"), KEEP_EXISTING, &why);
    cr_assert(folder != NULL, "%s", why.text);
    folder_write(folder, "manifest.json", "{}", 2);
    cr_expect(folder_finish(folder, &why), "%s", why.text);
    folder_free(folder);
    scratch_make_folder(&scratch, "new.replaced");
    scratch_write(&scratch, "new.replaced/manifest.json", "{}");
    folder = folder_new(at("new"), REPLACE_EXISTING, &why);
    cr_assert(folder != NULL, "%s", why.text);
    cr_expect(folder_finish(folder, &why), "%s", why.text);
    folder_free(folder);
    cr_expect(not(scratch_has(&scratch, "new.replaced")));
}
