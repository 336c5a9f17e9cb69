/* laggard report: the page of a results folder, whose every text is a user's. */
#include "report_call.h"
#include "results.h"
#include "well_formed.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every text that a scenario has a place for is hostile. */
static const char study[] =
    "# Is <script>alert(1)</script> \"safe\" & 'sound'?\n"
    "# The question goes on.\n"
    "# ci: --set stop.steps=1\n"
    "# Found: `touch hit` <img src=x onerror=alert(1)>\n"
    "name: \"<b>'\\\"&amp; é\"\n"
    "seed: 3\n"
    "replications: 3\n"
    "problem: {loss: logistic, data: {type: csv, path: \"<i>'.csv\", label: \"<u>\", standardize: true, "
    "intercept: true}}\n"
    "optimizer: {learning_rate: 0.5}\n"
    "stop: {steps: 40, loss: 0.5}\n"
    "cluster:\n"
    "  workers:\n"
    "    - {count: 4, compute: {type: constant, value: 1s}, delay: {type: exponential, mean: 1s}}\n"
    "schemes:\n"
    "  - {type: uncoded, label: \"<script>x</script>\"}\n"
    "  - {type: ignore, stragglers: 1, label: \"a' onmouseover='b\"}\n"
    "  - {type: gc-cr, stragglers: 1, label: \"`id` $(id) ]]>\"}\n";

/* A scratch folder whose `out` holds the results of the study. */
static void prepare(struct scratch *scratch) {
    scratch_init(scratch);
    scratch_write_text(scratch, "s.yaml", study);
    scratch_write_text(scratch, "<i>'.csv", "x,<u>\n");
    for (int row = 0; row < 24; row++)
        scratch_append(scratch, "<i>'.csv", "%d,%s\n", row, row < 12 ? "<no>" : "yes&");
    RUN_QUIETLY(scratch, 0, "run", "s.yaml", "-o", "out", "-q", "--set", "stop.loss=0.55");
}

static size_t occurrences(const char *text, const char *part) {
    size_t count = 0;
    for (const char *found = text; (found = strstr(found, part)) != NULL; found += strlen(part))
        count++;
    return count;
}

static bool has_gnuplot(void) {
    return system("command -v gnuplot > /dev/null") == 0;
}

Test(report, every_text_is_escaped) {
    struct scratch scratch;
    prepare(&scratch);
    RUN_QUIETLY(&scratch, 0, "report", "out");
    char *page = scratch_text(&scratch, "out/report.html");
    cr_assert(page != NULL);
    const char *fault = well_formed_fault(page);
    cr_expect(fault == NULL, "%s", fault);
    static const char *const never[] = {"<script",
                                        "<img",
                                        "<i>",
                                        "<u>",
                                        "<b>",
                                        " onerror=",
                                        " onmouseover='",
                                        "<no>",
                                        "http-equiv=\"refresh",
                                        "javascript:",
                                        "<link",
                                        "<iframe"};
    for (size_t n = 0; n < sizeof never / sizeof *never; n++) {
        const char *found = strstr(page, never[n]);
        bool quoted = found && strncmp(never[n], " on", 3) == 0 && strstr(page, "onmouseover=&#39;");
        cr_expect(found == NULL || quoted, "%s: %.80s", never[n], found);
    }
    static const char lead[] =
        "<p class=\"lead\">Is &lt;script&gt;alert(1)&lt;/script&gt; &quot;safe&quot; &amp; "
        "&#39;sound&#39;? The question goes on.</p>";
    static const char *const held[] = {"<h1>&lt;b&gt;&#39;&quot;&amp;amp; é</h1>",
                                       lead,
                                       "<p>Found: `touch hit` &lt;img src=x onerror=alert(1)&gt;</p>",
                                       "<td>&lt;script&gt;x&lt;/script&gt;</td>",
                                       "<td>`id` $(id) ]]&gt;</td>",
                                       "&lt;no&gt; → -1, yes&amp; → +1",
                                       "-o out -q --set stop.loss=0.55</pre>",
                                       "&lt;i&gt;&#39;.csv</td>"};
    for (size_t h = 0; h < sizeof held / sizeof *held; h++)
        cr_expect(strstr(page, held[h]) != NULL, "%s", held[h]);
    free(page);
    scratch_fini(&scratch);
}

