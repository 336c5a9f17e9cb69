/* heat.h: runs that are looked at and thrown away: settings that compete, in several threads. The outcome depends on no
 * number of threads. Knows no file, no order of merit beyond the one of two settings. */
#ifndef LAGGARD_HEAT_H
#define LAGGARD_HEAT_H
#include "agenda.h"
#include "progress_line.h"

/* A setting that competes. */
struct entrant {
    const struct scenario *scenario;
    const struct scheme_entry *entry; /* of that scenario */
};

/* What a run came to. */
struct showing {
    double
        cost; /* what is to be small: seconds to the target loss; without one the loss at the end; without any loss seconds
                    per step. INFINITY: the target was not reached, or the run diverged or stalled */
    double final_loss, time_s; /* at its end; the loss is NAN without one */
    double first_loss;         /* of its first recorded row; NAN: none was recorded */
};

/* As a line of text that reads back to the same numbers. */
#define SHOWING_BYTES 128
void showing_print(char line[SHOWING_BYTES], const struct showing *showing);
bool showing_read(struct showing *showing, const char *line);

/* Where showings are kept, so that a run which was made once is not made again. */
struct heat_book {
    /* The next that was kept before; false: there is none, nor any after it. */
    bool (*recall)(void *context, struct showing *showing);
    /* False: it could not be kept. */
    bool (*keep)(void *context, const struct showing *showing);
    void *context;
};

struct heat {
    const struct entrant *entrant;
    size_t entrants;
    const struct run_id *run; /* `contest` is the entrant */
    size_t runs;
    unsigned threads;
    struct progress_line *progress; /* NULL: none */
    size_t runs_in_all;             /* of all heats, for the progress */
    const struct heat_book *book;   /* NULL: nothing is kept */
};
/* Fills showing[heat->runs]. False where the book could not keep them: it ends then. */
bool heat_run(const struct heat *heat, struct showing *showing);

/* What a setting's runs make together, in the order in which they count: the share that came to an end worth having, the mean
 * cost of those, the mean loss at the end. */
struct merit {
    double reached, cost, final_loss;
};
struct merit merit_of(const struct showing *showing, size_t runs);
/* Below 0: `a` is the better one; 0: they are equal. By costs the loss counts only where neither came to such an end: schemes that
 * do the same in other orders of additions differ in its last digits. */
int merit_compare(const struct merit *a, const struct merit *b);
int merit_compare_costs(const struct merit *a, const struct merit *b);
#endif
