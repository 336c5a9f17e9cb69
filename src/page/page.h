/* page.h: one HTML page in the making, whole in itself: no network, no script. Its policy of contents forbids both, so
 * that a browser would load nothing even if something asked for it. Every text is escaped here and nowhere else; the
 * page is well-formed XML too. Knows HTML, not what is told. */
#ifndef LAGGARD_PAGE_H
#define LAGGARD_PAGE_H
#include "diag.h"

struct page;
/* A page with this title, which is its heading too. Texts are UTF-8; bytes that are not are shown as U+FFFD, control
 * characters as blanks. */
struct page *page_new(const char *title);
void page_free(struct page *page);
/* Ends the page: its text, ended by NUL, the caller's to free; nothing may be added after it. */
char *page_finish(struct page *page, size_t *length);

/* Parts stand in the order in which they are added. */
void page_heading(struct page *page, const char *text);
/* A larger paragraph: what the page is about. */
void page_lead(struct page *page, const char *text);
void page_paragraph(struct page *page, const char *text);
/* A paragraph that asks for attention. */
void page_warning(struct page *page, const char *text);
/* Text of a file or of a command line: blanks and lines as they stand. */
void page_code(struct page *page, const char *text);

struct page_column {
    const char *heading; /* NULL in all columns: the first column names its rows */
    bool number;         /* set to the right */
};
struct page_table {
    const char *caption; /* NULL: none */
    const struct page_column *column;
    size_t columns, rows;
    const char *const *cell; /* [rows * columns] */
};
/* One that is too wide for the window scrolls by itself. */
void page_table(struct page *page, const struct page_table *table);

/* A picture that gnuplot drew as SVG, on white ground whatever the page's is. False, and nothing added, after writing
 * why: not such a picture, or one with more in it than shapes and text. */
bool page_picture(struct page *page, const char *title, const char *svg, struct sentence *why);

/* What is added between the two can be folded away, and is at first. */
void page_fold(struct page *page, const char *summary);
void page_unfold(struct page *page);
#endif
