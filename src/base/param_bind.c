#include "param_inside.h"
#include <assert.h>
#include <limits.h>
#include <string.h>

/* At a key rather than at its value. */
static void tell_key(const struct binder *binder, const struct node *node, const char *sentence) {
    diag_error(binder->diag, node->key_place, node_path(binder->arena, node->parent), "%s", sentence);
}

static void tell_blank(const struct binder *binder, const struct node *node, const struct sentence *wanted) {
    node_error(binder->diag, node, "has no value (expected %s)", wanted->text);
}

/* Where a default stands that the user did not write. */
static struct node *implied_scalar(struct arena *arena, struct place place, const char *text) {
    struct node *node = node_scalar(arena, place, text);
    node->implied = true;
    return node;
}

/* A default such as {} or {type: constant, value: 0s}: keys with scalars. */
static struct node *implied_mapping(struct arena *arena, struct place place, const char *text) {
    struct node *mapping = node_mapping(arena, place);
    mapping->implied = true;
    const char *rest = text + 1;
    while (*(rest += strspn(rest, ", ")) != '}') {
        size_t key = strcspn(rest, ":");
        assert(rest[key] == ':');
        const char *value = rest + key + 1 + strspn(rest + key + 1, " ");
        size_t length = strcspn(value, ",}");
        const char *name = arena_text(arena, rest, key);
        node_append(arena, mapping, name, implied_scalar(arena, place, arena_text(arena, value, length)));
        rest = value + length;
    }
    return mapping;
}

static bool bind_scalar(struct binder *binder, const struct param *param, struct node *node, void *slot) {
    if (scalar_read(param, node, slot))
        return true;
    assert(!node->implied);
    struct sentence range, found, hint;
    param_range(param, &range);
    found_describe(node, &found);
    hint_describe(param, node, &hint);
    node_error(binder->diag, node, "must be %s, found %s%s", range.text, found.text, hint.text);
    return false;
}

static bool bind_path(struct binder *binder, const struct param *param, struct node *node, void *slot) {
    if (!bind_scalar(binder, param, node, slot))
        return false;
    if (strlen(node->text) >= PATH_MAX) {
        node_error(binder->diag, node, "is too long for the name of a file (at most %d bytes)", PATH_MAX - 1);
        return false;
    }
    bool whole = *node->text == '/' || binder->folder == NULL;
    node->resolved = whole ? node->text : arena_format(binder->arena, "%s/%s", binder->folder, node->text);
    *(const char **)slot = node->resolved;
    return true;
}

static bool bind_struct(struct binder *binder, const struct param *param, struct node *node, void *slot) {
    void *values = arena_zeroed(binder->arena, 1, param->table->size);
    *(void **)slot = values;
    return param_bind(binder, node, param->table, values);
}

/* Refuses what is not a list of at least one entry. */
static bool list_stands(struct binder *binder, const struct param *param, const struct node *node) {
    if (node->kind == NODE_LIST && node->children > 0)
        return true;
    struct sentence range, found;
    param_range(param, &range);
    found_describe(node, &found);
    node_error(binder->diag, node, "expected %s, found %s", range.text,
               node->kind == NODE_LIST ? "an empty list" : found.text);
    return false;
}

static bool bind_list(struct binder *binder, const struct param *param, struct node *node, void *slot) {
    if (!list_stands(binder, param, node))
        return false;
    struct param_list *list = slot;
    list->count = (uint32_t)node->children;
    list->items = arena_zeroed(binder->arena, node->children, param->table->size);
    char *values = list->items;
    bool bound = true;
    for (struct node *item = node->first; item != NULL; item = item->next, values += param->table->size)
        bound &= param_bind(binder, item, param->table, values);
    return bound;
}

static bool bind_texts(struct binder *binder, const struct param *param, struct node *node, void *slot) {
    if (!list_stands(binder, param, node))
        return false;
    struct param_list *list = slot;
    list->count = (uint32_t)node->children;
    const char **text = arena_zeroed(binder->arena, node->children, sizeof *text);
    list->items = text;
    bool bound = true;
    struct param entry = {.name = param->name, .kind = PARAM_TEXT};
    for (struct node *item = node->first; item != NULL; item = item->next)
        bound &= bind_scalar(binder, &entry, item, text++);
    return bound;
}

static bool bind_any(struct binder *binder, const struct param *param, struct node *node, void *slot) {
    (void)binder;
    (void)param;
    *(struct node **)slot = node;
    return true;
}

