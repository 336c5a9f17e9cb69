/* What a user can get wrong in a file, through the real program: exit code 2, a sentence at the place, nothing left. */
#include "scratch.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A scenario that runs, one key a line where rows of the tables below change something. */
static const char scenario[] = "name: sample\n"                               /* 1 */
                               "seed: 1\n"                                    /* 2 */
                               "problem:\n"                                   /* 3 */
                               "  loss: logistic\n"                           /* 4 */
                               "  data: {type: csv, path: d.csv, label: y}\n" /* 5 */
                               "optimizer: {type: sgd, learning_rate: 0.5}\n" /* 6 */
                               "stop: {steps: 5}\n"                           /* 7 */
                               "cluster:\n"                                   /* 8 */
                               "  workers:\n"                                 /* 9 */
                               "    - count: 4\n"                             /* 10 */
                               "      delay: {type: exponential, mean: 1s}\n" /* 11 */
                               "schemes:\n"                                   /* 12 */
                               "  - {type: uncoded}\n"                        /* 13 */
                               "  - {type: gc-cr, stragglers: 1}\n";          /* 14 */
static const char data[] = "a,b,y\n1,2,0\n2,1,1\n3,5,0\n4,4,1\n5,0,1\n";
static const char libsvm[] = "+1 1:1 3:2\n-1 2:1\n+1 1:3\n-1 3:1.5 # note\n";
static const char trace[] = "round,worker,seconds\n0,0,1\n0,1,2\n0,2,3\n0,3,4\n1,0,2\n1,1,2\n1,2,2\n1,3,2\n";

static const char csv_line[] = "  data: {type: csv, path: d.csv, label: y}";
static const char libsvm_line[] = "  data: {type: libsvm, path: d.svm}";
static const char delay_line[] = "      delay: {type: exponential, mean: 1s}";
static const char trace_line[] = "      delay: {type: trace, path: t.csv}";

/* The text with `find` replaced once; heap. */
static char *edited(const char *text, const char *find, const char *replace) {
    const char *at = strstr(text, find);
    cr_assert(at != NULL, "nothing to replace: %s", find);
    char *whole = malloc(strlen(text) + strlen(replace) + 1);
    sprintf(whole, "%.*s%s%s", (int)(at - text), text, replace, at + strlen(find));
    return whole;
}

static struct outcome run_scenario(const struct scratch *scratch, const char *name) {
    const char *const arguments[] = {"run", name, "-o", "out", "-q", NULL};
    return scratch_run(scratch, arguments);
}

/* A line of `text` that begins with `place` and is an error about `word`. */
static bool tells(const char *text, const char *place, const char *word) {
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char *message = strndup(line, strcspn(line, "\n"));
        bool found = strncmp(message, place, strlen(place)) == 0 && strstr(message, "error: ") &&
                     strstr(message, word);
        free(message);
        if (found)
            return true;
    }
    return false;
}

/* Runs the folder's scenario and expects its refusal: `place` begins a message, `word` stands in it. */
static void expect_refusal(const struct scratch *scratch, const char *what, const char *place,
                           const char *word) {
    char *before = scratch_names(scratch);
    struct outcome outcome = run_scenario(scratch, "s.yaml");
    char *after = scratch_names(scratch);
    cr_expect(eq(int, outcome.exit_code, 2), "%s: %s", what, outcome.err);
    cr_expect(tells(outcome.err, place, word), "%s: no '%s' at %s in: %s", what, word, place, outcome.err);
    cr_expect(eq(str, after, before), "%s: left something behind: %s", what, after);
    free(before);
    free(after);
    outcome_fini(&outcome);
}

