#include "yaml_tree.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

TestSuite(yaml, .init = begin, .fini = end);

static char *messages(void) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    diag_print(diag, stream);
    fclose(stream);
    return text;
}

static struct node *read_text(const char *text) {
    return yaml_read_text(diag, arena, "x.yaml", text);
}

/* Reads `length` bytes through a file of that name in a folder of its own; all messages, heap. */
static char *told_of_file(const char *bytes, size_t length) {
    char folder[] = "/tmp/laggard-yaml-XXXXXX";
    diag_free(diag);
    diag = diag_new();
    cr_assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
    FILE *file = fopen("x.yaml", "wb");
    fwrite(bytes, 1, length, file);
    fclose(file);
    struct node *root = yaml_read_file(diag, arena, "x.yaml");
    cr_expect(unlink("x.yaml") == 0 && rmdir(folder) == 0);
    char *told = messages();
    cr_expect(eq(int, root == NULL, *told != '\0'), "a tree comes exactly when nothing is told: %s", told);
    return told;
}

#define BYTES(text) text, sizeof text - 1

/* Each line of `told` begins with the place that follows `x.yaml`. */
static const struct bad {
    const char *bytes;
    size_t length;
    const char *told;
} bads[] = {
    {BYTES(""), ": error: holds no values"},
    {BYTES("# nothing\n# here\n"), ": error: holds no values"},
    {BYTES("---\n"), ":2:1: error: expected keys with values (such as name: example), found a single value"},
    {BYTES("- a\n- b\n"), ":1:1: error: expected keys with values (such as name: example), found a list"},
    {BYTES("hello\n"),
     ":1:1: error: expected keys with values (such as name: example), found a single value"},
    {BYTES("a: 1\na: 2\n"), ":2:1: error: key 'a' is given twice (first on line 1)"},
    {BYTES("a: 1\nb: {c: 1, d: 2, c: 3}\na: 2\n"),
     ":2:17: error: b: key 'c' is given twice (first on line 2)\n:3:1: error: key 'a' is given twice (first "
     "on line 1)"},
    {BYTES("w:\n  - n: 1\n  - n: 2\n    n: 3\n"),
     ":4:5: error: w[1]: key 'n' is given twice (first on line 3)"},
    {BYTES("a: 1\n\"a\": 2\n"), ":2:1: error: key 'a' is given twice (first on line 1)"},
    {BYTES("a: &x 1\nb: *x\n"), ":1:4: error: anchors are not supported: write the value where it is needed\n"
                                ":2:4: error: aliases are not supported: write the value where it is needed"},
    {BYTES("a: &x {b: 1}\n"), ":1:4: error: anchors are not supported: write the value where it is needed"},
    {BYTES("a: &x [b]\n"), ":1:4: error: anchors are not supported: write the value where it is needed"},
    {BYTES("*x : 1\n"), ":1:1: error: aliases are not supported: write the value where it is needed"},
    {BYTES("a: !!int 1\n"), ":1:4: error: tags are not supported: write the value without '!'"},
    {BYTES("a: !law {b: 1}\n"), ":1:4: error: tags are not supported: write the value without '!'"},
    {BYTES("a: !!seq [1]\n"), ":1:4: error: tags are not supported: write the value without '!'"},
    {BYTES("a: ! x\n"), ":1:4: error: tags are not supported: write the value without '!'"},
    {BYTES("<<: {a: 1}\n"),
     ":1:1: error: merge keys are not supported: write the keys where they are needed"},
    {BYTES("? [a, b]\n: 1\n"), ":1:3: error: a key must be a single word, not a mapping or a list"},
    {BYTES("? {a: 1}\n: {b: 1, b: 2}\n"),
     ":1:3: error: a key must be a single word, not a mapping or a list\n"
     ":2:10: error: key 'b' is given twice (first on line 2)"},
    {BYTES("{[a]: 1, b: 2}\n"), ":1:2: error: a key must be a single word, not a mapping or a list"},
    {BYTES("? \n: 2\n"), ":1:2: error: a key is empty"},
    {BYTES("a: 1\n\"\": 2\n"), ":2:1: error: a key is empty"},
    {BYTES("a: 1\n---\nb: 2\n"), ":2:1: error: a second document begins: a scenario is one document"},
    {BYTES("a: 1\n...\n---\nb: 2\n"), ":3:1: error: a second document begins: a scenario is one document"},
    {BYTES("a: \"x\\0y\"\n"), ":1:4: error: a text holds a NUL byte"},
    {BYTES("a: 1\nb: x\0y\n"), ":2:5: error: holds a NUL byte: this is no text"},
    {BYTES("a: 1\nb: x\377y\n"), ":2:5: error: cannot be read as UTF-8 text: invalid leading UTF-8 octet"},
    {BYTES("a: é\r\nb: é\303(\n"), ":2:6: error: cannot be read as UTF-8 text: invalid trailing UTF-8 octet"},
    {BYTES("a: \300\200\n"), ":1:4: error: cannot be read as UTF-8 text: invalid length of a UTF-8 sequence"},
    {BYTES("a: \355\240\200\n"), ":1:4: error: cannot be read as UTF-8 text: invalid Unicode character"},
    {BYTES("a: 1\nb: x\001y\n"),
     ":2:5: error: cannot be read as UTF-8 text: control characters are not allowed"},
    {BYTES("a: x\303"), ":1:5: error: cannot be read as UTF-8 text: incomplete UTF-8 octet sequence"},
    {BYTES("\377\376a\0:\0"), ":1:4: error: holds a NUL byte: this is no text"},
    {BYTES("\177ELF\002\001\001\0"), ":1:8: error: holds a NUL byte: this is no text"},
    {BYTES("a:\n\tb: 1\n"), ":2:1: error: found a tab where only spaces may stand"},
    {BYTES("é: é\na:\n  b: 1\n\tc: 1\n"), ":4:1: error: found a tab where only spaces may stand"},
    {BYTES("a: {b: 1\n"),
     ":2:1: error: did not find expected ',' or '}' (while parsing a flow mapping that begins on "
     "line 1)"},
    {BYTES("a: [1, 2\nb: 3\n"),
     ":2:2: error: did not find expected ',' or ']' (while parsing a flow sequence that "
     "begins on line 1)"},
    {BYTES("a: 1]\n"), NULL},
    {BYTES("a: ]\n"),
     ":1:4: error: did not find expected node content (while parsing a block node that begins on "
     "line 1)"},
    {BYTES("a: 'x\n"),
     ":2:1: error: found unexpected end of stream (while scanning a quoted scalar that begins on line "
     "1)"},
    {BYTES("a: \"\\q\"\n"),
     ":1:5: error: found unknown escape character (while parsing a quoted scalar that begins on "
     "line 1)"},
    {BYTES("a: b: 1\n"), ":1:5: error: mapping values are not allowed in this context"},
    {BYTES("a: 1\n  b: 2\n"), ":2:4: error: mapping values are not allowed in this context"},
    {BYTES("a:\n  b: 1\n c: 2\n"),
     ":3:2: error: did not find expected key (while parsing a block mapping that begins "
     "on line 1)"},
    {BYTES("a: 1\nb\n"),
     ":3:1: error: could not find expected ':' (while scanning a simple key that begins on line 2)"},
    {BYTES("a: @x\n"),
     ":1:4: error: found character that cannot start any token (while scanning for the next token "
     "that begins on line 1)"},
    {BYTES("%YAML 3.0\n---\na: 1\n"), ":1:1: error: found incompatible YAML document"},
    {BYTES("a: 1\na: 2\nb: [\n"),
     ":2:1: error: key 'a' is given twice (first on line 1)\n"
     ":4:1: error: did not find expected node content (while parsing a flow node that "
     "begins on line 4)"},
};

