/* Files of block designs and of code matrices: what is read, and what is refused in which words. */
#include "../base/sketch.h"
#include "../record/scratch.h"
#include "code_matrix.h"
#include "design.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct written {
    struct scratch scratch;
    const char *path;
    struct scheme_files files;
};

static void written_init(struct written *written, const char *text) {
    written->scratch = scratch_new();
    scratch_write(&written->scratch, "file.csv", text);
    written->path = scratch_path(&written->scratch, "file.csv");
    written->files = (struct scheme_files){.diag = diag_new(), .shelf = shelf_new()};
}

static void written_fini(struct written *written) {
    diag_free(written->files.diag);
    shelf_free(written->files.shelf);
    scratch_free(&written->scratch);
}

static const struct {
    const char *name, *text, *why; /* why: NULL: accepted */
    uint32_t partitions, copies, base;
} designs[] = {
    {"from 1", "1,2\n2,3\n3,1\n", NULL, 3, 2, 1},
    {"from 0", "0,1\n1,2\n2,0\n", NULL, 3, 2, 0},
    {"Windows line ends, spaces, no last end", "1, 2\r\n2, 3\r\n3, 1", NULL, 3, 2, 1},
    {"one worker with all", "3,1,2\n", NULL, 3, 1, 1},
    {"nothing repeated", "1\n2\n3\n", NULL, 3, 1, 1},
    {"every two partitions alone", "1,2\n1,3\n1,4\n2,3\n2,4\n3,4\n", NULL, 4, 3, 1},
    {"a header", "a,b\n1,2\n2,1\n", ":1:1: error: field 1: a finite number is needed, found 'a'"},
    {"a hole", "1,\n2,1\n", ":1:3: error: field 2: is empty where a number is needed"},
    {"rows of unequal length", "1,2\n2\n", ":2"},
    {"no whole number", "1,2\n2,1.5\n",
     ":2:3: error: field 2: a partition is a whole number from 0 or from 1 on, found 1.5"},
    {"below 0", "1,-2\n2,1\n",
     ":1:3: error: field 2: a partition is a whole number from 0 or from 1 on, found -2"},
    {"twice in a row", "1,2\n2,2\n", ":2:3: error: field 2: partition 2 stands twice in the row"},
    {"counted from 2", "2,3\n3,2\n", "partition 1 is on 0 workers and partition 2 on 2"},
    {"one on more workers", "1,2\n1,3\n", "partition 1 is on 2 workers and partition 2 on 1"},
    {"no pairs balance", "1,2\n2,3\n3,4\n4,1\n",
     "no design: workers 0 and 1 share 1 partitions, workers 0 and 2 share 0; and partitions 1 and 2 share 1 "
     "workers, partitions 1 and 3 share 0"},
    {"too many partitions", "1,20002\n2,3\n", "a design may have 20000 partitions, this one has 20002"},
};

Test(design, files) {
    for (size_t r = 0; r < sizeof designs / sizeof *designs; r++) {
        struct written written;
        written_init(&written, designs[r].text);
        const struct design *design = design_read(written.path, &written.files);
        char *told = messages(written.files.diag);
        cr_expect(eq(int, design == NULL, designs[r].why != NULL), "%s: %s", designs[r].name, told);
        if (designs[r].why)
            cr_expect(strstr(told, designs[r].why) != NULL, "%s: %s", designs[r].name, told);
        if (design && !designs[r].why) {
            cr_expect(eq(u32, design->listing.partitions, designs[r].partitions), "%s", designs[r].name);
            cr_expect(eq(u32, design->copies, designs[r].copies), "%s", designs[r].name);
            cr_expect(eq(u32, design->base, designs[r].base), "%s", designs[r].name);
            cr_expect(design_read(written.path, &written.files) == design, "%s: read twice", designs[r].name);
        }
        free(told);
        written_fini(&written);
    }
}

static const struct {
    const char *name, *text, *told; /* told: "": nothing, and accepted */
    bool accepted;
    double copies;
} matrices[] = {
    {"identity", "1,0\n0,1\n", "", true, 1},
    {"signs and fractions", "0.5,-1,0\n0,2,1e1\n", "", true, 11.5 / 3},
    {"more workers than partitions", "1\n1\n1\n", "", true, 3},
    {"a column of zeros", "1,0,0\n1,0,1\n",
     "warning: 1 of 3 columns hold zeros alone, column 2 is the first: no worker has these partitions", true,
     1},
    {"zeros alone", "0,0\n0,0\n", "error: the matrix holds zeros alone", false, 0},
    {"a word", "1,x\n0,1\n", ":1:3: error: field 2: a finite number is needed, found 'x'", false, 0},
};

Test(code_matrix, files) {
    for (size_t r = 0; r < sizeof matrices / sizeof *matrices; r++) {
        struct written written;
        written_init(&written, matrices[r].text);
        const struct code_matrix *matrix = code_matrix_read(written.path, &written.files);
        char *told = messages(written.files.diag);
        cr_expect(eq(int, matrix != NULL, matrices[r].accepted), "%s: %s", matrices[r].name, told);
        cr_expect(strstr(told, matrices[r].told) != NULL, "%s: %s", matrices[r].name, told);
        cr_expect(matrices[r].told[0] || !told[0], "%s: %s", matrices[r].name, told);
        if (matrix)
            cr_expect(epsilon_eq(dbl, matrix->copies, matrices[r].copies, 1e-14), "%s", matrices[r].name);
        free(told);
        written_fini(&written);
    }
}
