#include "staleness.h"

#define STALENESS(name) extern const struct staleness name;
#include "stalenesses.def"
#undef STALENESS

static const struct variant *const variants[] = {
#define STALENESS(name) &name.head,
#include "stalenesses.def"
#undef STALENESS
    NULL};

const struct family staleness_family = {.noun = "staleness rule", .variants = variants, .fallback = "none"};
const struct param_table staleness_table = {.size = sizeof(struct picked), .family = &staleness_family};

static const struct staleness *rule_of(const struct picked *picked) {
    return (const struct staleness *)picked->type;
}

double staleness_factor(const struct picked *staleness, uint32_t age) {
    return rule_of(staleness)->factor ? rule_of(staleness)->factor(staleness->params, age) : 1;
}

double staleness_compensation(const struct picked *staleness) {
    return rule_of(staleness)->compensation ? rule_of(staleness)->compensation(staleness->params) : 0;
}
