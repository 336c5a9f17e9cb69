#include "made_cluster.h"
#include "../base/sketch.h"
#include <criterion/criterion.h>

static void load(struct made_cluster *made, const struct picked *law, const struct node *node,
                 uint32_t members) {
    struct law_files files = {.diag = made->diag, .shelf = made->shelf, .node = node, .members = members};
    cr_assert(!law || law_load(law, &files));
}

struct made_cluster made_cluster(const char *const *groups) {
    struct made_cluster made = {.diag = diag_new(), .arena = arena_new(), .shelf = shelf_new()};
    struct group_spec *group = arena_zeroed(made.arena, 4, sizeof *group);
    struct binder binder = {.diag = made.diag, .arena = made.arena};
    for (size_t g = 0; groups[g]; g++) {
        struct node *node = sketch(made.arena, groups[g]);
        bool bound = param_bind(&binder, node, &group_table, &group[g]);
        if (!bound)
            diag_print(made.diag, stderr);
        cr_assert(bound, "%s", groups[g]);
        load(&made, group[g].compute, node_child(node, "compute"), group[g].count);
        load(&made, group[g].delay, node_child(node, "delay"), group[g].count);
        load(&made, group[g].slowness, node_child(node, "slowness"), group[g].count);
        made.spec.workers += group[g].count;
        made.spec.groups++;
    }
    made.spec.group = group;
    return made;
}

void made_cluster_fini(struct made_cluster *made) {
    diag_free(made->diag);
    arena_free(made->arena);
    shelf_free(made->shelf);
}
