/* laggard verify: what theory says beside what simulation finds. */
#include "verify.h"
#include "number_text.h"
#include "study_call.h"
#include "text_table.h"
#include <math.h>
#include <stdlib.h>

struct score {
    size_t tried, failed;
};

static const char *number(struct arena *arena, int digits, double value) {
    return isfinite(value) ? arena_format(arena, "%.*g", digits, value) : number_text(arena, value);
}

static const char *theory_text(struct arena *arena, const struct prediction *prediction) {
    const char *value = number(arena, 8, prediction->value);
    return prediction->error > 0 ? arena_format(arena, "%s ± %.2g", value, prediction->error) : value;
}

#define CELLS 7

/* The quadrature's cell is left out of tables that have none. */
static void finding_row(struct arena *arena, struct text_table *table, const struct finding *finding,
                        bool expects) {
    const char *cells[CELLS] = {finding->prediction->name, theory_text(arena, finding->prediction)};
    size_t next = 2;
    if (expects)
        cells[next++] = number(arena, 7, finding->expected);
    cells[next++] = number(arena, 7, finding->found);
    cells[next++] = finding->error > 0 ? number(arena, 2, finding->error) : "–";
    cells[next++] =
        isnan(finding->standard_errors) ? "–" : arena_format(arena, "%.2f", finding->standard_errors);
    cells[next] = finding->agrees ? "agrees" : "FAILS";
    text_table_row(table, cells);
}

static struct text_table *findings_table(bool expects) {
    static const struct text_column all[CELLS] = {
        {"", LEFT},     {"theory", RIGHT}, {"quadrature", RIGHT}, {"simulation", RIGHT}, {"std error", RIGHT},
        {"|z|", RIGHT}, {"", LEFT}};
    static const struct text_column fewer[CELLS - 1] = {
        {"", LEFT},           {"theory", RIGHT}, {"simulation", RIGHT},
        {"std error", RIGHT}, {"|z|", RIGHT},    {"", LEFT}};
    return expects ? text_table_new(all, CELLS) : text_table_new(fewer, CELLS - 1);
}

/* One table; quiet leaves out what agrees. */
static struct score findings_print(const struct call *call, const struct predictions *predictions,
                                   const struct finding *finding, size_t count) {
    bool quiet = option_given(call, "quiet"), expects = predictions->measure == measure_step_s;
    struct text_table *table = findings_table(expects);
    struct score score = {.tried = count};
    for (size_t q = 0; q < count; q++) {
        score.failed += !finding[q].agrees;
        if (!quiet || !finding[q].agrees)
            finding_row(call->arena, table, &finding[q], expects);
    }
    if (score.failed > 0 || (count > 0 && !quiet)) {
        printf("%s\n", predictions->title);
        text_table_print(table, stdout, "  ");
        putchar('\n');
        fflush(stdout);
    }
    text_table_free(table);
    return score;
}

static struct score verify_all(const struct call *call, const struct verify_request *request) {
    struct score score = {0, 0};
    for (size_t f = 0; all_predictions[f]; f++) {
        struct finding *finding = memory_zeroed(all_predictions[f]->count, sizeof *finding);
        size_t count = verify_predictions(all_predictions[f], request, finding);
        struct score one = findings_print(call, all_predictions[f], finding, count);
        score.tried += one.tried;
        score.failed += one.failed;
        free(finding);
    }
    return score;
}

static bool any_named(const char *word) {
    for (size_t f = 0; all_predictions[f]; f++)
        for (size_t q = 0; q < all_predictions[f]->count; q++)
            if (prediction_wanted(&all_predictions[f]->prediction[q], &word, 1))
                return true;
    return false;
}

static int run(struct call *call) {
    struct verify_request request = {call->operand, call->operands, threads_of_call(call)};
    if (request.threads == 0)
        return EXIT_USAGE;
    for (size_t q = 0; q < call->operands; q++)
        if (!*call->operand[q])
            return usage_error(call, "a NAME is empty; without any, all checks are made");
        else if (!any_named(call->operand[q]))
            return usage_error(call, "no check has '%s' in its name", call->operand[q]);
    struct score score = verify_all(call, &request);
    if (score.failed > 0)
        return unfinished(call, "%zu of %s fail", score.failed,
                          count_text(call->arena, score.tried, "check"));
    if (!option_given(call, "quiet"))
        printf("all of %s agree\n", count_text(call->arena, score.tried, "check"));
    return EXIT_DONE;
}

static const struct option_spec options[] = {
    OPTION_THREADS,
    {'q', "quiet", NULL, "print only what fails"},
    {0, NULL, NULL, NULL},
};

const struct command command_verify = {
    .name = "verify",
    .summary = "compares the simulator with closed forms and exact values",
    .usage = "[NAME]... [-j N] [-q]",
    .details =
        "Simulates every case for which theory has an answer: step times, partitions recovered,\n"
        "staleness, convergence. A NAME keeps the checks that have it in their names, such as gc-cr.\n"
        "A check agrees within four standard errors, of theory too where that is itself a simulation's,\n"
        "or, where nothing is random, within rounding. Step times are also computed by quadrature\n"
        "where tasks alone decide them. Ends with 1 when a check fails.\n",
    .options = options,
    .operands_max = SIZE_MAX,
    .run = run,
};