static bool bind_value(struct binder *binder, const struct param *param, struct node *node, void *slot) {
    static bool (*const bind[])(struct binder *, const struct param *, struct node *, void *) = {
        [PARAM_NUMBER] = bind_scalar, [PARAM_SECONDS] = bind_scalar, [PARAM_COUNT] = bind_scalar,
        [PARAM_SEED] = bind_scalar,   [PARAM_FLAG] = bind_scalar,    [PARAM_TEXT] = bind_scalar,
        [PARAM_PATH] = bind_path,     [PARAM_CHOICE] = bind_scalar,  [PARAM_STRUCT] = bind_struct,
        [PARAM_LIST] = bind_list,     [PARAM_TEXTS] = bind_texts,    [PARAM_ANY] = bind_any};
    if (node_is_blank(node)) {
        struct sentence wanted;
        param_range(param, &wanted);
        tell_blank(binder, node, &wanted);
        return false;
    }
    return bind[param->kind](binder, param, node, slot);
}

/* A key that the user left out. */
static bool bind_absent(struct binder *binder, const struct param *param, struct node *mapping, void *slot) {
    if (param->fallback != NULL && *param->fallback == '\0') {
        absence_set(param, slot);
        return true;
    }
    if (param->fallback == NULL) {
        struct sentence range;
        param_range(param, &range);
        node_error(binder->diag, mapping, "key '%s' is missing (%s)", param->name, range.text);
        return false;
    }
    struct node *node = *param->fallback == '{'
                            ? implied_mapping(binder->arena, mapping->place, param->fallback)
                            : implied_scalar(binder->arena, mapping->place, param->fallback);
    node_append(binder->arena, mapping, param->name, node);
    return bind_value(binder, param, node, slot);
}

/* All parameters of a table but its family. */
static bool bind_params(struct binder *binder, struct node *mapping, const struct param_table *table,
                        char *values) {
    bool bound = true;
    for (size_t i = 0; i < table->count; i++) {
        const struct param *param = &table->param[i];
        struct node *node = node_child(mapping, param->name);
        bound &= node == NULL ? bind_absent(binder, param, mapping, values + param->offset)
                              : bind_value(binder, param, node, values + param->offset);
    }
    return bound;
}

static const char *const *variant_names(struct arena *arena, const struct family *family) {
    size_t variants = 0;
    while (family->variants[variants] != NULL)
        variants++;
    const char **name = arena_zeroed(arena, variants + 1, sizeof *name);
    for (size_t i = 0; i < variants; i++)
        name[i] = family->variants[i]->name;
    return name;
}

/* Why `type` names no variant. */
static void tell_type(struct binder *binder, const struct family *family, const struct node *type) {
    const char *const *names = variant_names(binder->arena, family);
    if (type->kind != NODE_SCALAR || node_is_blank(type)) {
        struct sentence found;
        found_describe(type, &found);
        node_error(binder->diag, type, "must name a %s (%s), found %s", family->noun,
                   names_joined(binder->arena, names), node_is_blank(type) ? "no value" : found.text);
        return;
    }
    const char *nearest = nearest_name(type->text, names);
    if (nearest != NULL)
        node_error(binder->diag, type, "unknown %s '%s' (did you mean '%s'?)", family->noun, type->text,
                   nearest);
    else
        node_error(binder->diag, type, "unknown %s '%.60s' (known: %s)", family->noun, type->text,
                   names_joined(binder->arena, names));
}

/* The variant's mapping one level too deep, as in {probability: 0.1, law: {type: never}}, or NULL. */
static const struct node *buried_variant(const struct node *mapping, const struct family *family) {
    for (const struct node *node = mapping->first; node != NULL; node = node->next) {
        const struct node *type = node->kind == NODE_MAPPING ? node_child(node, "type") : NULL;
        if (type != NULL && type->kind == NODE_SCALAR && family_find(family, type->text) != NULL)
            return node;
    }
    return NULL;
}

static void tell_no_type(struct binder *binder, const struct node *mapping, const struct family *family) {
    const struct node *buried = buried_variant(mapping, family);
    if (buried != NULL)
        tell_key(binder, buried,
                 arena_format(binder->arena, "write 'type: %s' and what belongs to it here, without '%s'",
                              node_child(buried, "type")->text, buried->key));
    else
        node_error(binder->diag, mapping, "key 'type' is missing (%s)",
                   names_joined(binder->arena, variant_names(binder->arena, family)));
}

