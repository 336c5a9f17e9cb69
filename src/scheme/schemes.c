#include "scheme.h"

#define SCHEME(name) extern const struct scheme scheme_##name;
#include "schemes.def"
#undef SCHEME

static const struct variant *const variants[] = {
#define SCHEME(name) &scheme_##name.head,
#include "schemes.def"
#undef SCHEME
    NULL};

const struct family scheme_family = {.noun = "scheme", .variants = variants};
