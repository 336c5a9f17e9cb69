/* What a report has from the manifest of its folder, which may be anything. */
#include "report_call.h"
#include "well_formed.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A folder made by hand, with this manifest. */
static char *page_of_manifest(struct scratch *scratch, const char *manifest) {
    char folder[128];
    scratch_init(scratch);
    snprintf(folder, sizeof folder, "%s/hand", scratch->path);
    cr_assert(mkdir(folder, 0777) == 0);
    scratch_write_text(
        scratch, "hand/summary.csv",
        "point,scheme,parameters,runs,reached,step_mean_s_mean,time_to_loss_s_mean\n0,a,,1,,2,\n");
    scratch_write_text(scratch, "hand/manifest.json", manifest);
    RUN_QUIETLY(scratch, 0, "report", "hand", "-q");
    char *page = scratch_text(scratch, "hand/report.html");
    cr_assert(page != NULL);
    const char *fault = well_formed_fault(page);
    cr_expect(fault == NULL, "%s", fault);
    return page;
}

Test(report_origin, warnings_of_the_runs_are_kept) {
    struct scratch scratch;
    char *page = page_of_manifest(
        &scratch,
        "{\n  \"version\": \"9.8.7\",\n  \"name\": \"n\",\n  \"command\": [\"a b\", \"\"],\n"
        "  \"warnings\": [\n    \"<1>\",\n    \"2\",\n    \"3\",\n    \"4\",\n    \"\\u0007\\\"\"\n  ],\n"
        "  \"seed\": 18446744073709551615,\n  \"shard\": null,\n  \"complete\": true\n}\n");
    static const char warnings[] =
        "<h2>Warnings</h2>\n<p class=\"warning\" role=\"note\">&lt;1&gt;</p>\n"
        "<p class=\"warning\" role=\"note\">2</p>\n<p class=\"warning\" role=\"note\">3</p>\n"
        "<details>\n<summary>2 more</summary>\n<p class=\"warning\" role=\"note\">4</p>\n"
        "<p class=\"warning\" role=\"note\"> &quot;</p>\n</details>\n";
    cr_expect(strstr(page, warnings) != NULL, "%s", page);
    static const char *const held[] = {"<td>9.8.7</td>", "<td>18446744073709551615</td>",
                                       "&#39;a b&#39; &#39;&#39;</pre>"};
    for (size_t h = 0; h < sizeof held / sizeof *held; h++)
        cr_expect(strstr(page, held[h]) != NULL, "%s", held[h]);
    free(page);
    scratch_fini(&scratch);
}

/* A manifest that is none is no reason to have no page. */
Test(report_origin, any_manifest_makes_a_page) {
    static const char *const manifests[] = {
        "",
        "{",
        "[1, 2]",
        "{\"command\": 1, \"warnings\": {}, \"files\": [1, [2], {}], \"seed\": []}",
        "{\"command\": [[], {\"a\": 1}], \"warnings\": [[1], {}], \"files\": {}}",
        "{\"files\": [{\"path\": [], \"crc32\": {}}], \"warnings\": []}"};
    for (size_t m = 0; m < sizeof manifests / sizeof *manifests; m++) {
        struct scratch scratch;
        free(page_of_manifest(&scratch, manifests[m]));
        scratch_fini(&scratch);
    }
}
