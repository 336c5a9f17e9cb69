#include "manifest.h"
#include "json.h"
#include "memory.h"
#include "sheet.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_text(FILE *out, const char *key, const char *text) {
    fprintf(out, "  \"%s\": ", key);
    json_string(out, text);
    fputs(",\n", out);
}

static void put_count(FILE *out, const char *key, uint64_t count) {
    fprintf(out, "  \"%s\": %" PRIu64 ",\n", key, count);
}

static void put_command(FILE *out, const char *const *command) {
    fputs("  \"command\": [", out);
    for (size_t i = 0; command != NULL && command[i] != NULL; i++) {
        if (i > 0)
            fputs(", ", out);
        json_string(out, command[i]);
    }
    fputs("],\n", out);
}

static void put_files(FILE *out, const struct manifest *manifest) {
    fputs("  \"files\": [", out);
    for (size_t i = 0; i < manifest->file_count; i++) {
        fputs(i > 0 ? ",\n    {\"path\": " : "\n    {\"path\": ", out);
        json_string(out, manifest->files[i].path);
        fprintf(out, ", \"crc32\": \"%08" PRIx32 "\"}", manifest->files[i].checksum);
    }
    fputs(manifest->file_count > 0 ? "\n  ],\n" : "],\n", out);
}

static void put_classes(FILE *out, const struct manifest *manifest) {
    fputs("  \"classes\": [", out);
    for (size_t i = 0; i < manifest->classes_count; i++) {
        fputs(i > 0 ? ",\n    {\"path\": " : "\n    {\"path\": ", out);
        json_string(out, manifest->classes[i].path);
        fputs(", \"-1\": ", out);
        json_string(out, manifest->classes[i].minus);
        fputs(", \"+1\": ", out);
        json_string(out, manifest->classes[i].plus);
        fputc('}', out);
    }
    fputs(manifest->classes_count > 0 ? "\n  ],\n" : "],\n", out);
}

static void put_warnings(FILE *out, const struct manifest *manifest) {
    fputs("  \"warnings\": [", out);
    for (size_t i = 0; i < manifest->warning_count; i++) {
        fputs(i > 0 ? ",\n    " : "\n    ", out);
        json_string(out, manifest->warnings[i]);
    }
    fputs(manifest->warning_count > 0 ? "\n  ],\n" : "],\n", out);
}

static void put_all(FILE *out, const struct manifest *manifest) {
    char wall_s[32];
    number_print(wall_s, round(manifest->wall_s * 1e3) / 1e3);
    fputs("{\n", out);
    put_text(out, "version", manifest->version);
    put_text(out, "name", manifest->name);
    put_command(out, manifest->command);
    put_count(out, "seed", manifest->seed);
    put_text(out, "method", manifest->method);
    put_files(out, manifest);
    put_classes(out, manifest);
    put_warnings(out, manifest);
    fprintf(out, "  \"fingerprint\": \"%016" PRIx64 "\",\n", manifest->fingerprint);
    put_count(out, "points", manifest->points);
    put_count(out, "schemes", manifest->schemes);
    put_count(out, "replications", manifest->replications);
    put_count(out, "runs", manifest->runs);
    put_text(out, "shard", manifest->shard);
    put_text(out, "started", manifest->started);
    fprintf(out, "  \"wall_s\": %s,\n", wall_s);
    put_count(out, "threads", manifest->threads);
    fprintf(out, "  \"complete\": %s\n}\n", manifest->complete ? "true" : "false");
}

char *manifest_text(const struct manifest *manifest) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out != NULL) {
        put_all(out, manifest);
        if (fclose(out) == 0)
            return text;
        free(text);
    }
    fputs("out of memory\n", stderr);
    exit(1);
}