/* Nothing but the names of XML's languages is an address. */
Test(report, the_page_loads_nothing) {
    struct scratch scratch;
    prepare(&scratch);
    RUN_QUIETLY(&scratch, 0, "report", "out");
    char *page = scratch_text(&scratch, "out/report.html");
    cr_assert(page != NULL);
    size_t addresses = occurrences(page, "://"), names = occurrences(page, "=\"http://www.w3.org/");
    cr_expect(eq(sz, addresses, names));
    cr_expect(eq(sz, occurrences(page, "href="), occurrences(page, "href='#figure")));
    cr_expect(strstr(page, "default-src 'none'") != NULL);
    if (has_gnuplot())
        cr_expect(lt(sz, 2, occurrences(page, "<svg ")));
    free(page);
    scratch_fini(&scratch);
}

/* The cell of a table's row: `column` from 0, of the row that holds `name`. */
static void cell_text(const char *page, const char *name, int column, char *out) {
    const char *row = strstr(page, name);
    cr_assert(row != NULL, "%s", name);
    while (strncmp(row, "<tr>", 4) != 0)
        row--;
    for (; column >= 0; column--)
        row = strstr(row + 1, "<td");
    row = strchr(row, '>') + 1;
    sprintf(out, "%.*s", (int)strcspn(row, "<"), row);
}

/* The printed mean is the CSV's, rounded to two digits of its interval, which is at least a hundredth of the unit of the last
 * digit that is printed. */
static void expect_cell(const char *page, const char *name, int column, double mean, double half) {
    char cell[128], *end = NULL;
    cell_text(page, name, column, cell);
    double told = strtod(cell, &end), width = strncmp(end, " ± ", 4) == 0 ? strtod(end + 4, NULL) : 0;
    double digit = fmax(0.1 * half, 1e-4 * fabs(mean)); /* of the last digit that is told at least */
    cr_expect(fabs(told - mean) <= digit, "%s, column %d: %s against %.17g", name, column, cell, mean);
    cr_expect(fabs(width - half) <= digit, "%s, column %d: %s against ± %.17g", name, column, cell, half);
}

Test(report, the_table_is_that_of_the_summary) {
    struct scratch scratch;
    prepare(&scratch);
    RUN_QUIETLY(&scratch, 0, "report", "out");
    char *page = scratch_text(&scratch, "out/report.html");
    struct results summary;
    results_init(&summary, &scratch, "out/summary.csv");
    static const char *const names[] = {"<td>&lt;script&gt;x&lt;/script&gt;</td>",
                                        "<td>a&#39; onmouseover=&#39;b</td>", "<td>`id` $(id) ]]&gt;</td>"};
    static const struct shown {
        int column;
        const char *mean, *low, *high;
    } shown[] = {{3, "time_to_loss_s_mean", "time_to_loss_s_low", "time_to_loss_s_high"},
                 {4, "diff_time_to_loss_s", "diff_time_to_loss_s_low", "diff_time_to_loss_s_high"},
                 {6, "steps_to_loss_mean", "steps_to_loss_low", "steps_to_loss_high"},
                 {7, "step_mean_s_mean", "step_mean_s_low", "step_mean_s_high"}};
    size_t rank_sum = 0;
    for (size_t row = 0; row < 3; row++) {
        char cell[128];
        size_t sooner = 0;
        for (size_t c = 0; c < sizeof shown / sizeof *shown; c++) {
            double low = results_number(&summary, row, shown[c].low),
                   high = results_number(&summary, row, shown[c].high);
            if (row > 0 || shown[c].column != 4)
                expect_cell(page, names[row], shown[c].column, results_number(&summary, row, shown[c].mean),
                            (high - low) / 2);
        }
        cell_text(page, names[row], 2, cell);
        cr_expect(eq(str, cell, (char *)"3 of 3"));
        for (size_t other = 0; other < 3; other++)
            sooner += results_number(&summary, other, "time_to_loss_s_mean") <
                      results_number(&summary, row, "time_to_loss_s_mean");
        cell_text(page, names[row], 0, cell);
        cr_expect(eq(sz, strtoul(cell, NULL, 10), sooner + 1), "rank of %s", names[row]);
        rank_sum += sooner + 1;
    }
    cr_expect(eq(sz, rank_sum, 6), "three ranks, in order:");
    const char *first = strstr(page, "<tr><td class=\"number\">1</td>"),
               *last = strstr(page, "<tr><td class=\"number\">3</td>");
    cr_expect(first && last && first < last);
    results_fini(&summary);
    free(page);
    scratch_fini(&scratch);
}

