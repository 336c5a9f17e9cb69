#include "from_tables.h"
#include <math.h>
#include <string.h>

#define LENGTH(list) (sizeof(list) / sizeof *(list))
/* A law may have laws among its parts: so deep, and no deeper. */
enum { DEEPEST = 3 };

/* One mapping being drawn. */
struct drawing {
    struct text *text;
    uint32_t workers, depth, keys;
};

static void draw_table(struct drawing *drawing, const struct param_table *table, const char *const *left_out);

static bool is_listed(const char *name, const char *const *list) {
    for (; list && *list; list++)
        if (strcmp(*list, name) == 0)
            return true;
    return false;
}

static size_t length_of(const char *const *list) {
    size_t length = 0;
    while (list[length])
        length++;
    return length;
}

static bool in_range(const struct param *param, double value) {
    double maximum = param->maximum > 0 || param->minimum > 0 ? param->maximum : (double)INFINITY;
    return value <= maximum && (param->above_minimum ? value > param->minimum : value >= param->minimum);
}

/* One of a few numbers in the range; its least one where none of them is. */
static void draw_number(struct drawing *drawing, const struct param *param) {
    static const double numbers[] = {0, 0.001, 0.1, 0.3, 0.5, 0.9, 1, 1.5, 2, 3, 40};
    double fitting[LENGTH(numbers)];
    uint32_t count = 0;
    for (size_t q = 0; q < LENGTH(numbers); q++)
        if (in_range(param, numbers[q]))
            fitting[count++] = numbers[q];
    text_add(drawing->text, "%.17g", count > 0 ? fitting[draw(count)] : param->minimum);
}

static void draw_count(struct drawing *drawing, const struct param *param) {
    uint32_t least = (uint32_t)param->minimum + param->above_minimum;
    uint32_t count = least + draw(draw(3) > 0 ? drawing->workers : 4);
    text_add(drawing->text, "%u", param->maximum > 0 && count > param->maximum ? least : count);
}

static void draw_word(struct drawing *drawing, const struct param *param) {
    uint32_t count = 0;
    while (param->words[count].word)
        count++;
    text_add(drawing->text, "%s", param->words[draw(count)].word);
}

/* Files that stand beside the tests, by the key that names them. */
static void draw_path(struct drawing *drawing, const char *key) {
    static const char *const gaps[] = {"gaps.csv", NULL};
    static const char *const designs[] = {"../../scenarios/data/fano-plane.csv",
                                          "../../scenarios/data/pairs-of-six.csv", NULL};
    static const char *const matrices[] = {"../unit/scheme/matrix.csv", NULL};
    const char *const *files = strcmp(key, "blocks") == 0   ? designs
                               : strcmp(key, "matrix") == 0 ? matrices
                                                            : gaps;
    text_add(drawing->text, "%s", files[draw((uint32_t)length_of(files))]);
}

static void draw_inside(struct drawing *drawing, const struct param_table *table) {
    struct drawing inside = {drawing->text, drawing->workers, drawing->depth + 1, 0};
    text_add(drawing->text, "{");
    draw_table(&inside, table, NULL);
    text_add(drawing->text, "}");
    drawing->keys += inside.keys;
}

static void draw_list(struct drawing *drawing, const struct param_table *table) {
    text_add(drawing->text, "[");
    for (uint32_t items = 1 + draw(2); items > 0; items--) {
        draw_inside(drawing, table);
        text_add(drawing->text, items > 1 ? ", " : "]");
    }
}

static void draw_value(struct drawing *drawing, const struct param *param) {
    if (param->words && draw(2) == 0)
        draw_word(drawing, param);
    else if (param->kind == PARAM_NUMBER || param->kind == PARAM_SECONDS)
        draw_number(drawing, param);
    else if (param->kind == PARAM_COUNT || param->kind == PARAM_SEED)
        draw_count(drawing, param);
    else if (param->kind == PARAM_FLAG)
        text_add(drawing->text, draw(2) == 0 ? "true" : "false");
    else if (param->kind == PARAM_CHOICE)
        text_add(drawing->text, "%s", param->choices[draw((uint32_t)length_of(param->choices))]);
    else if (param->kind == PARAM_PATH)
        draw_path(drawing, param->name);
    else if (param->kind == PARAM_STRUCT)
        draw_inside(drawing, param->table);
    else if (param->kind == PARAM_LIST)
        draw_list(drawing, param->table);
    else
        text_add(drawing->text, "word");
}

/* Texts name things that only their scenario knows; a mapping of what must be so is drawn however deep it is. */
static bool is_drawn(const struct drawing *drawing, const struct param *param) {
    if (!param->fallback)
        return true;
    bool nested = param->kind == PARAM_STRUCT || param->kind == PARAM_LIST;
    if (param->kind == PARAM_TEXT || param->kind == PARAM_TEXTS || param->kind == PARAM_ANY ||
        (nested && drawing->depth >= DEEPEST))
        return false;
    return draw(nested ? 5 : 3) == 0;
}

static void draw_params(struct drawing *drawing, const struct param_table *table,
                        const char *const *left_out) {
    for (size_t q = 0; table && q < table->count; q++) {
        const struct param *param = &table->param[q];
        if (is_listed(param->name, left_out) || !is_drawn(drawing, param))
            continue;
        text_add(drawing->text, "%s%s: ", drawing->keys++ > 0 ? ", " : "", param->name);
        draw_value(drawing, param);
    }
}

/* One without parts where the mapping is deep already. */
static const struct variant *draw_variant(const struct drawing *drawing, const struct family *family) {
    uint32_t count = 0;
    while (family->variants[count])
        count++;
    const struct variant *variant = family->variants[draw(count)];
    for (size_t q = 0; drawing->depth >= DEEPEST && variant->params && q < variant->params->count; q++)
        if (variant->params->param[q].kind == PARAM_LIST)
            return family->variants[0];
    return variant;
}

static void draw_table(struct drawing *drawing, const struct param_table *table,
                       const char *const *left_out) {
    const struct variant *variant = table->family ? draw_variant(drawing, table->family) : NULL;
    if (variant) {
        text_add(drawing->text, "%stype: %s", drawing->keys++ > 0 ? ", " : "", variant->name);
        draw_params(drawing, variant->params, left_out);
    }
    draw_params(drawing, table, left_out);
}

uint32_t draw_mapping(struct text *text, const struct param_table *table, uint32_t workers,
                      const char *const *left_out) {
    struct drawing drawing = {text, workers, 0, 0};
    draw_table(&drawing, table, left_out);
    return drawing.keys;
}
