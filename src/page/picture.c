#include "picture.h"
#include "html.h"
#include <ctype.h>
#include <string.h>

#define DEEPEST 32

/* All that gnuplot's terminal `svg` writes when it only draws; words between blanks. */
static const char elements[] =
    " svg g defs path rect circle use polygon polyline line text tspan filter feFlood feComposite "
    "clipPath pattern ";
static const char attributes[] =
    " viewBox width height xmlns xmlns:xlink id class style d x y dx dy x1 x2 y1 y2 cx cy r points transform "
    "color fill "
    "fill-opacity stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-dasharray "
    "shape-rendering "
    "font-family font-size font-style font-weight text-anchor text-decoration baseline-shift xml:space "
    "xlink:href clip-path "
    "filter filterUnits patternUnits flood-color flood-opacity result in in2 operator ";
/* Dropped with what is in them. */
static const char unshown[] = " title desc ";

struct part {
    const char *at;
    size_t length;
};

struct copying {
    FILE *out;
    const struct picture *picture;
    struct sentence *why;
    const char *next;
    struct part open[DEEPEST]; /* names of the open elements */
    size_t depth;
};

static bool part_is(struct part part, const char *word) {
    return strlen(word) == part.length && memcmp(word, part.at, part.length) == 0;
}

static bool among(struct part part, const char *words) {
    for (const char *at = words; (at = memmem(at, strlen(at), part.at, part.length)) != NULL; at++)
        if (at[-1] == ' ' && at[part.length] == ' ')
            return part.length > 0;
    return false;
}

static bool refuse(struct copying *copying, const char *what, struct part part) {
    int length = part.length < 40 ? (int)part.length : 40;
    sentence_set(copying->why, "the picture holds %s '%.*s', which gnuplot does not draw with", what, length,
                 part.at);
    return false;
}

static bool broken(struct copying *copying) {
    sentence_set(copying->why, "the picture is not the SVG that gnuplot draws");
    return false;
}

/* The name at `next`, which goes past it. */
static struct part take_name(struct copying *copying) {
    struct part name = {copying->next, 0};
    while (isalnum((unsigned char)name.at[name.length]) ||
           (name.at[name.length] && strchr(":-_", name.at[name.length])))
        name.length++;
    copying->next += name.length;
    return name;
}

static void skip_blanks(struct copying *copying) {
    copying->next += strspn(copying->next, " \t\r\n");
}

/* Past the first `end`; false where there is none. */
static bool skip_past(struct copying *copying, const char *end) {
    const char *found = strstr(copying->next, end);
    copying->next = found == NULL ? copying->next : found + strlen(end);
    return found != NULL;
}

static void put(const struct copying *copying, struct part part) {
    fwrite(part.at, 1, part.length, copying->out);
}

/* Names within a picture would meet those of the next one: what is named, and what refers to it, is numbered. */
static void put_value(const struct copying *copying, struct part name, struct part value) {
    unsigned number = copying->picture->number;
    bool reference = part_is(name, "xlink:href");
    if (reference || part_is(name, "id"))
        fprintf(copying->out, "%sfigure%u-", reference ? "#" : "", number);
    for (size_t i = reference ? 1 : 0; i < value.length; i++) {
        fputc(value.at[i], copying->out);
        if (value.at[i] == '#' && i >= 4 && memcmp(value.at + i - 4, "url(", 4) == 0)
            fprintf(copying->out, "figure%u-", number);
    }
}

static bool part_starts(struct part part, const char *start) {
    return part.length >= strlen(start) && memcmp(part.at, start, strlen(start)) == 0;
}

/* References lead into the picture itself, and the only style is one. */
static bool value_harmless(struct part name, struct part value) {
    if (part_is(name, "xlink:href"))
        return part_starts(value, "#");
    if (part_is(name, "style"))
        return part_starts(value, "filter:url(#") && memchr(value.at, ';', value.length) == NULL;
    if (memmem(value.at, value.length, "url(", 4) != NULL)
        return part_starts(value, "url(#");
    return memchr(value.at, '<', value.length) == NULL;
}

