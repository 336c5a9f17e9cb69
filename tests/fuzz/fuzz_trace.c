/* Traces: long and wide, every rule for what is missing, replayed by two workers. */
#include "given.h"
#include "law.h"
#include <math.h>

/* Two rounds more than there may be, by both workers. */
static void look(const struct picked *law) {
    double middle = law_quantile(law, 0.5);
    for (uint32_t t = 0; t < 4; t++)
        for (uint32_t i = 0; i < 2 && t < law_rounds(law); i++) {
            struct occasion occasion = {.draw = {.worker = i, .step = t}, .member = i};
            double seconds = law_sample(law, occasion);
            if (!(seconds >= 0) && !(isnan(seconds) && law_skips(law)))
                fault("a time that is none", "trace");
        }
    if (!(middle >= 0 && law_cdf(law, middle) >= 0.5))
        fault("the middle is not in the middle", "trace");
}

static void read_as(const char *const *pairs) {
    struct arena *arena = arena_new();
    struct diag *diag = diag_new();
    struct shelf *shelf = shelf_new();
    struct node *mapping = given_mapping(arena, pairs);
    struct binder binder = {.diag = diag, .arena = arena};
    struct picked law;
    if (!param_bind(&binder, mapping, &law_table, &law))
        fault("these parameters are fine", "trace");
    bool loaded = law_load(&law, &(struct law_files){diag, shelf, mapping, 2});
    expect_places(diag, !loaded);
    if (loaded)
        look(&law);
    shelf_free(shelf);
    diag_free(diag);
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static const char *const choices[][3] = {{"long", "error", "wrap"},
                                             {"long", "median", "stop"},
                                             {"wide", "skip", "bootstrap"},
                                             {"wide", "error", "stop"}};
    const char *file = given_file(bytes, length);
    for (size_t q = 0; q < sizeof choices / sizeof *choices; q++) {
        const char *const pairs[] = {"type",   "trace",       "path",    file,
                                     "layout", choices[q][0], "missing", choices[q][1],
                                     "beyond", choices[q][2], NULL};
        read_as(pairs);
    }
    return 0;
}
