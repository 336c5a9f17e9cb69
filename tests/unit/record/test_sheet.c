#include "sheet.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

struct line {
    uint32_t point;
    const char *const *swept;
    const char *scheme;
    double time_s;
    uint64_t seed;
};
static const struct column column[] = {
    {"point", COLUMN_COUNT, offsetof(struct line, point)},
    {"", COLUMN_TEXTS, offsetof(struct line, swept)},
    {"scheme", COLUMN_TEXT, offsetof(struct line, scheme)},
    {"time_s", COLUMN_NUMBER, offsetof(struct line, time_s)},
    {"seed", COLUMN_LONG, offsetof(struct line, seed)},
};
static const struct columns columns = {column, sizeof column / sizeof *column};

static const char *const none[1];
static const char *const keys[] = {"schemes.stragglers", "optimizer.learning_rate"};
static const char *const values[] = {"2", "0,5"};

static const struct {
    const char *name;
    size_t extras;
    struct line line;
    const char *text;
} cases[] = {
    {"plain", 0, {3, none, "GC-FR", 1.5, 7}, "point,scheme,time_s,seed\n3,GC-FR,1.5,7\n"},
    {"swept",
     2,
     {0, values, "a", 0, 1},
     "point,schemes.stragglers,optimizer.learning_rate,scheme,time_s,seed\n0,2,\"0,5\",a,0,1\n"},
    {"nothing applies", 0, {UINT32_MAX, none, NULL, NAN, 0}, "point,scheme,time_s,seed\n,,,0\n"},
    {"largest",
     0,
     {UINT32_MAX - 1, none, "x", 1e300, UINT64_MAX},
     "point,scheme,time_s,seed\n4294967294,x,1e+300,18446744073709551615\n"},
    {"quote", 0, {1, none, "say \"hi\"", 1, 1}, "point,scheme,time_s,seed\n1,\"say \"\"hi\"\"\",1,1\n"},
    {"line end", 0, {1, none, "a\nb", 1, 1}, "point,scheme,time_s,seed\n1,\"a\nb\",1,1\n"},
    {"padded", 0, {1, none, " a", 1, 1}, "point,scheme,time_s,seed\n1,\" a\",1,1\n"},
    {"empty text", 0, {1, none, "", 1, 1}, "point,scheme,time_s,seed\n1,,1,1\n"},
};

Test(sheet, prints_header_and_row) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sheet sheet;
        sheet_init(&sheet, &columns, keys, cases[i].extras);
        sheet_header(&sheet);
        sheet_row(&sheet, &cases[i].line);
        bool same =
            sheet.length == strlen(cases[i].text) && memcmp(sheet.text, cases[i].text, sheet.length) == 0;
        cr_expect(same, "%s: got\n%.*s", cases[i].name, (int)sheet.length, sheet.text);
        sheet_fini(&sheet);
    }
}

Test(sheet, grows_and_is_used_again_after_clear) {
    struct sheet sheet;
    sheet_init(&sheet, &columns, NULL, 0);
    struct line line = {1, none, "scheme", 0.25, 2};
    for (int i = 0; i < 10000; i++)
        sheet_row(&sheet, &line);
    cr_expect(eq(sz, sheet.length, 10000 * strlen("1,scheme,0.25,2\n")));
    sheet_clear(&sheet);
    sheet_row(&sheet, &line);
    cr_expect(eq(sz, sheet.length, strlen("1,scheme,0.25,2\n")));
    sheet_fini(&sheet);
}
