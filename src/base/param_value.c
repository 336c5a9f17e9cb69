#include "param_inside.h"
#include "utf8.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

/* Bytes of the decimal number that `text` begins with; 0: it begins with none. */
static size_t number_length(const char *text) {
    const char *end = text + (*text == '-' || *text == '+');
    size_t digits = strspn(end, DIGITS);
    end += digits;
    if (*end == '.') {
        size_t fraction = strspn(end + 1, DIGITS);
        digits += fraction;
        end += 1 + fraction;
    }
    if (digits == 0)
        return 0;
    if (*end == 'e' || *end == 'E') {
        size_t sign = end[1] == '-' || end[1] == '+';
        size_t power = strspn(end + 1 + sign, DIGITS);
        end += power == 0 ? 0 : 1 + sign + power;
    }
    return (size_t)(end - text);
}

bool number_overflows(const char *text) {
    size_t length = number_length(text);
    return length > 0 && isinf(strtod(text, NULL));
}

bool param_number(const char *text, double *number) {
    size_t length = number_length(text);
    if (length == 0 || text[length] != '\0')
        return false;
    *number = strtod(text, NULL);
    return isfinite(*number);
}

/* A unit is multiply / divide seconds: dividing keeps 9ms the double nearest to 0.009. */
static const struct unit {
    const char *name;
    double multiply, divide;
} units[] = {{"", 1, 1}, {"ms", 1, 1000}, {"s", 1, 1}, {"min", 60, 1}, {"h", 3600, 1}};

bool param_seconds(const char *text, double *seconds_s) {
    size_t length = number_length(text);
    if (length == 0)
        return false;
    const char *name = text + length + strspn(text + length, " ");
    if (*name == '\0' && name != text + length)
        return false;
    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        if (strcmp(units[u].name, name) == 0) {
            *seconds_s = strtod(text, NULL) * units[u].multiply / units[u].divide;
            return isfinite(*seconds_s);
        }
    return false;
}

static bool word_value(const struct param_word *words, const char *text, double *value) {
    for (; words != NULL && words->word != NULL; words++)
        if (strcmp(words->word, text) == 0) {
            *value = words->value;
            return true;
        }
    return false;
}

static bool in_range(const struct param *param, double value) {
    if (value < param->minimum || (param->above_minimum && value == param->minimum))
        return false;
    if (param->maximum == 0 && param->kind == PARAM_SECONDS)
        return value <= PARAM_SECONDS_MAX;
    return param->maximum == 0 || value <= param->maximum;
}

/* A number by `parse` and within the range, or a word that stands for one. */
static bool measure(const struct param *param, const struct node *node, bool (*parse)(const char *, double *),
                    double *value) {
    if (node->quoted)
        return false;
    if (word_value(param->words, node->text, value))
        return true;
    return parse(node->text, value) && in_range(param, *value);
}

static bool read_number(const struct param *param, const struct node *node, void *slot) {
    double value;
    if (!measure(param, node, param_number, &value))
        return false;
    *(double *)slot = value;
    return true;
}

static bool read_seconds(const struct param *param, const struct node *node, void *slot) {
    double value;
    if (!measure(param, node, param_seconds, &value))
        return false;
    *(double *)slot = value;
    return true;
}

static bool read_count(const struct param *param, const struct node *node, void *slot) {
    double value;
    if (!measure(param, node, param_number, &value) || value != floor(value) || value < 0 ||
        value >= PARAM_ABSENT)
        return false;
    *(uint32_t *)slot = (uint32_t)value;
    return true;
}

static bool read_seed(const struct param *param, const struct node *node, void *slot) {
    (void)param;
    size_t digits = strspn(node->text, DIGITS);
    if (node->quoted || digits == 0 || node->text[digits] != '\0')
        return false;
    errno = 0;
    unsigned long long seed = strtoull(node->text, NULL, 10);
    if (errno == ERANGE)
        return false;
    *(uint64_t *)slot = seed;
    return true;
}

static bool read_flag(const struct param *param, const struct node *node, void *slot) {
    (void)param;
    bool yes = strcmp(node->text, "true") == 0;
    if (node->quoted || (!yes && strcmp(node->text, "false") != 0))
        return false;
    *(bool *)slot = yes;
    return true;
}

bool text_is_line(const char *text) {
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++)
        if (utf8_control(text) > 0)
            return false;
    return true;
}

static bool read_text(const struct param *param, const struct node *node, void *slot) {
    (void)param;
    if (!text_is_line(node->text))
        return false;
    *(const char **)slot = node->text;
    return true;
}

static bool read_choice(const struct param *param, const struct node *node, void *slot) {
    for (uint32_t c = 0; param->choices[c] != NULL; c++)
        if (strcmp(param->choices[c], node->text) == 0) {
            *(uint32_t *)slot = c;
            return true;
        }
    return false;
}

bool scalar_read(const struct param *param, const struct node *node, void *slot) {
    static bool (*const read[])(const struct param *, const struct node *, void *) = {
        [PARAM_NUMBER] = read_number, [PARAM_SECONDS] = read_seconds, [PARAM_COUNT] = read_count,
        [PARAM_SEED] = read_seed,     [PARAM_FLAG] = read_flag,       [PARAM_TEXT] = read_text,
        [PARAM_PATH] = read_text,     [PARAM_CHOICE] = read_choice};
    return node->kind == NODE_SCALAR && read[param->kind](param, node, slot);
}

void absence_set(const struct param *param, void *slot) {
    if (param->kind == PARAM_NUMBER || param->kind == PARAM_SECONDS)
        *(double *)slot = (double)NAN;
    if (param->kind == PARAM_COUNT || param->kind == PARAM_CHOICE)
        *(uint32_t *)slot = PARAM_ABSENT;
}

bool node_is_blank(const struct node *node) {
    static const char *const blank[] = {"", "~", "null", "Null", "NULL"};
    if (node->kind != NODE_SCALAR || node->quoted)
        return false;
    for (size_t i = 0; i < sizeof blank / sizeof *blank; i++)
        if (strcmp(blank[i], node->text) == 0)
            return true;
    return false;
}
