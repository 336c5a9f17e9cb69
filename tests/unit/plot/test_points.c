#include "points.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

static const struct {
    const char *text;
    const char *held; /* of the points 0 to 9 */
} lists[] = {
    {"3", "3"},      {"0:2", "012"}, {"0,3,7:9", "03789"},  {"4:4", "4"},
    {"5,5,1", "15"}, {"12", ""},     {"8:999999999", "89"},
};

Test(points, a_list_holds_its_indices_and_spans) {
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct arena *arena = arena_new();
        struct points points;
        struct sentence why = {""};
        cr_assert(points_read(&points, arena, lists[i].text, &why), "%s: %s", lists[i].text, why.text);
        for (uint32_t point = 0; point < 10; point++)
            cr_expect(points_hold(&points, point) == (strchr(lists[i].held, '0' + (int)point) != NULL),
                      "%s: %u", lists[i].text, point);
        arena_free(arena);
    }
}

static const char *const refused[] = {"",    ",",     "1,", ",1",  "a",   "1:",         ":1", "3:2",
                                      "1-2", "1:2:3", "-1", "1 2", "1.5", "9999999999", "0x1"};

Test(points, what_is_no_list_is_refused) {
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct arena *arena = arena_new();
        struct points points;
        struct sentence why = {""};
        cr_expect(not(points_read(&points, arena, refused[i], &why)), "'%s'", refused[i]);
        cr_expect(strstr(why.text, "points must be indices and spans such as") != NULL, "%s", why.text);
        arena_free(arena);
    }
}

Test(points, without_a_choice_all_are_held) {
    struct points points = {NULL, 0};
    cr_expect(points_hold(&points, 7));
}
