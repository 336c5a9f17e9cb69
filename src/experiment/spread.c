#include "trial_state.h"
#include <math.h>

static void note(struct spread *spread, double loss) {
    spread->least = spread->models > 0 ? fmin(spread->least, loss) : loss;
    spread->most = spread->models > 0 ? fmax(spread->most, loss) : loss;
    spread->models++;
}

void spread_note_model(struct trial *trial, uint32_t worker) {
    if (trial->audit)
        trial->seat[worker].model_loss = learner_loss(trial->learner[0]);
}

void spread_note_walk(struct trial *trial, double loss) {
    note(&trial->spread, loss);
}

/* Workers that have not been sent a model have none. */
static void note_seats(struct trial *trial) {
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++)
        if (trial->seat[i].sent > 0 && cluster_present(trial->cluster, i))
            note(&trial->spread, trial->seat[i].model_loss);
}

void spread_report(struct trial *trial) {
    trial->row.loss_spread = (double)NAN;
    if (trial->audit && trial->scheme->starts)
        note_seats(trial);
    if (trial->spread.models > 0)
        trial->row.loss_spread = trial->spread.most - trial->spread.least;
    trial->spread = (struct spread){0};
}
