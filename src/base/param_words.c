#include "param_inside.h"
#include "utf8.h"
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Names listed at most, so that a message stays a sentence. */
enum { LISTED = 12 };
/* Bytes of the user's own text that a message repeats. */
enum { REPEATED = 60 };

static void append(struct sentence *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(struct sentence *out, const char *format, ...) {
    struct sentence more;
    va_list rest;
    va_start(rest, format);
    vsnprintf(more.text, sizeof more.text, format, rest);
    va_end(rest);
    size_t length = strlen(out->text);
    snprintf(out->text + length, sizeof out->text - length, "%s", more.text);
}

static void describe_interval(const struct param *param, double maximum, const char *noun,
                              struct sentence *out) {
    bool floored = isfinite(param->minimum), capped = isfinite(maximum);
    sentence_set(out, "%s", noun);
    if (floored && capped)
        append(out, " in %c%.15g, %.15g]", param->above_minimum ? '(' : '[', param->minimum, maximum);
    else if (floored)
        append(out, " %s %.15g", param->above_minimum ? "above" : "of at least", param->minimum);
    else if (capped)
        append(out, " of at most %.15g", maximum);
    for (const struct param_word *word = param->words; word != NULL && word->word != NULL; word++)
        append(out, " or %s", word->word);
}

static double maximum_of(const struct param *param, double open) {
    return param->maximum == 0 ? open : param->maximum;
}

static void describe_number(const struct param *param, struct sentence *out) {
    describe_interval(param, maximum_of(param, HUGE_VAL), "a number", out);
}

static void describe_seconds(const struct param *param, struct sentence *out) {
    describe_interval(param, maximum_of(param, PARAM_SECONDS_MAX), "seconds", out);
}

static void describe_count(const struct param *param, struct sentence *out) {
    describe_interval(param, maximum_of(param, PARAM_ABSENT - 1.0), "a whole number", out);
}

static void describe_seed(const struct param *param, struct sentence *out) {
    (void)param;
    sentence_set(out, "a whole number in [0, %llu]", (unsigned long long)UINT64_MAX);
}

static void describe_flag(const struct param *param, struct sentence *out) {
    (void)param;
    sentence_set(out, "true | false");
}

static void describe_text(const struct param *param, struct sentence *out) {
    (void)param;
    sentence_set(out, "a line of text");
}

static void describe_path(const struct param *param, struct sentence *out) {
    (void)param;
    sentence_set(out, "the name of a file");
}

static void describe_choice(const struct param *param, struct sentence *out) {
    sentence_set(out, "%s", "");
    for (size_t c = 0; param->choices[c] != NULL; c++)
        append(out, "%s%s", c == 0 ? "" : " | ", param->choices[c]);
}

void table_describe(const struct param_table *table, const char *type, struct sentence *out) {
    if (table->family != NULL) {
        const struct variant *first = table->family->variants[0];
        if (type == NULL)
            type = table->family->fallback != NULL || first == NULL ? table->family->fallback : first->name;
        sentence_set(out, "a mapping such as {type: %s}", type == NULL ? "…" : type);
        return;
    }
    sentence_set(out, "a mapping of");
    size_t listed = 0;
    for (size_t i = 0; i < table->count && listed < LISTED; i++)
        append(out, "%s %s", listed++ == 0 ? "" : ",", table->param[i].name);
}

static void describe_struct(const struct param *param, struct sentence *out) {
    table_describe(param->table, NULL, out);
}

static void describe_list(const struct param *param, struct sentence *out) {
    struct sentence item;
    table_describe(param->table, NULL, &item);
    sentence_set(out, "a list, each entry %s", item.text);
}

static void describe_texts(const struct param *param, struct sentence *out) {
    (void)param;
    sentence_set(out, "a list of texts such as [a, b]");
}

static void describe_any(const struct param *param, struct sentence *out) {
    sentence_set(out, "%s", param->help != NULL ? param->help : "any value");
}

void param_range(const struct param *param, struct sentence *out) {
    static void (*const describe[])(const struct param *, struct sentence *) = {
        [PARAM_NUMBER] = describe_number, [PARAM_SECONDS] = describe_seconds,
        [PARAM_COUNT] = describe_count,   [PARAM_SEED] = describe_seed,
        [PARAM_FLAG] = describe_flag,     [PARAM_TEXT] = describe_text,
        [PARAM_PATH] = describe_path,     [PARAM_CHOICE] = describe_choice,
        [PARAM_STRUCT] = describe_struct, [PARAM_LIST] = describe_list,
        [PARAM_TEXTS] = describe_texts,   [PARAM_ANY] = describe_any};
    describe[param->kind](param, out);
}

void found_describe(const struct node *node, struct sentence *out) {
    if (node->kind != NODE_SCALAR) {
        sentence_set(out, "a %s", node->kind == NODE_LIST ? "list" : "mapping");
        return;
    }
    int length = utf8_start(node->text, strlen(node->text), REPEATED);
    const char *more = node->text[length] == '\0' ? "" : "…";
    if (node->quoted)
        sentence_set(out, "the quoted text \"%.*s%s\"", length, node->text, more);
    else
        sentence_set(out, "%.*s%s", length, node->text, more);
}

/* The names a parameter takes, ended by NULL, into `name`, which holds LISTED + 1. */
static void collect_names(const struct param *param, const char **name) {
    size_t names = 0;
    if (param->kind == PARAM_CHOICE)
        for (size_t c = 0; param->choices[c] != NULL && names < LISTED; c++)
            name[names++] = param->choices[c];
    for (const struct param_word *word = param->words; word != NULL && word->word != NULL && names < LISTED;
         word++)
        name[names++] = word->word;
    name[names] = NULL;
}

static bool takes_number(const struct param *param) {
    return param->kind == PARAM_NUMBER || param->kind == PARAM_SECONDS || param->kind == PARAM_COUNT;
}

void hint_describe(const struct param *param, const struct node *node, struct sentence *out) {
    const char *name[LISTED + 1];
    double seconds_s;
    sentence_set(out, "%s", "");
    if (node->kind != NODE_SCALAR)
        return;
    collect_names(param, name);
    const char *nearest = nearest_name(node->text, name);
    if (nearest != NULL)
        sentence_set(out, " (did you mean '%s'?)", nearest);
    else if (takes_number(param) && !node->quoted && number_overflows(node->text))
        sentence_set(out, ", which is too large for a number");
    else if (param->kind == PARAM_SECONDS && !param_seconds(node->text, &seconds_s))
        sentence_set(out, " (units: ms, s, min, h)");
}

const char *names_joined(struct arena *arena, const char *const *names) {
    const char *text = "";
    for (size_t i = 0; names[i] != NULL; i++) {
        if (i == LISTED)
            return arena_format(arena, "%s, …", text);
        text = arena_format(arena, "%s%s%s", text, i == 0 ? "" : ", ", names[i]);
    }
    return text;
}
