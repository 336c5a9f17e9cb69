#include "classes_text.h"
#include <string.h>

const char *classes_text(struct arena *arena, const struct scenario *scenario) {
    const struct dataset *data = scenario->objective.data;
    if (!data || !data->file || !data->class_name[0])
        return NULL;
    return arena_format(arena, "%s → -1, %s → +1", data->class_name[0], data->class_name[1]);
}

void classes_print(struct arena *arena, const struct study *study, FILE *stream) {
    const char *told = "";
    for (size_t point = 0; point < study_points(study); point++) {
        const char *text = classes_text(arena, study_scenario(study, point));
        if (!text || strcmp(text, told) == 0)
            continue;
        fputs("classes: ", stream);
        diag_print_text(text, stream);
        putc('\n', stream);
        told = text;
    }
}
