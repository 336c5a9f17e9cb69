#include "fit_words.h"
#include "number_text.h"
#include "text_table.h"
#include <math.h>
#include <string.h>

/* name 1.23, name 4.56: the scalars of a law's mapping; parts in brackets. Lines break between them. */
static const char *parameters_text(struct arena *arena, const struct node *law) {
    const char *text = "";
    for (const struct node *child = law->first; child; child = child->next) {
        const char *one = NULL;
        double number;
        if (child->kind == NODE_LIST) {
            for (const struct node *part = child->first; part; part = part->next)
                text = arena_format(arena, "%s%s(%s)", text, *text ? " " : "", parameters_text(arena, part));
            continue;
        }
        if (strcmp(child->key, "type") == 0 || child->implied || !param_number(child->text, &number))
            continue;
        one = arena_format(arena, "%s" TEXT_GLUE "%.4g", child->key, number);
        text = *text ? arena_format(arena, "%s, %s", text, one) : one;
    }
    return text;
}

static const char *const reach_words[] = {
    [REACH_FINE] = "reached", [REACH_SHORT] = "falls short", [REACH_BEYOND] = "goes beyond"};

static const struct text_column columns[] = {
    {"law", LEFT}, {"AIC - best", RIGHT},   {"K-S distance", RIGHT}, {"rank", RIGHT},
    {"p", RIGHT},  {"largest 0.1 %", LEFT}, {"parameters (s)", LEFT}};

static size_t distance_rank(const struct ranking *ranking, size_t law) {
    size_t rank = 1;
    for (size_t l = 0; l < ranking->laws; l++)
        rank += ranking->fitted[l].distance < ranking->fitted[law].distance;
    return rank;
}

/* A bootstrap of 99 samples knows no p-value below 1 in 100. */
static const char *p_text(struct arena *arena, const struct fitted *law) {
    return isnan(law->p_value)            ? "–"
           : law->p_value <= law->p_least ? arena_format(arena, "≤ %.2f", law->p_least)
                                          : arena_format(arena, "%.2f", law->p_value);
}

/* What the column p is, which the distance beside it is not. */
static void tell_test(const struct ranking *ranking, FILE *stream) {
    bool drawn = ranking->tested < ranking->count, untested = false;
    if (ranking->tested == 0)
        return;
    for (size_t l = 0; l < ranking->laws; l++)
        untested |= isnan(ranking->fitted[l].p_value);
    fprintf(stream, "p: share of %d samples of the law that lie as far from their own fit as %s",
            RANKING_RESAMPLES, drawn ? "" : "these times do\n");
    if (drawn)
        fprintf(stream, "%zu of the times, drawn at random, do; the K-S distance is that of all times\n",
                ranking->tested);
    if (untested)
        fprintf(stream, "p –: not tested, the law cannot be fitted to %s alone\n",
                drawn ? "the times drawn" : "these times");
}

/* The best of laws need not be a good one. */
static void tell_rejected(const struct ranking *ranking, FILE *stream) {
    const struct fitted *best = &ranking->fitted[0];
    if (best->p_value <= best->p_least)
        fprintf(stream,
                "%s, the best, is rejected itself: none of its samples lies as far from its own fit; its "
                "distribution function is up to %.2g off: where that is too much, replay the trace instead\n",
                best->fitter->name, best->distance);
}

static void tell_largest(const struct ranking *ranking, FILE *stream) {
    const struct fitted *best = &ranking->fitted[0], *reaching = ranking_reaching(ranking);
    if (best->reach == REACH_BEYOND)
        fprintf(stream, "%s, the best, has longer times than the largest 0.1 %% of those measured\n",
                best->fitter->name);
    else if (!reaching)
        fprintf(stream, "no law here reaches the largest 0.1 %%: replay the trace instead\n");
    else if (reaching != best)
        fprintf(stream, "%s, the best, falls short of the largest 0.1 %% of the times; %s reaches them\n",
                best->fitter->name, reaching->fitter->name);
}

/* A line per reason. */
static void tell_declined(struct arena *arena, const struct ranking *ranking, FILE *stream) {
    for (size_t d = 0; d < ranking->refusals; d++) {
        const char *why = ranking->declined[d].why.text, *names = "";
        bool told = false;
        for (size_t e = 0; e < d; e++)
            told |= strcmp(ranking->declined[e].why.text, why) == 0;
        for (size_t e = d; !told && e < ranking->refusals; e++)
            if (strcmp(ranking->declined[e].why.text, why) == 0)
                names = arena_format(arena, "%s%s%s", names, *names ? ", " : "",
                                     ranking->declined[e].fitter->name);
        if (!told)
            fprintf(stream, "%s: not fitted, %s\n", names, why);
    }
}

void ranking_print(struct arena *arena, const struct ranking *ranking, FILE *stream) {
    struct text_table *table = text_table_new(columns, sizeof columns / sizeof *columns);
    double best = ranking->fitted[0].criterion;
    for (size_t l = 0; l < ranking->laws; l++) {
        const struct fitted *one = &ranking->fitted[l];
        text_table_row(
            table, (const char *[]){one->fitter->name, arena_format(arena, "%.1f", one->criterion - best),
                                    arena_format(arena, "%.4f", one->distance),
                                    arena_format(arena, "%zu", distance_rank(ranking, l)), p_text(arena, one),
                                    reach_words[one->reach], parameters_text(arena, one->node)});
    }
    text_table_print(table, stream, "");
    text_table_free(table);
    tell_test(ranking, stream);
    tell_declined(arena, ranking, stream);
    tell_rejected(ranking, stream);
    tell_largest(ranking, stream);
}