/* `x.yaml` before each line of `told`. Heap. */
static char *wanted_text(const char *told) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    while (told != NULL && *told != '\0') {
        size_t line = strcspn(told, "\n");
        fprintf(stream, "x.yaml%.*s\n", (int)line, told);
        told += line + (told[line] == '\n');
    }
    fclose(stream);
    return text;
}

Test(yaml, tells_every_mistake_at_its_place) {
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        char *told = told_of_file(bads[i].bytes, bads[i].length), *wanted = wanted_text(bads[i].told);
        cr_expect(eq(str, told, wanted), "row %zu: %s", i, bads[i].bytes);
        free(told);
        free(wanted);
    }
}

/* `count` times `one` between `before` and `after`. Heap. */
static char *repeated(const char *before, const char *one, size_t count, const char *after) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    fputs(before, stream);
    for (size_t i = 0; i < count; i++)
        fputs(one, stream);
    fputs(after, stream);
    fclose(stream);
    return text;
}

static const struct {
    const char *before, *one;
    size_t count;
    const char *after, *told;
} crowds[] = {
    {"a: ", "[", 5000, "", "x.yaml:1:35: error: a[0][0]*: nested deeper than 32 levels\n"},
    {"a: ", "[", 100000, "", "x.yaml:1:35: error: a[0][0]*: nested deeper than 32 levels\n"},
    {"", "{a: ", 5000, "", "x.yaml:1:129: error: a.a.a*: nested deeper than 32 levels\n"},
    {"a: ", "- ", 5000, "", "x.yaml:1:4: error: block sequence entries are not allowed in this context\n"},
    {"", "? ", 5000, "",
     "x.yaml:1:3: error: a key must be a single word*x.yaml:1:65: error: nested deeper than 32 levels\n"},
    {"a:\n", "- x\n", 199990, "", ""},
    {"a:\n", "- x\n", 200001, "", "x.yaml:199997:3: error: a: more than 200000 values\n"},
    {"a: ", "x", 5 << 20, "\n", "x.yaml: error: cannot be read: larger than 4 MiB\n"},
    {"a: ", "x", (4 << 20) - 3, "", ""},
    {"a: ", "x", (4 << 20) - 2, "", "x.yaml: error: cannot be read: larger than 4 MiB\n"},
    {"? ", "x", 201, "\n: 1\n", "x.yaml:1:3: error: a key is longer than 200 bytes\n"},
    {"? ", "x", 200, "\n: 1\n", ""},
    {"", "x", 2000, ": 1\n", "x.yaml:1:2001: error: mapping values are not allowed in this context\n"},
};

