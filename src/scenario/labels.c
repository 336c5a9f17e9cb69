/* What schemes are called in results. The default is the type; where types repeat, the parameters that
 * were written are added. A swept key of an entry never enters its label, so that a label means the same at every
 * point. */
#include "section.h"
#include <stdlib.h>
#include <string.h>

/* What of a swept path lies below schemes[index]: ".stragglers" of schemes.stragglers and of
 * schemes[1].stragglers, "" of schemes[1]; NULL when it leads elsewhere. Where the list as a whole is swept, every
 * point has entries of its own, which are labelled as if there were no sweep. */
static const char *below_entry(const char *path, size_t index) {
    if (strncmp(path, "schemes", strlen("schemes")) != 0)
        return NULL;
    path += strlen("schemes");
    if (*path != '[')
        return *path ? path : NULL;
    char *end;
    bool same = strtoull(path + 1, &end, 10) == index;
    return same && *end == ']' ? end + 1 : NULL;
}

/* schemes[index].key takes its value from the sweep, alone or with the entry as a whole. */
static bool swept(struct reading *reading, size_t index, const char *key) {
    const struct node *sweep = node_child(reading->tree, "sweep");
    size_t length = strlen(key);
    for (const struct node *axis = sweep ? sweep->first : NULL; axis; axis = axis->next) {
        const char *below = axis->key ? below_entry(axis->key, index) : NULL;
        if (!below || (*below && *below != '.'))
            continue;
        if (!*below || (strncmp(below + 1, key, length) == 0 && strchr(".[", below[1 + length])))
            return true;
    }
    return false;
}

static const char *base_label(struct reading *reading, const struct scheme_entry *entry, size_t index) {
    return swept(reading, index, "type") ? "scheme" : entry->scheme.type->name;
}

static bool base_repeats(struct reading *reading, const struct scenario *scenario, size_t index) {
    const char *base = base_label(reading, &scenario->scheme[index], index);
    for (size_t e = 0; e < scenario->schemes; e++)
        if (e != index && strcmp(base, base_label(reading, &scenario->scheme[e], e)) == 0)
            return true;
    return false;
}

/* `label key=value` for a key that the user wrote; a mapping shows its type. */
static const char *label_with(struct reading *reading, const char *label, const struct node *node) {
    const struct node *value = node->kind == NODE_MAPPING ? node_child(node, "type") : node;
    if (!value || !value->text)
        return label;
    return arena_format(reading->binder.arena, "%s %s=%s", label, node->key, value->text);
}

static const char *default_label(struct reading *reading, const struct node *mapping,
                                 const struct scenario *scenario, size_t index) {
    const char *label = base_label(reading, &scenario->scheme[index], index);
    if (!base_repeats(reading, scenario, index))
        return label;
    for (const struct node *node = mapping->first; node; node = node->next)
        if (!node->implied && strcmp(node->key, "type") != 0 && !swept(reading, index, node->key))
            label = label_with(reading, label, node);
    return label;
}

static bool label_unique(struct reading *reading, const struct node *mapping, const struct scenario *scenario,
                         size_t index) {
    const char *label = scenario->scheme[index].label;
    for (size_t e = 0; e < index; e++)
        if (strcmp(label, scenario->scheme[e].label) == 0)
            return key_error(reading, mapping, "label",
                             "schemes[%zu] is called '%s' too; give each a label of its own", e, label);
    return true;
}

bool labels_settle(struct reading *reading, struct node *list, struct scenario *scenario) {
    bool fine = true;
    size_t e = 0;
    for (struct node *node = list->first; node; node = node->next, e++) {
        struct scheme_entry *entry = &scenario->scheme[e];
        bool own = entry->label != NULL;
        if (!own)
            entry->label = default_label(reading, node, scenario, e);
        fine &= text_check(reading, node, "label", entry->label) && label_unique(reading, node, scenario, e);
        if (!own)
            write_default(reading, node, "label", entry->label);
    }
    return fine;
}
