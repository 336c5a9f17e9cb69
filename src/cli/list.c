/* laggard list: what exists, from the tables that parse scenarios. */
#include "command.h"
#include "kinds.h"
#include "text_table.h"
#include <string.h>

static void members_print(const struct kind *kind) {
    struct text_table *table = text_table_new((const struct text_column[]){{NULL, LEFT}, {NULL, LEFT}}, 2);
    for (const struct variant *const *variant = kind->family->variants; *variant; variant++)
        text_table_row(table, (const char *const[]){(*variant)->name, (*variant)->summary});
    printf("%s: %s\n", kind->name, kind->summary);
    text_table_print(table, stdout, "  ");
    text_table_free(table);
}

static const char *default_text(const struct param *param) {
    if (!param->fallback)
        return "required";
    return *param->fallback && strcmp(param->fallback, "{}") != 0 ? param->fallback : "–";
}

/* Rows of a table's parameters; those of a mapping within stand under `outer.name`. */
static void params_rows(struct arena *arena, struct text_table *table, const char *outer,
                        const struct param_table *params) {
    for (size_t q = 0; q < params->count; q++) {
        const struct param *param = &params->param[q];
        struct sentence range;
        param_range(param, &range);
        const char *name = arena_format(arena, "%s%s", outer, param->name);
        text_table_row(
            table, (const char *const[]){name, param->unit, range.text, default_text(param), param->help});
        if ((param->kind == PARAM_STRUCT || param->kind == PARAM_LIST) && !param->table->family)
            params_rows(arena, table, arena_format(arena, "%s.", name), param->table);
    }
}

static void params_print(struct arena *arena, const struct param_table *params, const char *title) {
    if (!params || params->count == 0)
        return;
    static const struct text_column columns[] = {
        {"key", LEFT}, {"unit", LEFT}, {"values", LEFT}, {"default", LEFT}, {"meaning", LEFT}};
    struct text_table *table = text_table_new(columns, sizeof columns / sizeof *columns);
    params_rows(arena, table, "", params);
    printf("\n%s\n", title);
    text_table_print(table, stdout, "  ");
    text_table_free(table);
}

/* The keys of every member, without those that this one does not take. */
static struct param_table common_params(struct arena *arena, const struct kind *kind,
                                        const struct variant *variant) {
    struct param_table common = *kind->common;
    struct param *kept = arena_zeroed(arena, common.count, sizeof *kept);
    common.param = kept;
    common.count = 0;
    for (size_t q = 0; q < kind->common->count; q++)
        if (!kind->takes || kind->takes(variant, kind->common->param[q].name))
            kept[common.count++] = kind->common->param[q];
    return common;
}

static int member_print(struct arena *arena, const struct kind *kind, const struct variant *variant) {
    printf("%s: %s\n", variant->name, variant->summary);
    if (variant->source)
        printf("source: %s\n", variant->source);
    if (kind->facts)
        kind->facts(variant);
    const char *noun = kind->family->noun;
    params_print(arena, variant->params, arena_format(arena, "keys of %s:", variant->name));
    if (!variant->params || variant->params->count == 0)
        printf("\n%s has no keys of its own.\n", variant->name);
    if (kind->common) {
        struct param_table common = common_params(arena, kind, variant);
        params_print(arena, &common, arena_format(arena, "keys of every %s:", noun));
    }
    return EXIT_DONE;
}

static const struct kind *kind_named(const char *name) {
    for (size_t q = 0; kinds[q].name; q++)
        if (strcmp(kinds[q].name, name) == 0)
            return &kinds[q];
    return NULL;
}

/* The names of a family's members, ended by NULL. */
static const char *const *member_names(struct arena *arena, const struct family *family) {
    size_t members = 0;
    while (family->variants[members])
        members++;
    const char **names = arena_zeroed(arena, members + 1, sizeof *names);
    for (size_t q = 0; q < members; q++)
        names[q] = family->variants[q]->name;
    return names;
}

static int kind_unknown(struct call *call, const char *name) {
    const char *names[KINDS_MAX] = {NULL};
    for (size_t q = 0; kinds[q].name; q++)
        names[q] = kinds[q].name;
    return usage_error(
        call,
        "unknown kind '%s'%s; there are schemes, waits, stalenesses, delays, losses, sources, optimizers, "
        "schedules, compressors and figures",
        name, did_you_mean(call->arena, name, names));
}

static int member_unknown(struct call *call, const struct kind *kind, const char *name) {
    return usage_error(call, "unknown %s '%s'%s", kind->family->noun, name,
                       did_you_mean(call->arena, name, member_names(call->arena, kind->family)));
}

/* A name given without its kind, where only one thing has it. */
static const struct kind *kind_with_member(const char *name) {
    const struct kind *found = NULL;
    for (size_t q = 0; kinds[q].name; q++)
        if (family_find(kinds[q].family, name)) {
            if (found)
                return NULL;
            found = &kinds[q];
        }
    return found;
}

static int all_print(void) {
    for (size_t q = 0; kinds[q].name; q++) {
        if (q > 0)
            putchar('\n');
        members_print(&kinds[q]);
    }
    return EXIT_DONE;
}

static int run(struct call *call) {
    if (call->operands == 0)
        return all_print();
    const char *name = call->operand[call->operands - 1];
    const struct kind *kind = kind_named(call->operand[0]);
    if (!kind && call->operands == 1)
        kind = kind_with_member(name);
    else if (kind && call->operands == 1) {
        members_print(kind);
        return EXIT_DONE;
    }
    if (!kind)
        return kind_unknown(call, call->operand[0]);
    const struct variant *variant = family_find(kind->family, name);
    return variant ? member_print(call->arena, kind, variant) : member_unknown(call, kind, name);
}

static const struct option_spec options[] = {{0, NULL, NULL, NULL}};

const struct command command_list = {
    .name = "list",
    .summary = "shows what exists: schemes, delays, losses, … with their keys",
    .usage = "[KIND [NAME]]",
    .details =
        "KIND is schemes, waits, stalenesses, delays, losses, sources, optimizers, schedules, compressors or "
        "figures; all without one.\n"
        "With NAME: the keys of one, with units, accepted values and defaults, and where it is from.\n",
    .options = options,
    .operands_max = 2,
    .run = run,
};
