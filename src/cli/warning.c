/* Why standard output is flushed first: in a pipe the two streams would else be told in any order. */
#include "warning.h"
#include "text_table.h"
#include <string.h>

void warning_print(const char *sentence) {
    bool coloured = stream_coloured(stderr);
    fflush(stdout);
    fprintf(stderr, "%swarning:%s %s\n", coloured ? "\033[1;35m" : "", coloured ? "\033[0m" : "", sentence);
}

static bool doubts_of(const struct scenario *scenario, uint32_t e, struct sentence *why) {
    const struct scheme_entry *entry = &scenario->scheme[e];
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    return scenario->objective.data && scheme->doubts &&
           scheme->doubts(entry->scheme.params, scenario_setting(scenario, entry).shape, why);
}

/* The points of a sweep have the same schemes in the same order, most often with the same doubts. */
void doubts_print(const struct study *study) {
    struct arena *arena = arena_new();
    for (uint32_t e = 0; e < study_scenario(study, 0)->schemes; e++) {
        const char *told = "";
        for (size_t point = 0; point < study_points(study); point++) {
            const struct scenario *scenario = study_scenario(study, point);
            struct sentence why;
            if (!doubts_of(scenario, e, &why) || strcmp(told, why.text) == 0)
                continue;
            told = arena_text(arena, why.text, strlen(why.text));
            warning_print(arena_format(arena, "%s: %s", scenario->scheme[e].label, told));
        }
    }
    arena_free(arena);
}
