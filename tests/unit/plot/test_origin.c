#include "../record/scratch.h"
#include "manifest.h"
#include "origin.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *shown;
    bool complete;
} written[] = {
    {"core-schemes", "core-schemes", true},
    {"half done", "half done", false},
    {"it's \"quoted\" \\ λ", "it's \"quoted\" \\ λ", true},
    {"two\nlines", "two lines", true},
};

Test(origin, is_what_the_manifest_says) {
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        struct scratch scratch = scratch_new();
        struct arena *arena = arena_new();
        const char *const command[] = {"\"name\": \"x\"", NULL};
        char *text = manifest_text(&(struct manifest){
            .version = "0", .name = written[i].name, .command = command, .complete = written[i].complete});
        scratch_write(&scratch, "manifest.json", text);
        struct origin origin = origin_of(arena, scratch.folder);
        cr_expect(eq(str, (char *)origin.name, (char *)written[i].shown));
        cr_expect(origin.complete == written[i].complete, "%s", written[i].name);
        free(text);
        arena_free(arena);
        scratch_free(&scratch);
    }
}

static const struct {
    const char *folder, *name;
} unknown[] = {
    {"/none/results/s1", "s1"}, {"/none/s1.partial", "s1"}, {"/none/s1///", "s1"}, {"..", ""}, {"s1", "s1"},
};

Test(origin, is_the_folder_without_a_manifest) {
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        struct arena *arena = arena_new();
        struct origin origin = origin_of(arena, unknown[i].folder);
        cr_expect(eq(str, (char *)origin.name, (char *)unknown[i].name));
        cr_expect(not(origin.complete), "%s", unknown[i].folder);
        arena_free(arena);
    }
}

/* Not ours, or cut: never read past its end. */
static const char *const broken[] = {
    "", "{", "{\n  \"name\": \"", "{\n  \"name\": \"a\\", "{\n  \"name\": \"a\\u0", "{\n  \"name\": null\n}"};

Test(origin, survives_a_broken_manifest) {
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct scratch scratch = scratch_new();
        struct arena *arena = arena_new();
        scratch_write(&scratch, "manifest.json", broken[i]);
        struct origin origin = origin_of(arena, scratch.folder);
        cr_expect(strlen(origin.name) > 0 && origin.name[0] != 'a', "%s", broken[i]);
        arena_free(arena);
        scratch_free(&scratch);
    }
}
