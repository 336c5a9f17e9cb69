#include "objective.h"

#define LOSS(name) extern const struct loss loss_##name;
#include "losses.def"
#undef LOSS

#define LOSS(name) &loss_##name.head,
static const struct variant *const losses[] = {
#include "losses.def"
    NULL,
};
#undef LOSS

const struct family loss_family = {.noun = "loss", .variants = losses};
