#include "placement.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stddef.h>

/* Partitions by position, then in ascending order, of one worker. */
static const struct {
    const char *name;
    struct placement (*placement)(uint32_t workers, uint32_t copies);
    uint32_t workers, copies, worker;
    uint32_t list[4], ascending[4];
} rows[] = {
    {"FR first group", placement_fr, 6, 3, 1, {0, 1, 2}, {0, 1, 2}},
    {"FR last group", placement_fr, 6, 3, 5, {3, 4, 5}, {3, 4, 5}},
    {"FR alone", placement_fr, 3, 1, 2, {2}, {2}},
    {"CR inside", placement_cr, 6, 3, 2, {2, 3, 4}, {2, 3, 4}},
    {"CR up to the end", placement_cr, 6, 3, 3, {3, 4, 5}, {3, 4, 5}},
    {"CR one round the end", placement_cr, 6, 3, 4, {4, 5, 0}, {0, 4, 5}},
    {"CR two round the end", placement_cr, 6, 3, 5, {5, 0, 1}, {0, 1, 5}},
    {"CR all", placement_cr, 4, 4, 2, {2, 3, 0, 1}, {0, 1, 2, 3}},
};

Test(placement, lists_and_their_ascending_order) {
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct placement placement = rows[r].placement(rows[r].workers, rows[r].copies);
        for (uint32_t q = 0; q < rows[r].copies; q++) {
            uint32_t position = placement_position(&placement, rows[r].worker, q);
            cr_expect(eq(u32, placement_partition(&placement, rows[r].worker, q), rows[r].list[q]),
                      "%s, position %u", rows[r].name, q);
            cr_expect(
                eq(u32, placement_partition(&placement, rows[r].worker, position), rows[r].ascending[q]),
                "%s, rank %u", rows[r].name, q);
        }
    }
}
