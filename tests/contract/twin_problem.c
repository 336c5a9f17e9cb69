#include "twin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 4096, COLUMNS = 64 };

/* Splits a line at its commas, in place. */
static size_t split(char *line, char **field) {
    size_t fields = 0;
    line[strcspn(line, "\r\n")] = 0;
    for (char *next = line; next && fields < COLUMNS; fields++) {
        field[fields] = next;
        next = strchr(next, ',');
        if (next)
            *next++ = 0;
    }
    return fields;
}

static void read_rows(FILE *file, struct twin_problem *problem, size_t columns, size_t label) {
    char line[LINE_BYTES], *field[COLUMNS];
    size_t capacity = 0;
    while (fgets(line, sizeof line, file) && split(line, field) == columns) {
        if (problem->samples == capacity) {
            capacity = 2 * capacity + 64;
            problem->x = realloc(problem->x, capacity * problem->features * sizeof(double));
            problem->y = realloc(problem->y, capacity * sizeof(double));
        }
        double *row = problem->x + problem->samples * problem->features;
        problem->y[problem->samples++] = strtod(field[label], NULL);
        size_t j = 0;
        for (size_t column = 0; column < columns; column++)
            if (column != label)
                row[j++] = strtod(field[column], NULL);
        if (problem->intercept)
            row[j] = 1;
    }
}

/* To mean 0 and population standard deviation 1; a constant column to 0. */
static void standardize(struct twin_problem *problem) {
    size_t m = problem->samples, d = problem->features;
    for (size_t j = 0; j < d - problem->intercept; j++) {
        double sum = 0, squares = 0;
        for (size_t r = 0; r < m; r++)
            sum += problem->x[r * d + j];
        double mean = sum / (double)m;
        for (size_t r = 0; r < m; r++)
            squares += (problem->x[r * d + j] - mean) * (problem->x[r * d + j] - mean);
        double deviation = sqrt(squares / (double)m);
        for (size_t r = 0; r < m; r++)
            problem->x[r * d + j] = deviation > 0 ? (problem->x[r * d + j] - mean) / deviation : 0;
    }
}

static void name_classes(struct twin_problem *problem) {
    double larger = problem->y[0];
    for (size_t r = 0; r < problem->samples; r++)
        larger = fmax(larger, problem->y[r]);
    for (size_t r = 0; r < problem->samples; r++)
        problem->y[r] = problem->y[r] == larger;
}

struct twin_problem *twin_problem_read(const struct twin_data *data) {
    FILE *file = fopen(data->file, "r");
    char line[LINE_BYTES], *field[COLUMNS];
    if (!file)
        return NULL;
    size_t columns = fgets(line, sizeof line, file) ? split(line, field) : 0, label = 0;
    while (label < columns && strcmp(field[label], data->label) != 0)
        label++;
    struct twin_problem *problem = NULL;
    if (label < columns) {
        problem = calloc(1, sizeof *problem);
        *problem = (struct twin_problem){.loss = data->loss, .l2 = data->l2, .intercept = data->intercept};
        problem->features = columns - 1 + data->intercept;
        read_rows(file, problem, columns, label);
        if (data->standardize)
            standardize(problem);
        if (data->loss == TWIN_LOGISTIC)
            name_classes(problem);
    }
    fclose(file);
    return problem;
}

void twin_problem_free(struct twin_problem *problem) {
    if (problem) {
        free(problem->x);
        free(problem->y);
    }
    free(problem);
}

static double score(const struct twin_problem *problem, size_t r, const double *w) {
    double z = 0;
    for (size_t j = 0; j < problem->features; j++)
        z += problem->x[r * problem->features + j] * w[j];
    return z;
}

static double row_loss(enum twin_loss loss, double z, double y) {
    if (loss == TWIN_LINEAR)
        return (z - y) * (z - y) / 2;
    if (fabs(z) < 30)
        return log(1 + exp(z)) - y * z;
    return (z > 0 ? z : 0) + log1p(exp(-fabs(z))) - y * z;
}

static double row_slope(enum twin_loss loss, double z, double y) {
    return loss == TWIN_LINEAR ? z - y : 1 / (1 + exp(-z)) - y;
}

double twin_objective(const struct twin_problem *problem, const double *w) {
    double sum = 0, squares = 0;
    for (size_t r = 0; r < problem->samples; r++)
        sum += row_loss(problem->loss, score(problem, r, w), problem->y[r]);
    for (size_t j = 0; j < problem->features - problem->intercept; j++)
        squares += w[j] * w[j];
    return sum / (double)problem->samples + problem->l2 / 2 * squares;
}

void twin_partial(const struct twin_problem *problem, size_t partitions, size_t p, const double *w,
                  double *gradient) {
    size_t m = problem->samples, d = problem->features;
    for (size_t j = 0; j < d; j++)
        gradient[j] = 0;
    for (size_t r = p * m / partitions; r < (p + 1) * m / partitions; r++) {
        double slope = row_slope(problem->loss, score(problem, r, w), problem->y[r]);
        for (size_t j = 0; j < d; j++)
            gradient[j] += slope * problem->x[r * d + j] / (double)m;
    }
}
