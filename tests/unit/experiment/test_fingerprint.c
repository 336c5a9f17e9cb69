/* What a plan's files held when they were read is what it is known by. */
#include "fingerprint.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/laggard-fingerprint-XXXXXX";
static char file[sizeof folder + 16];

static void add_line(const char *line) {
    FILE *stream = fopen(file, "a");
    cr_assert(stream && fputs(line, stream) >= 0 && fclose(stream) == 0);
}

static void read_plan(struct plan *plan) {
    char *text = memory_format("problem: {loss: linear, data: {type: csv, path: %s}}\n"
                               "optimizer: {learning_rate: 1}\nstop: {steps: 1}\n"
                               "cluster: {workers: [{count: 2}]}\nschemes: [{type: uncoded}]\n",
                               file);
    struct diag *diag = diag_new();
    cr_assert(plan_read(plan, diag, &(struct plan_request){.file = "s.yaml", .text = text}));
    diag_free(diag);
    free(text);
}

Test(fingerprint, files_are_summed_once) {
    struct plan plan, later;
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(file, sizeof file, "%s/d.csv", folder);
    add_line("a,y\n1,2\n3,4\n");
    read_plan(&plan);
    uint64_t fingerprint = plan_fingerprint(&plan);
    uint32_t checksum = plan_file_checksum(&plan, file);
    add_line("5,6\n");
    cr_expect(eq(u64, plan_fingerprint(&plan), fingerprint));
    cr_expect(eq(u32, plan_file_checksum(&plan, file), checksum));
    read_plan(&later);
    cr_expect(ne(u64, plan_fingerprint(&later), fingerprint));
    cr_expect(ne(u32, plan_file_checksum(&later, file), checksum));
    plan_fini(&plan);
    plan_fini(&later);
    unlink(file);
    rmdir(folder);
}
