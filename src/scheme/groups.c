#include "groups.h"
#include <string.h>

void groups_begin(struct groups *groups, uint32_t workers, uint32_t copies, struct arena *arena) {
    groups->copies = copies;
    groups->groups = workers / copies;
    groups->heard = arena_zeroed(arena, groups->groups, sizeof *groups->heard);
    groups->first = arena_zeroed(arena, groups->groups, sizeof *groups->first);
}

void groups_open(struct groups *groups) {
    groups->answered = 0;
    memset(groups->heard, 0, groups->groups * sizeof *groups->heard);
}

void groups_hear(struct groups *groups, const struct message *message) {
    bool *heard = &groups->heard[message->worker / groups->copies];
    groups->answered += !*heard;
    *heard = true;
}

bool groups_complete(const struct groups *groups) {
    return groups->answered == groups->groups;
}

void groups_choose(struct groups *groups, const struct message *message, uint32_t messages,
                   struct decoding *out) {
    for (uint32_t g = 0; g < groups->groups; g++)
        groups->first[g] = messages;
    for (uint32_t m = 0; m < messages; m++) {
        uint32_t *first = &groups->first[message[m].worker / groups->copies];
        if (*first == messages || message[m].arrived_s < message[*first].arrived_s)
            *first = m;
        out->weight[m] = 0;
    }
    out->recovered = 0;
    for (uint32_t g = 0; g < groups->groups; g++) {
        if (groups->first[g] < messages) {
            out->weight[groups->first[g]] = 1;
            out->recovered += groups->copies;
        }
    }
}
