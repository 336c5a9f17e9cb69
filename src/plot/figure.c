#include "figure.h"
#include "chart.h"
#include "csv_file.h"
#include "file.h"
#include "glyphs.h"
#include "gnuplot.h"
#include "memory.h"
#include "origin.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the pictures of one call share. */
struct drawing {
    const struct plot_request *request;
    struct arena *arena;
    const char *figures; /* folder */
    const char *subject; /* what the results are called */
    const char *const *formats;
    struct diag *notes;
    struct sentence *why;
};

static bool put_file(const struct drawing *drawing, const char *name, const char *text, size_t length) {
    const char *path = arena_format(drawing->arena, "%s/%s", drawing->figures, name);
    if (file_replace(path, text, length))
        return true;
    sentence_set(drawing->why, "cannot write %s: %s", path, strerror(errno));
    return false;
}

/* The script of the figure, NULL after writing why. */
static char *read_script(const struct drawing *drawing, const char *name) {
    const char *path = arena_format(drawing->arena, "%s/%s.gp", drawing->request->scripts, name);
    struct diag *unheard = diag_new();
    size_t length;
    char *script = file_text(unheard, path, &length);
    diag_free(unheard);
    if (script == NULL)
        sentence_set(drawing->why, "cannot read the script %s", path);
    return script;
}

static char *formats_text(const struct drawing *drawing) {
    char *text = arena_format(drawing->arena, "%s", drawing->formats[0]);
    for (size_t i = 1; drawing->formats[i] != NULL; i++)
        text = arena_format(drawing->arena, "%s %s", text, drawing->formats[i]);
    return text;
}

/* The settings on top of the script: NAME.gp draws the picture again by itself. */
static bool put_script(const struct drawing *drawing, const struct figure *figure, struct chart *chart) {
    const char *name = figure->head.name;
    char *script = read_script(drawing, name);
    if (script == NULL)
        return false;
    chart_text(chart, "title", figure->title);
    chart_text(chart, "subject", drawing->subject);
    chart_close(chart);
    char *text = arena_format(drawing->arena,
                              "# Set by laggard for this picture; edit freely, nothing reads it back.\n"
                              "if (!exists('data')) data = './%s.csv'\n"
                              "if (!exists('out')) out = './%s'\n"
                              "if (!exists('formats')) formats = '%s'\n%s\n%s",
                              name, name, formats_text(drawing), chart->text, script);
    free(script);
    return put_file(drawing, arena_format(drawing->arena, "%s.gp", name), text, strlen(text));
}

/* How a whole picture ends, but for a line end. */
static const struct format {
    const char *name, *end;
} known[] = {{"svg", "</svg>"}, {"png", "IEND\xae\x42\x60\x82"}, {"pdf", "%%EOF"}};

static const struct format *format_named(const char *name) {
    for (size_t f = 0; f < sizeof known / sizeof *known; f++)
        if (strcmp(known[f].name, name) == 0)
            return &known[f];
    return NULL;
}

/* A full disk shows only in that: gnuplot does not notice. */
static bool is_whole(const char *picture, const struct format *format) {
    char tail[16];
    size_t length = 0, ending = strlen(format->end);
    FILE *file = fopen(picture, "rb");
    if (file == NULL)
        return false;
    if (fseek(file, -(long)sizeof tail, SEEK_END) == 0)
        length = fread(tail, 1, sizeof tail, file);
    fclose(file);
    while (length > 0 && tail[length - 1] == '\n')
        length--;
    return length >= ending && memcmp(tail + length - ending, format->end, ending) == 0;
}

static bool keep_picture(const struct drawing *drawing, const char *name, const char *format) {
    const char *partial = arena_format(drawing->arena, "%s/%s.partial.%s", drawing->figures, name, format);
    const char *picture = arena_format(drawing->arena, "%s/%s.%s", drawing->figures, name, format);
    const struct format *form = format_named(format);
    if (!form || !is_whole(partial, form))
        sentence_set(drawing->why, "gnuplot left %s unfinished: is the disk full?", picture);
    else if (rename(partial, picture) != 0)
        sentence_set(drawing->why, "cannot write %s: %s", picture, strerror(errno));
    else
        return true;
    return false;
}

static void drop_partial(const struct drawing *drawing, const char *name) {
    for (size_t i = 0; drawing->formats[i] != NULL; i++)
        unlink(arena_format(drawing->arena, "%s/%s.partial.%s", drawing->figures, name, drawing->formats[i]));
}

/* Returns the number of pictures, or -1. */
static int run_script(const struct drawing *drawing, const char *name) {
    struct gnuplot_job job = {.folder = drawing->figures,
                              .script = arena_format(drawing->arena, "%s.gp", name),
                              .settings = arena_format(drawing->arena, "out = './%s.partial'; formats = '%s'",
                                                       name, formats_text(drawing)),
                              .limit_s = GNUPLOT_LIMIT_S};
    int pictures = 0;
    drop_partial(drawing, name); /* gnuplot would write through a link */
    bool kept = gnuplot_run(&job, drawing->why);
    for (size_t i = 0; kept && drawing->formats[i] != NULL; i++, pictures++)
        kept = keep_picture(drawing, name, drawing->formats[i]);
    if (kept)
        return pictures;
    drop_partial(drawing, name);
    return -1;
}

