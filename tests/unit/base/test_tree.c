#include "path.h"
#include "sketch.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct arena *arena;

static void begin(void) {
    arena = arena_new();
}

static void end(void) {
    arena_free(arena);
}

TestSuite(tree, .init = begin, .fini = end);

#define STUDY                                                                                                \
    "{cluster: {workers: [{count: 3}, {count: 2, speed: 0.5}]}, schemes: [{type: gc-fr, stragglers: 1}, "    \
    "{type: "                                                                                                \
    "uncoded}], stop: {steps: 5}}"

Test(tree, holds_children_in_order) {
    struct node *root = sketch(arena, STUDY);
    cr_expect(eq(str, (char *)sketched(arena, root), (char *)STUDY));
    cr_expect(eq(sz, root->children, 3));
    cr_expect(eq(str, (char *)node_child(root, "stop")->key, (char *)"stop"));
    cr_expect(zero(ptr, node_child(root, "stops")));
    cr_expect(zero(ptr, node_child(node_child(root, "schemes"), "type")), "a list has no keys");
}

Test(tree, names_the_path_of_a_node) {
    struct node *root = sketch(arena, STUDY);
    struct node *second = node_child(node_child(root, "cluster"), "workers")->last;
    cr_expect(eq(str, (char *)node_path(arena, root), (char *)""));
    cr_expect(eq(str, (char *)node_path(arena, node_child(root, "stop")), (char *)"stop"));
    cr_expect(
        eq(str, (char *)node_path(arena, node_child(second, "speed")), (char *)"cluster.workers[1].speed"));
}

Test(tree, clones_deeply) {
    struct node *root = sketch(arena, STUDY);
    struct node *steps = node_child(node_child(root, "stop"), "steps");
    steps->implied = steps->quoted = true;
    steps->resolved = "a/b";
    struct arena *other = arena_new();
    struct node *copy = node_clone(other, root);
    struct node *copied = node_child(node_child(copy, "stop"), "steps");
    cr_expect(node_equal(root, copy));
    cr_expect(copied->implied && copied->quoted);
    cr_expect(eq(str, (char *)copied->resolved, (char *)"a/b"));
    cr_expect(eq(u32, copied->key_place.column, steps->key_place.column));
    cr_expect(eq(u32, copied->place.column, steps->place.column));
    cr_expect(ne(ptr, (void *)copied->text, (void *)steps->text));
    arena_free(other);
}

static const struct {
    const char *a, *b;
    bool equal;
} pairs[] = {{"{a: 1, b: 2}", "{b: 2, a: 1}", true},
             {"{a: 1}", "{a: '1'}", true},
             {"[1, 2]", "[1, 2]", true},
             {"{}", "{}", true},
             {"[1, 2]", "[2, 1]", false},
             {"{a: 1}", "{a: 1.0}", false},
             {"{a: 1}", "{b: 1}", false},
             {"{a: 1}", "{a: 1, b: 2}", false},
             {"{}", "[]", false},
             {"{a: {b: 1}}", "{a: {b: 2}}", false},
             {"[[1], [2]]", "[[1], [3]]", false}};

Test(tree, compares) {
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct node *a = sketch(arena, pairs[i].a), *b = sketch(arena, pairs[i].b);
        cr_expect(node_equal(a, b) == pairs[i].equal, "%s and %s", pairs[i].a, pairs[i].b);
        cr_expect(node_equal(b, a) == pairs[i].equal, "%s and %s", pairs[i].b, pairs[i].a);
    }
}