/* By hand: a reaches the loss always and later than b; c does so once of twice, d never. */
Test(report, who_does_not_always_arrive_has_no_rank) {
    struct scratch scratch;
    scratch_init(&scratch);
    mkdir(strcat(strcpy((char[256]){0}, scratch.path), "/hand"), 0777);
    scratch_write_text(
        &scratch, "hand/summary.csv",
        "point,scheme,parameters,runs,reached,step_mean_s_mean,time_to_loss_s_mean,target_loss\n"
        "0,d,,2,0,1,,0.1\n0,a,,2,1,1,20,0.1\n0,c,,2,0.5,1,5,0.1\n0,b,,2,1,1,10,0.1\n");
    scratch_write_text(
        &scratch, "hand/runs.csv",
        "point,scheme,replication,status\n0,d,0,stalled\n0,d,1,diverged\n0,a,0,loss\n0,a,1,loss\n"
        "0,c,0,loss\n0,c,1,stalled\n0,b,0,loss\n0,b,1,loss\n");
    RUN_QUIETLY(&scratch, 0, "report", "hand", "-q");
    char *page = scratch_text(&scratch, "hand/report.html");
    cr_assert(page != NULL);
    static const char *const rows[] = {"<tr><td class=\"number\">1</td><td>b</td><td class=\"number\">2 of "
                                       "2</td><td class=\"number\">10</td>",
                                       "<tr><td class=\"number\">2</td><td>a</td><td class=\"number\">2 of "
                                       "2</td><td class=\"number\">20</td>",
                                       "<tr><td class=\"number\">–</td><td>c</td><td class=\"number\">1 of "
                                       "2</td><td class=\"number\">5</td>",
                                       "<tr><td class=\"number\">–</td><td>d</td><td class=\"number\">0 of "
                                       "2</td><td class=\"number\">–</td>"};
    const char *at = page;
    for (size_t r = 0; r < 4; r++) {
        const char *found = strstr(at, rows[r]);
        cr_expect(found != NULL, "%s", rows[r]);
        at = found ? found : at;
    }
    cr_expect(strstr(page, "<td>1 stalled, 1 diverged</td>") != NULL);
    cr_expect(strstr(page, "no manifest.json") && strstr(page, "can no longer be read"),
              "what is missing is said");
    const char *fault = well_formed_fault(page);
    cr_expect(fault == NULL, "%s", fault);
    free(page);
    scratch_fini(&scratch);
}

Test(report, a_sweep_has_a_row_per_point) {
    struct scratch scratch;
    prepare(&scratch);
    RUN_QUIETLY(&scratch, 0, "run", "s.yaml", "-o", "swept", "-q", "--set",
                "sweep={optimizer.learning_rate: [0.4, 0.8], schemes.stragglers: [1, 2]}", "--set",
                "record.every=summary");
    RUN_QUIETLY(&scratch, 0, "report", "swept", "-q");
    char *page = scratch_text(&scratch, "swept/report.html");
    cr_assert(page != NULL);
    cr_expect(strstr(page, "<th scope=\"col\">learning_rate</th><th scope=\"col\">stragglers</th>") != NULL);
    cr_expect(eq(sz, occurrences(page, "<caption>Point "), 4));
    cr_expect(strstr(page, "<caption>Point 3: learning_rate = 0.8, stragglers = 2</caption>") != NULL);
    free(page);
    scratch_fini(&scratch);
}

/* The same folder gives the same page. */
Test(report, is_reproducible_and_leaves_nothing_else) {
    struct scratch scratch;
    prepare(&scratch);
    mkdir(strcat(strcpy((char[256]){0}, scratch.path), "/aside"), 0777);
    char aside[128];
    snprintf(aside, sizeof aside, "%s/aside", scratch.path);
    setenv("TMPDIR", aside, 1);
    struct outcome first = RUN(&scratch, 0, "report", "out");
    cr_expect(eq(str, first.out, (char *)"out/report.html\n"));
    char *page = scratch_text(&scratch, "out/report.html");
    RUN_QUIETLY(&scratch, 0, "report", "out/", "-o", "other.html", "-q");
    char *again = scratch_text(&scratch, "other.html");
    cr_expect(eq(str, again, page));
    cr_expect(rmdir(aside) == 0, "figures are gone from %s", aside);
    RUN_QUIETLY(&scratch, 2, "report", "out", "-o", "other.html");
    RUN_QUIETLY(&scratch, 0, "report", "out", "-o", "other.html", "--force", "-q");
    RUN_QUIETLY(&scratch, 0, "run", "s.yaml", "-o", "out", "--force", "-q");
    outcome_fini(&first);
    free(page);
    free(again);
    scratch_fini(&scratch);
}

