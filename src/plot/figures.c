#include "figure.h"

#define FIGURE(name) extern const struct figure figure_##name;
#include "figures.def"
#undef FIGURE

#define FIGURE(name) &figure_##name.head,
static const struct variant *const figures[] = {
#include "figures.def"
    NULL};
#undef FIGURE

const struct family figure_family = {.noun = "figure", .variants = figures};
