/* laggard plot: figures of a results folder. */
#include "draw.h"
#include <string.h>
#include <sys/stat.h>

static const char *const formats[] = {"svg", "png", "pdf", NULL};

static const char *format_named(const char *name) {
    for (size_t q = 0; name && formats[q]; q++)
        if (strcmp(formats[q], name) == 0)
            return formats[q];
    return NULL;
}

static int figure_unknown(struct call *call, const char *name) {
    const char *names[32] = {NULL};
    for (size_t q = 0; figure_family.variants[q] && q < 31; q++)
        names[q] = figure_family.variants[q]->name;
    return usage_error(call, "unknown figure '%s'%s; 'laggard list figures' shows all", name,
                       did_you_mean(call->arena, name, names));
}

static int folder_check(struct call *call, const char *folder) {
    struct stat status;
    if (stat(folder, &status) != 0)
        return usage_error(call, "%s: there is no such folder", folder);
    if (!S_ISDIR(status.st_mode))
        return usage_error(call, "%s: not a folder", folder);
    if (!figures_possible(folder))
        return usage_error(call, "%s: not a results folder: it has no runs.csv or fit.csv", folder);
    return EXIT_DONE;
}

/* False after telling a mistake. */
static bool detail_read(const struct call *call, size_t *detail) {
    const char *text = option_value(call, "detail");
    double points = 0;
    if (!text)
        return true;
    bool whole = param_number(text, &points) && points >= FIGURE_POINTS_FEWEST && points <= FIGURE_POINTS &&
                 (double)(size_t)points >= points;
    *detail = whole ? (size_t)points : 0;
    if (!whole)
        usage_error(call, "option '--detail' must be a whole number in [%d, %d], found '%s'",
                    FIGURE_POINTS_FEWEST, FIGURE_POINTS, text);
    return whole;
}

static int run(struct call *call) {
    const char *format = option_value(call, "format"), *figure = option_value(call, "figure");
    struct plot_request request = {.folder = call->operand[0], .figure = figure, .formats = {"svg", "png"}};
    if (format && !format_named(format))
        return usage_error(call, "unknown format '%s'%s; must be svg | png | pdf", format,
                           did_you_mean(call->arena, format, formats));
    if (format) {
        request.formats[0] = format_named(format);
        request.formats[1] = NULL;
    }
    if (figure && !family_find(&figure_family, figure))
        return figure_unknown(call, figure);
    const char *points = option_value(call, "points");
    struct sentence why = {""};
    if (points && !points_read(&request.points, call->arena, points, &why))
        return usage_error(call, "%s", why.text);
    if (!detail_read(call, &request.detail))
        return EXIT_USAGE;
    int code = folder_check(call, request.folder);
    return code == EXIT_DONE ? draw(call, request) : code;
}

static const char *format_choice(size_t index) {
    return formats[index];
}

static const char *figure_choice(size_t index) {
    return figure_family.variants[index] ? figure_family.variants[index]->name : NULL;
}

static const struct option_spec options[] = {
    {0, "format", "FORMAT", "svg, png or pdf; svg and png by default", format_choice},
    {0, "figure", "NAME", "one figure; 'laggard list figures' shows all", figure_choice},
    {0, "points", "LIST", "points of a sweep to show, such as 6:11 or 0,3,9; the first six by default"},
    {0, "detail", "N", "points of a curve, 10 to 400; 400 by default, half of it in each of several panels"},
    {0, NULL, NULL, NULL},
};

const struct command command_plot = {
    .name = "plot",
    .summary = "draws the figures of a results folder with gnuplot",
    .usage = "DIR [--format FORMAT] [--figure NAME] [--points LIST] [--detail N]",
    .details = "Writes DIR/figures/NAME.csv, NAME.gp and the pictures; 'gnuplot NAME.gp' draws one again.\n",
    .options = options,
    .operands_min = 1,
    .operands_max = 1,
    .run = run,
};