/* Whether `text` fits `pattern`, in which one * stands for anything. */
static bool fits(const char *text, const char *pattern) {
    const char *star = strchr(pattern, '*');
    if (star == NULL)
        return strcmp(text, pattern) == 0;
    size_t head = (size_t)(star - pattern), tail = strlen(star + 1), length = strlen(text);
    return length >= head + tail && strncmp(text, pattern, head) == 0 &&
           strcmp(text + length - tail, star + 1) == 0;
}

Test(yaml, bounds_depth_nodes_and_size) {
    for (size_t i = 0; i < sizeof crowds / sizeof *crowds; i++) {
        char *text = repeated(crowds[i].before, crowds[i].one, crowds[i].count, crowds[i].after);
        char *told = told_of_file(text, strlen(text));
        cr_expect(fits(told, crowds[i].told), "%zu times '%s': %s", crowds[i].count, crowds[i].one, told);
        free(told);
        free(text);
    }
}

Test(yaml, bounds_keys_and_mistakes) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    for (size_t i = 0; i <= 1000; i++)
        fprintf(stream, "k%zu: 1\n", i);
    fclose(stream);
    char *told = told_of_file(text, length);
    cr_expect(eq(str, told, (char *)"x.yaml:1001:1: error: more than 1000 keys in one mapping\n"));
    free(told);
    free(text);
    text = repeated("", "a: 1\n", 900, "");
    free(told_of_file(text, strlen(text)));
    cr_expect(eq(sz, diag_errors(diag), 100));
    free(text);
}