struct edit {
    const char *what, *find, *replace, *place, *word;
};
static const struct edit edits[] = {
    /* keys */
    {"unknown key", "seed: 1", "sede: 1", "s.yaml:2:1:", "seed"},
    {"duplicate key", "seed: 1", "seed: 1\nseed: 2", "s.yaml:3:1:", "seed"},
    {"a key of a scheme misspelt", "stragglers: 1", "straglers: 1", "s.yaml:14:", "stragglers"},
    {"a parameter of another law", "mean: 1s", "shape: 2", "s.yaml:11:", "shape"},
    {"a required parameter missing", ", mean: 1s", "", "s.yaml:11:", "mean"},
    {"no stop", "stop: {steps: 5}", "stop: {loss: 0.1}", "s.yaml:7:", "steps"},
    {"no schemes", "  - {type: uncoded}\n  - {type: gc-cr, stragglers: 1}\n", "", "s.yaml:12:", "schemes"},
    {"an interval to tune in that begins at 0", "seed: 1", "tune: {learning_rate: [0, 1]}",
     "s.yaml:2:", "a number above 0"},
    {"a key without a value", "seed: 1", "seed:", "s.yaml:2:", "seed"},
    /* numbers */
    {"text for a number", "count: 4", "count: four", "s.yaml:10:14:", "four"},
    {"a negative count", "count: 4", "count: -8", "s.yaml:10:14:", "-8"},
    {"a bandwidth that is next to none", "cluster:", "cluster:\n  network: {up: {bandwidth: 1e-300}}",
     "s.yaml:9:29:", "must be a number of at least 1e-09 or unlimited, found 1e-300"},
    {"zero workers", "count: 4", "count: 0", "s.yaml:10:14:", "count"},
    {"half a worker", "count: 4", "count: 8.5", "s.yaml:10:14:", "8.5"},
    {"a number with a tail", "count: 4", "count: 8x", "s.yaml:10:14:", "8x"},
    {"a count with a unit", "count: 4", "count: 100ms", "s.yaml:10:14:", "100ms"},
    {"a number in quotes", "count: 4", "count: \"4\"", "s.yaml:10:14:", "count"},
    {"more workers than can be", "count: 4", "count: 4294967304", "s.yaml:10:14:", "4294967304"},
    {"nan", "learning_rate: 0.5", "learning_rate: nan", "s.yaml:6:", "learning_rate"},
    {"not a number in YAML's words", "learning_rate: 0.5", "learning_rate: .nan",
     "s.yaml:6:", "learning_rate"},
    {"infinite", "learning_rate: 0.5", "learning_rate: inf", "s.yaml:6:", "learning_rate"},
    {"huge", "learning_rate: 0.5", "learning_rate: 1e999", "s.yaml:6:", "learning_rate"},
    {"hexadecimal", "learning_rate: 0.5", "learning_rate: 0x1p-1", "s.yaml:6:", "learning_rate"},
    {"a negative rate", "learning_rate: 0.5", "learning_rate: -0.5", "s.yaml:6:", "-0.5"},
    {"an unknown unit", "mean: 1s", "mean: 1 parsec", "s.yaml:11:", "parsec"},
    {"a negative time", "mean: 1s", "mean: -1s", "s.yaml:11:", "mean"},
    {"a seed beyond 64 bits", "seed: 1", "seed: 18446744073709551616", "s.yaml:2:7:", "seed"},
    {"a negative seed", "seed: 1", "seed: -1", "s.yaml:2:7:", "seed"},
    {"no steps", "steps: 5", "steps: 0", "s.yaml:7:", "steps"},
    /* words and kinds */
    {"an unknown scheme", "type: gc-cr", "type: gc-ct", "s.yaml:14:", "gc-cr"},
    {"an unknown law", "type: exponential", "type: exponentail", "s.yaml:11:", "exponential"},
    {"an unknown loss", "loss: logistic", "loss: logistik", "s.yaml:4:9:", "logistic"},
    {"a number for a law", "{type: exponential, mean: 1s}", "3", "s.yaml:11:", "mapping"},
    {"a list for a number", "seed: 1", "seed: [1, 2]", "s.yaml:2:7:", "seed"},
    {"a mapping for a list", "    - count: 4\n      delay", "      count: 4\n      delay",
     "s.yaml:10:", "list"},
    {"a word for a rule", "stragglers: 1", "stragglers: 1, wait: all", "s.yaml:14:", "mapping"},
    {"an unknown late rule", "cluster:", "cluster:\n  late: never", "s.yaml:9:9:", "queue"},
    /* what cannot go together */
    {"more stragglers than workers", "stragglers: 1", "stragglers: 4", "s.yaml:14:", "stragglers"},
    {"groups that do not divide", "type: gc-cr, stragglers: 1", "type: gc-fr, stragglers: 2",
     "s.yaml:14:", "divide"},
    {"too few results to decode", "stragglers: 1", "stragglers: 1, wait: {type: count, results: 2}",
     "s.yaml:14:", "results"},
    {"more results than workers", "stragglers: 1", "stragglers: 1, wait: {type: count, results: 5}",
     "s.yaml:14:", "results"},
    {"never exact", "type: gc-cr, stragglers: 1", "type: ignore, stragglers: 1, wait: {type: decodable}",
     "s.yaml:14:", "decod"},
    {"a deadline of two kinds", "stragglers: 1",
     "stragglers: 1, wait: {type: deadline, factor: 2, seconds: 1s}", "s.yaml:14:", "factor"},
    {"a deadline before the first", "stragglers: 1", "stragglers: 1, wait: {type: deadline, factor: 0.5}",
     "s.yaml:14:", "factor"},
    {"more partitions than samples", "count: 4", "count: 40", "s.yaml:", "samples"},
    {"partitions unlike workers", "  loss: logistic", "  loss: logistic\n  partitions: 3",
     "s.yaml:5:15:", "partitions"},
    {"a loss to reach without a loss", "  loss: logistic\n", "  loss: none\n", "s.yaml:", "loss"},
    {"a label used twice", "{type: uncoded}",
     "{type: ignore, stragglers: 1, label: one}\n  - {type: uncoded, label: one}", "s.yaml:14:", "one"},
    {"a name with a folder in it", "name: sample", "name: a/b", "s.yaml:1:7:", "name"},
    /* sweeps */
    {"a swept key that is not there", "seed: 1", "sweep: {schemes.nothing: [1, 2]}", "s.yaml:2:", "nothing"},
    {"a sweep without values", "seed: 1", "sweep: {schemes.stragglers: []}",
     "s.yaml:2:", "schemes.stragglers"},
    {"a swept value out of range", "seed: 1", "sweep: {schemes.stragglers: [1, 9]}", "s.yaml:", "stragglers"},
    /* files that are named */
    {"no such data", "path: d.csv", "path: nowhere.csv", "s.yaml:5:", "nowhere.csv"},
    {"data is a folder", "path: d.csv", "path: .", "s.yaml:5:", "folder"},
    {"single precision of sparse data", csv_line, "  precision: f32\n  data: {type: libsvm, path: d.svm}",
     "s.yaml:5:", "sparse"},
    {"no such column", "label: y", "label: z", "s.yaml:5:", "'z'"},
    {"no such trace", "{type: exponential, mean: 1s}", "{type: trace, path: nowhere.csv}",
     "s.yaml:11:", "nowhere.csv"},
};

