#include "powers_of_ten.h"

const struct power powers_of_ten[] = {
#include "powers_of_ten.inc"
};
_Static_assert(sizeof powers_of_ten / sizeof *powers_of_ten == POWER_MOST - POWER_LEAST + 1,
               "powers_of_ten.py and its header agree");
