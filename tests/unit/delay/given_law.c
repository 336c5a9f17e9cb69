#include "given_law.h"
#include "../base/sketch.h"

void given_law_again(struct given_law *given, const char *text, uint32_t members, const char *folder) {
    struct binder binder = {.diag = given->diag, .arena = given->arena, .folder = folder};
    struct node *node = sketch(given->arena, text);
    given->law = (struct picked){0};
    given->accepted = param_bind(&binder, node, &law_table, &given->law);
    struct law_files files = {.diag = given->diag, .shelf = given->shelf, .node = node, .members = members};
    given->accepted = given->accepted && law_load(&given->law, &files);
}

struct given_law given_law(const char *text, uint32_t members, const char *folder) {
    struct given_law given = {.diag = diag_new(), .arena = arena_new(), .shelf = shelf_new()};
    given_law_again(&given, text, members, folder);
    return given;
}

void given_law_fini(struct given_law *given) {
    diag_free(given->diag);
    arena_free(given->arena);
    shelf_free(given->shelf);
}

struct occasion occasion_at(uint32_t worker, uint32_t step) {
    return (struct occasion){
        .draw = {.stream = {.seed = 1, .purpose = PURPOSE_DELAY}, .worker = worker, .step = step},
        .member = worker,
    };
}

double given_sample(const struct given_law *given, uint32_t worker, uint32_t step) {
    return law_sample(&given->law, occasion_at(worker, step));
}
