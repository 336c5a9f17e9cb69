#include "study_manifest.h"
#include "fingerprint.h"
#include "manifest.h"
#include "yaml_tree.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct file_list {
    const struct plan *plan;
    struct manifest_file *file;
    size_t count, capacity;
};

static void list_file(void *context, const char *path) {
    struct file_list *list = context;
    for (size_t f = 0; f < list->count; f++)
        if (strcmp(list->file[f].path, path) == 0)
            return;
    if (list->count == list->capacity) {
        list->capacity = list->capacity * 2 + 4;
        list->file = memory_resized(list->file, list->capacity, sizeof *list->file);
    }
    list->file[list->count++] = (struct manifest_file){path, plan_file_checksum(list->plan, path)};
}

static struct file_list files_of(const struct plan *plan) {
    struct file_list list = {.plan = plan};
    for (size_t q = 0; q < plan->points; q++)
        scenario_files(plan->point[q].scenario, list_file, &list);
    return list;
}

/* The classes of every data set, once where points share it; returns how many. */
static size_t list_classes(const struct plan *plan, struct manifest_classes *classes) {
    size_t count = 0;
    for (size_t q = 0; q < plan->points; q++) {
        const struct dataset *data = plan->point[q].scenario->objective.data;
        if (!data || !data->file || !data->class_name[0])
            continue;
        struct manifest_classes one = {data->file, data->class_name[0], data->class_name[1]};
        size_t known = 0;
        while (known < count &&
               (strcmp(classes[known].path, one.path) != 0 || strcmp(classes[known].minus, one.minus) != 0 ||
                strcmp(classes[known].plus, one.plus) != 0))
            known++;
        classes[known] = one;
        count += known == count;
    }
    return count;
}

char *study_manifest_text(const struct archive_spec *spec, const struct archive_state *state) {
    const struct plan *plan = spec->plan;
    const struct run_request *request = spec->request;
    const struct scenario *first = plan->point[0].scenario;
    struct file_list list = files_of(plan);
    struct manifest_classes *classes = memory_zeroed(plan->points, sizeof *classes);
    char shard[32];
    snprintf(shard, sizeof shard, "%" PRIu32 "/%" PRIu32, request->shard.index, request->shard.count);
    struct manifest manifest = {
        .version = request->version,
        .name = first->name,
        .command = request->command,
        .seed = first->seed,
        .method = method_names[first->method],
        .files = list.file,
        .file_count = list.count,
        .classes = classes,
        .classes_count = list_classes(plan, classes),
        .warnings = state->warning,
        .warning_count = state->warnings,
        .fingerprint = plan_fingerprint(plan),
        .points = plan->points,
        .schemes = first->schemes,
        .replications = first->replications,
        .runs = state->runs,
        .shard = request->shard.count > 1 ? shard : NULL,
        .started = spec->started,
        .wall_s = state->wall_s,
        .threads = request->threads,
        .complete = state->complete,
    };
    char *text = manifest_text(&manifest);
    free(list.file);
    free(classes);
    return text;
}

/* Files stand in the order in which the scenario names them, wherever they lay. */
static const char *changed_of(const struct node *told, const struct file_list *list) {
    const struct node *one = told && told->children == list->count ? told->first : NULL;
    for (size_t f = 0; one; one = one->next, f++) {
        const struct node *checksum = one->kind == NODE_MAPPING ? node_child(one, "crc32") : NULL;
        if (checksum && checksum->text && strtoul(checksum->text, NULL, 16) != list->file[f].checksum)
            return list->file[f].path;
    }
    return NULL;
}

const char *study_manifest_changed(const char *text, const struct plan *plan) {
    struct diag *unheard = diag_new();
    struct arena *arena = arena_new();
    struct file_list list = files_of(plan);
    const struct node *root = yaml_read_text(unheard, arena, "manifest.json", text);
    const char *changed =
        root && root->kind == NODE_MAPPING ? changed_of(node_child(root, "files"), &list) : NULL;
    free(list.file);
    arena_free(arena);
    diag_free(unheard);
    return changed;
}
