#include "param.h"
#include <stdlib.h>
#include <string.h>

const struct variant *family_find(const struct family *family, const char *name) {
    for (const struct variant *const *variant = family->variants; *variant != NULL; variant++)
        if (strcmp((*variant)->name, name) == 0)
            return *variant;
    return NULL;
}

static int compare_keys(const void *a, const void *b) {
    const struct node *const *left = a, *const *right = b;
    return strcmp((*left)->key, (*right)->key);
}

const char *param_summary(struct arena *arena, const struct node *mapping, const struct param_table *table) {
    if (table == NULL || table->count == 0)
        return "";
    const struct node **pair = arena_zeroed(arena, table->count, sizeof *pair);
    size_t pairs = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct node *node = node_child(mapping, table->param[i].name);
        if (node != NULL && node->kind == NODE_SCALAR)
            pair[pairs++] = node;
    }
    qsort(pair, pairs, sizeof *pair, compare_keys);
    const char *text = "";
    for (size_t i = 0; i < pairs; i++)
        text = arena_format(arena, "%s%s%s=%s", text, i == 0 ? "" : ";", pair[i]->key, pair[i]->text);
    return text;
}
