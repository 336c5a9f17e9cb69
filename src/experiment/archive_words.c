#include "archive_inside.h"
#include "csv_file.h"
#include "fingerprint.h"
#include "study_manifest.h"
#include "yaml_tree.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *archive_scenario(const struct archive_spec *spec) {
    char *tree = yaml_text(spec->plan->tree, spec->request->folder);
    char *text = memory_format("%s%s", spec->header, tree);
    free(tree);
    return text;
}

const char *archive_identity(struct arena *arena, const struct plan *plan, struct shard shard,
                             const char *version) {
    return arena_format(arena, "laggard %s, study %016" PRIx64 ", shard %" PRIu32 "/%" PRIu32, version,
                        plan_fingerprint(plan), shard.index, shard.count);
}

/* A text file of a folder, heap; NULL when there is none. */
static char *text_in(const char *folder, const char *name) {
    struct diag *unheard = diag_new();
    size_t length;
    char *path = memory_format("%s/%s", folder, name), *text = file_text(unheard, path, &length);
    free(path);
    diag_free(unheard);
    return text;
}

/* The first lines of two texts that differ; false when none do. */
struct difference {
    size_t line;
    const char *was, *is;
};

static bool differ(const char *was, const char *is, struct difference *difference) {
    for (difference->line = 1; *was || *is; difference->line++) {
        size_t w = strcspn(was, "\n"), i = strcspn(is, "\n");
        difference->was = was;
        difference->is = is;
        if (w != i || strncmp(was, is, w) != 0)
            return true;
        was += w + (was[w] == '\n');
        is += i + (is[i] == '\n');
    }
    return false;
}

static void tell_difference(const struct difference *difference, const char *folder, struct sentence *why) {
    size_t was = strcspn(difference->was, "\n"), is = strcspn(difference->is, "\n");
    sentence_set(why,
                 "%s is of another scenario: line %zu of its scenario.yaml is \"%.*s\", now \"%.*s\"; "
                 "--force without --resume starts over",
                 folder, difference->line, (int)(was < 80 ? was : 80), difference->was,
                 (int)(is < 80 ? is : 80), difference->is);
}

static void tell_changed(const struct archive_spec *spec, const char *folder, struct sentence *why) {
    struct difference difference;
    char *was = text_in(folder, "scenario.yaml"), *is = archive_scenario(spec);
    char *manifest = text_in(folder, "manifest.json");
    const char *file = manifest ? study_manifest_changed(manifest, spec->plan) : NULL;
    if (was && differ(was, is, &difference))
        tell_difference(&difference, folder, why);
    else
        sentence_set(why, "%s has changed since %s was begun; --force without --resume starts over",
                     file ? file : "a file that the scenario names", folder);
    free(manifest);
    free(was);
    free(is);
}

/* What stands behind a word of a note, up to a comma. */
static const char *word_behind(struct arena *arena, const char *note, const char *word) {
    const char *found = strstr(note, word);
    found = found ? found + strlen(word) : "";
    return arena_text(arena, found, strcspn(found, ","));
}

bool archive_same(const struct archive_spec *spec, const char *folder, const char *note,
                  struct sentence *why) {
    const struct run_request *request = spec->request;
    struct arena *arena = arena_new();
    const char *own = archive_identity(arena, spec->plan, request->shard, request->version);
    const char *version = word_behind(arena, note, "laggard "), *shard = word_behind(arena, note, "shard ");
    bool same = strcmp(note, own) == 0;
    if (!same && strcmp(version, request->version) != 0)
        sentence_set(why, "%s was begun by laggard %s, this is %s; --force without --resume starts over",
                     folder, version, request->version);
    else if (!same && strcmp(shard, word_behind(arena, own, "shard ")) != 0)
        sentence_set(why, "%s holds shard %s of a study, not %s; --force without --resume starts over",
                     folder, shard, word_behind(arena, own, "shard "));
    else if (!same)
        tell_changed(spec, folder, why);
    arena_free(arena);
    return same;
}

/* A run may have been killed after its folder had its name and before the journal was gone. */
static void drop_stray_journal(const struct run_request *request) {
    char *journal = memory_format("%s/%s", request->folder, JOURNAL_NAME);
    if (request->shard.count <= 1)
        unlink(journal);
    free(journal);
}

bool archive_complete(const struct archive_spec *spec, struct sentence *why) {
    const struct run_request *request = spec->request;
    struct arena *arena = arena_new();
    char *manifest = text_in(request->folder, "manifest.json");
    const char *study =
        arena_format(arena, "\"fingerprint\": \"%016" PRIx64 "\"", plan_fingerprint(spec->plan));
    const char *shard = request->shard.count > 1
                            ? arena_format(arena, "\"shard\": \"%" PRIu32 "/%" PRIu32 "\"",
                                           request->shard.index, request->shard.count)
                            : "\"shard\": null";
    bool complete = false;
    sentence_set(why, "%s", "");
    if (manifest && !strstr(manifest, study))
        tell_changed(spec, request->folder, why);
    else if (manifest && !strstr(manifest, shard))
        sentence_set(why, "%s does not hold %s; --force replaces it", request->folder,
                     request->shard.count > 1 ? "this shard" : "the whole study");
    else
        complete = manifest && strstr(manifest, "\"complete\": true");
    if (complete)
        drop_stray_journal(request);
    free(manifest);
    arena_free(arena);
    return complete;
}

bool archive_resumable(const struct archive_spec *spec, struct sentence *why) {
    struct journal_place place = {0};
    struct journal_record record;
    char *partial = memory_format("%s.partial", spec->request->folder);
    struct journal_reader *reader = journal_reader_new(partial, rendering_files, why);
    sentence_set(why, "%s", "");
    bool same =
        !reader || !journal_read(reader, &place, &record) || archive_same(spec, partial, record.note, why);
    journal_reader_free(reader);
    free(partial);
    return same;
}