Test(bad_input, scenario_values, .timeout = 300) {
    struct scratch scratch;
    scratch_init(&scratch);
    scratch_write_text(&scratch, "d.csv", data);
    scratch_write_text(&scratch, "d.svm", libsvm);
    for (size_t q = 0; q < sizeof edits / sizeof *edits; q++) {
        char *text = edited(scenario, edits[q].find, edits[q].replace);
        scratch_write_text(&scratch, "s.yaml", text);
        expect_refusal(&scratch, edits[q].what, edits[q].place, edits[q].word);
        free(text);
    }
    scratch_fini(&scratch);
}

/* Files as bytes. */
struct raw {
    const char *what, *bytes;
    size_t length;
    const char *place, *word;
};
#define BYTES(literal) (literal), sizeof(literal) - 1

static const struct raw raw_scenarios[] = {
    {"empty", BYTES(""), "s.yaml: ", "no values"},
    {"comments alone", BYTES("# nothing\n\n# here\n"), "s.yaml: ", "no values"},
    {"a list", BYTES("- 1\n- 2\n"), "s.yaml:1:1:", "expected keys"},
    {"a word", BYTES("hello\n"), "s.yaml:1:1:", "expected keys"},
    {"cut inside a list", BYTES("name: x\nschemes: [\n"), "s.yaml:", "while parsing"},
    {"cut inside a quote", BYTES("name: \"x\nseed: 1\n"), "s.yaml:", "while scanning"},
    {"a tab for indentation", BYTES("name: x\nproblem:\n\tloss: linear\n"), "s.yaml:3:", "tab"},
    {"NUL", BYTES("name: a\0b\nseed: 1\n"), "s.yaml:1:", "NUL"},
    {"NUL as an escape", BYTES("name: \"a\\0b\"\n"), "s.yaml:1:", "NUL"},
    {"bad UTF-8", BYTES("name: x\nseed: \xff\xfe\n"), "s.yaml:2:", "UTF-8"},
    {"binary",
     BYTES("\x7f"
           "ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"),
     "s.yaml:1:", "NUL"},
    {"two documents", BYTES("name: x\n---\nname: y\n"), "s.yaml:", "document"},
    {"an anchor and its alias", BYTES("name: &a x\nseed: *a\n"), "s.yaml:", "anchor"},
    {"a tag", BYTES("name: !!str x\n"), "s.yaml:1:", "tag"},
    {"a key that is a list", BYTES("[1, 2]: x\n"), "s.yaml:1:", "key"},
};

