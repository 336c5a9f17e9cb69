/* The tournament against a slow obvious twin: an array searched from its first entry for the smallest. */
#include "stream.h"
#include "tournament.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

#define MOST 40

static struct entry least(const double *time_s, uint32_t players) {
    struct entry least = {time_s[0], 0};
    for (uint32_t i = 1; i < players; i++)
        if (time_s[i] < least.time_s)
            least = (struct entry){time_s[i], i};
    return least;
}

/* Few different times, so that most have equals; withdrawals that a new time follows and such that none does. */
static void play_random_turns(uint32_t players) {
    struct tournament tournament;
    double time_s[MOST];
    for (uint32_t i = 0; i < players; i++)
        time_s[i] = (double)INFINITY;
    tournament_init(&tournament, players);
    for (uint32_t turn = 0; turn < 2000; turn++) {
        struct draw draw = {{players, 0, PURPOSE_DATA}, 0, turn, 0};
        const uint32_t player = draw_index(&draw, players), deed = draw_index(&draw, 4);
        time_s[player] = deed == 0 ? (double)INFINITY : draw_index(&draw, 5) * 0.5;
        if (deed <= 1)
            tournament_withdraw(&tournament, player);
        if (deed > 0)
            tournament_set(&tournament, player, time_s[player]);
        if (draw_index(&draw, 2) == 0)
            continue;
        struct entry wanted = least(time_s, players), found = tournament_winner(&tournament);
        cr_assert(eq(dbl, found.time_s, wanted.time_s), "%u players, turn %u", players, turn);
        if (isfinite(wanted.time_s))
            cr_assert(eq(u32, found.player, wanted.player), "%u players, turn %u", players, turn);
    }
    tournament_fini(&tournament);
}

Test(tournament, equals_a_search) {
    for (uint32_t players = 1; players <= MOST; players++)
        play_random_turns(players);
}

Test(tournament, nobody_has_a_time_at_first) {
    struct tournament tournament;
    tournament_init(&tournament, 5);
    cr_assert(eq(dbl, tournament_winner(&tournament).time_s, (double)INFINITY));
    tournament_set(&tournament, 4, -0.0);
    cr_assert(eq(dbl, tournament_winner(&tournament).time_s, 0));
    cr_assert(eq(u32, tournament_winner(&tournament).player, 4));
    tournament_fini(&tournament);
}
