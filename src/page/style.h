/* style.h: how a page looks: on a phone, on a desk, in the dark, on paper. */
#ifndef LAGGARD_STYLE_H
#define LAGGARD_STYLE_H

/* CSS without '<' and '&', so that it stands in HTML and XML alike. */
extern const char page_style[];
#endif
