#include "sketch.h"
#include <string.h>

struct sketcher {
    struct arena *arena;
    const char *whole, *rest;
};

static struct node *draw(struct sketcher *sketcher);

static struct place here(const struct sketcher *sketcher) {
    return (struct place){"sketch", 1, (uint32_t)(sketcher->rest - sketcher->whole) + 1};
}

static struct node *draw_scalar(struct sketcher *sketcher) {
    struct place place = here(sketcher);
    bool quoted = *sketcher->rest == '\'';
    const char *from = sketcher->rest + quoted;
    size_t length = strcspn(from, quoted ? "'" : ",]}");
    struct node *node = node_scalar(sketcher->arena, place, arena_text(sketcher->arena, from, length));
    node->quoted = quoted;
    sketcher->rest = from + length + quoted;
    return node;
}

static void draw_entry(struct sketcher *sketcher, struct node *parent) {
    const char *key = NULL;
    struct place place = here(sketcher);
    if (parent->kind == NODE_MAPPING) {
        size_t length = strcspn(sketcher->rest, ":");
        key = arena_text(sketcher->arena, sketcher->rest, length);
        sketcher->rest += length + 1;
        sketcher->rest += strspn(sketcher->rest, " ");
    }
    node_append(sketcher->arena, parent, key, draw(sketcher));
    if (key != NULL)
        parent->last->key_place = place;
}

static struct node *draw(struct sketcher *sketcher) {
    if (*sketcher->rest != '{' && *sketcher->rest != '[')
        return draw_scalar(sketcher);
    bool mapping = *sketcher->rest == '{';
    struct node *node = (mapping ? node_mapping : node_list)(sketcher->arena, here(sketcher));
    sketcher->rest++;
    while (*sketcher->rest != (mapping ? '}' : ']')) {
        draw_entry(sketcher, node);
        sketcher->rest += strspn(sketcher->rest, ", ");
    }
    sketcher->rest++;
    return node;
}

struct node *sketch(struct arena *arena, const char *text) {
    struct sketcher sketcher = {arena, text, text};
    return draw(&sketcher);
}

char *messages(const struct diag *diag) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    diag_print(diag, stream);
    fclose(stream);
    return text;
}

const char *sketched(struct arena *arena, const struct node *node) {
    if (node->kind == NODE_SCALAR)
        return arena_format(arena, node->quoted ? "'%s'" : "%s", node->text);
    const char *text = "";
    for (const struct node *child = node->first; child != NULL; child = child->next)
        text = arena_format(arena, "%s%s%s%s%s", text, child == node->first ? "" : ", ",
                            child->key == NULL ? "" : child->key, child->key == NULL ? "" : ": ",
                            sketched(arena, child));
    return arena_format(arena, node->kind == NODE_MAPPING ? "{%s}" : "[%s]", text);
}
