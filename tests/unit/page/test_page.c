#include "page.h"
#include "style.h"
#include "well_formed.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#define EVIL "<i>\"&'"
#define SAFE "&lt;i&gt;&quot;&amp;&#39;"

static const char svg[] = "<svg viewBox=\"0 0 1 1\"><g id='a'></g></svg>";

/* One of each part, every text of it hostile. */
static char *made(void) {
    static const struct page_column columns[] = {{EVIL, false}, {"n", true}},
                                    rows[] = {{NULL, false}, {NULL, false}};
    static const char *const cell[] = {EVIL, "1", "b", "2"};
    struct sentence why;
    struct page *page = page_new(EVIL);
    page_lead(page, EVIL);
    page_warning(page, EVIL);
    page_heading(page, EVIL);
    page_table(page, &(struct page_table){EVIL, columns, 2, 2, cell});
    page_table(page, &(struct page_table){NULL, rows, 2, 1, cell});
    cr_expect(page_picture(page, EVIL, svg, &why));
    bool refused = !page_picture(page, EVIL, "<svg><script/></svg>", &why);
    cr_expect(refused);
    cr_expect(page_picture(page, "b", svg, &why));
    page_fold(page, EVIL);
    page_paragraph(page, EVIL);
    page_code(page, "\n" EVIL);
    page_unfold(page);
    size_t length;
    char *text = page_finish(page, &length);
    cr_expect(eq(sz, length, strlen(text)));
    page_free(page);
    return text;
}

static const char body[] =
    "</style>\n</head>\n<body>\n<main>\n<h1>" SAFE "</h1>\n"
    "<p class=\"lead\">" SAFE "</p>\n"
    "<p class=\"warning\" role=\"note\">" SAFE "</p>\n"
    "<h2>" SAFE "</h2>\n"
    "<div class=\"scroll\" tabindex=\"0\"><table>\n<caption>" SAFE "</caption>\n"
    "<thead><tr><th scope=\"col\">" SAFE "</th><th scope=\"col\" class=\"number\">n</th></tr></thead>\n"
    "<tbody>\n<tr><td>" SAFE
    "</td><td class=\"number\">1</td></tr>\n<tr><td>b</td><td class=\"number\">2</td></tr>\n"
    "</tbody></table></div>\n"
    "<div class=\"scroll\" tabindex=\"0\"><table>\n<tbody>\n<tr><th scope=\"row\">" SAFE
    "</th><td>1</td></tr>\n"
    "</tbody></table></div>\n"
    "<figure tabindex=\"0\"><svg role=\"img\" aria-label=\"" SAFE
    "\" viewBox=\"0 0 1 1\"><g id='figure1-a'></g></svg></figure>\n"
    "<figure tabindex=\"0\"><svg role=\"img\" aria-label=\"b\" viewBox=\"0 0 1 1\"><g "
    "id='figure2-a'></g></svg></figure>\n"
    "<details>\n<summary>" SAFE "</summary>\n<p>" SAFE "</p>\n<pre tabindex=\"0\">\n\n" SAFE
    "</pre>\n</details>\n"
    "</main>\n</body>\n</html>\n";

Test(page, small_page) {
    char *text = made();
    const char *head = strstr(text, page_style), *rest = head ? head + strlen(page_style) : text;
    cr_expect(head != NULL);
    cr_expect(eq(str, (char *)rest, (char *)body));
    free(text);
}

Test(page, is_well_formed) {
    char *text = made();
    const char *fault = well_formed_fault(text);
    cr_expect(fault == NULL, "%s", fault);
    free(text);
}

Test(page, can_load_nothing) {
    char *text = made();
    cr_expect(strstr(text, "content=\"default-src 'none'; style-src 'unsafe-inline'\"") != NULL);
    cr_expect(strstr(page_style, "url(") == NULL && strstr(page_style, "@import") == NULL);
    cr_expect(strpbrk(page_style, "<&") == NULL);
    free(text);
}

/* The checker of the tests sees what it is there for. */
Test(page, a_fault_is_seen) {
    static const char *const faults[] = {
        "",           "<a>",           "<a></b>",  "<a/><b/>",    "<a b=c/>",  "<a b='c' b='d'/>",
        "<a b='<'/>", "<a>&nbsp;</a>", "<a>&</a>", "<a>\x01</a>", "<a b='c/>", "<a><</a>"};
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++)
        cr_expect(well_formed_fault(faults[f]) != NULL, "%s", faults[f]);
    cr_expect(well_formed_fault("<!DOCTYPE html>\n<a b='&lt;' c=\"'\">d<e/>&amp;</a>\n") == NULL);
}
