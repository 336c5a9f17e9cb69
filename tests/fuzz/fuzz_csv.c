/* CSV: as a table of numbers and words, as numbers alone, with holes, without a header. */
#include "csv_file.h"
#include "given.h"

/* Everything that a table holds is looked at. */
static void look(const struct csv *csv) {
    double sum = 0;
    size_t letters = 0;
    for (size_t c = 0; c < csv->columns; c++) {
        const char *word = csv->text[c];
        for (size_t r = 0; r < csv->rows; r++) {
            sum += csv->text[c] ? 0 : csv->number[r * csv->columns + c];
            for (; word && *word; word++)
                letters++;
            word = word ? word + 1 : NULL;
        }
        if (*csv->name[c] && csv_column(csv, csv->name[c]) != c)
            fault("a column is not found", csv->name[c]);
    }
    for (size_t r = 0; r < csv->rows; r++)
        if (csv->line[r] == 0 || (r > 0 && csv->line[r] <= csv->line[r - 1]))
            fault("rows stand on lines that do not ascend", csv->file);
    volatile double seen = sum + (double)letters;
    (void)seen;
}

static void read_as(const char *file, const struct csv_request *request) {
    struct diag *diag = diag_new();
    struct csv *csv = csv_read(diag, file, request);
    expect_places(diag, csv == NULL);
    if (csv)
        look(csv);
    csv_release(csv);
    diag_free(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static const char *const none[] = {NULL}, *const some[] = {"y", NULL};
    const struct csv_request requests[] = {
        {.numbers = none, .header = true},
        {.numbers = some, .header = true, .missing = true},
        {.header = true},
        {.header = false, .missing = true},
    };
    const char *file = given_file(bytes, length);
    for (size_t q = 0; q < sizeof requests / sizeof *requests; q++)
        read_as(file, &requests[q]);
    return 0;
}
