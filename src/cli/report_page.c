#include "report_page.h"
#include "csv_file.h"
#include "laws_table.h"
#include "number_text.h"
#include "schemes_table.h"
#include "setting_table.h"
#include "yaml_tree.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Points that are listed, and those whose tables are there too; all are in summary.csv. */
#define POINTS_LISTED 200
#define POINTS_SHOWN  50
/* Bytes of a scenario that is shown. */
#define SCENARIO_SHOWN (64 << 10)

void report_table(const struct report *report, const char *caption, const struct text_table *table) {
    size_t columns = text_table_columns(table), rows = text_table_rows(table);
    struct page_column *column = arena_zeroed(report->arena, columns, sizeof *column);
    const char **cell = arena_zeroed(report->arena, rows * columns + 1, sizeof *cell);
    for (size_t c = 0; c < columns; c++) {
        const struct text_column *like = text_table_column(table, c);
        column[c] = (struct page_column){like->heading, like->alignment == RIGHT};
    }
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            cell[r * columns + c] = text_table_cell(table, r, c);
    page_table(report->page, &(struct page_table){caption, column, columns, rows, cell});
}

static void table_told(const struct report *report, const char *caption, struct text_table *table) {
    report_table(report, caption, table);
    text_table_free(table);
}

/* ---- the question ---- */

/* A line of the header without its mark; NULL: not for readers. */
static const char *line_words(const char *line) {
    const char *words = line + strspn(line, "#");
    words += strspn(words, " \t");
    return strncmp(words, "ci:", 3) == 0 ? NULL : words;
}

/* `Claim: …` */
static bool opens_paragraph(const char *words) {
    size_t letters = 0;
    while (isalpha((unsigned char)words[letters]))
        letters++;
    return isupper((unsigned char)*words) && words[letters] == ':';
}

/* The next paragraph of *header as one line, and past it; "" at the end. Paragraphs are parted by lines without words, and
 * begin where a line says what it is. */
static const char *paragraph_next(struct arena *arena, const char **header) {
    const char *text = "";
    while (**header != '\0') {
        size_t length = strcspn(*header, "\n");
        const char *words = line_words(arena_text(arena, *header, length));
        bool over = words != NULL && *text != '\0' && (*words == '\0' || opens_paragraph(words));
        if (over)
            break;
        if (words != NULL && *words != '\0')
            text = arena_format(arena, "%s%s%s", text, *text ? " " : "", words);
        *header += length + ((*header)[length] == '\n');
    }
    return text;
}

void report_question(const struct report *report) {
    char *header = yaml_header(arena_format(report->arena, "%s/scenario.yaml", report->folder));
    const char *rest = header, *paragraph = paragraph_next(report->arena, &rest);
    if (*paragraph != '\0')
        page_lead(report->page, paragraph);
    paragraph = paragraph_next(report->arena, &rest);
    if (*paragraph != '\0') {
        page_fold(report->page, "What the scenario says of itself");
        for (; *paragraph != '\0'; paragraph = paragraph_next(report->arena, &rest))
            page_paragraph(report->page, paragraph);
        page_unfold(report->page);
    }
    free(header);
}

/* ---- the outcome ---- */

static void point_told(const struct report *report, size_t point) {
    const char *values = standings_values(report->standings, point);
    table_told(report, *values ? arena_format(report->arena, "Point %zu: %s", point, values) : NULL,
               standings_table(report->standings, point));
}

static void points_told(const struct report *report, size_t points) {
    size_t listed = points < POINTS_LISTED ? points : POINTS_LISTED;
    size_t shown = points < POINTS_SHOWN ? points : POINTS_SHOWN;
    table_told(report, "Which came first at every point", standings_overview(report->standings, listed));
    if (listed < points)
        page_paragraph(report->page, arena_format(report->arena, "The other %zu points are in summary.csv.",
                                                  points - listed));
    page_fold(report->page, shown < points
                                ? arena_format(report->arena, "All schemes at the first %zu points", shown)
                                : "All schemes at every point");
    for (size_t point = 0; point < shown; point++)
        point_told(report, point);
    page_unfold(report->page);
}

void report_standings(const struct report *report) {
    size_t points = standings_points(report->standings);
    page_heading(report->page, "Which came first");
    if (points > 1)
        points_told(report, points);
    else
        point_told(report, 0);
    page_paragraph(report->page, standings_legend(report->standings));
}

/* ---- the setting ---- */

/* What each type of scheme is for, once. */
static struct text_table *types_table(const struct study *study) {
    static const struct text_column columns[] = {{NULL, LEFT}, {NULL, LEFT}};
    const struct scenario *scenario = study_scenario(study, 0);
    struct text_table *table = text_table_new(columns, 2);
    for (uint32_t e = 0; e < scenario->schemes; e++) {
        const struct variant *type = scenario->scheme[e].scheme.type;
        bool told = false;
        for (uint32_t before = 0; before < e; before++)
            told |= scenario->scheme[before].scheme.type == type;
        if (!told)
            text_table_row(table, (const char *const[]){type->name, type->summary});
    }
    return table;
}

static const char *more_text(struct arena *arena, const char *caption, size_t unlisted) {
    return unlisted > 0 ? arena_format(arena, "%s; %zu more are not listed", caption, unlisted) : caption;
}

static void setting_told(const struct report *report, const struct study *study) {
    struct arena *arena = report->arena;
    size_t unlisted;
    page_paragraph(report->page, arena_format(arena, "%s.", runs_text(arena, study)));
    table_told(report, study_points(study) > 1 ? "At the first point" : NULL, setting_table(arena, study));
    struct text_table *laws = laws_table(arena, study, &unlisted);
    if (text_table_rows(laws) > 0)
        report_table(report, more_text(arena, "Laws, in seconds; slowness is a factor", unlisted), laws);
    text_table_free(laws);
    struct text_table *schemes = schemes_table(arena, study, &unlisted);
    const char *caption = "Schemes: partitions held and computed per worker, results waited for";
    if (study_swept(study) > 0)
        caption = arena_format(arena, "%s; values of %s", caption, swept_keys_text(arena, study));
    table_told(report, more_text(arena, caption, unlisted), schemes);
    table_told(report, "What they do", types_table(study));
}

/* The first thing that is wrong with a file, as a sentence. */
static const char *first_told(struct arena *arena, const struct diag *diag) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        return "";
    diag_print(diag, out);
    fclose(out);
    const char *sentence = arena_text(arena, text, strcspn(text, "\n"));
    free(text);
    return sentence;
}

static void scenario_shown(const struct report *report, const char *file) {
    struct diag *unheard = diag_new();
    size_t length;
    char *text = file_text(unheard, file, &length);
    if (text != NULL && length <= SCENARIO_SHOWN) {
        page_fold(report->page, "The scenario as it was run, every default written out");
        page_code(report->page, text);
        page_unfold(report->page);
    }
    free(text);
    diag_free(unheard);
}

void report_setting(const struct report *report) {
    const char *file = arena_format(report->arena, "%s/scenario.yaml", report->folder);
    struct diag *diag = diag_new();
    struct study *study = study_read(diag, &(struct study_request){.file = file, .any_size = true});
    page_heading(report->page, "The setting");
    if (study != NULL)
        setting_told(report, study);
    else
        page_warning(report->page,
                     arena_format(report->arena, "The scenario can no longer be read as it was run: %s",
                                  first_told(report->arena, diag)));
    scenario_shown(report, file);
    study_free(study);
    diag_free(diag);
}
