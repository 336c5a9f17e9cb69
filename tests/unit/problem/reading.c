#include "reading.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct place place = {.file = "s.yaml", .line = 1, .column = 1};

static struct node *value_node(struct arena *arena, char *text) {
    if (!strchr(text, '|'))
        return node_scalar(arena, place, text);
    struct node *list = node_list(arena, place);
    for (char *rest = text, *word; (word = strsep(&rest, "|"));)
        node_append(arena, list, NULL, node_scalar(arena, place, word));
    return list;
}

static struct node *mapping_of(struct arena *arena, const char *settings) {
    struct node *mapping = node_mapping(arena, place);
    for (char *rest = arena_text(arena, settings, strlen(settings)), *pair; (pair = strsep(&rest, " "));) {
        char *value = strchr(pair, '=');
        *value++ = '\0';
        node_append(arena, mapping, pair, value_node(arena, value));
    }
    return mapping;
}

struct reading reading_of(const char *settings, const struct asked *asked) {
    struct reading reading = {.arena = arena_new(), .diag = diag_new()};
    struct node *mapping = mapping_of(reading.arena, settings);
    struct binder binder = {.diag = reading.diag, .arena = reading.arena};
    struct picked source;
    if (param_bind(&binder, mapping, &source_table, &source)) {
        struct data_request request = {.diag = reading.diag,
                                       .node = mapping,
                                       .seed = asked->seed,
                                       .labels = asked->labels,
                                       .shuffle = asked->shuffle,
                                       .partitions = 1};
        reading.dataset = dataset_read(&source, &request);
    }
    size_t length;
    FILE *stream = open_memstream(&reading.told, &length);
    diag_print(reading.diag, stream);
    fclose(stream);
    return reading;
}

void reading_fini(struct reading *reading) {
    dataset_free(reading->dataset);
    free(reading->told);
    diag_free(reading->diag);
    arena_free(reading->arena);
}

const char *shared_file(const char *name) {
    static char file[4096];
    const char *shared = getenv("LAGGARD_SHARED"), *source = getenv("LAGGARD_SOURCE");
    if (shared)
        snprintf(file, sizeof file, "%s/%s", shared, name);
    else
        snprintf(file, sizeof file, "%s/../shared/%s", source ? source : ".", name);
    return access(file, R_OK) == 0 ? file : NULL;
}

static char written[] = "/tmp/laggard-data-XXXXXX";

static void remove_written(void) {
    unlink(written);
}

const char *file_with(const char *text) {
    static bool made;
    if (!made) {
        int handle = mkstemp(written);
        cr_assert(handle >= 0);
        close(handle);
        atexit(remove_written);
        made = true;
    }
    FILE *stream = fopen(written, "w");
    fputs(text, stream);
    fclose(stream);
    return written;
}
