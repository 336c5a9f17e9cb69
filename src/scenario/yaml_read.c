#include "file_open.h"
#include "yaml_tree.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>

enum {
    LARGEST = 4 << 20, /* bytes of a file */
    DEEPEST = 32,      /* levels of nesting */
    MOST_NODES = 200000,
    MOST_KEYS = 1000, /* in one mapping: each is compared with those before it */
    LONGEST_KEY =
        200, /* bytes: libyaml reads keys back in one line of at most 1024 bytes, escapes included */
    MOST_MISTAKES = 100, /* then the rest is not read */
};

/* A mapping or list that is open. */
struct level {
    struct node *node;
    const char *key; /* read, its value not yet; NULL in a list */
    struct place key_place;
};

struct reader {
    yaml_parser_t parser;
    struct diag *diag;
    struct arena *arena;
    const char *file;
    const char *text;
    size_t length;
    struct node *root;
    struct level level[DEEPEST + 1]; /* [0]: outside the root, without a node */
    size_t levels, nodes;
    size_t mistakes;
};

enum progress { GO_ON, OVER };

static struct place place_of(const struct reader *reader, yaml_mark_t mark) {
    return (struct place){reader->file, (uint32_t)mark.line + 1, (uint32_t)mark.column + 1};
}

static struct level *innermost(struct reader *reader) {
    return &reader->level[reader->levels];
}

static bool expects_key(struct reader *reader) {
    const struct level *level = innermost(reader);
    return level->node != NULL && level->node->kind == NODE_MAPPING && level->key == NULL;
}

/* At `place`, with the path of the mapping or list that is open. */
static void tell(struct reader *reader, struct place place, const char *sentence) {
    const struct node *open = innermost(reader)->node;
    diag_error(reader->diag, place, open == NULL ? "" : node_path(reader->arena, open), "%s", sentence);
    reader->mistakes++;
}

static enum progress stop(struct reader *reader, struct place place, const char *sentence) {
    tell(reader, place, sentence);
    return OVER;
}

/* Where the byte at `offset` stands: libyaml tells no line for what it cannot decode. */
static struct place place_at(const struct reader *reader, size_t offset) {
    struct place place = {reader->file, 1, 1};
    for (size_t i = 0; i < offset && i < reader->length; i++) {
        bool crlf = reader->text[i] == '\r' && i + 1 < reader->length && reader->text[i + 1] == '\n';
        if (reader->text[i] == '\n' || (reader->text[i] == '\r' && !crlf)) {
            place.line++;
            place.column = 1;
        } else if (((unsigned char)reader->text[i] & 0xC0) != 0x80) {
            place.column++;
        }
    }
    return place;
}

/* libyaml counts characters, not bytes. */
static bool is_tab_at(const struct reader *reader, size_t character) {
    for (size_t i = 0; i < reader->length; i++)
        if (((unsigned char)reader->text[i] & 0xC0) != 0x80 && character-- == 0)
            return reader->text[i] == '\t';
    return false;
}

/* The parser reads ahead of what is taken, so no key path is told. */
static void tell_syntax(struct reader *reader) {
    const yaml_parser_t *parser = &reader->parser;
    struct place place = place_of(reader, parser->problem_mark);
    const char *sentence = parser->problem;
    if (parser->error == YAML_READER_ERROR) {
        place = place_at(reader, parser->problem_offset);
        sentence = arena_format(reader->arena, "cannot be read as UTF-8 text: %s", parser->problem);
    } else if (sentence == NULL) {
        sentence = "cannot be read: out of memory";
    } else if (is_tab_at(reader, parser->problem_mark.index)) {
        sentence = "found a tab where only spaces may stand";
    } else if (parser->context != NULL) {
        sentence = arena_format(reader->arena, "%s (%s that begins on line %zu)", parser->problem,
                                parser->context, parser->context_mark.line + 1);
    }
    diag_error(reader->diag, place, "", "%s", sentence);
    reader->mistakes++;
}

/* Hangs a node into the mapping or list that is open. */
static void hang(struct reader *reader, struct node *node) {
    struct level *level = innermost(reader);
    if (level->node == NULL) {
        reader->root = node;
        return;
    }
    node_append(reader->arena, level->node, level->key, node);
    node->key_place = level->key_place;
    level->key = NULL;
}

static void open_key(struct reader *reader, const char *key, struct place place) {
    struct level *level = innermost(reader);
    level->key = key;
    level->key_place = place;
}

