#include "law.h"

#define LAW(name) extern const struct law law_##name;
#include "laws.def"
#undef LAW

#define LAW(name) &law_##name.head,
static const struct variant *const variants[] = {
#include "laws.def"
    NULL};
#undef LAW

const struct family law_family = {.noun = "law", .variants = variants};

const struct param_table law_table = {.size = sizeof(struct picked), .family = &law_family, .picked = 0};
