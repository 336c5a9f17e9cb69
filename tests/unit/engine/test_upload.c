/* Messages on their way: paths, overlap, the master's shared link, the ring. */
#include "stage.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

/* Down 1 s + 100 bytes at 50 a second, up 2 s + 100 bytes at 25. */
static const struct path_spec down_path = {1, 50}, up_path = {2, 25};
static const struct network_spec slow_network = {&down_path, &up_path};
static const struct cluster_run hundred_bytes = {.seed = 1, .model_bytes = 100, .result_bytes = 100};

Test(upload, messages_take_their_time) {
    const struct group_spec group = {.count = 2, ALWAYS};
    const struct cluster_spec spec = {.workers = 2, .groups = 1, .group = &group, .network = &slow_network};
    struct cluster *cluster = cluster_new(&spec, &hundred_bytes);
    cr_expect(eq(dbl, cluster_send_model(cluster, 1, 3, 10), 3));
    struct event event = cluster_next(cluster);
    cr_assert(eq(int, event.kind, EVENT_MODEL));
    cr_expect(eq(dbl, event.time_s, 13));
    cr_expect(eq(u32, event.step, 3));
    start_task(cluster, 1, (struct doing){3, 13, 4});
    const struct wanted wanted[] = {{EVENT_FINISHED, 17, 1}, {EVENT_ARRIVED, 23, 1}};
    EXPECT_EVENTS(cluster, wanted);
    cr_expect(epsilon_eq(dbl, cluster_ring_seconds(cluster), 2 * 1 * (2 + 100.0 / (2 * 25)), 1e-12));
    cluster_free(cluster);
}

Test(upload, with_overlap_uploads_queue_on_their_own_path) {
    const struct group_spec group = {.count = 1, ALWAYS};
    const struct cluster_spec spec = {
        .workers = 1, .groups = 1, .group = &group, .network = &slow_network, .overlap = true};
    struct cluster *cluster = cluster_new(&spec, &hundred_bytes);
    start_task(cluster, 0, (struct doing){0, 0, 1});
    cluster_next(cluster);
    cr_assert(cluster_idle(cluster, 0));
    start_task(cluster, 0, (struct doing){1, 1, 1});
    /* sent from 1 to 5 and from 5 to 9, each 2 s on its way */
    const struct wanted wanted[] = {{EVENT_FINISHED, 2, 0}, {EVENT_ARRIVED, 7, 0}, {EVENT_ARRIVED, 11, 0}};
    EXPECT_EVENTS(cluster, wanted);
    cluster_free(cluster);
}

struct sharing {
    const char *name;
    struct link_spec link;
    struct wanted wanted[6];
};
/* Three workers finish at 0, 0 and 5 s with 100 bytes each; the link carries 50 a second. */
static const struct sharing sharings[] = {
    {"fifo",
     {50, SHARING_FIFO},
     {{EVENT_FINISHED, 0, 0},
      {EVENT_FINISHED, 0, 1},
      {EVENT_ARRIVED, 2, 0},
      {EVENT_ARRIVED, 4, 1},
      {EVENT_FINISHED, 5, 2},
      {EVENT_ARRIVED, 7, 2}}},
    {"fair",
     {50, SHARING_FAIR},
     {{EVENT_FINISHED, 0, 0},
      {EVENT_FINISHED, 0, 1},
      {EVENT_ARRIVED, 4, 0},
      {EVENT_ARRIVED, 4, 1},
      {EVENT_FINISHED, 5, 2},
      {EVENT_ARRIVED, 7, 2}}},
    /* at 20 a second: 50 bytes each by 5 s; a third each from then on: 100 - 50 = 50 bytes take 7.5 s; the third has
     * 50 bytes left at 12.5 and the link alone */
    {"fair, overtaken",
     {20, SHARING_FAIR},
     {{EVENT_FINISHED, 0, 0},
      {EVENT_FINISHED, 0, 1},
      {EVENT_FINISHED, 5, 2},
      {EVENT_ARRIVED, 12.5, 0},
      {EVENT_ARRIVED, 12.5, 1},
      {EVENT_ARRIVED, 15, 2}}},
};

Test(upload, the_master_link_is_shared) {
    for (size_t c = 0; c < sizeof sharings / sizeof *sharings; c++) {
        const struct cluster_spec spec = {
            .workers = 3, .groups = 1, .group = stage_three.group, .link = &sharings[c].link};
        struct cluster *cluster = cluster_new(&spec, &hundred_bytes);
        start_task(cluster, 0, (struct doing){0, 0, 0});
        start_task(cluster, 1, (struct doing){0, 0, 0});
        start_task(cluster, 2, (struct doing){0, 0, 5});
        for (size_t e = 0; e < 6; e++) {
            struct event event = cluster_next(cluster);
            cr_expect(eq(int, event.kind, sharings[c].wanted[e].kind), "%s, event %zu", sharings[c].name, e);
            cr_expect(epsilon_eq(dbl, event.time_s, sharings[c].wanted[e].time_s, 1e-9), "%s, event %zu",
                      sharings[c].name, e);
            cr_expect(eq(u32, event.worker, sharings[c].wanted[e].worker), "%s, event %zu", sharings[c].name,
                      e);
        }
        cr_expect(cluster_silent(cluster));
        cluster_free(cluster);
    }
}

Test(upload, a_dropped_upload_makes_room) {
    const struct link_spec fifo = {50, SHARING_FIFO};
    const struct cluster_spec spec = {.workers = 3, .groups = 1, .group = stage_three.group, .link = &fifo};
    struct cluster *cluster = cluster_new(&spec, &hundred_bytes);
    start_task(cluster, 0, (struct doing){0, 0, 0});
    start_task(cluster, 1, (struct doing){0, 0, 0});
    cluster_next(cluster);
    cluster_next(cluster);
    cluster_cancel(cluster, 0, 0);
    const struct wanted wanted[] = {{EVENT_ARRIVED, 2, 1}};
    EXPECT_EVENTS(cluster, wanted);
    cr_expect(cluster_silent(cluster));
    cluster_free(cluster);
}