/* `after`: the tree, or why it was refused (`refused`). */
static const struct setting {
    const char *before, *path, *value, *after;
    bool refused;
} settings[] = {
    {"{a: 1}", "a", "2", "{a: 2}"},
    {"{a: 1, b: 2}", "a", "[x]", "{a: [x], b: 2}"},
    {"{a: 1}", "b", "2", "{a: 1, b: 2}"},
    {"{}", "a.b.c", "2", "{a: {b: {c: 2}}}"},
    {"{a: {b: 1}}", "a.c", "2", "{a: {b: 1, c: 2}}"},
    {"{w: [{n: 1}, {n: 2}]}", "w[1].n", "9", "{w: [{n: 1}, {n: 9}]}"},
    {"{w: [{n: 1}, {n: 2}]}", "w[1]", "{n: 9}", "{w: [{n: 1}, {n: 9}]}"},
    {"{w: [{n: 1}, {n: 2}]}", "w[0].m.k", "9", "{w: [{n: 1, m: {k: 9}}, {n: 2}]}"},
    {"{s: [{t: a, n: 1}, {t: b}]}", "s.n", "9", "{s: [{t: a, n: 9}, {t: b}]}"},
    {"{s: [{t: a}, {t: b}]}", "s.n", "9", "{s: [{t: a, n: 9}, {t: b, n: 9}]}"},
    {"{s: [{t: a, w: {k: 1}}, {t: b}]}", "s.w.k", "9", "{s: [{t: a, w: {k: 9}}, {t: b}]}"},
    {"{s: [{t: a}, {t: b}]}", "s.w.k", "9", "{s: [{t: a, w: {k: 9}}, {t: b, w: {k: 9}}]}"},
    {"[1, 2]", "[0]", "9", "[9, 2]"},
    {"{m: [[1, 2], [3, 4]]}", "m[1][0]", "9", "{m: [[1, 2], [9, 4]]}"},
    {"{a: 1}", "a.b", "2", "'a' is the single value '1': it holds no key 'b'", true},
    {"{a: {b: 1}}", "a.b.c.d", "2", "'a.b' is the single value '1': it holds no key 'c'", true},
    {"{w: [{n: 1}]}", "w[1].n", "2", "'w' has 1 entry, counted from [0]: there is no [1]", true},
    {"{w: []}", "w[0]", "2", "'w' has 0 entries, counted from [0]: there is no [0]", true},
    {"{w: []}", "w.n", "2", "'w' is an empty list: no entry can take 'n'", true},
    {"{w: {n: 1}}", "w[0]", "2", "'w' is a mapping: [0] needs a list", true},
    {"{w: 5}", "w[0]", "2", "'w' is a single value: [0] needs a list", true},
    {"{}", "w[0].n", "2", "the top level has no key 'w', so there is no [0]", true},
    {"{a: {}}", "a.b.c[2]", "2", "'a' has no key 'c', so there is no [2]", true},
    {"{}", "[0]", "2", "the top level is a mapping: [0] needs a list", true},
    {"{s: [{t: a}, x]}", "s.n", "9", "'s[1]' is the single value 'x': it holds no key 'n'", true},
    {"{}", "", "2", "'' is not a key path such as cluster.workers[1].count", true},
    {"{}", "a..b", "2", "'a..b' is not a key path such as cluster.workers[1].count", true},
    {"{}", ".a", "2", "'.a' is not a key path such as cluster.workers[1].count", true},
    {"{}", "a.", "2", "'a.' is not a key path such as cluster.workers[1].count", true},
    {"{}", "a.[0]", "2", "'a.[0]' is not a key path such as cluster.workers[1].count", true},
    {"{}", "a[", "2", "'a[' is not a key path such as cluster.workers[1].count", true},
    {"{}", "a[]", "2", "'a[]' is not a key path such as cluster.workers[1].count", true},
    {"{}", "a[-1]", "2", "'a[-1]' is not a key path such as cluster.workers[1].count", true},
    {"{}", "a[x]", "2", "'a[x]' is not a key path such as cluster.workers[1].count", true},
    {"{}", "a[0]b", "2", "'a[0]b' is not a key path such as cluster.workers[1].count", true},
    {"{}", "a]b", "2", "'a]b' is not a key path such as cluster.workers[1].count", true},
    {"{}", "a[99999999999]", "2", "'a[99999999999]' is not a key path such as cluster.workers[1].count",
     true},
};

