/* Scenarios: read whole, with all that they name; those that are taken are written, and what was written reads back to
 * itself. Nothing is run. The files that a scenario may name stand beside it. */
#include "given.h"
#include "plan.h"
#include "yaml_tree.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 16384 };

static const struct {
    const char *name, *text;
} beside[] = {
    {"d.csv", "a,b,y\n1,2,0\n2,1,1\n3,5,0\n4,4,1\n5,0,1\n6,1,0\n"},
    {"d.svm", "+1 1:1 3:2\n-1 2:1\n+1 1:3\n-1 3:1.5\n"},
    {"t.csv", "round,worker,seconds\n0,0,1\n0,1,2\n0,2,3\n0,3,4\n1,0,2\n1,1,2\n1,2,2\n1,3,2\n"},
    {"v.csv", "seconds\n1\n2\n2.5\n"},
    {"m.csv", "1,1,0,0\n0,1,1,0\n0,0,1,1\n1,0,0,1\n"},
};

/* A folder for this process, which is the working folder from now on; gone at its end. */
static char folder[] = "/tmp/laggard-fuzz-XXXXXX";

static void leave_folder(void) {
    for (size_t q = 0; q < sizeof beside / sizeof *beside; q++)
        unlink(beside[q].name);
    if (chdir("/") == 0)
        rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    if (!mkdtemp(folder) || chdir(folder) != 0)
        fault("no folder", folder);
    for (size_t q = 0; q < sizeof beside / sizeof *beside; q++) {
        FILE *file = fopen(beside[q].name, "w");
        if (!file || fputs(beside[q].text, file) < 0 || fclose(file) != 0)
            fault("no file", beside[q].name);
    }
    atexit(leave_folder);
    return 0;
}

static void expect_round_trip(const struct node *tree) {
    struct arena *arena = arena_new();
    struct diag *diag = diag_new();
    char *once = yaml_text(tree, NULL);
    struct node *back = yaml_read_text(diag, arena, "back", once);
    if (!back)
        fault("what was written is not read", once);
    char *twice = yaml_text(back, NULL);
    if (strcmp(once, twice) != 0)
        fault("what was written reads as something else", twice);
    free(once);
    free(twice);
    diag_free(diag);
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static char text[LONGEST + 1];
    struct plan plan;
    struct diag *diag = diag_new();
    size_t kept = length < LONGEST ? length : LONGEST;
    memcpy(text, bytes, kept);
    text[kept] = '\0';
    bool good = plan_read(&plan, diag, &(struct plan_request){.file = "s.yaml", .text = text});
    expect_places(diag, !good);
    if (good)
        expect_round_trip(plan.tree);
    plan_fini(&plan);
    diag_free(diag);
    return 0;
}
