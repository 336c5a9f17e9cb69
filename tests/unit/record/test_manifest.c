#include "manifest.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *text, *json;
} strings[] = {
    {"plain", "quickstart", "\"quickstart\""},
    {"absent", NULL, "null"},
    {"quote and backslash", "a\"b\\c", "\"a\\\"b\\\\c\""},
    {"control", "a\nb\x01", "\"a\\u000ab\\u0001\""},
    {"UTF-8", "Größe", "\"Größe\""},
    {"not UTF-8", "a\xff", "\"a\\u00ff\""},
};

Test(manifest, escapes_strings) {
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        char *text = manifest_text(&(struct manifest){.name = strings[i].text});
        char wanted[64] = "\"name\": ";
        strcat(strcat(wanted, strings[i].json), ",\n");
        cr_expect(strstr(text, wanted) != NULL, "%s: %s", strings[i].name, text);
        free(text);
    }
}

Test(manifest, holds_every_key) {
    const char *const command[] = {"laggard", "run", "a b.yaml", NULL};
    const struct manifest_file files[] = {{"data/x.csv", 0x1a2b}, {"t.csv", UINT32_MAX}};
    const struct manifest_classes classes[] = {{"data/x.csv", "no", "y\"s"}};
    char *text = manifest_text(&(struct manifest){.version = "0.1.0",
                                                  .name = "example",
                                                  .command = command,
                                                  .seed = UINT64_MAX,
                                                  .method = "events",
                                                  .files = files,
                                                  .file_count = 2,
                                                  .classes = classes,
                                                  .classes_count = 1,
                                                  .warnings = (const char *const[]){"a \"b\"", "c"},
                                                  .warning_count = 2,
                                                  .fingerprint = 0x1234,
                                                  .shard = "2/5",
                                                  .points = 3,
                                                  .schemes = 4,
                                                  .replications = 10,
                                                  .runs = 120,
                                                  .started = "2024-05-01T12:00:00Z",
                                                  .wall_s = 1.5003217,
                                                  .threads = 2,
                                                  .complete = true});
    cr_expect(eq(str, text,
                 (char *)"{\n"
                         "  \"version\": \"0.1.0\",\n"
                         "  \"name\": \"example\",\n"
                         "  \"command\": [\"laggard\", \"run\", \"a b.yaml\"],\n"
                         "  \"seed\": 18446744073709551615,\n"
                         "  \"method\": \"events\",\n"
                         "  \"files\": [\n"
                         "    {\"path\": \"data/x.csv\", \"crc32\": \"00001a2b\"},\n"
                         "    {\"path\": \"t.csv\", \"crc32\": \"ffffffff\"}\n"
                         "  ],\n"
                         "  \"classes\": [\n"
                         "    {\"path\": \"data/x.csv\", \"-1\": \"no\", \"+1\": \"y\\\"s\"}\n"
                         "  ],\n"
                         "  \"warnings\": [\n"
                         "    \"a \\\"b\\\"\",\n"
                         "    \"c\"\n"
                         "  ],\n"
                         "  \"fingerprint\": \"0000000000001234\",\n"
                         "  \"points\": 3,\n"
                         "  \"schemes\": 4,\n"
                         "  \"replications\": 10,\n"
                         "  \"runs\": 120,\n"
                         "  \"shard\": \"2/5\",\n"
                         "  \"started\": \"2024-05-01T12:00:00Z\",\n"
                         "  \"wall_s\": 1.5,\n"
                         "  \"threads\": 2,\n"
                         "  \"complete\": true\n"
                         "}\n"));
    free(text);
}