Test(tree, sets_by_path) {
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const struct setting *row = &settings[i];
        struct node *root = sketch(arena, row->before), *value = sketch(arena, row->value);
        struct sentence why = {""};
        bool done = node_set(arena, root, row->path, value, &why);
        cr_expect(done == !row->refused, "%s at %s", row->path, row->before);
        cr_expect(eq(str, row->refused ? why.text : (char *)sketched(arena, root), (char *)row->after),
                  "%s at %s", row->path, row->before);
        if (row->refused)
            cr_expect(node_equal(root, sketch(arena, row->before)), "%s at %s changed it", row->path,
                      row->before);
    }
}

Test(tree, appends_after_the_last_child_was_replaced) {
    struct node *root = sketch(arena, "{a: 1, b: 2}");
    struct sentence why;
    cr_expect(node_set(arena, root, "b", sketch(arena, "[x]"), &why));
    cr_expect(node_set(arena, root, "c", sketch(arena, "3"), &why));
    cr_expect(eq(str, (char *)sketched(arena, root), (char *)"{a: 1, b: [x], c: 3}"));
    cr_expect(eq(sz, root->children, 3));
}

Test(tree, refuses_a_path_of_more_than_32_steps) {
    struct sentence why;
    char path[2 * 33] = "";
    for (size_t s = 0; s < 33; s++)
        strcat(path, s == 0 ? "a" : ".a");
    cr_expect(not(node_set(arena, sketch(arena, "{}"), path, sketch(arena, "1"), &why)));
    path[2 * 32 - 1] = '\0';
    cr_expect(node_set(arena, sketch(arena, "{}"), path, sketch(arena, "1"), &why));
}

Test(tree, tells_at_the_value_with_its_path) {
    struct diag *diag = diag_new();
    struct node *root = sketch(arena, STUDY);
    node_error(diag, node_child(root, "cluster"), "is %d%% wrong", 100);
    node_warning(diag, root, "is odd");
    char *text = messages(diag);
    cr_expect(eq(sz, diag_errors(diag), 1));
    cr_expect(
        eq(str, text, (char *)"sketch:1:1: warning: is odd\nsketch:1:11: error: cluster: is 100% wrong\n"));
    free(text);
    diag_free(diag);
}

static const struct {
    const char *folder, *target, *seen;
} views[] = {
    {"/nowhere/results/run", "/nowhere/data/x.csv", "../../data/x.csv"},
    {"/nowhere/results", "/nowhere/results/x.csv", "x.csv"},
    {"/nowhere/results/", "/nowhere/results//x.csv", "x.csv"},
    {"/nowhere/results", "/nowhere/results", "."},
    {"/nowhere/ab", "/nowhere/abc", "../abc"},
    {"/nowhere/a/../b", "/nowhere/./b/x", "x"},
    {"/", "/nowhere/x", "nowhere/x"},
    {"/nowhere", "/", ".."},
    {"nowhere/run", "data/x.csv", "../../data/x.csv"},
    {"nowhere/run", "../x.csv", "../../../x.csv"},
    {".", "x.csv", "x.csv"},
};

Test(path, is_seen_from_a_folder) {
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        char *seen = path_relative(views[i].folder, views[i].target);
        cr_expect(eq(str, seen, (char *)views[i].seen), "%s from %s", views[i].target, views[i].folder);
        free(seen);
    }
}

Test(path, leads_out_of_a_linked_folder) {
    char base[] = "/tmp/laggard-path-XXXXXX";
    cr_assert(ne(ptr, mkdtemp(base), NULL));
    cr_assert(chdir(base) == 0 && mkdir("far", 0755) == 0 && mkdir("far/away", 0755) == 0);
    cr_assert(symlink("far/away", "results") == 0);
    char *seen = path_relative("results/run", "x.csv");
    cr_expect(eq(str, seen, (char *)"../../../x.csv"), "`results` is far/away, two levels below");
    free(seen);
    cr_expect(unlink("results") == 0 && rmdir("far/away") == 0 && rmdir("far") == 0 && rmdir(base) == 0);
}
