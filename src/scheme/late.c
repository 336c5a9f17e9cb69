#include "late.h"
#include <stddef.h>

const char *const late_names[LATE_RULES + 1] = {
    [LATE_QUEUE] = "queue", [LATE_LATEST] = "latest", [LATE_CANCEL] = "cancel", [LATE_RULES] = NULL};