/* The value and its quotes, past which `next` goes; length 0: there is none. */
static struct part take_quoted(struct copying *copying) {
    skip_blanks(copying);
    if (*copying->next != '=')
        return (struct part){copying->next, 0};
    copying->next++;
    skip_blanks(copying);
    const char *from = copying->next, *end = *from == '"' || *from == '\'' ? strchr(from + 1, *from) : NULL;
    copying->next = end == NULL ? from : end + 1;
    return (struct part){from, (size_t)(copying->next - from)};
}

static bool copy_attribute(struct copying *copying) {
    struct part name = take_name(copying), quoted = take_quoted(copying);
    if (name.length == 0 || quoted.length == 0)
        return broken(copying);
    struct part value = {quoted.at + 1, quoted.length - 2};
    if (!among(name, attributes))
        return refuse(copying, "an attribute", name);
    if (!value_harmless(name, value))
        return refuse(copying, "a reference", value);
    fprintf(copying->out, " %.*s=%c", (int)name.length, name.at, *quoted.at);
    put_value(copying, name, value);
    fputc(*quoted.at, copying->out);
    return true;
}

/* What stands between the name and the end of a start tag. */
static bool copy_attributes(struct copying *copying) {
    for (;;) {
        skip_blanks(copying);
        if (*copying->next == '>' || *copying->next == '/')
            return true;
        if (!copy_attribute(copying))
            return false;
    }
}

/* The whole picture is one image with a name to those who do not see it. */
static void put_label(const struct copying *copying) {
    fputs(" role=\"img\" aria-label=\"", copying->out);
    html_text(copying->out, copying->picture->title);
    fputc('"', copying->out);
}

static bool copy_start(struct copying *copying) {
    struct part name = take_name(copying);
    if (among(name, unshown)) {
        char end[16];
        snprintf(end, sizeof end, "</%.*s>", (int)name.length, name.at);
        return skip_past(copying, end) || broken(copying);
    }
    if (!among(name, elements))
        return refuse(copying, "an element", name);
    fputc('<', copying->out);
    put(copying, name);
    if (copying->depth == 0)
        put_label(copying);
    if (!copy_attributes(copying))
        return false;
    bool empty = *copying->next == '/';
    if (copying->depth == DEEPEST || (empty && copying->next[1] != '>'))
        return broken(copying);
    fputs(empty ? "/>" : ">", copying->out);
    copying->next += empty ? 2 : 1;
    if (!empty)
        copying->open[copying->depth++] = name;
    return true;
}

static bool copy_end(struct copying *copying) {
    struct part name = take_name(copying);
    struct part open = copying->depth > 0 ? copying->open[--copying->depth] : (struct part){"", 0};
    if (*copying->next != '>' || name.length != open.length || memcmp(name.at, open.at, name.length) != 0)
        return broken(copying);
    copying->next++;
    fprintf(copying->out, "</%.*s>", (int)name.length, name.at);
    return true;
}

static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static bool copy_markup(struct copying *copying) {
    if (starts(copying->next, "<!--"))
        return skip_past(copying, "-->") || broken(copying);
    bool end = copying->next[1] == '/';
    copying->next += end ? 2 : 1;
    return end ? copy_end(copying) : copy_start(copying);
}

/* Blanks that begin a line say nothing. */
static void copy_text(struct copying *copying) {
    struct part text = {copying->next, strcspn(copying->next, "<")};
    copying->next += text.length;
    bool indent = strspn(text.at, " \t\r\n") == text.length && memchr(text.at, '\n', text.length) != NULL;
    if (!indent)
        put(copying, text);
}

static bool find_root(struct copying *copying) {
    const char *root = strstr(copying->picture->svg, "<svg");
    copying->next = root;
    return root != NULL || broken(copying);
}

bool picture_write(FILE *out, const struct picture *picture, struct sentence *why) {
    struct copying copying = {.out = out, .picture = picture, .why = why};
    bool good = find_root(&copying);
    while (good && *copying.next != '\0') {
        good = copy_markup(&copying);
        if (good && copying.depth == 0)
            return true;
        if (good)
            copy_text(&copying);
    }
    return good && broken(&copying);
}
