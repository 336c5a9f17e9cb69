#include "page.h"
#include "html.h"
#include "memory.h"
#include "picture.h"
#include "style.h"
#include <stdlib.h>

struct page {
    FILE *out;
    char *text;
    size_t length;
    unsigned pictures;
};

static void out_of_memory(void) {
    fputs("out of memory\n", stderr);
    exit(1);
}

static void put_element(struct page *page, const char *element, const char *attributes, const char *text) {
    fprintf(page->out, "<%s%s>", element, attributes);
    html_text(page->out, text);
    fprintf(page->out, "</%s>\n", element);
}

struct page *page_new(const char *title) {
    struct page *page = memory_zeroed(1, sizeof *page);
    page->out = open_memstream(&page->text, &page->length);
    if (page->out == NULL)
        out_of_memory();
    fputs("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"generator\" content=\"laggard\"/>\n",
          page->out);
    put_element(page, "title", "", title);
    fprintf(page->out, "<style>\n%s</style>\n</head>\n<body>\n<main>\n", page_style);
    put_element(page, "h1", "", title);
    return page;
}

void page_free(struct page *page) {
    if (page->out != NULL)
        fclose(page->out);
    free(page->text);
    free(page);
}

char *page_finish(struct page *page, size_t *length) {
    fputs("</main>\n</body>\n</html>\n", page->out);
    if (fclose(page->out) != 0)
        out_of_memory();
    char *text = page->text;
    *length = page->length;
    page->out = NULL;
    page->text = NULL;
    return text;
}

void page_heading(struct page *page, const char *text) {
    put_element(page, "h2", "", text);
}

void page_lead(struct page *page, const char *text) {
    put_element(page, "p", " class=\"lead\"", text);
}

void page_paragraph(struct page *page, const char *text) {
    put_element(page, "p", "", text);
}

void page_warning(struct page *page, const char *text) {
    put_element(page, "p", " class=\"warning\" role=\"note\"", text);
}

/* HTML drops a line feed that follows <pre>. */
void page_code(struct page *page, const char *text) {
    fputs("<pre tabindex=\"0\">\n", page->out);
    html_text(page->out, text);
    fputs("</pre>\n", page->out);
}

static void put_headings(struct page *page, const struct page_table *table) {
    fputs("<thead><tr>", page->out);
    for (size_t c = 0; c < table->columns; c++) {
        fprintf(page->out, "<th scope=\"col\"%s>", table->column[c].number ? " class=\"number\"" : "");
        html_text(page->out, table->column[c].heading);
        fputs("</th>", page->out);
    }
    fputs("</tr></thead>\n", page->out);
}

static void put_cell(struct page *page, const struct page_table *table, size_t row, size_t column) {
    bool name = table->column[0].heading == NULL && column == 0;
    const char *element = name ? "th" : "td";
    fprintf(page->out, "<%s%s%s>", element, name ? " scope=\"row\"" : "",
            table->column[column].number ? " class=\"number\"" : "");
    html_text(page->out, table->cell[row * table->columns + column]);
    fprintf(page->out, "</%s>", element);
}

void page_table(struct page *page, const struct page_table *table) {
    fputs("<div class=\"scroll\" tabindex=\"0\"><table>\n", page->out);
    if (table->caption != NULL)
        put_element(page, "caption", "", table->caption);
    if (table->column[0].heading != NULL)
        put_headings(page, table);
    fputs("<tbody>\n", page->out);
    for (size_t r = 0; r < table->rows; r++) {
        fputs("<tr>", page->out);
        for (size_t c = 0; c < table->columns; c++)
            put_cell(page, table, r, c);
        fputs("</tr>\n", page->out);
    }
    fputs("</tbody></table></div>\n", page->out);
}

bool page_picture(struct page *page, const char *title, const char *svg, struct sentence *why) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        out_of_memory();
    struct picture picture = {.svg = svg, .title = title, .number = page->pictures + 1};
    bool good = picture_write(out, &picture, why);
    if (fclose(out) != 0)
        out_of_memory();
    if (good)
        fprintf(page->out, "<figure tabindex=\"0\">%s</figure>\n", text);
    page->pictures += good ? 1 : 0;
    free(text);
    return good;
}

void page_fold(struct page *page, const char *summary) {
    fputs("<details>\n", page->out);
    put_element(page, "summary", "", summary);
}

void page_unfold(struct page *page) {
    fputs("</details>\n", page->out);
}
