/* Numbers of an optimizer by the keys that a scenario has for them. */
#include "optimizer.h"
#include <assert.h>
#include <string.h>

static const struct param *number_in(const struct param_table *table, const char *key) {
    for (size_t q = 0; table && q < table->count; q++)
        if (table->param[q].kind == PARAM_NUMBER && strcmp(table->param[q].name, key) == 0)
            return &table->param[q];
    return NULL;
}

const struct param *optimizer_number(const struct optimizer_spec *spec, const char *key) {
    const struct param *common = number_in(&optimizer_table, key);
    return common ? common : number_in(spec->optimizer.type->params, key);
}

static void *copied(struct arena *arena, const void *bytes, size_t size) {
    return memcpy(arena_zeroed(arena, 1, size), bytes, size);
}

struct optimizer_spec *optimizer_with(struct arena *arena, const struct optimizer_spec *spec, const char *key,
                                      double value) {
    struct optimizer_spec *with = copied(arena, spec, sizeof *spec);
    const struct param *param = optimizer_number(spec, key);
    assert(param);
    char *numbers = (char *)with;
    if (param != number_in(&optimizer_table, key))
        numbers = with->optimizer.params =
            copied(arena, spec->optimizer.params, spec->optimizer.type->params->size);
    *(double *)(void *)(numbers + param->offset) = value;
    return with;
}
