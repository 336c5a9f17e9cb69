/* picture.h: a picture that gnuplot drew as SVG, as a part of a page with others. Knows tags and attributes, not what is
 * drawn. */
#ifndef LAGGARD_PICTURE_H
#define LAGGARD_PICTURE_H
#include "diag.h"

struct picture {
    const char *svg;   /* the file's text */
    const char *title; /* read out instead of the picture */
    unsigned number;   /* of the picture in its page: names within it become figure NUMBER's own */
};
/* Writes the picture as one element, without what gnuplot says of itself and the titles that would show as tips. False
 * after writing why: an element or attribute that gnuplot does not use, so that nothing in it can run or load anything;
 * tags that do not match. What was written is then of no use. */
bool picture_write(FILE *out, const struct picture *picture, struct sentence *why);
#endif