static void tell_zeros(const struct cluster_fit *fit, const char *what, FILE *stream) {
    if (fit->zeros == 0)
        return;
    fprintf(stream,
            "zeros: %zu of the %s are 0, so the law is 0 with probability %.3g; below are the other %zu\n",
            fit->zeros, what, (double)fit->zeros / (double)fit->count, fit->count - fit->zeros);
    if (fit->zeros_uneven)
        fprintf(
            stream,
            "zeros: they are spread over the workers less evenly than by chance; in the cluster all workers "
            "have the same share of them\n");
}

static const char *no_shares(const struct dependence *found) {
    return found->workers < 2  ? "one, so nothing can be said of slow workers"
           : found->rounds < 2 ? "one round, so slow workers cannot be told from slow times"
                               : "none is slower than another: all times are equal";
}

static void tell_workers(const struct cluster_fit *fit, FILE *stream) {
    const struct dependence *found = &fit->dependence;
    if (isnan(found->share))
        fprintf(stream, "workers: %s\n", no_shares(found));
    else
        fprintf(stream, "workers: %.0f %% of the variance of the logarithm is between them%s\n",
                100 * found->share,
                fit->slowness_deviation > 0 ? ", so slowness is taken out" : ", not enough to speak of");
}

static void tell_rounds(const struct cluster_fit *fit, FILE *stream) {
    const struct dependence *found = &fit->dependence;
    if (found->rounds < 2)
        return;
    if (isnan(found->lag_1))
        fprintf(stream, "rounds: lag-1 correlation undefined: %s\n",
                found->steady ? "no worker's times vary" : "no worker has times in successive rounds");
    else
        fprintf(stream, "rounds: lag-1 correlation within workers %.2f%s\n",
                fabs(found->lag_1) < 0.005 ? 0 : found->lag_1,
                fit->spells         ? ", so spells of slow steps are taken out"
                : fit->regime       ? ", but not in spells of two speeds"
                : found->alternates ? ", which the cluster does not have"
                                    : ", not enough to speak of");
    if (found->shared)
        fprintf(stream,
                "rounds: %.0f %% of the variance within workers is common to the workers of a round: a "
                "replay of the trace has that, the cluster does not\n",
                100 * found->common);
}

/* Which times the load leaves. */
static void tell_left(const struct cluster_fit *fit, FILE *stream) {
    const struct left_out *left_out = &fit->left_out;
    if (fit->line.played_s < fit->line.per_load_s)
        fprintf(stream,
                "load: b is played as %.4g s, within its error, so that no delay beside it is negative\n",
                fit->line.played_s);
    if (left_out->count > 0)
        fprintf(stream, "load: %zu of %zu times %s left out: shorter than b load, by up to %.4g s\n",
                left_out->count, left_out->of, left_out->count == 1 ? "is" : "are", left_out->most_s);
}

void dependence_print(struct arena *arena, const struct cluster_fit *fit,
                      const struct cluster_request *request, FILE *stream) {
    const char *times = count_text(arena, fit->count, "time"),
               *workers = count_text(arena, request->workers, "worker");
    const struct loaded_times *loaded = request->loaded;
    bool alike = true;
    for (size_t f = 0; loaded && f < loaded->files; f++)
        alike &= loaded->times[f]->workers == request->workers;
    if (loaded) {
        tell_left(fit, stream);
        fprintf(stream, "%s in %zu files of %s%s each\n", times, loaded->files, alike ? "" : "up to ",
                workers);
    } else {
        fprintf(stream, "%s of %s\n", times, workers);
    }
    tell_zeros(fit, loaded ? "delays beside the load" : "times", stream);
    tell_workers(fit, stream);
    tell_rounds(fit, stream);
    fputc('\n', stream);
}

/* Means off a line beyond chance. */
#define UNLIKELY 0.001

static void tell_misfit(const struct load_line *line, const double *load, FILE *stream) {
    if (isnan(line->misfit))
        fprintf(stream, "load: two loads always lie on a line; a third would test it\n");
    else if (line->chance >= UNLIKELY)
        fprintf(stream, "load: the mean times lie on this line within chance (p = %.2g)\n", line->chance);
    else
        fprintf(stream,
                "load: the mean times do not lie on this line (chi-squared %.3g per degree of freedom, p < "
                "%g): at "
                "load %g the mean is %.2g %% %s it; where that is too much, fit each file alone\n",
                line->misfit, UNLIKELY, load[line->farthest], 100 * fabs(line->farthest_part),
                line->farthest_part < 0 ? "below" : "above");
}

void load_line_print(const struct load_line *line, const double *load, FILE *stream) {
    fprintf(stream, "load: time = a + b load, a = %.4g ± %.2g s, b = %.4g ± %.2g s\n", line->base_s,
            line->base_error_s, line->per_load_s, line->per_load_error_s);
    tell_misfit(line, load, stream);
}