/* The variant that the mapping's `type` picks, or NULL after telling why it picks none. */
static const struct variant *pick(struct binder *binder, struct node *mapping, const struct family *family) {
    struct node *type = node_child(mapping, "type");
    if (type == NULL && family->fallback == NULL) {
        tell_no_type(binder, mapping, family);
        return NULL;
    }
    if (type == NULL) {
        type = implied_scalar(binder->arena, mapping->place, family->fallback);
        node_append(binder->arena, mapping, "type", type);
    }
    const struct variant *variant = NULL;
    if (type->kind == NODE_SCALAR)
        variant = family_find(family, type->text);
    if (variant == NULL) {
        assert(!type->implied);
        tell_type(binder, family, type);
    }
    return variant;
}

/* Writes the names of a table's parameters; returns how many. */
static size_t collect_keys(const struct param_table *table, const char **name) {
    size_t names = 0;
    for (size_t i = 0; table != NULL && i < table->count; i++)
        name[names++] = table->param[i].name;
    return names;
}

static bool table_has(const struct param_table *table, const char *key) {
    for (size_t i = 0; table != NULL && i < table->count; i++)
        if (strcmp(table->param[i].name, key) == 0)
            return true;
    return false;
}

static void tell_unknown(struct binder *binder, const struct node *node, const char *const *known) {
    const char *nearest = nearest_name(node->key, known);
    const char *sentence =
        nearest != NULL
            ? arena_format(binder->arena, "unknown key '%s' (did you mean '%s'?)", node->key, nearest)
            : arena_format(binder->arena, "unknown key '%.60s' (known: %s)", node->key,
                           names_joined(binder->arena, known));
    tell_key(binder, node, sentence);
}

/* `own`: the mapping's table; `chosen`: the variant's or NULL. */
static bool refuse_unknown(struct binder *binder, const struct node *mapping, const struct param_table *own,
                           const struct param_table *chosen) {
    size_t most = own->count + (chosen == NULL ? 0 : chosen->count) + 2;
    const char **known = arena_zeroed(binder->arena, most, sizeof *known);
    size_t keys = 0;
    if (own->family != NULL)
        known[keys++] = "type";
    keys += collect_keys(own, known + keys);
    collect_keys(chosen, known + keys);
    bool fine = true;
    for (const struct node *node = mapping->first; node != NULL; node = node->next) {
        if (table_has(own, node->key) || table_has(chosen, node->key))
            continue;
        if (own->family != NULL && strcmp(node->key, "type") == 0)
            continue;
        tell_unknown(binder, node, known);
        fine = false;
    }
    return fine;
}

/* The table's own check of its values against each other. */
static bool agree(struct binder *binder, const struct node *mapping, const struct param_table *table,
                  const void *values) {
    struct sentence why;
    const char *key = table->check == NULL ? NULL : table->check(values, &why);
    if (key == NULL)
        return true;
    const struct node *fault = node_child(mapping, key);
    node_error(binder->diag, fault == NULL ? mapping : fault, "%s", why.text);
    return false;
}

static bool mapping_stands(struct binder *binder, const struct node *node, const struct param_table *table) {
    if (node->kind == NODE_MAPPING)
        return true;
    const struct variant *named = NULL;
    if (node->kind == NODE_SCALAR && table->family != NULL)
        named = family_find(table->family, node->text);
    struct sentence wanted, found;
    table_describe(table, named == NULL ? NULL : named->name, &wanted);
    found_describe(node, &found);
    if (node_is_blank(node))
        tell_blank(binder, node, &wanted);
    else
        node_error(binder->diag, node, "expected %s, found %s", wanted.text, found.text);
    return false;
}

/* The parameters of the variant that was picked. */
static bool bind_variant(struct binder *binder, struct node *mapping, const struct variant *variant,
                         struct picked *picked) {
    picked->type = variant;
    if (variant->params == NULL)
        return true;
    picked->params = arena_zeroed(binder->arena, 1, variant->params->size);
    return bind_params(binder, mapping, variant->params, picked->params);
}

bool param_bind(struct binder *binder, struct node *mapping, const struct param_table *table, void *values) {
    if (!mapping_stands(binder, mapping, table))
        return false;
    const struct variant *variant = NULL;
    void *place = (char *)values + table->picked;
    struct picked *picked = table->family == NULL ? NULL : place;
    if (picked != NULL)
        variant = pick(binder, mapping, table->family);
    bool bound = bind_params(binder, mapping, table, values);
    /* What an unknown type would take is unknown too: its keys are left alone. */
    if (picked != NULL && variant == NULL)
        return false;
    const struct param_table *chosen = variant == NULL ? NULL : variant->params;
    if (variant != NULL)
        bound &= bind_variant(binder, mapping, variant, picked);
    bound &= refuse_unknown(binder, mapping, table, chosen);
    if (bound && chosen != NULL)
        bound = agree(binder, mapping, chosen, picked->params);
    return bound && agree(binder, mapping, table, values);
}
