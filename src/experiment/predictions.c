#include "prediction.h"

#define PREDICTIONS(name) extern const struct predictions name;
#include "predictions.def"
#undef PREDICTIONS

#define PREDICTIONS(name) &name,
const struct predictions *const all_predictions[] = {
#include "predictions.def"
    NULL};
#undef PREDICTIONS

double measure_step_s(const struct sight *sight) {
    return sight->result->run.step_mean_s;
}
