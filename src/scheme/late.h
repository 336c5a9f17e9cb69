/* late.h: what a worker does with tasks it has not finished when a step closes. */
#ifndef LAGGARD_LATE_H
#define LAGGARD_LATE_H

enum late_rule {
    LATE_QUEUE,  /* finishes, in order, every task it was sent */
    LATE_LATEST, /* finishes the task it is on, then jumps to the newest model */
    LATE_CANCEL, /* drops what it is doing when the next step opens; what ends at that instant is finished */
    LATE_RULES
};
/* The rules' names in a scenario, in the order of the enum, ended by NULL. */
extern const char *const late_names[];
#endif
