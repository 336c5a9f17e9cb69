#include "fit_folder.h"
#include "build_facts.h"
#include "csv_file.h"
#include "draw.h"
#include "fit_curves.h"
#include "manifest.h"
#include "memory.h"
#include "number_text.h"
#include "old_folder.h"
#include "yaml_tree.h"
#include <stdlib.h>
#include <string.h>

/* `name` without its folder and its endings: trace of data/trace.csv.gz. */
static const char *stem_of(struct arena *arena, const char *name) {
    static const char *const endings[] = {".gz", ".csv"};
    const char *slash = strrchr(name, '/');
    char *stem = arena_format(arena, "%s", slash ? slash + 1 : name);
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
        size_t length = strlen(stem), ending = strlen(endings[e]);
        if (length > ending && strcmp(stem + length - ending, endings[e]) == 0)
            stem[length - ending] = '\0';
    }
    return stem;
}

bool fit_folder_open(struct call *call, struct fit_folder *folder) {
    enum replacing replacing = option_given(call, "force") ? REPLACE_EXISTING : KEEP_EXISTING;
    const char *given = option_value(call, "output");
    struct sentence why = {""};
    if (given && !*given)
        return usage_error(call, "option '--output' must name a folder"), false;
    folder->path =
        given ? given : arena_format(call->arena, "fit-%s", stem_of(call->arena, call->operand[0]));
    folder->folder = folder_new(folder->path, replacing, &why);
    if (!folder->folder)
        refused(call, "%s", why.text);
    return folder->folder != NULL;
}

static void fill(struct call *call, const struct fit_folder *folder, const struct cluster_fit *fit,
                 uint64_t seed) {
    struct manifest_file *file = memory_zeroed(folder->files, sizeof *file);
    for (size_t f = 0; f < folder->files; f++)
        file[f] = (struct manifest_file){folder->file[f], file_checksum(folder->file[f])};
    char *manifest = manifest_text(&(struct manifest){.version = LAGGARD_VERSION,
                                                      .name = folder->path,
                                                      .command = call->line,
                                                      .seed = seed,
                                                      .files = file,
                                                      .file_count = folder->files,
                                                      .complete = true});
    char *cluster = yaml_text(fit->cluster, NULL);
    struct sheet curves;
    fit_curves_fill(&curves, fit->ranking, fit->sample);
    folder_write(folder->folder, "manifest.json", manifest, strlen(manifest));
    folder_write(folder->folder, "cluster.yaml", cluster, strlen(cluster));
    folder_write(folder->folder, "fit.csv", curves.text, curves.length);
    sheet_fini(&curves);
    free(cluster);
    free(file);
    free(manifest);
}

/* Without its drawing the folder would only be in the way of the next attempt: the cluster was printed. */
void fit_folder_drop(struct call *call, struct fit_folder *folder) {
    if (!folder->folder)
        return;
    struct sentence unheard;
    const char *partial = arena_format(call->arena, "%s", folder_path(folder->folder));
    folder_free(folder->folder);
    old_folder_remove(partial, &unheard);
}

int fit_folder_finish(struct call *call, struct fit_folder *folder, const struct cluster_fit *fit,
                      uint64_t seed) {
    struct sentence why = {""};
    fill(call, folder, fit, seed);
    struct plot_request request = {
        .folder = folder_path(folder->folder), .figure = "fit", .formats = {"svg", "png"}};
    bool filled = !*folder_failure(folder->folder);
    if (!filled)
        unfinished(call, "%s", folder_failure(folder->folder));
    int pictures = filled ? pictures_drawn(call, request) : -1;
    if (pictures <= 0) {
        fit_folder_drop(call, folder);
        return EXIT_UNFINISHED;
    }
    bool finished = folder_finish(folder->folder, &why);
    folder_free(folder->folder);
    if (!finished)
        return unfinished(call, "%s", why.text);
    fprintf(stderr, "%s in %s/figures\n", count_text(call->arena, (size_t)pictures, "picture"), folder->path);
    return EXIT_DONE;
}
