#include "optimizer.h"

#define SCHEDULE(name) extern const struct schedule name;
#include "schedules.def"
#undef SCHEDULE

#define SCHEDULE(name) &name.head,
static const struct variant *const schedules[] = {
#include "schedules.def"
    NULL,
};
#undef SCHEDULE

const struct family schedule_family = {.noun = "schedule", .variants = schedules, .fallback = "constant"};
