#include "picture.h"
#include "well_formed.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                                 \
    "<?xml version=\"1.0\"?>\n<svg \n viewBox=\"0 0 9 5\"\n xmlns=\"http://www.w3.org/2000/svg\"\n>\n"
#define START                                                                                                \
    "<svg role=\"img\" aria-label=\"a &lt; b\" viewBox=\"0 0 9 5\" xmlns=\"http://www.w3.org/2000/svg\">"

/* What a picture becomes, or what is said against it. */
static const struct drawn {
    const char *name, *svg, *html, *why;
} drawn[] = {
    {"names are the picture's own",
     HEAD "<defs><circle id='dot' r='1'/></defs>\n<use xlink:href='#dot' filter='url(#box)'/></svg>\n",
     START "<defs><circle id='figure3-dot' r='1'/></defs><use xlink:href='#figure3-dot' "
           "filter='url(#figure3-box)'/></svg>",
     NULL},
    {"a filter by style", HEAD "<g style='filter:url(#box)'></g></svg>",
     START "<g style='filter:url(#figure3-box)'></g></svg>", NULL},
    {"what gnuplot says of itself",
     HEAD "<title>Gnuplot</title>\n<desc>Produced by x </desc>\n<g id=\"c\" ></g></svg>",
     START "<g id=\"figure3-c\"></g></svg>", NULL},
    {"blanks around =", HEAD "<polygon points = '1,2 3,4'/></svg>", START "<polygon points='1,2 3,4'/></svg>",
     NULL},
    {"text", HEAD "<text><tspan>a &amp; </tspan><tspan> </tspan>b</text></svg>",
     START "<text><tspan>a &amp; </tspan><tspan> </tspan>b</text></svg>", NULL},
    {"a comment", HEAD "<!-- <script> --><g></g></svg>", START "<g></g></svg>", NULL},
    {"a script", HEAD "<script>x()</script></svg>", NULL, "an element 'script'"},
    {"an image", HEAD "<image xlink:href='http://x'/></svg>", NULL, "an element 'image'"},
    {"foreign content", HEAD "<foreignObject></foreignObject></svg>", NULL, "an element 'foreignObject'"},
    {"a link", HEAD "<a xlink:href='#x'></a></svg>", NULL, "an element 'a'"},
    {"an event", HEAD "<g onclick='x()'></g></svg>", NULL, "an attribute 'onclick'"},
    {"a reference to elsewhere", HEAD "<use xlink:href='http://x#y'/></svg>", NULL,
     "a reference 'http://x#y'"},
    {"a fill from elsewhere", HEAD "<g fill='url(http://x)'></g></svg>", NULL, "a reference 'url(http://x)'"},
    {"a second url", HEAD "<g style='filter:url(#a);background:url(//x)'></g></svg>", NULL, "a reference"},
    {"an end that does not match", HEAD "<g></text></svg>", NULL, "not the SVG"},
    {"an end within", HEAD "<g>", NULL, "not the SVG"},
    {"a value that does not end", HEAD "<g fill='x></g></svg>", NULL, "not the SVG"},
    {"a value without quotes", HEAD "<g fill=x></g></svg>", NULL, "not the SVG"},
    {"a title that does not end", HEAD "<title>x", NULL, "not the SVG"},
    {"another file", "GIF89a", NULL, "not the SVG"},
    {"nothing", "", NULL, "not the SVG"},
};

Test(picture, is_copied_or_refused) {
    for (size_t d = 0; d < sizeof drawn / sizeof *drawn; d++) {
        char *html = NULL;
        size_t length = 0;
        struct sentence why = {""};
        FILE *out = open_memstream(&html, &length);
        bool good = picture_write(out, &(struct picture){drawn[d].svg, "a < b", 3}, &why);
        fclose(out);
        if (drawn[d].html) {
            cr_expect(good, "%s: %s", drawn[d].name, why.text);
            cr_expect(eq(str, html, (char *)drawn[d].html), "%s", drawn[d].name);
        } else {
            bool refused = !good && strstr(why.text, drawn[d].why) != NULL;
            cr_expect(refused, "%s: must be refused with '%s', is '%s'", drawn[d].name, drawn[d].why,
                      why.text);
        }
        free(html);
    }
}
