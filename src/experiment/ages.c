#include "trial_state.h"

uint32_t present_version(const struct trial *trial, uint32_t model) {
    if (trial->learner)
        return learner_version(trial->learner[model]);
    return trial->models == 1 ? trial->step : trial->step / trial->models;
}

uint32_t term_age(const struct trial *trial, const struct term *term) {
    return updates_of(trial, present_version(trial, term->model)) - updates_of(trial, term->version);
}

double term_factor(const struct trial *trial, const struct term *term) {
    return staleness_factor(trial->spec.entry->staleness, term_age(trial, term));
}
