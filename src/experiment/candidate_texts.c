/* What is varied of a scheme: the numbers that it requires, and its counts of workers, partitions and results. */
#include "candidate_texts.h"
#include "scheme.h"
#include <math.h>
#include <string.h>

#define VARIED_MAX 8
#define PLACES_MAX 72

static const char *const counted[] = {"workers", "partitions", "results", NULL};
/* Numbers of wait rules that need one, and what goes with it. */
static const struct rule_number {
    const char *key, *text;
} rule_numbers[] = {{"factor", "factor: 2, else: all"}};

struct varied {
    const char *key;
    size_t places;
    double place[PLACES_MAX];
};

struct writing {
    struct arena *arena;
    const struct scheme *scheme;
    size_t varied;
    struct varied *of; /* [varied] */
    struct candidate_listener listener;
};

static bool is_counted(const struct param *param) {
    for (size_t q = 0; counted[q]; q++)
        if (param->kind == PARAM_COUNT && param->unit && strcmp(param->unit, counted[q]) == 0)
            return true;
    return false;
}

static bool is_varied(const struct param *param) {
    bool number = param->kind == PARAM_COUNT || param->kind == PARAM_NUMBER;
    return (number && !param->fallback) || is_counted(param);
}

static void add_place(struct varied *varied, const struct param *param, double place) {
    double maximum = param->maximum > param->minimum ? param->maximum : (double)INFINITY;
    for (size_t q = 0; q < varied->places; q++)
        if (!(varied->place[q] < place || varied->place[q] > place))
            return;
    if (place >= param->minimum && place <= maximum && varied->places < PLACES_MAX)
        varied->place[varied->places++] = place;
}

/* From 1 to one below the number of workers, ever `ratio` times as many, and the default where there is one. A share is in
 * quarters. */
static void make_places(struct varied *varied, const struct param *param, uint32_t workers, double ratio) {
    double given;
    bool share = param->kind == PARAM_NUMBER && param->maximum > param->minimum && param->maximum <= 1;
    if (param->fallback && param_number(param->fallback, &given))
        add_place(varied, param, given);
    for (double place = share ? 0.25 : 1; place < (share ? 1 : workers);
         place = share ? place + 0.25 : place * ratio)
        add_place(varied, param, share ? place : round(place));
    if (!share && workers > 1)
        add_place(varied, param, workers - 1);
}

static void write_rules(const struct writing *writing, const char *mapping, const char *name) {
    struct arena *arena = writing->arena;
    const struct candidate_listener *listener = &writing->listener;
    listener->hear(listener->context, arena_format(arena, "{%s}", mapping), name);
    for (size_t v = 0; !writing->scheme->takes_no_wait && wait_family.variants[v]; v++) {
        const struct variant *rule = wait_family.variants[v];
        const char *numbers = "";
        for (size_t q = 0; rule->params && q < rule->params->count; q++)
            for (size_t x = 0; x < sizeof rule_numbers / sizeof *rule_numbers; x++)
                if (strcmp(rule->params->param[q].name, rule_numbers[x].key) == 0)
                    numbers = arena_format(arena, ", %s", rule_numbers[x].text);
        listener->hear(listener->context,
                       arena_format(arena, "{%s, wait: {type: %s%s}}", mapping, rule->name, numbers),
                       arena_format(arena, "%s, wait %s", name, rule->name));
    }
}

/* Every combination of the places. */
static void write_all(const struct writing *writing) {
    size_t combinations = 1;
    for (size_t q = 0; q < writing->varied; q++)
        combinations *= writing->of[q].places;
    for (size_t index = 0; index < combinations; index++) {
        const char *name = writing->scheme->head.name;
        const char *mapping = arena_format(writing->arena, "type: %s", name);
        size_t rest = index;
        for (size_t q = 0; q < writing->varied; rest /= writing->of[q].places, q++) {
            const struct varied *varied = &writing->of[q];
            double place = varied->place[rest % varied->places];
            mapping = arena_format(writing->arena, "%s, %s: %.15g", mapping, varied->key, place);
            name = arena_format(writing->arena, "%s %s=%.15g", name, varied->key, place);
        }
        write_rules(writing, mapping, name);
    }
}

static void write_scheme(struct writing *writing, uint32_t workers) {
    const struct param_table *table = writing->scheme->head.params;
    struct varied room[VARIED_MAX] = {0};
    const struct param *param[VARIED_MAX];
    writing->varied = 0;
    writing->of = room;
    for (size_t q = 0; table && q < table->count; q++)
        if (is_varied(&table->param[q]) && writing->varied < VARIED_MAX)
            param[writing->varied++] = &table->param[q];
    /* The more there are, the fewer places each has. */
    double ratio = pow(2, 0.5 * (double)writing->varied);
    for (size_t q = 0; q < writing->varied; q++) {
        room[q].key = param[q]->name;
        make_places(&room[q], param[q], workers, ratio);
    }
    write_all(writing);
}

void candidate_texts(struct arena *arena, uint32_t workers, struct candidate_listener listener) {
    struct writing writing = {.arena = arena, .listener = listener};
    for (size_t v = 0; scheme_family.variants[v]; v++) {
        writing.scheme = (const struct scheme *)scheme_family.variants[v];
        write_scheme(&writing, workers);
    }
}

static const struct param *param_of(const struct node *scheme, const char *key) {
    const struct node *type = node_child(scheme, "type");
    for (size_t v = 0; scheme_family.variants[v]; v++) {
        const struct param_table *table = scheme_family.variants[v]->params;
        for (size_t q = 0;
             table && q < table->count && strcmp(scheme_family.variants[v]->name, type->text) == 0; q++)
            if (strcmp(table->param[q].name, key) == 0)
                return &table->param[q];
    }
    return NULL;
}

/* s stragglers go with s + 1 copies, of which as many as before make all. */
static double rescaled(const struct param *param, double count, double factor) {
    double more = strcmp(param->unit, "workers") == 0 ? 1 : 0;
    return count > 0 ? fmax(1, round((count + more) * factor) - more) : 0;
}

const char *candidate_rescale(struct arena *arena, struct node *scheme, uint32_t before, uint32_t after) {
    const char *name = node_child(scheme, "type")->text, *rule = "";
    for (struct node *child = scheme->first; child; child = child->next) {
        const struct param *param = param_of(scheme, child->key);
        double count;
        if (param && is_counted(param) && child->kind == NODE_SCALAR && param_number(child->text, &count))
            child->text = arena_format(arena, "%.15g", rescaled(param, count, (double)after / before));
        if (strcmp(child->key, "wait") == 0)
            rule = arena_format(arena, ", wait %s", node_child(child, "type")->text);
        else if (child->kind == NODE_SCALAR && strcmp(child->key, "type") != 0)
            name = arena_format(arena, "%s %s=%s", name, child->key, child->text);
    }
    return arena_format(arena, "%s%s", name, rule);
}
