#include "well_formed.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 64, ATTRIBUTES = 64 };

struct name {
    const char *at;
    size_t length;
};

struct check {
    const char *next;
    struct name open[DEEPEST];
    size_t depth;
    const char *fault;
};

static bool wrong(struct check *check, const char *what) {
    check->fault = what;
    return false;
}

static struct name take_name(struct check *check) {
    struct name name = {check->next, 0};
    while (isalnum((unsigned char)name.at[name.length]) ||
           (name.at[name.length] && strchr(":_-.", name.at[name.length])))
        name.length++;
    check->next += name.length;
    return name;
}

/* Past the byte where it is the one at `next`. */
static bool take_byte(struct check *check, char byte) {
    bool there = *check->next == byte;
    check->next += there ? 1 : 0;
    return there;
}

static bool same(struct name a, struct name b) {
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

static bool take_reference(struct check *check) {
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;", NULL};
    for (size_t e = 0; entities[e]; e++)
        if (strncmp(check->next, entities[e], strlen(entities[e])) == 0) {
            check->next += strlen(entities[e]);
            return true;
        }
    return wrong(check, "a stray &");
}

/* Up to a character of `ends`. */
static bool take_text(struct check *check, const char *ends) {
    while (*check->next && !strchr(ends, *check->next)) {
        unsigned char byte = (unsigned char)*check->next;
        if (byte < 0x20 && byte != '\n' && byte != '\t')
            return wrong(check, "a control character");
        if (byte != '&')
            check->next++;
        else if (!take_reference(check))
            return false;
    }
    return true;
}

static bool take_attribute(struct check *check, struct name *seen, size_t *count) {
    struct name name = take_name(check);
    if (name.length == 0 || *count == ATTRIBUTES || !take_byte(check, '='))
        return wrong(check, "no attribute");
    for (size_t a = 0; a < *count; a++)
        if (same(seen[a], name))
            return wrong(check, "an attribute twice");
    seen[(*count)++] = name;
    char quote[] = {*check->next, '<', '\0'};
    if (!take_byte(check, '"') && !take_byte(check, '\''))
        return wrong(check, "a value without quotes");
    if (!take_text(check, quote))
        return false;
    return take_byte(check, quote[0]) || wrong(check, "a value that does not end");
}

static bool take_start(struct check *check) {
    struct name name = take_name(check), seen[ATTRIBUTES];
    size_t attributes = 0;
    if (name.length == 0 || check->depth == DEEPEST)
        return wrong(check, "no tag");
    while (isspace((unsigned char)*check->next)) {
        check->next += strspn(check->next, " \t\n");
        if (*check->next != '>' && *check->next != '/' && !take_attribute(check, seen, &attributes))
            return false;
    }
    bool empty = *check->next == '/';
    check->next += empty ? 1 : 0;
    if (!take_byte(check, '>'))
        return wrong(check, "a tag that does not end");
    if (!empty)
        check->open[check->depth++] = name;
    return true;
}

static bool take_end(struct check *check) {
    struct name name = take_name(check);
    if (check->depth == 0 || !same(check->open[--check->depth], name) || !take_byte(check, '>'))
        return wrong(check, "an end without its start");
    return true;
}

static bool take_element(struct check *check) {
    do {
        if (*check->next != '<')
            return wrong(check, "the text ends within an element");
        bool end = check->next[1] == '/';
        check->next += end ? 2 : 1;
        if (!(end ? take_end(check) : take_start(check)) || (check->depth > 0 && !take_text(check, "<")))
            return false;
    } while (check->depth > 0);
    return true;
}

const char *well_formed_fault(const char *text) {
    static const char doctype[] = "<!DOCTYPE html>\n";
    static char sentence[160];
    struct check check = {.next = text};
    if (strncmp(text, doctype, strlen(doctype)) == 0)
        check.next += strlen(doctype);
    bool good = take_element(&check);
    if (good && strspn(check.next, "\n") == strlen(check.next))
        return NULL;
    snprintf(sentence, sizeof sentence, "%s at byte %zu: %.60s", good ? "more than one root" : check.fault,
             (size_t)(check.next - text), check.next);
    return sentence;
}