/* What is wrong with a key; NULL: nothing. */
static const char *key_fault(struct reader *reader, const yaml_event_t *event) {
    const char *key = (const char *)event->data.scalar.value;
    const struct node *mapping = innermost(reader)->node;
    const struct node *first = node_child(mapping, key);
    if (*key == '\0')
        return "a key is empty";
    if (event->data.scalar.length > LONGEST_KEY)
        return arena_format(reader->arena, "a key is longer than %d bytes", LONGEST_KEY);
    if (strcmp(key, "<<") == 0)
        return "merge keys are not supported: write the keys where they are needed";
    if (first != NULL)
        return arena_format(reader->arena, "key '%s' is given twice (first on line %u)", key,
                            first->key_place.line);
    return NULL;
}

/* Anchors and tags, on whatever they stand. */
static void refuse_marks(struct reader *reader, struct place place, const yaml_char_t *anchor,
                         const yaml_char_t *tag) {
    if (anchor != NULL)
        tell(reader, place, "anchors are not supported: write the value where it is needed");
    if (tag != NULL)
        tell(reader, place, "tags are not supported: write the value without '!'");
}

static enum progress take_key(struct reader *reader, const yaml_event_t *event, struct place place) {
    if (innermost(reader)->node->children == MOST_KEYS)
        return stop(reader, place,
                    arena_format(reader->arena, "more than %d keys in one mapping", MOST_KEYS));
    const char *fault = key_fault(reader, event);
    if (fault != NULL)
        tell(reader, place, fault);
    open_key(reader,
             arena_text(reader->arena, (const char *)event->data.scalar.value, event->data.scalar.length),
             place);
    return GO_ON;
}

static enum progress take_scalar(struct reader *reader, const yaml_event_t *event) {
    struct place place = place_of(reader, event->start_mark);
    const char *text = (const char *)event->data.scalar.value;
    refuse_marks(reader, place, event->data.scalar.anchor, event->data.scalar.tag);
    if (strlen(text) != event->data.scalar.length)
        tell(reader, place, "a text holds a NUL byte");
    if (expects_key(reader))
        return take_key(reader, event, place);
    struct node *node = node_scalar(reader->arena, place, text);
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    hang(reader, node);
    return GO_ON;
}

/* Stands for an alias, which is refused. */
static enum progress take_alias(struct reader *reader, const yaml_event_t *event) {
    struct place place = place_of(reader, event->start_mark);
    tell(reader, place, "aliases are not supported: write the value where it is needed");
    if (expects_key(reader))
        open_key(reader, "", place);
    else
        hang(reader, node_scalar(reader->arena, place, ""));
    return GO_ON;
}

/* A mapping or list begins. */
static enum progress take_start(struct reader *reader, struct node *node) {
    if (reader->levels == DEEPEST)
        return stop(reader, node->place,
                    arena_format(reader->arena, "nested deeper than %d levels", DEEPEST));
    if (expects_key(reader)) {
        tell(reader, node->place, "a key must be a single word, not a mapping or a list");
        open_key(reader, "", node->place);
    } else {
        hang(reader, node);
    }
    reader->level[++reader->levels] = (struct level){.node = node};
    return GO_ON;
}

static enum progress take_mapping(struct reader *reader, const yaml_event_t *event) {
    struct place place = place_of(reader, event->start_mark);
    refuse_marks(reader, place, event->data.mapping_start.anchor, event->data.mapping_start.tag);
    return take_start(reader, node_mapping(reader->arena, place));
}

static enum progress take_list(struct reader *reader, const yaml_event_t *event) {
    struct place place = place_of(reader, event->start_mark);
    refuse_marks(reader, place, event->data.sequence_start.anchor, event->data.sequence_start.tag);
    return take_start(reader, node_list(reader->arena, place));
}

static enum progress take_end(struct reader *reader, const yaml_event_t *event) {
    (void)event;
    reader->levels--;
    return GO_ON;
}

static enum progress take_document(struct reader *reader, const yaml_event_t *event) {
    if (reader->root == NULL)
        return GO_ON;
    return stop(reader, place_of(reader, event->start_mark),
                "a second document begins: a scenario is one document");
}

