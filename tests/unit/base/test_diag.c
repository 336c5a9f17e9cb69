/* Messages to a user: their form and order, and the nearest name. */
#include "diag.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static char *printed(const struct diag *diag) {
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    diag_print(diag, stream);
    fclose(stream);
    return text;
}

struct form {
    const char *name;
    struct place place;
    const char *path, *sentence, *expected;
};

static const struct form forms[] = {
    {"whole",
     {"a.yaml", 3, 5},
     "cluster.workers[1].count",
     "is 0",
     "a.yaml:3:5: error: cluster.workers[1].count: is 0\n"},
    {"no path", {"a.yaml", 3, 5}, NULL, "is 0", "a.yaml:3:5: error: is 0\n"},
    {"empty path", {"a.yaml", 3, 5}, "", "is 0", "a.yaml:3:5: error: is 0\n"},
    {"a line", {"a.csv", 3, 0}, NULL, "is ragged", "a.csv:3: error: is ragged\n"},
    {"a file", {"a.csv", 0, 0}, NULL, "is empty", "a.csv: error: is empty\n"},
    {"no file", {NULL, 0, 0}, NULL, "no scenario", "error: no scenario\n"},
    {"control bytes", {"a", 1, 1}, "k", "a\033[2J\tb\nc\x7f", "a:1:1: error: k: a\\x1b[2J\\x09b\\nc\\x7f\n"},
    {"control characters beyond ASCII",
     {"a", 1, 1},
     "k",
     "\xc2\x9b"
     "2J",
     "a:1:1: error: k: \\xc2\\x9b2J\n"},
    {"beyond ASCII", {"a", 1, 1}, "k", "größer … 1", "a:1:1: error: k: größer … 1\n"},
};

Test(diag, forms) {
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        struct diag *diag = diag_new();
        diag_error(diag, forms[k].place, forms[k].path, "%s", forms[k].sentence);
        char *text = printed(diag);
        cr_expect(eq(str, text, (char *)forms[k].expected), "%s", forms[k].name);
        cr_expect(eq(sz, diag_errors(diag), 1), "%s", forms[k].name);
        free(text);
        diag_free(diag);
    }
}

Test(diag, order_is_of_files_then_places) {
    struct diag *diag = diag_new();
    diag_error(diag, (struct place){"z", 9, 1}, NULL, "fourth");
    diag_warning(diag, (struct place){"z", 2, 7}, NULL, "third");
    diag_error(diag, (struct place){"a", 1, 1}, NULL, "fifth");
    diag_error(diag, (struct place){"z", 2, 3}, NULL, "first");
    diag_error(diag, (struct place){"z", 2, 3}, NULL, "second");
    char *text = printed(diag);
    cr_expect(
        eq(str, text,
           (char *)"z:2:3: error: first\nz:2:3: error: second\nz:2:7: warning: third\nz:9:1: error: fourth\n"
                   "a:1:1: error: fifth\n"));
    cr_expect(eq(sz, diag_errors(diag), 4), "a warning is no error");
    free(text);
    diag_free(diag);
}

Test(diag, equal_messages_are_kept_once) {
    struct diag *diag = diag_new();
    char name[] = "a", same_name[] = "a";
    diag_error(diag, (struct place){name, 1, 1}, "k", "wrong");
    diag_error(diag, (struct place){same_name, 1, 1}, "k", "wrong");
    diag_error(diag, (struct place){name, 1, 2}, "k", "wrong");
    diag_warning(diag, (struct place){name, 1, 1}, "k", "wrong");
    char *text = printed(diag);
    cr_expect(
        eq(str, text, (char *)"a:1:1: error: k: wrong\na:1:1: warning: k: wrong\na:1:2: error: k: wrong\n"));
    cr_expect(eq(sz, diag_errors(diag), 2));
    free(text);
    diag_free(diag);
}

static size_t lines_of(const char *text) {
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* 70 warnings come before 3,000 errors: errors have the room, and the rest is counted. */
Test(diag, at_most_fifty_errors_first) {
    struct diag *diag = diag_new();
    for (uint32_t line = 1; line <= 70; line++)
        diag_warning(diag, (struct place){"a", line, 1}, NULL, "odd");
    for (uint32_t line = 1; line <= 3000; line++)
        diag_error(diag, (struct place){"b", line, 1}, NULL, "bad");
    char *text = printed(diag);
    cr_expect(eq(sz, lines_of(text), 51));
    cr_expect(strstr(text, "b:1:1: error: bad\n") == text);
    cr_expect(strstr(text, "warning") == NULL);
    cr_expect(strstr(text, "\nand 3020 more\n") != NULL);
    cr_expect(eq(sz, diag_errors(diag), 3000));
    free(text);
    diag_free(diag);
}

Test(diag, nothing_is_printed_of_nothing) {
    struct diag *diag = diag_new();
    char *text = printed(diag);
    cr_expect(eq(str, text, (char *)""));
    free(text);
    diag_free(diag);
    diag_free(NULL);
}

/* Every cut length meets a three-byte character at another place. */
Test(sentence, is_cut_between_characters) {
    char source[1000] = "";
    for (int k = 0; k < 300; k++)
        strcat(source, "…");
    for (int skip = 0; skip < 3; skip++) {
        struct sentence why;
        sentence_set(&why, "%.*s%s", skip, "ab", source);
        size_t length = strlen(why.text);
        cr_expect(le(sz, length, sizeof why.text - 1), "%d letters before", skip);
        cr_expect(le(sz, sizeof why.text - 4, length), "%d letters before", skip);
        cr_expect(eq(sz, (length - (skip > 2 ? 2 : skip)) % 3, 0), "%d letters before", skip);
    }
    struct sentence whole;
    sentence_set(&whole, "%d of %s", 3, "four");
    cr_expect(eq(str, whole.text, (char *)"3 of four"));
}

struct near {
    const char *word, *expected;
};

static const char *const names[] = {"stragglers", "copies",        "mu", "B", "loss", "gc-fr",
                                    "gc-cr",      "learning_rate", NULL};

static const struct near nears[] = {
    {"straglers", "stragglers"},
    {"stragglres", "stragglers"},
    {"Stragglers", "stragglers"},
    {"copise", "copies"},
    {"opcies", "copies"},
    {"copies", "copies"},
    {"compiles", "copies"},
    {"um", "mu"},
    {"m", NULL},
    {"d", NULL},
    {"é", NULL},
    {"Bx", NULL},
    {"b", "B"},
    {"learning-rate", "learning_rate"},
    {"learningrate", "learning_rate"},
    {"gc-dr", "gc-fr"},
    {"gc-ft", "gc-fr"},
    {"gc-cc", "gc-cr"},
    {"los", "loss"},
    {"lo", NULL},
    {"momentum", NULL},
    {"strag", NULL},
    {"", NULL},
    {"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", NULL},
};

Test(sentence, nearest_names) {
    for (size_t k = 0; k < sizeof nears / sizeof *nears; k++) {
        const char *found = nearest_name(nears[k].word, names);
        const char *expected = nears[k].expected ? nears[k].expected : "nothing";
        cr_expect(eq(str, (char *)(found ? found : "nothing"), (char *)expected), "'%s'", nears[k].word);
    }
    const char *const none[] = {NULL};
    cr_expect(eq(ptr, (void *)nearest_name("loss", none), NULL));
}
