#include "axes.h"
#include "param.h"
#include "shelf.h"
#include <math.h>
#include <string.h>

static const char *behind_index(const char *path) {
    const char *end = strchr(path, ']');
    return end ? end + 1 : path + strlen(path);
}

static bool same_index(const char *a, const char *b) {
    size_t length = (size_t)(behind_index(a) - a);
    return strncmp(a, b, length) == 0;
}

/* Whether what `path` means holds all that `inner` means, or is it; without an index it means every entry of a list. */
static bool covers(const char *path, const char *inner) {
    while (*path) {
        if (*path == '[' && *inner == '[' && !same_index(path, inner))
            return false;
        if (*path == '[' || *inner == '[') {
            path = *path == '[' ? behind_index(path) : path;
            inner = *inner == '[' ? behind_index(inner) : inner;
        } else if (*path++ != *inner++) {
            return false;
        }
    }
    return *inner == '\0' || *inner == '.' || *inner == '[';
}

bool axis_keys_same(const char *a, const char *b) {
    return covers(a, b) && covers(b, a);
}

/* A later axis is set after an earlier one, and what it covers is lost. */
static bool keys_apart(const struct axis *earlier, const struct axis *later, struct diag *diag) {
    if (axis_keys_same(earlier->key, later->key))
        node_error(diag, later->values, "'%s' is swept already by '%s'", later->key, earlier->key);
    else if (covers(later->key, earlier->key))
        node_error(diag, later->values, "would undo '%s', which is swept before it; put '%s' first",
                   earlier->key, later->key);
    else
        return true;
    return false;
}

/* Beyond it, different whole numbers (seeds) may be one double. */
#define MOST_EXACT 0x1p53

/* One text for all ways to write a number. */
static const char *value_text(struct arena *arena, const struct node *value) {
    double number;
    bool plain = value->kind == NODE_SCALAR && !value->quoted && param_number(value->text, &number) &&
                 fabs(number) < MOST_EXACT;
    return plain ? arena_format(arena, "number %.17g", number + 0)
                 : sweep_text(arena, value); /* -0 + 0 is 0 */
}

static bool values_apart(const struct axis *axis, struct diag *diag, struct arena *arena) {
    static char there;
    struct shelf *met = shelf_new();
    const struct node *value = axis->values->first;
    for (; value; value = value->next) {
        const char *text = value_text(arena, value);
        if (shelf_find(met, text))
            break;
        shelf_put(met, text, &there, NULL);
    }
    shelf_free(met);
    if (value)
        node_error(diag, value, "%s stands twice among the values of '%s'", sweep_text(arena, value),
                   axis->key);
    return value == NULL;
}

bool axes_apart(const struct sweep *sweep, struct diag *diag, struct arena *arena) {
    bool apart = true;
    for (size_t a = 0; a < sweep->axes; a++) {
        apart &= values_apart(&sweep->axis[a], diag, arena);
        for (size_t b = 0; b < a; b++)
            apart &= keys_apart(&sweep->axis[b], &sweep->axis[a], diag);
    }
    return apart;
}
