#include "staleness.h"

const struct staleness staleness_none = {
    .head = {.name = "none",
             .summary = "a stale gradient is used as it is",
             .source = "Agarwal and Duchi, NeurIPS 2011"},
};
