#include "fingerprint.h"
#include "csv_file.h"
#include <stdlib.h>
#include <string.h>

uint32_t plan_file_checksum(const struct plan *plan, const char *file) {
    char *key = memory_format("checksum\n%s", file);
    uint32_t *checksum = shelf_find(plan->shelf, key);
    if (!checksum) {
        checksum = memory_zeroed(1, sizeof *checksum);
        *checksum = file_checksum(file);
        shelf_put(plan->shelf, key, checksum, free);
    }
    free(key);
    return *checksum;
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t length) {
    const unsigned char *byte = bytes;
    for (size_t b = 0; b < length; b++)
        hash = (hash ^ byte[b]) * 0x100000001b3ULL;
    return hash;
}

static uint64_t mix_text(uint64_t hash, const char *text) {
    return mix(hash, text, strlen(text) + 1);
}

static uint64_t mix_node(uint64_t hash, const struct plan *plan, const struct node *node) {
    hash = mix(hash, &node->kind, sizeof node->kind);
    if (node->key)
        hash = mix_text(hash, node->key);
    if (node->resolved) {
        uint32_t checksum = plan_file_checksum(plan, node->resolved);
        hash = mix(hash, &checksum, sizeof checksum);
    } else if (node->text) {
        hash = mix_text(hash, node->text);
    }
    for (const struct node *child = node->first; child; child = child->next)
        hash = mix_node(hash, plan, child);
    return mix(hash, "}", 1); /* {a: {b: 1, c: 1}} is not {a: {b: 1}, c: 1} */
}

uint64_t plan_fingerprint(const struct plan *plan) {
    return mix_node(0xcbf29ce484222325ULL, plan, plan->tree);
}