Test(bad_input, scenario_files, .timeout = 300) {
    struct scratch scratch;
    scratch_init(&scratch);
    for (size_t q = 0; q < sizeof raw_scenarios / sizeof *raw_scenarios; q++) {
        scratch_write(&scratch, "s.yaml", raw_scenarios[q].bytes, raw_scenarios[q].length);
        expect_refusal(&scratch, raw_scenarios[q].what, raw_scenarios[q].place, raw_scenarios[q].word);
    }
    scratch_fini(&scratch);
}

/* `count` times the same byte after a beginning. */
static void write_run(const struct scratch *scratch, const char *beginning, char byte, size_t count) {
    size_t length = strlen(beginning);
    char *text = malloc(length + count + 1);
    memcpy(text, beginning, length);
    memset(text + length, byte, count);
    text[length + count] = '\n';
    scratch_write(scratch, "s.yaml", text, length + count + 1);
    free(text);
}

Test(bad_input, scenario_sizes, .timeout = 300) {
    struct scratch scratch;
    scratch_init(&scratch);
    write_run(&scratch, "name: ", '[', 5000);
    expect_refusal(&scratch, "5,000 lists deep", "s.yaml:1:", "deep");
    write_run(&scratch, "name: x\nseed: 1 #", '#', 5 << 20);
    expect_refusal(&scratch, "five MiB", "s.yaml", "MiB");
    scratch_fini(&scratch);
}

Test(bad_input, scenario_that_is_no_file, .timeout = 300) {
    struct scratch scratch;
    scratch_init(&scratch);
    expect_refusal(&scratch, "missing", "s.yaml", "No such file");
    struct outcome outcome = run_scenario(&scratch, ".");
    cr_expect(eq(int, outcome.exit_code, 2), "a folder: %s", outcome.err);
    cr_expect(strstr(outcome.err, "is a folder") != NULL, "a folder: %s", outcome.err);
    outcome_fini(&outcome);
    scratch_fini(&scratch);
}

static const struct raw raw_csvs[] = {
    {"empty", BYTES(""), "d.csv", "empty"},
    {"header alone", BYTES("a,b,y\n"), "d.csv", "row"},
    {"a row too short", BYTES("a,b,y\n1,2,0\n1,1\n2,2,1\n1,1,0\n3,3,1\n"), "d.csv:3:", "2"},
    {"a row too long", BYTES("a,b,y\n1,2,0\n1,1,1,1\n2,2,1\n1,1,0\n3,3,1\n"), "d.csv:3:", "4"},
    {"text for a number", BYTES("a,b,y\n1,2,0\n1,two,1\n1,1,0\n3,3,1\n"), "d.csv:3:", "two"},
    {"an empty field", BYTES("a,b,y\n1,2,0\n1,,1\n1,1,0\n3,3,1\n"), "d.csv:3:", "empty"},
    {"nan", BYTES("a,b,y\n1,2,0\n1,nan,1\n1,1,0\n3,3,1\n"), "d.csv:3:", "nan"},
    {"inf", BYTES("a,b,y\n1,2,0\n1,-inf,1\n1,1,0\n3,3,1\n"), "d.csv:3:", "inf"},
    {"huge", BYTES("a,b,y\n1,2,0\n1,1e999,1\n1,1,0\n3,3,1\n"), "d.csv:3:", "1e999"},
    {"NUL", BYTES("a,b,y\n1,2,0\n1,\0002,1\n1,1,0\n3,3,1\n"), "d.csv:3:", "NUL"},
    {"bad UTF-8", BYTES("a,\xff\xfe,y\n1,2,0\n1,2,1\n1,1,0\n3,3,1\n"), "d.csv:1:", "UTF-8"},
    {"a name twice", BYTES("a,a,y\n1,2,0\n1,2,1\n1,1,0\n3,3,1\n"), "d.csv:1:", "'a'"},
    {"an open quote", BYTES("a,b,y\n1,2,0\n1,\"2,1\n1,1,0\n3,3,1\n"), "d.csv:", "quot"},
    {"a quote inside a field", BYTES("a,b,y\n1,2,0\n1,2\"3,1\n1,1,0\n3,3,1\n"), "d.csv:3:", "quot"},
    {"one label value", BYTES("a,b,y\n1,2,1\n1,1,1\n1,1,1\n3,3,1\n"), "s.yaml:5:", "label"},
    {"three label values", BYTES("a,b,y\n1,2,0\n1,1,1\n1,1,2\n3,3,1\n"), "s.yaml:5:", "label"},
    {"a mistake, at the key", BYTES("a,b,y\n1,2,0\n1,two,1\n1,1,0\n3,3,1\n"),
     "s.yaml:5:27:", "problem.data.path: d.csv cannot be used"},
    {"semicolons", BYTES("a;b;y\n1,5;2;0\n1;1;1\n"), "d.csv:1:2:", "separated by ';'"},
    {"a label that is a word here and a number there", BYTES("a,b,y\n1,2,no\n1,1,1\n1,1,no\n3,3,yes\n"),
     "d.csv:3:", "(y)"},
    {"no label and words in rows", BYTES("a,b,yes\n1,2,no\n1,x,yes\n"),
     "s.yaml:5:41:", "has no column 'y': its columns are 'a', 'b', 'yes'"},
    {"fewer rows than workers", BYTES("a,b,y\n1,2,0\n1,1,1\n"), "s.yaml:", "samples"},
    {"a gzip that is cut",
     BYTES("\x1f\x8b\x08\0\0\0\0\0\0\x03"
           "KT"),
     "d.csv: ", "truncated"},
};

