#include "outcome.h"
#include "audit_table.h"
#include "classes_text.h"
#include "results_table.h"
#include "warning.h"

void outcome_print(const struct call *call, const struct study *study, const char *folder) {
    if (option_given(call, "quiet"))
        return;
    results_table_print(study, stdout);
    audit_table_print(study, stdout);
    classes_print(call->arena, study, stdout);
    for (size_t q = 0; q < study_warnings(study); q++)
        warning_print(study_warning(study, q));
    printf("\nresults in %s; all measures with their intervals in %s/summary.csv\n", folder, folder);
}