Test(yaml, tells_of_files_that_are_none) {
    static const struct {
        const char *file, *told;
    } files[] = {
        {"/nowhere/x.yaml", "/nowhere/x.yaml: error: cannot be opened: No such file or directory\n"},
        {"/tmp", "/tmp: error: is a folder, a file is needed\n"},
        {"/dev/null",
         "/dev/null: error: is no regular file but a device, which may have no end; a file is needed\n"},
        {"/dev/zero",
         "/dev/zero: error: is no regular file but a device, which may have no end; a file is needed\n"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        diag_free(diag);
        diag = diag_new();
        cr_expect(zero(ptr, yaml_read_file(diag, arena, files[i].file)));
        char *told = messages();
        cr_expect(eq(str, told, (char *)files[i].told));
        free(told);
    }
}

/* All read as {a: 1, b: [x, "y z"]}. */
static const char *const alike[] = {
    "a: 1\nb: [x, y z]\n",
    ("\xEF\xBB\xBF"
     "a: 1\nb: [x, y z]\n"),
    "a: 1\r\nb:\r\n- x\r\n- y z\r\n",
    "a: 1\rb: [x, y z]",
    "# a\n---\n'a': 1 # one\n\"b\":\n  - x\n  - 'y z'\n...\n",
    "%YAML 1.2\n---\n{a: 1, b: [x, \"y\\x20z\"]}",
    "? a\n: 1\n? b\n: - x\n  - y\n    z\n",
    "a:\t1\nb: [x,\ty z]\n",
};

Test(yaml, reads_all_ways_to_write_a_tree) {
    struct node *first = read_text(alike[0]);
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
        struct node *root = read_text(alike[i]);
        cr_assert(ne(ptr, root, NULL), "%s: %s", alike[i], messages());
        cr_expect(node_equal(first, root), "%s", alike[i]);
    }
}

Test(yaml, keeps_places_and_quotes) {
    struct node *root = read_text("# x\nname: 'é'\nstop: {steps: 5, loss: \"0.3\"}\nnote: |\n  1\nempty:\n");
    cr_assert(ne(ptr, root, NULL));
    struct node *stop = node_child(root, "stop"), *loss = node_child(stop, "loss"),
                *empty = node_child(root, "empty");
    cr_expect(eq(u32, stop->key_place.line, 3));
    cr_expect(eq(u32, stop->key_place.column, 1));
    cr_expect(eq(u32, stop->place.column, 7));
    cr_expect(eq(u32, loss->key_place.column, 18));
    cr_expect(eq(u32, loss->place.column, 24));
    cr_expect(eq(str, (char *)loss->place.file, (char *)"x.yaml"));
    cr_expect(loss->quoted && !node_child(stop, "steps")->quoted && node_child(root, "name")->quoted);
    cr_expect(node_child(root, "note")->quoted, "a block of text is text");
    cr_expect(not(empty->quoted));
    cr_expect(eq(str, (char *)empty->text, (char *)""));
    cr_expect(eq(u32, root->place.line, 2));
    cr_expect(eq(u32, root->place.column, 1));
}

Test(yaml, reads_any_root_from_a_text) {
    cr_expect(eq(str, (char *)yaml_read_text(diag, arena, "--set", "0.5")->text, (char *)"0.5"));
    cr_expect(eq(sz, yaml_read_text(diag, arena, "--set", "[1, 2]")->children, 2));
    cr_expect(eq(sz, yaml_read_text(diag, arena, "--set", "{type: all}")->children, 1));
    cr_expect(zero(ptr, yaml_read_text(diag, arena, "--set", "")));
    char *told = messages();
    cr_expect(eq(str, told, (char *)"--set: error: holds no values\n"));
    free(told);
}

static const struct header {
    const char *name, *text, *header;
} headers[] = {
    {"none", "a: 1\n# b\n", ""},
    {"two lines", "# Which?\n#\n# More.\na: 1\n# not this\n", "# Which?\n#\n# More.\n"},
    {"an empty line ends it", "# a\n\n# b\nc: 1\n", "# a\n"},
    {"Windows", "\xef\xbb\xbf# a\r\n# b\r\nc: 1\r\n", "# a\n# b\n"},
    {"nothing else", "# a", "# a\n"},
    {"empty", "", ""},
};

Test(yaml, header_is_the_comment_on_top) {
    char file[] = "/tmp/laggard-header-XXXXXX";
    int made = mkstemp(file);
    cr_assert(le(int, 0, made));
    for (size_t h = 0; h < sizeof headers / sizeof *headers; h++) {
        size_t length = strlen(headers[h].text);
        bool written = ftruncate(made, 0) == 0 && pwrite(made, headers[h].text, length, 0) == (ssize_t)length;
        cr_assert(written);
        char *header = yaml_header(file);
        cr_expect(eq(str, header, (char *)headers[h].header), "%s", headers[h].name);
        free(header);
    }
    close(made);
    unlink(file);
    char *header = yaml_header(file);
    cr_expect(eq(str, header, (char *)""), "there is no file");
    free(header);
}
