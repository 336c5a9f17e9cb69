#include "reading.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct asked classes = {.seed = 1, .labels = LABEL_CLASSES};
static const struct asked reals = {.seed = 1, .labels = LABEL_REAL};

/* Settings with the path of a file put in for %s. */
static struct reading reading_from(const char *settings, const char *path, const struct asked *asked) {
    char line[5000], *mark = strstr(settings, "%s");
    snprintf(line, sizeof line, "%.*s%s%s", (int)(mark - settings), settings, path, mark + 2);
    return reading_of(line, asked);
}

static double entry(const struct dataset *dataset, size_t r, size_t j) {
    if (!dataset->sparse)
        return dataset->row[r * dataset->stride + j];
    for (uint64_t e = dataset->start[r]; e < dataset->start[r + 1]; e++)
        if (dataset->column[e] == j)
            return dataset->value[e];
    return 0;
}

/* The rows as "label: x x x; …". */
static void rows_text(const struct dataset *dataset, char text[500]) {
    int length = 0;
    text[0] = '\0';
    for (size_t r = 0; r < dataset->samples; r++) {
        length += snprintf(text + length, 500 - (size_t)length, "%s%g:", r ? "; " : "", dataset->label[r]);
        for (size_t j = 0; j < dataset->features; j++)
            length += snprintf(text + length, 500 - (size_t)length, " %g", entry(dataset, r, j));
    }
}

/* A small file, how it is read, and the rows or what is told. `told` has %s for the file. */
struct small {
    const char *what, *text, *settings;
    const struct asked *asked;
    const char *rows, *told;
};

static void expect_small(const struct small *one) {
    const char *file = file_with(one->text);
    struct reading reading = reading_from(one->settings, file, one->asked);
    if (one->rows) {
        char rows[500];
        cr_assert(reading.dataset != NULL, "%s: %s", one->what, reading.told);
        rows_text(reading.dataset, rows);
        cr_expect(eq(str, rows, (char *)one->rows), "%s", one->what);
    } else {
        cr_expect(reading.dataset == NULL, "%s: was read", one->what);
    }
    char *at;
    while ((at = strstr(reading.told, file))) {
        memcpy(at, "FILE", 4);
        memmove(at + 4, at + strlen(file), strlen(at + strlen(file)) + 1);
    }
    cr_expect(eq(str, reading.told, (char *)(one->told ? one->told : "")), "%s", one->what);
    reading_fini(&reading);
}

