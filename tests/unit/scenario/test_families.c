/* What every variant that a scenario can name owes to its reader. */
#include "scenario.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

static const struct family *const families[] = {&scheme_family,   &wait_family,     &law_family,
                                                &loss_family,     &source_family,   &optimizer_family,
                                                &schedule_family, &staleness_family};

static void expect_variant(const char *noun, const struct variant *variant) {
    cr_expect(variant->summary && *variant->summary, "%s %s has no summary", noun, variant->name);
    cr_expect(variant->source && *variant->source, "%s %s has no source", noun, variant->name);
    for (size_t q = 0; variant->params && q < variant->params->count; q++) {
        const struct param *param = &variant->params->param[q];
        cr_expect(param->help && *param->help, "%s %s: %s has no help", noun, variant->name, param->name);
    }
}

Test(families, every_variant_says_what_it_is_and_where_it_is_from) {
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (const struct variant *const *variant = families[f]->variants; *variant; variant++)
            expect_variant(families[f]->noun, *variant);
}
