#include "html.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

#define LOST "\xef\xbf\xbd"

static const struct escape {
    const char *name, *text, *html;
} escapes[] = {
    {"plain", "two words", "two words"},
    {"nothing", "", ""},
    {"markup", "<b class=\"x\" title='y'>&amp;", "&lt;b class=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;"},
    {"end of an element", "</script></style>-->]]>", "&lt;/script&gt;&lt;/style&gt;--&gt;]]&gt;"},
    {"other letters", "Zürich 雪 😀", "Zürich 雪 😀"},
    {"lines and tabs", "a\n\tb", "a\n\tb"},
    {"control characters", "a\r\x01\x1b[31m\x7f\xc2\x85z", "a   [31m  z"},
    {"a lone byte",
     "a\xff"
     "b",
     "a" LOST "b"},
    {"half a character", "\xc3<", LOST "&lt;"},
    {"cut at the end", "\xe9\x9b", LOST LOST},
    {"overlong <", "\xc0\xbc", LOST LOST},
    {"a surrogate", "\xed\xa0\x80", LOST LOST LOST},
    {"no character", "\xef\xbf\xbf", LOST},
    {"reversed direction",
     "a\xe2\x80\xae"
     "b\xe2\x81\xa6"
     "c",
     "a" LOST "b" LOST "c"},
};

Test(html, text_is_nothing_but_text) {
    for (size_t e = 0; e < sizeof escapes / sizeof *escapes; e++) {
        char *html = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&html, &length);
        html_text(out, escapes[e].text);
        fclose(out);
        cr_expect(eq(str, html, (char *)escapes[e].html), "%s", escapes[e].name);
        free(html);
    }
}
