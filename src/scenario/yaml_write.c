#include "param.h"
#include "path.h"
#include "yaml_tree.h"
#include <stdlib.h>
#include <string.h>

/* Characters of a line that a mapping or list in flow style may fill. */
enum { WIDTH = 100 };

struct writer {
    FILE *out;
    const char *folder;
};

/* Where a scalar stands: within {} and [] commas and brackets mean something. */
enum style { BLOCK, FLOW };

/* One character of UTF-8 text, and the bytes it takes. */
static uint32_t character_at(const char *text, size_t *bytes) {
    const unsigned char *c = (const unsigned char *)text;
    *bytes = c[0] < 0x80 ? 1 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : 4;
    uint32_t character = *bytes == 1 ? c[0] : c[0] & (0x7Fu >> *bytes);
    for (size_t b = 1; b < *bytes; b++)
        character = character << 6 | (c[b] & 0x3Fu);
    return character;
}

/* Control characters, line breaks, byte-order marks and what YAML does not let stand unescaped. */
static bool is_escaped(uint32_t character) {
    if (character < 0x20 || (character >= 0x7F && character < 0xA0))
        return true;
    return character == 0x2028 || character == 0x2029 || character == 0xFEFF ||
           (character & 0xFFFE) == 0xFFFE;
}

static void write_quoted(FILE *out, const char *text) {
    fputc('"', out);
    for (size_t bytes; *text != '\0'; text += bytes) {
        uint32_t character = character_at(text, &bytes);
        if (character == '\n')
            fputs("\\n", out);
        else if (character == '\t')
            fputs("\\t", out);
        else if (is_escaped(character))
            fprintf(out,
                    character < 0x100     ? "\\x%02X"
                    : character < 0x10000 ? "\\u%04X"
                                          : "\\U%08X",
                    character);
        else
            fprintf(out, "%s%.*s", character == '"' || character == '\\' ? "\\" : "", (int)bytes, text);
    }
    fputc('"', out);
}

/* Read without quotes this would be a number, a time, a flag or nothing, here or in other readers of YAML. */
static bool reads_as_value(const char *text) {
    static const char *const word[] = {"true", "false", "yes",  "no", "on", "off",
                                       "y",    "n",     "null", "~",  NULL};
    double number;
    for (const char *const *one = word; *one != NULL; one++)
        if (strcasecmp(*one, text) == 0)
            return true;
    return param_number(text, &number) || param_seconds(text, &number);
}

/* No indicator of YAML stands first: a dash or dots may begin a number or a name, but not a list or a document. */
static bool starts_plain(const char *text) {
    if (*text == '-')
        return text[1] != '\0' && strchr("-? :,[]{}#&*!|>'\"%@`", text[1]) == NULL;
    return *text != '\0' && strchr(" ?:,[]{}#&*!|>'\"%@`", *text) == NULL && strncmp(text, "...", 3) != 0;
}

static bool is_plain(const char *text, enum style style) {
    if (!starts_plain(text) || text[strlen(text) - 1] == ' ')
        return false;
    for (size_t bytes; *text != '\0'; text += bytes) {
        if (is_escaped(character_at(text, &bytes)) || strncmp(text, " #", 2) == 0)
            return false;
        if (*text == ':' && (text[1] == ' ' || text[1] == '\0'))
            return false;
        if (style == FLOW && strchr(",?[]{}", *text) != NULL)
            return false;
    }
    return true;
}

static void write_text(FILE *out, const char *text, enum style style) {
    if (is_plain(text, style))
        fputs(text, out);
    else
        write_quoted(out, text);
}

static void write_scalar(const struct writer *writer, const struct node *node, enum style style) {
    bool moves = node->resolved != NULL && *node->text != '/' && writer->folder != NULL;
    char *path = moves ? path_relative(writer->folder, node->resolved) : NULL;
    const char *text = moves ? path : node->text;
    if (node->quoted && reads_as_value(text))
        write_quoted(writer->out, text);
    else
        write_text(writer->out, text, style);
    free(path);
}

static void write_flow(const struct writer *writer, const struct node *node) {
    if (node->kind == NODE_SCALAR) {
        write_scalar(writer, node, FLOW);
        return;
    }
    fputc(node->kind == NODE_MAPPING ? '{' : '[', writer->out);
    for (const struct node *child = node->first; child != NULL; child = child->next) {
        if (child->key != NULL) {
            write_text(writer->out, child->key, FLOW);
            fputs(": ", writer->out);
        }
        write_flow(writer, child);
        fputs(child->next == NULL ? "" : ", ", writer->out);
    }
    fputc(node->kind == NODE_MAPPING ? '}' : ']', writer->out);
}

/* A leaf, or close to one: no list of mappings, which reads better one to a line. */
static bool is_leaf(const struct node *node) {
    for (const struct node *child = node->first; child != NULL; child = child->next)
        if ((node->kind == NODE_LIST && child->kind == NODE_MAPPING) || !is_leaf(child))
            return false;
    return true;
}

/* The node in flow style when it is short enough to follow on a line of `column` characters, else NULL. Heap. */
static char *line_text(const struct writer *writer, const struct node *node, size_t column) {
    char *text = NULL;
    size_t length = 0;
    if (!is_leaf(node))
        return NULL;
    struct writer line = {open_memstream(&text, &length), writer->folder};
    write_flow(&line, node);
    fclose(line.out);
    if (node->children == 0 || column + length <= WIDTH)
        return text;
    free(text);
    return NULL;
}

static void write_block(const struct writer *writer, const struct node *node, size_t indent);

/* What follows `key:` or `-` to the end of the line or, indented, below it. */
static void write_value(const struct writer *writer, const struct node *node, size_t indent, size_t column) {
    char *line = node->kind == NODE_SCALAR ? NULL : line_text(writer, node, column);
    if (node->kind == NODE_SCALAR) {
        fputc(' ', writer->out);
        write_scalar(writer, node, BLOCK);
        fputc('\n', writer->out);
    } else if (line != NULL) {
        fprintf(writer->out, " %s\n", line);
    } else if (node->key != NULL) {
        fprintf(writer->out, "\n%*s", (int)indent + 2, "");
        write_block(writer, node, indent + 2);
    } else {
        fputc(' ', writer->out);
        write_block(writer, node, indent + 2);
    }
    free(line);
}

/* The lines of a mapping or list; the first starts where the caller left off, which is at `indent`. */
static void write_block(const struct writer *writer, const struct node *node, size_t indent) {
    for (const struct node *child = node->first; child != NULL; child = child->next) {
        if (child != node->first)
            fprintf(writer->out, "%*s", (int)indent, "");
        if (child->key != NULL)
            write_text(writer->out, child->key, BLOCK);
        fputc(child->key != NULL ? ':' : '-', writer->out);
        write_value(writer, child, indent, indent + 2 + (child->key == NULL ? 0 : strlen(child->key)));
    }
}

char *yaml_text(const struct node *root, const char *folder) {
    char *text = NULL;
    size_t length = 0;
    struct writer writer = {open_memstream(&text, &length), folder};
    if (root->children > 0) {
        write_block(&writer, root, 0);
    } else {
        write_flow(&writer, root);
        fputc('\n', writer.out);
    }
    fclose(writer.out);
    return text;
}
