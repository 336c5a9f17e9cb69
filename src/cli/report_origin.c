/* What a report has from the manifest of its folder. */
#include "report_page.h"
#include "yaml_tree.h"
#include <string.h>

/* Warnings that stand open, and more that are there. */
#define WARNINGS_OPEN  3
#define WARNINGS_SHOWN 100
#define FILES_SHOWN    100

/* JSON is YAML. NULL: there is none that can be read. */
static const struct node *manifest_of(const struct report *report) {
    struct diag *unheard = diag_new();
    const struct node *root = yaml_read_file(unheard, report->arena,
                                             arena_format(report->arena, "%s/manifest.json", report->folder));
    diag_free(unheard);
    return root;
}

static const char *text_under(const struct node *mapping, const char *key) {
    const struct node *node = mapping && mapping->kind == NODE_MAPPING ? node_child(mapping, key) : NULL;
    return node && node->kind == NODE_SCALAR ? node->text : "";
}

static const struct node *list_under(const struct node *mapping, const char *key) {
    const struct node *node = mapping ? node_child(mapping, key) : NULL;
    return node && node->kind == NODE_LIST ? node : NULL;
}

/* Warnings from `one` on, `most` of them; returns the first that is left. */
static const struct node *warnings_told(const struct report *report, const struct node *one, size_t most) {
    for (; one && most > 0; one = one->next, most--)
        page_warning(report->page, one->kind == NODE_SCALAR ? one->text : "");
    return one;
}

void report_warnings(const struct report *report) {
    const struct node *list = list_under(manifest_of(report), "warnings");
    if (!list || list->children == 0)
        return;
    page_heading(report->page, "Warnings");
    const struct node *left = warnings_told(report, list->first, WARNINGS_OPEN);
    if (!left)
        return;
    page_fold(report->page, arena_format(report->arena, "%zu more", list->children - WARNINGS_OPEN));
    if (warnings_told(report, left, WARNINGS_SHOWN))
        page_paragraph(report->page, "The others are in manifest.json.");
    page_unfold(report->page);
}

/* A word as a shell reads it back. */
static const char *quoted(struct arena *arena, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+@%";
    if (*word != '\0' && word[strspn(word, plain)] == '\0')
        return word;
    char *out = arena_zeroed(arena, 4 * strlen(word) + 3, 1), *end = out;
    *end++ = '\'';
    for (; *word != '\0'; word++)
        end = *word == '\'' ? stpcpy(end, "'\\''") : (*end = *word, end + 1);
    *end = '\'';
    return out;
}

static const char *command_text(struct arena *arena, const struct node *list) {
    const char *text = "";
    for (const struct node *word = list ? list->first : NULL; word; word = word->next)
        text = arena_format(arena, "%s%s%s", text, *text ? " " : "",
                            quoted(arena, word->text ? word->text : ""));
    return text;
}

static void facts_told(const struct report *report, const struct node *manifest) {
    static const struct text_column columns[] = {{NULL, LEFT}, {NULL, LEFT}};
    static const char *const keys[] = {"version", "seed", "runs", "started"};
    struct text_table *table = text_table_new(columns, 2);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (*text_under(manifest, keys[k]))
            text_table_row(table, (const char *const[]){keys[k], text_under(manifest, keys[k])});
    report_table(report, NULL, table);
    text_table_free(table);
}

static void files_told(const struct report *report, const struct node *list) {
    static const struct text_column columns[] = {{"file read", LEFT}, {"CRC-32", LEFT}};
    struct text_table *table = text_table_new(columns, 2);
    for (const struct node *file = list->first; file && text_table_rows(table) < FILES_SHOWN;
         file = file->next)
        text_table_row(table, (const char *const[]){text_under(file, "path"), text_under(file, "crc32")});
    const char *caption =
        list->children > FILES_SHOWN
            ? arena_format(report->arena, "The first %d of %zu files", FILES_SHOWN, list->children)
            : NULL;
    report_table(report, caption, table);
    text_table_free(table);
}

void report_origin(const struct report *report) {
    const struct node *manifest = manifest_of(report);
    page_heading(report->page, "How to reproduce it");
    if (manifest == NULL) {
        page_warning(report->page,
                     "The folder has no manifest.json that can be read: it does not say what made it.");
        return;
    }
    page_paragraph(report->page, "These results were made by");
    page_code(report->page, command_text(report->arena, list_under(manifest, "command")));
    page_paragraph(report->page, "In the folder of the results the same numbers come from");
    page_code(report->page, "laggard run scenario.yaml -o again");
    facts_told(report, manifest);
    const struct node *files = list_under(manifest, "files");
    if (files && files->children > 0)
        files_told(report, files);
}
