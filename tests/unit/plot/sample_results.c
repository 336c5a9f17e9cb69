#include "sample_results.h"
#include <math.h>
#include <stdio.h>

static FILE *create(const struct scratch *scratch, const char *name) {
    return fopen(scratch_path(scratch, name), "w");
}

/* A label as RFC 4180 has it. */
static void put_label(FILE *file, const char *label) {
    fputc('"', file);
    for (; *label != '\0'; label++)
        fprintf(file, *label == '"' ? "\"\"" : "%c", *label);
    fputc('"', file);
}

static void put_point(FILE *file, const struct sample *sample, unsigned point, const char *label) {
    fprintf(file, "%u,", point);
    if (sample->swept != NULL)
        fprintf(file, "%u,", point + 1);
    put_label(file, label);
}

static double step_s(const struct sample_scheme *scheme, unsigned replication) {
    return scheme->step_s * (1 + replication / 10.0);
}

static void put_run(FILE *steps, FILE *runs, const struct sample *sample, const unsigned at[3]) {
    const struct sample_scheme *scheme = &sample->scheme[at[1]];
    for (unsigned t = 0; t <= sample->steps; t++) {
        fprintf(steps, "%u,", at[0]);
        put_label(steps, scheme->label);
        fprintf(steps, ",%u,%u,%.17g,%.17g\n", at[2], t, t * step_s(scheme, at[2]),
                scheme->first * pow(scheme->ratio, t));
    }
    put_point(runs, sample, at[0], scheme->label);
    fprintf(runs, ",%u,%s,", at[2], scheme->status);
    if (sample->steps > 0)
        fprintf(runs, "%.17g", step_s(scheme, at[2]));
    fputc('\n', runs);
}

static void put_summary(FILE *summary, const struct sample *sample, unsigned point, unsigned i) {
    const struct sample_scheme *scheme = &sample->scheme[i];
    unsigned reached = sample->replications / 2;
    put_point(summary, sample, point, scheme->label);
    fprintf(summary, ",%u,%.17g,", sample->replications, (double)reached / sample->replications);
    if (reached > 0)
        fprintf(summary, "%.17g,%.17g,%.17g", 10 * scheme->step_s, 9 * scheme->step_s, 11 * scheme->step_s);
    else
        fprintf(summary, ",,");
    if (sample->target > 0)
        fprintf(summary, ",%.17g", sample->target);
    fputc('\n', summary);
}

void sample_results(const struct scratch *scratch, const struct sample *sample) {
    FILE *steps = create(scratch, "steps.csv"), *runs = create(scratch, "runs.csv");
    FILE *summary = create(scratch, "summary.csv");
    const char *swept = sample->swept == NULL ? "" : sample->swept, *comma = sample->swept == NULL ? "" : ",";
    fputs("point,scheme,replication,step,time_s,loss\n", steps);
    fprintf(runs, "point,%s%sscheme,replication,status,step_mean_s\n", swept, comma);
    fprintf(summary,
            "point,%s%sscheme,runs,reached,time_to_loss_s_mean,time_to_loss_s_low,time_to_loss_s_high%s\n",
            swept, comma, sample->target > 0 ? ",target_loss" : "");
    for (unsigned point = 0; point < sample->points; point++)
        for (unsigned i = 0; i < sample->schemes; i++) {
            for (unsigned r = 0; r < sample->replications; r++)
                put_run(steps, runs, sample, (unsigned[]){point, i, r});
            put_summary(summary, sample, point, i);
        }
    fclose(steps);
    fclose(runs);
    fclose(summary);
    scratch_write(scratch, "manifest.json", "{\n  \"complete\": true\n}\n");
}