Test(report, without_gnuplot_there_is_a_page_without_figures) {
    struct scratch scratch;
    prepare(&scratch);
    setenv("PATH", scratch.path, 1);
    struct outcome outcome = RUN(&scratch, 0, "report", "out");
    cr_expect(strstr(outcome.err, "gnuplot") != NULL, "%s", outcome.err);
    char *page = scratch_text(&scratch, "out/report.html");
    cr_assert(page != NULL);
    cr_expect(strstr(page, "<svg") == NULL);
    cr_expect(strstr(page, "gnuplot could not draw all figures") != NULL);
    cr_expect(strstr(page, "<h2>How to reproduce it</h2>") != NULL);
    const char *fault = well_formed_fault(page);
    cr_expect(fault == NULL, "%s", fault);
    free(page);
    outcome_fini(&outcome);
    scratch_fini(&scratch);
}

/* What cannot be told any more is said to be so. */
Test(report, data_may_be_gone) {
    struct scratch scratch;
    prepare(&scratch);
    char path[256];
    snprintf(path, sizeof path, "%s/<i>'.csv", scratch.path);
    cr_assert(unlink(path) == 0);
    RUN_QUIETLY(&scratch, 0, "report", "out", "-q");
    char *page = scratch_text(&scratch, "out/report.html");
    cr_assert(page != NULL);
    cr_expect(strstr(page, "The scenario can no longer be read as it was run: out/scenario.yaml:") != NULL);
    cr_expect(strstr(page, "<td class=\"number\">3 of 3</td>") != NULL);
    free(page);
    scratch_fini(&scratch);
}

/* A command line, its exit code and what it says. */
static const struct refusal {
    const char *argument[7];
    int exit_code;
    const char *err;
} refusals[] = {
    {{"report"}, 2, "usage: laggard report DIR"},
    {{"report", "none"}, 2, "none: there is no such folder"},
    {{"report", "s.yaml"}, 2, "s.yaml: not a folder"},
    {{"report", "."}, 2, "not a folder of finished results: it has no summary.csv"},
    {{"report", "out", "-o", ""}, 2, "must name a file"},
    {{"report", "out", "-o", "s.yaml"}, 2, "s.yaml exists; --force replaces it"},
    {{"report", "out", "-o", "none/x.html", "-q"}, 1, "cannot write none/x.html"},
    {{"report", "out", "-o", "out", "--force", "-q"}, 1, "cannot write out"},
    {{"report", "out", "other"}, 2, "unexpected 'other'"},
};

Test(report, mistakes_are_told) {
    struct scratch scratch;
    prepare(&scratch);
    for (size_t r = 0; r < sizeof refusals / sizeof *refusals; r++) {
        struct outcome outcome = scratch_run(&scratch, refusals[r].argument);
        cr_expect(eq(int, outcome.exit_code, refusals[r].exit_code), "%s: %s", refusals[r].err, outcome.err);
        cr_expect(strstr(outcome.err, refusals[r].err) != NULL, "must hold '%s', is\n%s", refusals[r].err,
                  outcome.err);
        outcome_fini(&outcome);
    }
    scratch_write_text(&scratch, "out/summary.csv", "point,scheme\n0,a\n");
    struct outcome outcome = RUN(&scratch, 2, "report", "out");
    cr_expect(strstr(outcome.err, "out/summary.csv has no column runs") != NULL, "%s", outcome.err);
    outcome_fini(&outcome);
    scratch_fini(&scratch);
}

/* Folders and scenarios may be called what people call them. */
Test(report, names_with_blanks_quotes_and_other_letters) {
    struct scratch scratch;
    prepare(&scratch);
    static const char folder[] = "it's a \"test\" of Zürich $(id) `id` 雪";
    RUN_QUIETLY(&scratch, 0, "run", "s.yaml", "-o", folder, "-q");
    if (has_gnuplot())
        RUN_QUIETLY(&scratch, 0, "plot", folder, "--format", "svg");
    RUN_QUIETLY(&scratch, 0, "report", folder, "-q");
    char path[256];
    snprintf(path, sizeof path, "%s/report.html", folder);
    char *page = scratch_text(&scratch, path);
    cr_assert(page != NULL);
    cr_expect(
        strstr(page,
               "-o &#39;it&#39;\\&#39;&#39;s a &quot;test&quot; of Zürich $(id) `id` 雪&#39; -q</pre>") !=
        NULL);
    free(page);
    scratch_fini(&scratch);
}
