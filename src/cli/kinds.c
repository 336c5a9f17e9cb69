#include "kinds.h"
#include "figure.h"
#include "law.h"
#include "objective.h"
#include "optimizer.h"
#include "scenario.h"
#include <stdio.h>
#include <string.h>

static void scheme_facts(const struct variant *variant) {
    const struct scheme *scheme = (const struct scheme *)variant;
    if (scheme->takes_no_wait)
        printf("\nwait rule: %s, of its own; none may be written\nlate rules:", scheme->wait);
    else
        printf("\nwait rule: %s by default\nlate rules:", scheme->wait);
    const char *between = "";
    for (int q = 0; late_names[q]; q++)
        if (scheme->lates >> q & 1) {
            printf("%s %s%s", between, late_names[q], (int)scheme->late == q ? " by default" : "");
            between = ",";
        }
    putchar('\n');
}

static bool scheme_takes(const struct variant *variant, const char *key) {
    return !((const struct scheme *)variant)->takes_no_wait || strcmp(key, "wait") != 0;
}

const struct kind kinds[] = {
    {"schemes", "who computes what, and what the master makes of it", &scheme_family, &scheme_entry_table,
     scheme_facts, scheme_takes},
    {"waits", "when the master stops waiting", &wait_family, NULL, NULL},
    {"stalenesses", "what becomes of gradients that are used late", &staleness_family, NULL, NULL},
    {"delays", "laws of computing times and delays", &law_family, NULL, NULL},
    {"losses", "what is minimised", &loss_family, NULL, NULL},
    {"sources", "where data comes from", &source_family, NULL, NULL},
    {"optimizers", "how a gradient becomes an update", &optimizer_family, &optimizer_table, NULL},
    {"schedules", "learning rate over updates", &schedule_family, NULL, NULL},
    {"compressors", "what workers send of their messages", &compressor_family, &compression_table, NULL},
    {"figures", "pictures of a results folder", &figure_family, NULL, NULL},
    {NULL},
};
