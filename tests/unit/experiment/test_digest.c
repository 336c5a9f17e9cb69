/* What the journal keeps of a run reads back to the same; rows change their names and nothing else. */
#include "digest.h"
#include "planned.h"
#include "relabel.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

static double weights[] = {0.1, -3e-300, 1};
static const struct audit_digest audit = {.error_mean = (double)NAN,
                                          .cosine_min = -1.0 / 3,
                                          .residual_max = 1e-17,
                                          .largest_max = 12,
                                          .weight_min = -0.5,
                                          .weight_max = 1.7976931348623157e308,
                                          .partitions = 3,
                                          .weight_mean = weights,
                                          .theorem = true,
                                          .exceeded = true,
                                          .reason = "xi = 2 is above 1, at \"w\""};
static const char *const sentences[] = {"the backlog of worker 3 grows by 1 task per step", "100 % - more"};

static void expect_same(const struct digest *a, const struct digest *b) {
    cr_expect(eq(int, memcmp(&a->run, &b->run, sizeof a->run), 0));
    for (size_t x = 0; x < MEASURES; x++)
        cr_expect(isnan(a->measure[x]) ? isnan(b->measure[x]) != 0
                                       : memcmp(&a->measure[x], &b->measure[x], sizeof(double)) == 0,
                  "%s", measure_names[x]);
    cr_expect(eq(int, a->stalled, b->stalled));
    cr_expect(eq(int, a->diverged, b->diverged));
    cr_assert(eq(sz, a->sentences, b->sentences));
    for (size_t s = 0; s < a->sentences; s++)
        cr_expect_str_eq(a->sentence[s], b->sentence[s]);
    cr_assert(eq(int, a->audit != NULL, b->audit != NULL));
}

static void expect_same_audit(const struct audit_digest *a, const struct audit_digest *b) {
    const double of_a[] = {a->error_mean,  a->cosine_min, a->residual_max,
                           a->largest_max, a->weight_min, a->weight_max};
    const double of_b[] = {b->error_mean,  b->cosine_min, b->residual_max,
                           b->largest_max, b->weight_min, b->weight_max};
    for (size_t v = 0; v < 6; v++)
        cr_expect(isnan(of_a[v]) ? isnan(of_b[v]) : of_a[v] >= of_b[v] && of_a[v] <= of_b[v], "value %zu", v);
    cr_assert(eq(u32, a->partitions, b->partitions));
    cr_expect(eq(int, memcmp(a->weight_mean, b->weight_mean, a->partitions * sizeof(double)), 0));
    const int flags_of_a[] = {a->theorem, a->holds, a->exceeded, a->slower},
              flags_of_b[] = {b->theorem, b->holds, b->exceeded, b->slower};
    cr_expect(eq(int, memcmp(flags_of_a, flags_of_b, sizeof flags_of_a), 0));
    cr_expect_str_eq(a->reason, b->reason);
}

Test(digest, reads_back_to_the_same) {
    struct arena *arena = arena_new();
    struct digest one = {
        .run = {17, 1000000}, .stalled = true, .audit = &audit, .sentences = 2, .sentence = sentences};
    for (size_t x = 0; x < MEASURES; x++)
        one.measure[x] = x % 3 == 1 ? (double)NAN : -pow(1.0 / 3, 50.0 * (double)x);
    for (size_t c = 0; c < 4; c++) { /* with and without an audit, with and without sentences */
        struct digest own = one, read;
        own.audit = c & 1 ? &audit : NULL;
        own.sentences = c & 2 ? 2 : 0;
        const char *text = digest_text(arena, &own);
        cr_assert(digest_read(&read, arena, text), "%s", text);
        expect_same(&own, &read);
        if (own.audit)
            expect_same_audit(own.audit, read.audit);
    }
    arena_free(arena);
}

Test(digest, refuses_what_is_cut_off) {
    struct arena *arena = arena_new();
    struct digest digest = {.run = {1, 2}, .audit = &audit, .sentences = 2, .sentence = sentences}, read;
    const char *text = digest_text(arena, &digest);
    size_t last = strlen(text) - strlen(sentences[1]);
    for (size_t length = 0; length < last; length++)
        cr_expect(not(digest_read(&read, arena, arena_text(arena, text, length))), "%zu bytes", length);
    cr_expect(digest_read(&read, arena, text));
    cr_expect(not(digest_read(&read, arena, "ordered")));
    cr_expect(not(digest_read(&read, arena, arena_format(arena, "%s\tmore", text))));
    arena_free(arena);
}

struct relabelling {
    size_t file;
    const char *was, *is;
};
static const struct relabelling relabellings[] = {
    {0, "0,\"a,b \"\"c\"\"\",7,3,1.5,4,4,,,,,,,,,\n0,x,7,4,,,,,,,,,,,,\n",
     "2,uncoded,7,3,1.5,4,4,,,,,,,,,\n2,uncoded,7,4,,,,,,,,,,,,\n"},
    {1, "0,\"[1, 2]\",old,a=1;b=2,7,1,steps,5\n", "2,2,uncoded,,7,1,steps,5\n"},
    {2, "0,old,7,0,1,2,3\n", "2,uncoded,7,0,1,2,3\n"},
    {3, "0,old,7,0.5,\"odd, event\",,,\n", "2,uncoded,7,0.5,\"odd, event\",,,\n"},
    {7, "", ""},
};

Test(relabel, changes_the_names_alone) {
    struct plan plan;
    plan_init(&plan, "replications: 9, sweep: {stop.steps: [4, 5, 2]}");
    for (size_t q = 0; q < sizeof relabellings / sizeof *relabellings; q++) {
        const struct relabelling *one = &relabellings[q];
        struct rendering rendering;
        rendering_init(&rendering, &plan);
        relabel_rows(&rendering, one->file, &plan.contest[4], &(struct block){one->was, strlen(one->was)}, 7);
        const struct sheet *sheet = rendering_sheet(&rendering, one->file);
        cr_assert(eq(sz, sheet->length, strlen(one->is)), "%s", rendering_files[one->file]);
        cr_expect(eq(int, sheet->length ? memcmp(sheet->text, one->is, sheet->length) : 0, 0), "%s: %.*s",
                  rendering_files[one->file], (int)sheet->length, sheet->text);
        rendering_fini(&rendering);
    }
    plan_fini(&plan);
}
