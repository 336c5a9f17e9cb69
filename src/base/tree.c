#include "tree.h"
#include <assert.h>
#include <stdarg.h>
#include <string.h>

static struct node *fresh(struct arena *arena, enum node_kind kind, struct place place) {
    struct node *node = arena_zeroed(arena, 1, sizeof *node);
    node->kind = kind;
    node->place = place;
    return node;
}

struct node *node_scalar(struct arena *arena, struct place place, const char *text) {
    struct node *node = fresh(arena, NODE_SCALAR, place);
    node->text = arena_text(arena, text, strlen(text));
    return node;
}

struct node *node_mapping(struct arena *arena, struct place place) {
    return fresh(arena, NODE_MAPPING, place);
}

struct node *node_list(struct arena *arena, struct place place) {
    return fresh(arena, NODE_LIST, place);
}

void node_append(struct arena *arena, struct node *parent, const char *key, struct node *child) {
    assert(parent->kind != NODE_SCALAR && child->parent == NULL);
    assert((parent->kind == NODE_MAPPING) == (key != NULL));
    child->parent = parent;
    if (key != NULL) {
        child->key = arena_text(arena, key, strlen(key));
        if (!child->key_place.file)
            child->key_place = child->place;
    }
    if (parent->last == NULL)
        parent->first = child;
    else
        parent->last->next = child;
    parent->last = child;
    parent->children++;
}

void node_drop_implied(struct node *parent) {
    struct node **link = &parent->first;
    parent->last = NULL;
    parent->children = 0;
    for (struct node *child = parent->first; child; child = child->next) {
        if (child->implied)
            continue;
        *link = child;
        link = &child->next;
        parent->last = child;
        parent->children++;
    }
    *link = NULL;
}

struct node *node_child(const struct node *mapping, const char *key) {
    if (mapping->kind != NODE_MAPPING)
        return NULL;
    struct node *child = mapping->first;
    while (child != NULL && strcmp(child->key, key) != 0)
        child = child->next;
    return child;
}

struct node *node_clone(struct arena *arena, const struct node *node) {
    struct node *copy = fresh(arena, node->kind, node->place);
    copy->key_place = node->key_place;
    copy->quoted = node->quoted;
    copy->implied = node->implied;
    if (node->text != NULL)
        copy->text = arena_text(arena, node->text, strlen(node->text));
    if (node->resolved != NULL)
        copy->resolved = arena_text(arena, node->resolved, strlen(node->resolved));
    for (const struct node *child = node->first; child != NULL; child = child->next)
        node_append(arena, copy, child->key, node_clone(arena, child));
    return copy;
}

static size_t position(const struct node *item) {
    size_t index = 0;
    for (const struct node *other = item->parent->first; other != item; other = other->next)
        index++;
    return index;
}

const char *node_path(struct arena *arena, const struct node *node) {
    if (node->parent == NULL)
        return "";
    const char *above = node_path(arena, node->parent);
    if (node->key == NULL)
        return arena_format(arena, "%s[%zu]", above, position(node));
    return arena_format(arena, "%s%s%s", above, *above == '\0' ? "" : ".", node->key);
}

static bool mappings_equal(const struct node *a, const struct node *b) {
    for (const struct node *child = a->first; child != NULL; child = child->next) {
        const struct node *other = node_child(b, child->key);
        if (other == NULL || !node_equal(child, other))
            return false;
    }
    return true;
}

static bool lists_equal(const struct node *a, const struct node *b) {
    const struct node *other = b->first;
    for (const struct node *item = a->first; item != NULL; item = item->next, other = other->next)
        if (!node_equal(item, other))
            return false;
    return true;
}

bool node_equal(const struct node *a, const struct node *b) {
    if (a->kind != b->kind || a->children != b->children)
        return false;
    if (a->kind == NODE_SCALAR)
        return strcmp(a->text, b->text) == 0;
    return a->kind == NODE_MAPPING ? mappings_equal(a, b) : lists_equal(a, b);
}

/* Tells through `tell`, which is diag_error or diag_warning. */
static void told(void (*tell)(struct diag *, struct place, const char *, const char *, ...),
                 struct diag *diag, const struct node *node, const char *sentence) {
    struct arena *arena = arena_new();
    tell(diag, node->place, node_path(arena, node), "%s", sentence);
    arena_free(arena);
}

void node_error(struct diag *diag, const struct node *node, const char *format, ...) {
    char sentence[1024];
    va_list rest;
    va_start(rest, format);
    vsnprintf(sentence, sizeof sentence, format, rest);
    va_end(rest);
    told(diag_error, diag, node, sentence);
}

void node_warning(struct diag *diag, const struct node *node, const char *format, ...) {
    char sentence[1024];
    va_list rest;
    va_start(rest, format);
    vsnprintf(sentence, sizeof sentence, format, rest);
    va_end(rest);
    told(diag_warning, diag, node, sentence);
}