static bool file_there(const char *folder, const char *name) {
    char *path = memory_format("%s/%s", folder, name);
    bool there = access(path, R_OK) == 0;
    free(path);
    return there;
}

size_t figure_points(const struct plot_request *request) {
    return request->detail > 0 ? request->detail : FIGURE_POINTS;
}

bool figures_possible(const char *folder) {
    for (const struct variant *const *head = figure_family.variants; *head != NULL; head++)
        if (file_there(folder, ((const struct figure *)*head)->file))
            return true;
    return false;
}

static void note(const struct drawing *drawing, const char *text) {
    diag_warning(drawing->notes, (struct place){drawing->request->folder, 0, 0}, NULL, "%s", text);
}

/* A figure with nothing to show is passed over; where it is the one that was asked for, `why` says so. */
static void pass_over(const struct drawing *drawing, const struct figure *figure) {
    const char *text =
        arena_format(drawing->arena, "no figure %s: %s", figure->head.name, drawing->why->text);
    if (drawing->request->figure != NULL)
        sentence_set(drawing->why, "%s", text);
    else if (!figure->rare)
        note(drawing, text);
}

/* A link would lead the pictures out of the folder. */
static bool make_figures(const struct drawing *drawing) {
    struct stat status;
    if (mkdir(drawing->figures, 0777) == 0)
        return true;
    int cause = errno;
    if (cause == EEXIST && lstat(drawing->figures, &status) == 0 && S_ISDIR(status.st_mode))
        return true;
    sentence_set(drawing->why, "cannot make %s: %s", drawing->figures,
                 cause == EEXIST ? "something else stands there" : strerror(cause));
    return false;
}

static int draw_chart(const struct drawing *drawing, const struct figure *figure, struct chart *chart) {
    const char *name = figure->head.name, *table = arena_format(drawing->arena, "%s.csv", name);
    if (!make_figures(drawing) || !put_file(drawing, table, chart->table.text, chart->table.length) ||
        !put_script(drawing, figure, chart))
        return -1;
    if (chart->substituted)
        note(drawing, "characters that the font of the pictures may lack are drawn as " GLYPH_SUBSTITUTE);
    return run_script(drawing, name);
}

/* Returns the number of pictures, or -1; notes why there is none. */
static int draw(const struct drawing *drawing, const struct figure *figure) {
    struct chart chart;
    chart_init(&chart);
    int found = figure->tabulate(drawing->request, &chart, drawing->why);
    if (found == 1)
        found = draw_chart(drawing, figure, &chart);
    else if (found == 0)
        pass_over(drawing, figure);
    chart_fini(&chart);
    return found;
}

/* False after writing why nothing can be drawn at all. */
static bool check(const struct drawing *drawing) {
    const struct plot_request *request = drawing->request;
    if (request->figure == NULL && !figures_possible(request->folder)) {
        sentence_set(drawing->why, "%s is not a results folder: it has no runs.csv or fit.csv",
                     request->folder);
        return false;
    }
    if (request->figure != NULL && family_find(&figure_family, request->figure) == NULL) {
        sentence_set(drawing->why, "there is no figure called %s", request->figure);
        return false;
    }
    for (size_t i = 0; drawing->formats[i] != NULL; i++)
        if (!format_named(drawing->formats[i])) {
            sentence_set(drawing->why, "%s is not a format: svg, png or pdf", drawing->formats[i]);
            return false;
        }
    return true;
}

static int draw_all(const struct drawing *drawing) {
    const char *chosen = drawing->request->figure;
    int pictures = 0;
    for (const struct variant *const *head = figure_family.variants; *head != NULL; head++) {
        const struct figure *figure = (const struct figure *)*head;
        bool wanted = chosen != NULL ? strcmp(figure->head.name, chosen) == 0
                                     : file_there(drawing->request->folder, figure->file);
        int drawn = wanted ? draw(drawing, figure) : 0;
        if (drawn < 0)
            return -1;
        pictures += drawn;
    }
    return pictures;
}

int figures_draw(const struct plot_request *request, struct diag *notes, struct sentence *why) {
    static const char *const usual[] = {"svg", "png", NULL};
    struct arena *arena = arena_new();
    struct origin origin = origin_of(arena, request->folder);
    struct drawing drawing = {
        .request = request,
        .arena = arena,
        .figures = request->into != NULL ? request->into : arena_format(arena, "%s/figures", request->folder),
        .subject = origin.name,
        .formats = request->formats[0] == NULL ? usual : request->formats,
        .notes = notes,
        .why = why};
    int pictures = -1;
    if (check(&drawing)) {
        if (!origin.complete)
            note(&drawing, "these results are not complete");
        pictures = draw_all(&drawing);
    }
    arena_free(arena);
    return pictures;
}