static enum progress take_event(struct reader *reader, const yaml_event_t *event) {
    static enum progress (*const take[])(struct reader *,
                                         const yaml_event_t *) = {[YAML_DOCUMENT_START_EVENT] = take_document,
                                                                  [YAML_SCALAR_EVENT] = take_scalar,
                                                                  [YAML_ALIAS_EVENT] = take_alias,
                                                                  [YAML_MAPPING_START_EVENT] = take_mapping,
                                                                  [YAML_SEQUENCE_START_EVENT] = take_list,
                                                                  [YAML_MAPPING_END_EVENT] = take_end,
                                                                  [YAML_SEQUENCE_END_EVENT] = take_end};
    if (event->type == YAML_STREAM_END_EVENT)
        return OVER;
    if (++reader->nodes > MOST_NODES)
        return stop(reader, place_of(reader, event->start_mark),
                    arena_format(reader->arena, "more than %d values", MOST_NODES));
    bool matters = event->type < sizeof take / sizeof *take && take[event->type] != NULL;
    return matters ? take[event->type](reader, event) : GO_ON;
}

static void take_events(struct reader *reader) {
    enum progress progress = GO_ON;
    while (progress == GO_ON && reader->mistakes < MOST_MISTAKES) {
        yaml_event_t event;
        if (!yaml_parser_parse(&reader->parser, &event)) {
            tell_syntax(reader);
            return;
        }
        progress = take_event(reader, &event);
        yaml_event_delete(&event);
    }
}

/* Reads the whole text; the root, or NULL after telling what is wrong. */
static struct node *tree_read(struct reader *reader) {
    const char *nul = memchr(reader->text, '\0', reader->length);
    if (nul != NULL)
        tell(reader, place_at(reader, (size_t)(nul - reader->text)), "holds a NUL byte: this is no text");
    else if (!yaml_parser_initialize(&reader->parser))
        tell(reader, (struct place){reader->file, 0, 0}, "cannot be read: out of memory");
    if (reader->mistakes > 0)
        return NULL;
    yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader->parser, (const unsigned char *)reader->text, reader->length);
    take_events(reader);
    yaml_parser_delete(&reader->parser);
    if (reader->root == NULL && reader->mistakes == 0)
        tell(reader, (struct place){reader->file, 0, 0}, "holds no values");
    return reader->mistakes == 0 ? reader->root : NULL;
}

static struct node *text_read(struct diag *diag, struct arena *arena, const char *name, const char *text,
                              size_t length) {
    static const char bom[] = "\xEF\xBB\xBF";
    size_t skipped = length >= 3 && memcmp(text, bom, 3) == 0 ? 3 : 0;
    struct reader *reader = memory_zeroed(1, sizeof *reader);
    reader->diag = diag;
    reader->arena = arena;
    reader->file = name;
    reader->text = text + skipped;
    reader->length = length - skipped;
    struct node *root = tree_read(reader);
    free(reader);
    return root;
}

struct node *yaml_read_text(struct diag *diag, struct arena *arena, const char *name, const char *text) {
    return text_read(diag, arena, name, text, strlen(text));
}

/* The bytes of a file into `text`, which holds LARGEST + 1. False after writing why not. */
static bool bytes_read(const char *file, char *text, size_t *length, struct sentence *why) {
    int opened = file_or_pipe_open(file, why);
    if (opened < 0)
        return false;
    ssize_t got = 1;
    for (*length = 0; got > 0 && *length <= LARGEST; *length += got > 0 ? (size_t)got : 0)
        got = read(opened, text + *length, LARGEST + 1 - *length);
    if (got < 0)
        sentence_set(why, "cannot be read: %s", strerror(errno));
    else if (*length > LARGEST)
        sentence_set(why, "cannot be read: larger than 4 MiB");
    close(opened);
    return got >= 0 && *length <= LARGEST;
}

struct node *yaml_read_file(struct diag *diag, struct arena *arena, const char *file) {
    char *text = memory_zeroed(LARGEST + 1, 1);
    size_t length = 0;
    struct sentence why;
    struct node *root = NULL;
    if (bytes_read(file, text, &length, &why))
        root = text_read(diag, arena, file, text, length);
    else
        diag_error(diag, (struct place){file, 0, 0}, "", "%s", why.text);
    free(text);
    if (root == NULL || root->kind == NODE_MAPPING)
        return root;
    diag_error(diag, root->place, "", "expected keys with values (such as name: example), found %s",
               root->kind == NODE_LIST ? "a list" : "a single value");
    return NULL;
}
