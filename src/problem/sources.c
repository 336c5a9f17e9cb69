#include "dataset.h"

#define SOURCE(name) extern const struct source source_##name;
#include "sources.def"
#undef SOURCE

static const struct variant *const variants[] = {
#define SOURCE(name) &source_##name.head,
#include "sources.def"
#undef SOURCE
    NULL,
};

const struct family source_family = {.noun = "data source", .variants = variants};

const struct param_table source_table = {.size = sizeof(struct picked), .family = &source_family};