static const struct raw raw_libsvms[] = {
    {"empty", BYTES(""), "d.svm: ", "no rows"},
    {"index 0", BYTES("+1 0:1\n-1 1:1\n+1 1:1\n-1 2:1\n"), "d.svm:1:4:", "start at 1"},
    {"indices that fall", BYTES("+1 1:1\n-1 3:1 2:1\n+1 1:1\n-1 2:1\n"), "d.svm:2:8:", "2"},
    {"an index twice", BYTES("+1 1:1\n-1 3:1 3:1\n+1 1:1\n-1 2:1\n"), "d.svm:2:8:", "3"},
    {"no colon", BYTES("+1 1:1\n-1 3\n+1 1:1\n-1 2:1\n"), "d.svm:2:4:", "index:value"},
    {"no value", BYTES("+1 1:1\n-1 3:\n+1 1:1\n-1 2:1\n"), "d.svm:2:6:", "number"},
    {"text for a value", BYTES("+1 1:1\n-1 3:x\n+1 1:1\n-1 2:1\n"), "d.svm:2:", "x"},
    {"text for a label", BYTES("+1 1:1\nno 3:1\n+1 1:1\n-1 2:1\n"), "d.svm:2:1:", "no"},
    {"nan", BYTES("+1 1:1\n-1 3:nan\n+1 1:1\n-1 2:1\n"), "d.svm:2:", "nan"},
    {"an index beyond all", BYTES("+1 1:1\n-1 99999999999:1\n+1 1:1\n-1 2:1\n"), "d.svm:2:4:", "index"},
    {"NUL", BYTES("+1 1:1\n-1 \0003:1\n+1 1:1\n-1 2:1\n"), "d.svm:2:4:", "index:value"},
    {"three label values", BYTES("1 1:1\n2 1:1\n3 1:1\n1 2:1\n"), "s.yaml:5:", "label"},
};

static const struct raw raw_traces[] = {
    {"empty", BYTES(""), "t.csv", "empty"},
    {"header alone", BYTES("round,worker,seconds\n"), "t.csv", "row"},
    {"no such column", BYTES("round,worker,ms\n0,0,1\n"), "s.yaml:11:", "seconds"},
    {"too few workers", BYTES("round,worker,seconds\n0,0,1\n0,1,1\n"), "s.yaml:11:", "workers"},
    {"a missing cell", BYTES("round,worker,seconds\n0,0,1\n0,1,2\n0,2,3\n0,3,4\n1,0,2\n1,1,2\n1,2,2\n"),
     "s.yaml:11:14: error: cluster.workers[0].delay.missing", "(near line 8)"},
    {"a cell twice", BYTES("round,worker,seconds\n0,0,1\n0,1,2\n0,2,3\n0,3,4\n0,0,2\n"), "t.csv:6",
     "already"},
    {"a negative time", BYTES("round,worker,seconds\n0,0,1\n0,1,2\n0,2,-3\n0,3,4\n"), "t.csv:4", "-3"},
    {"a mistake, at the key", BYTES("round,worker,seconds\n0,0,1\n0,1,2\n0,2,slow\n0,3,4\n"),
     "s.yaml:11:34:", "cluster.workers[0].delay.path: t.csv cannot be used"},
    {"text for a time", BYTES("round,worker,seconds\n0,0,1\n0,1,2\n0,2,slow\n0,3,4\n"), "t.csv:4", "slow"},
    {"nan", BYTES("round,worker,seconds\n0,0,1\n0,1,2\n0,2,nan\n0,3,4\n"), "t.csv:4", "nan"},
    {"ragged", BYTES("round,worker,seconds\n0,0,1\n0,1\n0,2,3\n0,3,4\n"), "t.csv:3", "2"},
};

