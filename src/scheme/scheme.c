#include "scheme.h"
#include <string.h>

static const struct scheme *scheme_of(const struct picked *picked) {
    return (const struct scheme *)picked->type;
}

static bool ever_exact(const struct picked *scheme, struct shape shape) {
    const struct scheme *type = scheme_of(scheme);
    return type->decodable && !(type->never_exact && type->never_exact(scheme->params, shape));
}

/* " with stragglers = 2" of a scheme that has the key; nothing of others. */
static void stragglers_describe(const struct variant *type, uint32_t stragglers, struct sentence *out) {
    *out = (struct sentence){""};
    for (size_t q = 0; type->params && q < type->params->count; q++)
        if (strcmp(type->params->param[q].name, "stragglers") == 0)
            sentence_set(out, " with stragglers = %u", stragglers);
}

uint32_t cut_pieces(const struct cut *cut) {
    uint32_t pieces = cut->large + cut->small;
    return pieces > 0 ? pieces : 1;
}

uint32_t cut_units(const struct cut *cut, uint32_t piece) {
    uint32_t large = piece < cut->large ? piece : cut->large;
    return large * cut->size + (piece - large);
}

bool limits_stale(const struct limits *limits) {
    return limits->span != 1;
}

uint32_t scheme_partitions(const struct picked *scheme, uint32_t workers) {
    const struct scheme *type = scheme_of(scheme);
    return type->partitions ? type->partitions(scheme->params, workers) : workers;
}

bool scheme_accepts_wait(const struct picked *scheme, struct shape shape, const struct picked *wait,
                         struct sentence *why) {
    const struct scheme *type = scheme_of(scheme);
    const struct wait_rule *rule = (const struct wait_rule *)wait->type;
    uint32_t stragglers = type->stragglers(scheme->params);
    if (rule->refuses && rule->refuses(wait->params, shape.workers, stragglers, why))
        return false;
    uint32_t assured = rule->assured(wait->params, shape.workers, stragglers);
    uint32_t fewest = type->fewest(scheme->params, shape);
    if (assured == ONLY_DECODABLE && !ever_exact(scheme, shape)) {
        sentence_set(why, "%s would never close a step: no set of results gives %s the exact gradient here",
                     rule->head.name, type->head.name);
        return false;
    }
    if (assured < fewest) {
        struct sentence with;
        stragglers_describe(&type->head, stragglers, &with);
        sentence_set(why, "%s may close with %u of %u results, but %s%s needs %u to decode", rule->head.name,
                     assured, shape.workers, type->head.name, with.text, fewest);
        return false;
    }
    return true;
}

uint32_t scheme_closing_results(const struct picked *scheme, struct shape shape, const struct picked *wait) {
    const struct scheme *type = scheme_of(scheme);
    const struct wait_rule *rule = (const struct wait_rule *)wait->type;
    if (rule->alarm || type->bears)
        return 0;
    uint32_t assured = rule->assured(wait->params, shape.workers, type->stragglers(scheme->params));
    bool sooner = rule->or_decodable && ever_exact(scheme, shape);
    if (assured != ONLY_DECODABLE && !sooner)
        return assured;
    uint32_t exact = type->exact_from ? type->exact_from(scheme->params, shape) : 0;
    return assured < exact ? assured : exact;
}

bool scheme_whole_rounds(const struct scheme *scheme, const struct limits *limits) {
    bool plain = !scheme->starts && !scheme->idle && !scheme->completions && !scheme->rounds &&
                 !scheme->collects && !scheme->learned && !scheme->table;
    return plain && limits->work > 0 && limits->parts <= 1 && limits->kept == 0 && limits->held == 0 &&
           limits->models <= 1 && limits->span == 1 && limits->warmup_work <= 0 && limits->local_steps == 0 &&
           cut_pieces(&limits->cut) == 1;
}

bool scheme_accepts_late(const struct picked *scheme, enum late_rule late, struct sentence *why) {
    const struct scheme *type = scheme_of(scheme);
    if (type->lates & 1u << late)
        return true;
    sentence_set(why, "%s does not accept %s: its default is %s", type->head.name, late_names[late],
                 late_names[type->late]);
    return false;
}
