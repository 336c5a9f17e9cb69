/* laggard report: a results folder as one page for a browser. */
#include "csv_file.h"
#include "draw.h"
#include "file.h"
#include "origin.h"
#include "report_page.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- figures, drawn in a folder that is gone afterwards ---- */

static const char *workshop_new(struct arena *arena) {
    const char *parent = getenv("TMPDIR");
    char *path = arena_format(arena, "%s/laggard-XXXXXX", parent && *parent ? parent : "/tmp");
    return mkdtemp(path);
}

static void workshop_remove(struct arena *arena, const char *path) {
    DIR *listing = opendir(path);
    for (struct dirent *entry; listing && (entry = readdir(listing));)
        unlink(arena_format(arena, "%s/%s", path, entry->d_name));
    if (listing)
        closedir(listing);
    rmdir(path);
}

/* False where the figure was not drawn, or cannot be shown after telling why. */
static bool picture_told(const struct call *call, const struct report *report, const char *path,
                         const struct figure *figure) {
    struct diag *unheard = diag_new();
    size_t length;
    char *svg =
        file_text(unheard, arena_format(report->arena, "%s/%s.svg", path, figure->head.name), &length);
    diag_free(unheard);
    struct sentence why;
    bool told = svg && page_picture(report->page, figure->title, svg, &why);
    if (svg && !told)
        unfinished(call, "%s: %s", figure->head.name, why.text);
    free(svg);
    return told;
}

/* A page without figures is still worth having. */
static void report_figures(const struct call *call, const struct report *report) {
    page_heading(report->page, "Figures");
    const char *path = workshop_new(report->arena);
    struct plot_request request = {.folder = report->folder, .into = path, .formats = {"svg"}};
    size_t shown = 0;
    bool drawn = path && pictures_drawn(call, request) >= 0;
    for (const struct variant *const *head = figure_family.variants; path && *head; head++)
        shown += picture_told(call, report, path, (const struct figure *)*head);
    if (!drawn)
        page_warning(report->page,
                     "gnuplot could not draw all figures when this page was made; once it is installed, "
                     "laggard report draws them again.");
    else if (shown == 0)
        page_paragraph(report->page, "These results have nothing that a figure could show.");
    if (path)
        workshop_remove(report->arena, path);
}

/* ---- the page ---- */

static int page_keep(struct call *call, const char *file, struct page *page) {
    size_t length;
    char *text = page_finish(page, &length);
    bool kept = file_replace(file, text, length);
    int cause = errno;
    free(text);
    if (!kept)
        return unfinished(call, "cannot write %s: %s", file, strerror(cause));
    if (!option_given(call, "quiet"))
        printf("%s\n", file);
    return EXIT_DONE;
}

static int page_made(struct call *call, const char *file, const struct standings *standings) {
    const char *folder = call->operand[0];
    struct report report = {call->arena, folder, standings, page_new(origin_of(call->arena, folder).name)};
    report_question(&report);
    report_standings(&report);
    report_warnings(&report);
    report_figures(call, &report);
    report_setting(&report);
    report_origin(&report);
    int code = page_keep(call, file, report.page);
    page_free(report.page);
    return code;
}

/* The page of its own folder is replaced like its figures; any other file only when asked. */
static const char *file_obstacle(struct call *call) {
    const char *file = option_value(call, "output");
    struct stat status;
    if (!file || option_given(call, "force"))
        return NULL;
    if (!*file)
        return "option '--output' must name a file";
    return lstat(file, &status) == 0 ? arena_format(call->arena, "%s exists; --force replaces it", file)
                                     : NULL;
}

static int folder_check(struct call *call, const char *folder) {
    struct stat status;
    if (stat(folder, &status) != 0)
        return usage_error(call, "%s: there is no such folder", folder);
    if (!S_ISDIR(status.st_mode))
        return usage_error(call, "%s: not a folder", folder);
    if (access(arena_format(call->arena, "%s/summary.csv", folder), F_OK) != 0)
        return usage_error(call, "%s: not a folder of finished results: it has no summary.csv", folder);
    const char *obstacle = file_obstacle(call);
    return obstacle ? usage_error(call, "%s", obstacle) : EXIT_DONE;
}

static int run(struct call *call) {
    const char *folder = call->operand[0], *file = option_value(call, "output");
    int code = folder_check(call, folder);
    if (code != EXIT_DONE)
        return code;
    struct sentence why;
    struct standings *standings = standings_read(call->arena, folder, &why);
    if (!standings)
        return refused(call, "%s", why.text);
    code = page_made(call, file ? file : arena_format(call->arena, "%s/report.html", folder), standings);
    standings_free(standings);
    return code;
}

static const struct option_spec options[] = {
    {'o', "output", "FILE", "the page; DIR/report.html by default"},
    {0, "force", NULL, "replace an existing FILE"},
    {'q', "quiet", NULL, "print nothing but errors"},
    {0, NULL, NULL, NULL},
};

const struct command command_report = {
    .name = "report",
    .summary = "makes one HTML page of a results folder",
    .usage = "DIR [-o FILE] [--force] [-q]",
    .details = "The page holds the question, the ranked table, the figures, the setting and how to reproduce "
               "it. It is\n"
               "whole in itself: it loads nothing and runs no script. Without gnuplot it has no figures.\n",
    .options = options,
    .operands_min = 1,
    .operands_max = 1,
    .run = run,
};
