#include "tournament.h"
#include "elementary.h"
#include "memory.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>

void tournament_init(struct tournament *tournament, uint32_t players) {
    size_t leaves = 2;
    while (leaves < players)
        leaves *= 2;
    *tournament =
        (struct tournament){.node = memory_zeroed(2 * leaves, sizeof *tournament->node), .leaves = leaves};
    for (size_t v = leaves; v < 2 * leaves; v++)
        tournament->node[v] = (struct entrant){elementary_bits((double)INFINITY), (uint32_t)(v - leaves)};
    for (size_t v = leaves - 1; v > 0; v--)
        tournament->node[v] = tournament->node[2 * v];
}

void tournament_fini(struct tournament *tournament) {
    free(tournament->node);
    *tournament = (struct tournament){0};
}

/* Who of two is earlier is a toss-up, which the processor cannot foresee: the winner is taken by arithmetic. Written as a
 * choice, it would become a branch. */
static void play(struct tournament *tournament, size_t leaf) {
    struct entrant *node = tournament->node;
    uint64_t time = node[leaf].time;
    uint32_t player = node[leaf].player;
    for (size_t v = leaf; v > 1; v /= 2) {
        const struct entrant *rival = &node[v ^ 1];
        uint64_t loses = -(uint64_t)(rival->time < time + (v & 1));
        time ^= (time ^ rival->time) & loses;
        player ^= (player ^ rival->player) & (uint32_t)loses;
        node[v / 2] = (struct entrant){time, player};
    }
}

void tournament_set(struct tournament *tournament, uint32_t player, double time_s) {
    assert(time_s >= 0);
    size_t leaf = tournament->leaves + player;
    tournament->node[leaf].time = elementary_bits(time_s + 0.0); /* -0 becomes 0 */
    if (tournament->withdrawn == leaf)
        tournament->withdrawn = 0;
    play(tournament, leaf);
}

void tournament_withdraw(struct tournament *tournament, uint32_t player) {
    size_t leaf = tournament->leaves + player;
    tournament->node[leaf].time = elementary_bits((double)INFINITY);
    if (tournament->withdrawn == leaf)
        return;
    if (tournament->withdrawn)
        play(tournament, tournament->withdrawn);
    tournament->withdrawn = leaf;
}

struct entry tournament_winner(struct tournament *tournament) {
    if (tournament->withdrawn)
        play(tournament, tournament->withdrawn);
    tournament->withdrawn = 0;
    return (struct entry){elementary_from_bits(tournament->node[1].time), tournament->node[1].player};
}
