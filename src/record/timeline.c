#include "timeline.h"

const struct timeline_format timeline_formats[] = {
    {"text", "a line per event", timeline_list},
    {"perfetto", "JSON that ui.perfetto.dev opens: workers as tracks", timeline_perfetto},
    {NULL, NULL, NULL},
};