Test(dataset, csv_files) {
    static const struct small cases[] = {
        {"the last column is the label", "a,b,y\n1,2,0\n3,4,1\n", "type=csv path=%s", &classes,
         "-1: 1 2; 1: 3 4"},
        {"a named label", "a,y,b\n1,7,2\n3,3,4\n", "type=csv path=%s label=y", &classes, "1: 1 2; -1: 3 4"},
        {"real labels", "a,y\n1,2.5\n3,4\n", "type=csv path=%s", &reals, "2.5: 1; 4: 3"},
        {"an intercept", "a,y\n5,2\n6,4\n", "type=csv path=%s intercept=true", &reals, "2: 5 1; 4: 6 1"},
        {"listed columns, others may be words", "a,b,c,y\n1,x,2,3\n4,z,5,6\n", "type=csv path=%s columns=c|a",
         &reals, "3: 2 1; 6: 5 4"},
        {"standardized: (1, 3) has mean 2 and deviation 1; constants are 0", "a,b,y\n1,0.1,5\n3,0.1,6\n",
         "type=csv path=%s standardize=true intercept=true", &reals, "5: -1 0 1; 6: 1 0 1"},
        {"unknown label", "radius,quality\n1,2\n", "type=csv path=%s label=qualty", &reals, NULL,
         "s.yaml:1:1: error: label: FILE has no column 'qualty' (did you mean 'quality'?)\n"},
        {"unknown columns", "radius,y\n1,2\n", "type=csv path=%s columns=radus|zzz", &reals, NULL,
         "s.yaml:1:1: error: columns[0]: FILE has no column 'radus' (did you mean 'radius'?)\n"
         "s.yaml:1:1: error: columns[1]: FILE has no column 'zzz': its columns are 'radius', 'y'\n"},
        {"label among the features", "a,y\n1,2\n", "type=csv path=%s columns=a|y", &reals, NULL,
         "s.yaml:1:1: error: columns[1]: 'y' is the label, it cannot be a feature\n"},
        {"a column twice", "a,y\n1,2\n", "type=csv path=%s columns=a|a", &reals, NULL,
         "s.yaml:1:1: error: columns[1]: 'a' is listed twice\n"},
        {"a feature of words", "a,colour,y\n1,red,2\n", "type=csv path=%s", &reals, NULL,
         "FILE:2:3: error: field 2 (colour): a finite number is needed, found 'red'\n"},
        {"a label of words for a loss of numbers", "a,b,y\n1,2,3\n1,2,benign\n",
         "type=csv path=%s columns=a|b", &reals, NULL,
         "FILE:3:5: error: field 3 (y): a finite number is needed, found 'benign'\n"},
        {"a label that is absent goes before mistakes in rows", "a,b,yes\n1,x,n\n1,x,\n",
         "type=csv path=%s label=yess", &classes, NULL,
         "s.yaml:1:1: error: label: FILE has no column 'yess' (did you mean 'yes'?)\n"},
        {"two words", "a,y\n1,yes\n2,no\n3,yes\n", "type=csv path=%s", &classes, "1: 1; -1: 2; 1: 3"},
        {"two words before listed columns", "y,note,a,b\nbenign,n,1,3\nmalignant,,2,4\n",
         "type=csv path=%s label=y columns=b|a", &classes, "-1: 3 1; 1: 4 2"},
        {"words apart by case", "a,y\n1,b\n2,B\n", "type=csv path=%s", &classes, "1: 1; -1: 2"},
        {"numbers of two spellings", "a,y\n1,1\n2,1.0\n3,+2\n", "type=csv path=%s", &classes,
         "-1: 1; -1: 2; 1: 3"},
        {"one word", "a,y\n1,yes\n2,yes\n", "type=csv path=%s", &classes, NULL,
         "s.yaml:1:1: error: two classes need labels of exactly two values, the data has only yes\n"},
        {"three words", "a,y\n1,yes\n2,no\n3,maybe\n", "type=csv path=%s label=y", &classes, NULL,
         "s.yaml:1:1: error: label: two classes need labels of exactly two values, the data has maybe, no, "
         "yes\n"},
        {"a word among numbers", "a,y\n1,0\n2,1\n3,nan\n", "type=csv path=%s", &classes, NULL,
         "FILE:4:3: error: field 2 (y): labels are all numbers or all words: found the word 'nan', line 2 "
         "has "
         "a "
         "number\n"},
        {"a number among words", "a,y\n1,no\n2,1\n3,yes\n", "type=csv path=%s", &classes, NULL,
         "FILE:3:3: error: field 2 (y): labels are all numbers or all words: found the number 1, line 2 has "
         "a "
         "word\n"},
        {"a word that is empty", "a,y\n1,no\n2,\n3,yes\n", "type=csv path=%s", &classes, NULL,
         "FILE:3:3: error: field 2 (y): is empty where a label is needed\n"},
        {"a number that is empty", "a,y\n1,0\n2,\n3,1\n", "type=csv path=%s", &classes, NULL,
         "FILE:3:3: error: field 2 (y): is empty where a label is needed\n"},
        {"nothing but a label", "y\n1\n2\n", "type=csv path=%s", &reals, NULL,
         "s.yaml:1:1: error: path: FILE has no column beside the label 'y'\n"},
        {"one class", "a,y\n1,7\n2,7\n", "type=csv path=%s label=y", &classes, NULL,
         "s.yaml:1:1: error: label: two classes need labels of exactly two values, the data has only 7\n"},
        {"three classes", "a,y\n1,2\n2,0.5\n3,-1\n", "type=csv path=%s", &classes, NULL,
         "s.yaml:1:1: error: two classes need labels of exactly two values, the data has -1, 0.5, 2\n"},
        {"seven classes", "a,y\n1,1\n1,2\n1,3\n1,4\n1,5\n1,6\n1,7\n1,8\n", "type=csv path=%s", &classes, NULL,
         "s.yaml:1:1: error: two classes need labels of exactly two values, the data has 1, 2, 3, 4, 5, 6 "
         "and more\n"},
        {"squares beyond a double", "a,b,y\n1e200,1,5\n-1e200,2,6\n", "type=csv path=%s standardize=true",
         &reals, NULL, "FILE: error: field 1 (a): values too large or too small to be standardized\n"},
        {"no header", "1,2\n3,4\n", "type=csv path=%s", &reals, "4: 3",
         "FILE:1:1: warning: the first line is taken for column names, but holds only numbers\n"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        expect_small(&cases[c]);
}

Test(dataset, libsvm_files) {
    static const struct small cases[] = {
        {"plain", "+1 1:2 3:4\n-1 2:5\n", "type=libsvm path=%s", &classes, "1: 2 0 4; -1: 0 5 0"},
        {"comments, spaces, CR LF, blank lines", "# head\r\n\r\n 3  1:1\t2:2 # tail 9:9\r\n\r\n4 2:-1e-1",
         "type=libsvm path=%s", &reals, "3: 1 2; 4: 0 -0.1"},
        {"qid", "1 qid:7 1:2\n2 qid:8 1:3\n", "type=libsvm path=%s", &reals, "1: 2; 2: 3"},
        {"a row without features", "1\n2 2:3\n", "type=libsvm path=%s intercept=true", &reals,
         "1: 0 0 1; 2: 0 3 1"},
        {"more features than occur", "1 1:1\n2 2:3\n", "type=libsvm path=%s features=4 intercept=true",
         &reals, "1: 1 0 0 0 1; 2: 0 3 0 0 1"},
        {"fewer features than occur", "1 1:1\n2 5:3\n", "type=libsvm path=%s features=4", &reals, NULL,
         "s.yaml:1:1: error: features: must be at least 5, the largest index of FILE\n"},
        {"mistakes",
         "1 1:1\nx 1:1\n1 0:1\n1 2:1 2:3\n1 3:1 2:1\n1 1:nan\n1 7\n1 a:1\n1 1:\n1 999999999999:1\n1 1:2:3\n",
         "type=libsvm path=%s", &reals, NULL,
         "FILE:2:1: error: a label (a finite number) is needed, found 'x'\n"
         "FILE:3:3: error: indices start at 1\n"
         "FILE:4:7: error: index 2 is not larger than 2\n"
         "FILE:5:7: error: index 2 is not larger than 3\n"
         "FILE:6:5: error: a finite number is needed, found 'nan'\n"
         "FILE:7:3: error: index:value is needed, found '7'\n"
         "FILE:8:3: error: index:value is needed, found 'a:1'\n"
         "FILE:9:5: error: a finite number is needed, found ''\n"
         "FILE:10:3: error: an index may be at most 100000000\n"
         "FILE:11:5: error: a finite number is needed, found '2:3'\n"},
        {"no rows", "# nothing\n", "type=libsvm path=%s", &reals, NULL,
         "FILE: error: the file has no rows\n"},
        {"no features", "1\n2\n", "type=libsvm path=%s", &reals, NULL, "FILE: error: no row has a feature\n"},
        {"empty", "", "type=libsvm path=%s", &reals, NULL, "FILE: error: the file has no rows\n"},
        {"not standardized", "1 1:1\n", "type=libsvm path=%s standardize=true", &reals, NULL,
         "s.yaml:1:1: error: unknown key 'standardize' (known: type, path, features, intercept)\n"},
        {"one class", "1 1:1\n1 2:1\n", "type=libsvm path=%s", &classes, NULL,
         "s.yaml:1:1: error: two classes need labels of exactly two values, the data has only 1\n"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        expect_small(&cases[c]);
}

Test(dataset, padding_is_zero_and_bytes_are_counted) {
    struct reading reading =
        reading_from("type=csv path=%s intercept=true", file_with("a,b,y\n1,2,0\n3,4,1\n"), &reals);
    const struct dataset *dataset = reading.dataset;
    cr_assert(eq(sz, dataset->stride, 8));
    cr_expect(eq(sz, (size_t)dataset->row % 64, 0));
    for (size_t r = 0; r < 2; r++)
        for (size_t j = 3; j < 8; j++)
            cr_expect(eq(dbl, dataset->row[r * 8 + j], 0));
    cr_expect(eq(sz, dataset_bytes(dataset), (2 * 8 + 2) * sizeof(double)));
    cr_expect(dataset->class_name[0] == NULL);
    cr_expect(eq(str, (char *)dataset->file, (char *)file_with("a,b,y\n1,2,0\n3,4,1\n")));
    reading_fini(&reading);
}

Test(dataset, classes_have_the_names_of_the_file) {
    static const struct {
        const char *text, *settings, *low, *high;
    } files[] = {{"a,y\n1,malignant\n2,benign\n", "type=csv path=%s", "benign", "malignant"},
                 {"a,y\n1,2.50\n2,-3\n", "type=csv path=%s", "-3", "2.5"},
                 {"+1 1:1\n-1 1:2\n", "type=libsvm path=%s", "-1", "1"}};
    for (size_t q = 0; q < sizeof files / sizeof *files; q++) {
        struct reading reading = reading_from(files[q].settings, file_with(files[q].text), &classes);
        cr_assert(reading.dataset != NULL, "%s: %s", files[q].text, reading.told);
        cr_expect(eq(str, reading.dataset->class_name[0], (char *)files[q].low), "%s", files[q].text);
        cr_expect(eq(str, reading.dataset->class_name[1], (char *)files[q].high), "%s", files[q].text);
        cr_expect(reading.dataset->label_word == NULL, "%s", files[q].text);
        reading_fini(&reading);
    }
}

Test(dataset, breast_cancer) {
    const char *file = shared_file("data/breast-cancer.csv");
    if (!file)
        cr_skip_test("data/breast-cancer.csv is not there");
    struct reading reading =
        reading_from("type=csv path=%s label=benign standardize=true intercept=true", file, &classes);
    const struct dataset *dataset = reading.dataset;
    cr_assert(dataset != NULL, "%s", reading.told);
    cr_expect(eq(u32, dataset->samples, 569));
    cr_expect(eq(u32, dataset->features, 31));
    cr_expect(eq(str, dataset->class_name[0], (char *)"0"));
    cr_expect(eq(str, dataset->class_name[1], (char *)"1"));
    size_t benign = 0;
    for (size_t r = 0; r < dataset->samples; r++)
        benign += dataset->label[r] == 1;
    cr_expect(eq(sz, benign, 357));
    for (size_t j = 0; j < 31; j++) {
        double sum = 0, squares = 0;
        for (size_t r = 0; r < dataset->samples; r++) {
            sum += entry(dataset, r, j);
            squares += entry(dataset, r, j) * entry(dataset, r, j);
        }
        /* 569 roundings of a sum whose terms are at most 12: below 569 * 12 * 2^-53 * 569 = 5e-10 in all. */
        cr_expect(epsilon_eq(dbl, sum, j == 30 ? 569 : 0, 1e-9), "column %zu", j);
        cr_expect(epsilon_eq(dbl, squares, 569, 1e-9), "column %zu", j);
    }
    reading_fini(&reading);
}

Test(dataset, wine_red) {
    const char *file = shared_file("data/wine-red.csv");
    if (!file)
        cr_skip_test("data/wine-red.csv is not there");
    struct reading reading = reading_from("type=csv path=%s label=quality", file, &reals);
    const struct dataset *dataset = reading.dataset;
    cr_assert(dataset != NULL, "%s", reading.told);
    cr_expect(eq(u32, dataset->samples, 1599));
    cr_expect(eq(u32, dataset->features, 11));
    double sum = 0;
    for (size_t r = 0; r < dataset->samples; r++)
        sum += dataset->label[r];
    cr_expect(eq(dbl, sum, 9012)); /* whole numbers add exactly */
    cr_expect(eq(dbl, entry(dataset, 0, 10), 9.4));
    reading_fini(&reading);
}

Test(dataset, adult) {
    const char *file = shared_file("data/adult-5k.libsvm");
    if (!file)
        cr_skip_test("data/adult-5k.libsvm is not there");
    struct reading narrow = reading_from("type=libsvm path=%s", file, &classes);
    struct reading wide = reading_from("type=libsvm path=%s features=123 intercept=true", file, &classes);
    cr_assert(narrow.dataset && wide.dataset, "%s%s", narrow.told, wide.told);
    cr_expect(eq(u32, narrow.dataset->samples, 5639));
    cr_expect(eq(u32, narrow.dataset->features, 122));
    cr_expect(eq(u32, wide.dataset->features, 124));
    cr_expect(narrow.dataset->start[5639] == 78098 && wide.dataset->start[5639] == 78098 + 5639);
    cr_expect(eq(str, narrow.dataset->class_name[0], (char *)"-1"));
    size_t positives = 0;
    for (size_t r = 0; r < 5639; r++) {
        positives += narrow.dataset->label[r] == 1;
        cr_assert(entry(wide.dataset, r, 123) == 1, "row %zu", r);
    }
    cr_expect(eq(sz, positives, 1372));
    reading_fini(&narrow);
    reading_fini(&wide);
}

/* Row r of the file holds r in every place, so a row that was torn apart shows. */
static void expect_shuffled(const char *settings, const char *text, size_t rows, uint32_t *order) {
    struct asked shuffled = {.seed = 5, .labels = LABEL_REAL, .shuffle = true};
    struct reading reading = reading_from(settings, file_with(text), &shuffled);
    cr_assert(reading.dataset != NULL, "%s", reading.told);
    bool *seen = memory_zeroed(rows, sizeof *seen);
    for (size_t r = 0; r < rows; r++) {
        double from = reading.dataset->label[r];
        order[r] = (uint32_t)from;
        cr_assert(not(seen[order[r]]), "%s: row %u twice", settings, order[r]);
        seen[order[r]] = true;
        cr_assert(entry(reading.dataset, r, 0) == from && entry(reading.dataset, r, 1) == -from,
                  "%s: row %zu", settings, r);
    }
    free(seen);
    reading_fini(&reading);
}

Test(dataset, shuffle) {
    enum { ROWS = 500 };
    static char csv[ROWS * 40] = "a,b,y\n", libsvm[ROWS * 40];
    static uint32_t dense[ROWS], sparse[ROWS];
    for (int r = 0; r < ROWS; r++) {
        sprintf(csv + strlen(csv), "%d,%d,%d\n", r, -r, r);
        sprintf(libsvm + strlen(libsvm), r ? "%d 1:%d 2:%d\n" : "0\n", r, r, -r);
    }
    expect_shuffled("type=csv path=%s", csv, ROWS, dense);
    expect_shuffled("type=libsvm path=%s", libsvm, ROWS, sparse);
    cr_expect(memcmp(dense, sparse, sizeof dense) == 0, "dense and sparse rows take different orders");
    size_t stayed = 0;
    for (size_t r = 0; r < ROWS; r++)
        stayed += dense[r] == r;
    /* The number of fixed points of a random permutation is near Poisson(1): above 9 once in 10^7. */
    cr_expect(lt(sz, stayed, 10));
}