/* Each file in turn as `name`, with the scenario's `line` replaced by `other`. */
static void refuse_files(const char *name, const char *line, const char *other, const struct raw *raw,
                         size_t files) {
    struct scratch scratch;
    char *text = edited(scenario, line, other);
    scratch_init(&scratch);
    scratch_write_text(&scratch, "d.csv", data);
    scratch_write_text(&scratch, "s.yaml", text);
    for (size_t q = 0; q < files; q++) {
        scratch_write(&scratch, name, raw[q].bytes, raw[q].length);
        expect_refusal(&scratch, raw[q].what, raw[q].place, raw[q].word);
    }
    free(text);
    scratch_fini(&scratch);
}

Test(bad_input, csv_files, .timeout = 300) {
    refuse_files("d.csv", csv_line, csv_line, raw_csvs, sizeof raw_csvs / sizeof *raw_csvs);
}

Test(bad_input, libsvm_files, .timeout = 300) {
    refuse_files("d.svm", csv_line, libsvm_line, raw_libsvms, sizeof raw_libsvms / sizeof *raw_libsvms);
}

Test(bad_input, trace_files, .timeout = 300) {
    refuse_files("t.csv", delay_line, trace_line, raw_traces, sizeof raw_traces / sizeof *raw_traces);
}

static void expect_done(const struct scratch *scratch, const char *what) {
    const char *const arguments[] = {"run", "s.yaml", "-o", "out", "-q", "--force", NULL};
    struct outcome outcome = scratch_run(scratch, arguments);
    cr_expect(eq(int, outcome.exit_code, 0), "%s: %s", what, outcome.err);
    outcome_fini(&outcome);
}

/* The same text with a BOM in front, CRLF line ends, or without its last line end; heap. */
static char *dressed(const char *text, bool bom, bool crlf, bool ended) {
    char *other = malloc(2 * strlen(text) + 4), *end = other;
    if (bom)
        end = stpcpy(end, "\xef\xbb\xbf");
    for (; *text; text++) {
        bool last = *text == '\n' && text[1] == 0;
        if (*text == '\n' && crlf && (ended || !last))
            *end++ = '\r';
        if (ended || !last)
            *end++ = *text;
    }
    *end = 0;
    return other;
}

/* What the tables above start from is accepted, as other editors write it too. */
Test(bad_input, good_input, .timeout = 300) {
    static const struct {
        const char *what;
        bool bom, crlf, ended;
    } styles[] = {{"plain", false, false, true},
                  {"BOM", true, false, true},
                  {"CRLF", false, true, true},
                  {"no last line end", false, false, false},
                  {"all at once", true, true, false}};
    static const struct {
        const char *name, *text, *line, *other;
    } files[] = {{"d.csv", data, csv_line, csv_line},
                 {"d.svm", libsvm, csv_line, libsvm_line},
                 {"t.csv", trace, delay_line, trace_line}};
    struct scratch scratch;
    scratch_init(&scratch);
    scratch_write_text(&scratch, "d.csv", data);
    for (size_t q = 0; q < sizeof styles / sizeof *styles; q++)
        for (size_t j = 0; j < sizeof files / sizeof *files; j++) {
            char *plain = edited(scenario, files[j].line, files[j].other);
            char *yaml = dressed(plain, styles[q].bom, styles[q].crlf, styles[q].ended);
            char *text = dressed(files[j].text, styles[q].bom && j != 1, styles[q].crlf, styles[q].ended);
            scratch_write_text(&scratch, "s.yaml", yaml);
            scratch_write_text(&scratch, files[j].name, text);
            expect_done(&scratch, styles[q].what);
            free(plain);
            free(yaml);
            free(text);
        }
    scratch_fini(&scratch);
}
