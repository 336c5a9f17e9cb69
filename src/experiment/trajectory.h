/* trajectory.h: the versions that a model goes through while every estimate is the full gradient at the present one. They depend on
 * the objective and the optimizer alone, not on delays, scheme or replication, so all runs of a plan share them: a trajectory is
 * extended by whoever gets ahead on it first, and a learner that leaves it takes the model along. Safe in several threads.
 * Knows no run, message or clock. */
#ifndef LAGGARD_TRAJECTORY_H
#define LAGGARD_TRAJECTORY_H
#include "gradients.h"
#include "model.h"

/* All trajectories that are in use, and some that were lately. */
struct trajectories;
struct trajectories *trajectories_new(void);
/* Nobody is on a trajectory any more. */
void trajectories_free(struct trajectories *trajectories);

struct trajectory;
/* The trajectory of an equal objective, sums of partitions in the same order, and of an equal optimizer; a new one where there
 * is none. NULL where versions depend on more: on mini-batches, or on how many workers are used. Data and optimizers outlive
 * the trajectories. */
struct trajectory *trajectory_join(struct trajectories *trajectories, const struct objective *objective,
                                   const struct optimizer_spec *optimizer);
/* Whoever joined no longer needs it. */
void trajectory_part(struct trajectories *trajectories, struct trajectory *trajectory);

/* Whether the version has been reached. */
bool trajectory_reaches(const struct trajectory *trajectory, uint32_t version);
/* F at the version, and what model_turn was there; they take the trajectory there, alone, if need be. */
double trajectory_loss(struct trajectory *trajectory, uint32_t version);
double trajectory_turn(struct trajectory *trajectory, uint32_t version);

/* To take it there together with others: true where nobody else is at it, with what is wanted at the version; nobody else
 * extends the trajectory until trajectory_reach, after it was taken. The version is at most the one after those reached. */
bool trajectory_want(struct trajectory *trajectory, uint32_t version, struct wanted_gradients *wanted);
void trajectory_reach(struct trajectory *trajectory);

/* The model as it was at a version that has been reached. */
void trajectory_leave(struct trajectory *trajectory, uint32_t version, struct model *model);
/* The gradients at that version; false: they are not kept. */
bool trajectory_gradients(struct trajectory *trajectory, uint32_t version, struct gradients *gradients);
#endif
