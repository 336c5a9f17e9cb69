#include "yaml_tree.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static struct arena *arena;
static struct diag *diag;

static void begin(void) {
    arena = arena_new();
    diag = diag_new();
}

static void end(void) {
    diag_free(diag);
    arena_free(arena);
}

TestSuite(yaml_write, .init = begin, .fini = end);

/* A tree that must read; what is wrong with it goes to stderr. */
static struct node *read_text(const char *text) {
    struct node *root = yaml_read_text(diag, arena, "x.yaml", text);
    if (root == NULL)
        diag_print(diag, stderr);
    return root;
}

static const char *const example =
    "name: example\n"
    "seed: 1\n"
    "problem: {loss: logistic, l2: 1e-4, data: {type: synthetic, samples: 12000, features: 100}}\n"
    "cluster:\n"
    "  load: additive\n"
    "  workers:\n"
    "    - {count: 10, compute: {type: constant, value: 500ms}, delay: {type: exponential, mean: 1s}}\n"
    "    - count: 2\n"
    "      speed: 0.5\n"
    "      compute: {type: constant, value: 500ms}\n"
    "      delay:\n"
    "        type: mixture\n"
    "        parts:\n"
    "          - {weight: 0.5, type: pareto, minimum: 100ms, shape: 2.5}\n"
    "          - {weight: 0.5, type: never}\n"
    "schemes:\n"
    "  - {type: uncoded}\n"
    "  - {type: pgc-cr, stragglers: 2, wait: {type: count}, label: PGC-CR}\n"
    "sweep: {schemes.stragglers: [1, 2, 3], \"cluster.workers[1].count\": [5, 6]}\n"
    "note: \"12\"\n"
    "other: \"yes\"\n"
    "text: \"a: b\"\n"
    "comma: a, b\n"
    "nothing: {}\n";

Test(yaml_write, writes_what_is_pleasant_to_read) {
    struct node *root = read_text(example);
    cr_assert(ne(ptr, root, NULL));
    char *text = yaml_text(root, NULL);
    cr_expect(eq(str, text, (char *)example));
    free(text);
}

Test(yaml_write, writes_paths_as_seen_from_the_folder) {
    struct node *root = read_text("{data: {path: data/x.csv}, code: /far/code.csv}");
    struct node *path = node_child(node_child(root, "data"), "path"), *code = node_child(root, "code");
    path->resolved = "/nowhere/scenarios/data/x.csv";
    code->resolved = code->text;
    char *text = yaml_text(root, "/nowhere/results/run");
    cr_expect(eq(str, text, (char *)"data: {path: ../../scenarios/data/x.csv}\ncode: /far/code.csv\n"));
    free(text);
}

/* Property: what is written reads back equal, quotes included where they change the meaning. */

static uint64_t luck;

static uint32_t random_below(uint32_t choices) {
    luck = luck * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(luck >> 33) % choices;
}

/* Pieces chosen to be mistaken for syntax, numbers or line ends. */
static const char *random_text(void) {
    static const char *const piece[] = {
        "a",    "1",        "-",      ":",      " ",    "#", "\n",     "\t",  "\"",  "'",    "\\", "{",
        "}",    "[",        "]",      ",",      "&",    "*", "!",      "|",   ">",   "%",    "@",  "`",
        "?",    "~",        ".",      "...",    "---",  "é", "\r",     "yes", "=",   "<<",   "1s", "null",
        "\x7F", "\xC2\x85", "\u2028", "\uFEFF", "\001", "💡", "\uFFFE", "e",   "0x1", "true", ": ", " #"};
    const char *text = "";
    for (uint32_t pieces = random_below(5); pieces > 0; pieces--)
        text = arena_format(arena, "%s%s", text, piece[random_below(sizeof piece / sizeof *piece)]);
    return text;
}

static struct node *random_tree(uint32_t depth) {
    struct place nowhere = {"x.yaml", 0, 0};
    uint32_t kind = depth == 0 ? 0 : random_below(3);
    if (kind == 0) {
        struct node *scalar = node_scalar(arena, nowhere, random_text());
        scalar->quoted = random_below(2) == 0;
        return scalar;
    }
    struct node *node = (kind == 1 ? node_mapping : node_list)(arena, nowhere);
    for (uint32_t children = random_below(5); children > 0; children--) {
        const char *key = arena_format(arena, "%sk%s", random_text(), random_text());
        if (kind == 2 || node_child(node, key) == NULL)
            node_append(arena, node, kind == 1 ? key : NULL, random_tree(depth - 1));
    }
    return node;
}

/* Whether each scalar of `a` that was quoted and could be mistaken still is in `b`. */
static bool quotes_kept(const struct node *a, const struct node *b) {
    static const char *const mistaken[] = {"1", "1s", "null", "true", "yes", "~", "", "11", "1e1", NULL};
    for (size_t i = 0; a->kind == NODE_SCALAR && mistaken[i] != NULL; i++)
        if (strcmp(a->text, mistaken[i]) == 0 && a->quoted && !b->quoted)
            return false;
    const struct node *other = b->first;
    for (const struct node *child = a->first; child != NULL; child = child->next, other = other->next)
        if (!quotes_kept(child, other))
            return false;
    return true;
}

Test(yaml_write, reads_back_what_it_writes) {
    for (luck = 1; luck <= 3000; luck++) {
        uint64_t seed = luck;
        struct node *tree = random_tree(5);
        char *text = yaml_text(tree, NULL);
        struct node *back = read_text(text);
        cr_expect(back != NULL && node_equal(tree, back) && quotes_kept(tree, back), "seed %lu:\n%s",
                  (unsigned long)seed, text);
        free(text);
        luck = seed;
    }
}
