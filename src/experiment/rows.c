#include "rows.h"

#define COLUMN(type, kind, field)                                                                            \
    { #field, kind, offsetof(type, field) }
#define COLUMNS(list)                                                                                        \
    { list, sizeof(list) / sizeof *(list) }

static const struct column step_list[] = {
    COLUMN(struct step_row, COLUMN_COUNT, point),
    COLUMN(struct step_row, COLUMN_TEXT, scheme),
    COLUMN(struct step_row, COLUMN_COUNT, replication),
    COLUMN(struct step_row, COLUMN_COUNT, step),
    COLUMN(struct step_row, COLUMN_NUMBER, time_s),
    COLUMN(struct step_row, COLUMN_COUNT, responders),
    COLUMN(struct step_row, COLUMN_COUNT, recovered),
    COLUMN(struct step_row, COLUMN_NUMBER, loss),
    COLUMN(struct step_row, COLUMN_NUMBER, gradient_error),
    COLUMN(struct step_row, COLUMN_NUMBER, gradient_cosine),
    COLUMN(struct step_row, COLUMN_NUMBER, decode_residual),
    COLUMN(struct step_row, COLUMN_NUMBER, decode_largest),
    COLUMN(struct step_row, COLUMN_NUMBER, staleness_mean),
    COLUMN(struct step_row, COLUMN_NUMBER, staleness_max),
    COLUMN(struct step_row, COLUMN_NUMBER, aggregation_s),
    COLUMN(struct step_row, COLUMN_NUMBER, loss_spread),
};
const struct columns step_columns = COLUMNS(step_list);

static const struct column run_list[] = {
    COLUMN(struct run_row, COLUMN_COUNT, point),
    COLUMN(struct run_row, COLUMN_TEXTS, swept),
    COLUMN(struct run_row, COLUMN_TEXT, scheme),
    COLUMN(struct run_row, COLUMN_TEXT, parameters),
    COLUMN(struct run_row, COLUMN_COUNT, replication),
    COLUMN(struct run_row, COLUMN_LONG, seed),
    COLUMN(struct run_row, COLUMN_TEXT, status),
    COLUMN(struct run_row, COLUMN_COUNT, steps),
    COLUMN(struct run_row, COLUMN_NUMBER, time_s),
    COLUMN(struct run_row, COLUMN_NUMBER, final_loss),
    COLUMN(struct run_row, COLUMN_NUMBER, time_to_loss_s),
    COLUMN(struct run_row, COLUMN_NUMBER, steps_to_loss),
    COLUMN(struct run_row, COLUMN_NUMBER, step_mean_s),
    COLUMN(struct run_row, COLUMN_NUMBER, step_p50_s),
    COLUMN(struct run_row, COLUMN_NUMBER, step_p95_s),
    COLUMN(struct run_row, COLUMN_NUMBER, step_p99_s),
    COLUMN(struct run_row, COLUMN_NUMBER, useful_s),
    COLUMN(struct run_row, COLUMN_NUMBER, redundant_s),
    COLUMN(struct run_row, COLUMN_NUMBER, stale_s),
    COLUMN(struct run_row, COLUMN_NUMBER, discarded_s),
    COLUMN(struct run_row, COLUMN_NUMBER, idle_s),
    COLUMN(struct run_row, COLUMN_NUMBER, down_s),
    COLUMN(struct run_row, COLUMN_COUNT, rounds),
    COLUMN(struct run_row, COLUMN_COUNT, rounds_overrun),
};
const struct columns run_columns = COLUMNS(run_list);

static const struct column tuning_list[] = {
    COLUMN(struct tuning_row, COLUMN_COUNT, point),
    COLUMN(struct tuning_row, COLUMN_TEXTS, swept),
    COLUMN(struct tuning_row, COLUMN_TEXT, scheme),
    COLUMN(struct tuning_row, COLUMN_COUNT, attempt),
    COLUMN(struct tuning_row, COLUMN_NUMBER, learning_rate),
    COLUMN(struct tuning_row, COLUMN_NUMBER, momentum),
    COLUMN(struct tuning_row, COLUMN_COUNT, runs),
    COLUMN(struct tuning_row, COLUMN_NUMBER, reached),
    COLUMN(struct tuning_row, COLUMN_NUMBER, time_to_loss_s),
    COLUMN(struct tuning_row, COLUMN_NUMBER, final_loss),
    COLUMN(struct tuning_row, COLUMN_TEXT, best),
};
const struct columns tuning_columns = COLUMNS(tuning_list);

static const struct column worker_list[] = {
    COLUMN(struct worker_row, COLUMN_COUNT, point),
    COLUMN(struct worker_row, COLUMN_TEXT, scheme),
    COLUMN(struct worker_row, COLUMN_COUNT, replication),
    COLUMN(struct worker_row, COLUMN_COUNT, worker),
    COLUMN(struct worker_row, COLUMN_NUMBER, busy_s),
    COLUMN(struct worker_row, COLUMN_NUMBER, idle_s),
    COLUMN(struct worker_row, COLUMN_NUMBER, down_s),
    COLUMN(struct worker_row, COLUMN_COUNT, used),
    COLUMN(struct worker_row, COLUMN_COUNT, late),
    COLUMN(struct worker_row, COLUMN_NUMBER, participation),
    COLUMN(struct worker_row, COLUMN_LONG, evaluated),
    COLUMN(struct worker_row, COLUMN_LONG, skipped),
    COLUMN(struct worker_row, COLUMN_COUNT, backlog_end),
    COLUMN(struct worker_row, COLUMN_COUNT, backlog_max),
    COLUMN(struct worker_row, COLUMN_COUNT, oldest_steps),
    COLUMN(struct worker_row, COLUMN_NUMBER, gone_s),
    COLUMN(struct worker_row, COLUMN_COUNT, heir),
};
const struct columns worker_columns = COLUMNS(worker_list);

static const struct column partition_list[] = {
    COLUMN(struct partition_row, COLUMN_COUNT, point),
    COLUMN(struct partition_row, COLUMN_TEXT, scheme),
    COLUMN(struct partition_row, COLUMN_COUNT, replication),
    COLUMN(struct partition_row, COLUMN_COUNT, partition),
    COLUMN(struct partition_row, COLUMN_NUMBER, participation),
    COLUMN(struct partition_row, COLUMN_NUMBER, weight_mean),
    COLUMN(struct partition_row, COLUMN_NUMBER, weight_min),
    COLUMN(struct partition_row, COLUMN_NUMBER, weight_max),
};
const struct columns partition_columns = COLUMNS(partition_list);

static const struct column staleness_list[] = {
    COLUMN(struct staleness_row, COLUMN_COUNT, point),
    COLUMN(struct staleness_row, COLUMN_TEXT, scheme),
    COLUMN(struct staleness_row, COLUMN_COUNT, replication),
    COLUMN(struct staleness_row, COLUMN_COUNT, staleness),
    COLUMN(struct staleness_row, COLUMN_LONG, count),
};
const struct columns staleness_columns = COLUMNS(staleness_list);

static const struct column bound_list[] = {
    COLUMN(struct bound_row, COLUMN_COUNT, point),        COLUMN(struct bound_row, COLUMN_TEXT, scheme),
    COLUMN(struct bound_row, COLUMN_COUNT, replication),  COLUMN(struct bound_row, COLUMN_COUNT, step),
    COLUMN(struct bound_row, COLUMN_NUMBER, excess_loss), COLUMN(struct bound_row, COLUMN_NUMBER, bound),
};
const struct columns bound_columns = COLUMNS(bound_list);

static const struct column theorem_list[] = {
    COLUMN(struct theorem_row, COLUMN_COUNT, point),
    COLUMN(struct theorem_row, COLUMN_TEXT, scheme),
    COLUMN(struct theorem_row, COLUMN_COUNT, replication),
    COLUMN(struct theorem_row, COLUMN_TEXT, theorem),
    COLUMN(struct theorem_row, COLUMN_NUMBER, smoothness),
    COLUMN(struct theorem_row, COLUMN_NUMBER, convexity),
    COLUMN(struct theorem_row, COLUMN_NUMBER, xi),
    COLUMN(struct theorem_row, COLUMN_NUMBER, gamma),
    COLUMN(struct theorem_row, COLUMN_NUMBER, learning_rate),
    COLUMN(struct theorem_row, COLUMN_NUMBER, learning_rate_limit),
    COLUMN(struct theorem_row, COLUMN_TEXT, holds),
    COLUMN(struct theorem_row, COLUMN_TEXT, reason),
    COLUMN(struct theorem_row, COLUMN_NUMBER, rate),
    COLUMN(struct theorem_row, COLUMN_COUNT, exceeded_step),
};
const struct columns theorem_columns = COLUMNS(theorem_list);

static const struct column event_list[] = {
    COLUMN(struct event_row, COLUMN_COUNT, point),       COLUMN(struct event_row, COLUMN_TEXT, scheme),
    COLUMN(struct event_row, COLUMN_COUNT, replication), COLUMN(struct event_row, COLUMN_NUMBER, time_s),
    COLUMN(struct event_row, COLUMN_TEXT, event),        COLUMN(struct event_row, COLUMN_COUNT, worker),
    COLUMN(struct event_row, COLUMN_COUNT, step),        COLUMN(struct event_row, COLUMN_COUNT, part),
};
const struct columns event_columns = COLUMNS(event_list);

#define MEASURED(name, measure_index, part)                                                                  \
    { name, COLUMN_NUMBER, offsetof(struct summary_row, measure[measure_index][part]) }
#define MEASURE_COLUMNS(name, index)                                                                         \
    MEASURED(name "_mean", index, 0), MEASURED(name "_sd", index, 1), MEASURED(name "_low", index, 2),       \
        MEASURED(name "_high", index, 3), MEASURED("diff_" name, index, 4),                                  \
        MEASURED("diff_" name "_low", index, 5), MEASURED("diff_" name "_high", index, 6)

static const struct column summary_list[] = {
    COLUMN(struct summary_row, COLUMN_COUNT, point),
    COLUMN(struct summary_row, COLUMN_TEXTS, swept),
    COLUMN(struct summary_row, COLUMN_TEXT, scheme),
    COLUMN(struct summary_row, COLUMN_TEXT, parameters),
    COLUMN(struct summary_row, COLUMN_COUNT, runs),
    COLUMN(struct summary_row, COLUMN_NUMBER, reached),
    MEASURE_COLUMNS("time_s", MEASURE_TIME),
    MEASURE_COLUMNS("steps", MEASURE_STEPS),
    MEASURE_COLUMNS("final_loss", MEASURE_FINAL_LOSS),
    MEASURE_COLUMNS("time_to_loss_s", MEASURE_TIME_TO_LOSS),
    MEASURE_COLUMNS("steps_to_loss", MEASURE_STEPS_TO_LOSS),
    MEASURE_COLUMNS("step_mean_s", MEASURE_STEP_MEAN),
    MEASURE_COLUMNS("step_p50_s", MEASURE_STEP_P50),
    MEASURE_COLUMNS("step_p95_s", MEASURE_STEP_P95),
    MEASURE_COLUMNS("step_p99_s", MEASURE_STEP_P99),
    COLUMN(struct summary_row, COLUMN_NUMBER, target_loss),
    MEASURE_COLUMNS("gradient_error", MEASURE_GRADIENT_ERROR),
    MEASURE_COLUMNS("gradient_cosine", MEASURE_GRADIENT_COSINE),
    MEASURE_COLUMNS("decode_residual", MEASURE_DECODE_RESIDUAL),
    MEASURE_COLUMNS("decode_largest", MEASURE_DECODE_LARGEST),
};
const struct columns summary_columns = COLUMNS(summary_list);

struct summary_row summary_row_of(const struct summary *summary) {
    struct summary_row row = {.point = summary->point,
                              .swept = summary->swept,
                              .scheme = summary->scheme,
                              .parameters = summary->parameters,
                              .runs = summary->runs,
                              .reached = summary->reached,
                              .target_loss = summary->target_loss};
    for (size_t x = 0; x < MEASURES; x++) {
        struct estimate mean = summary->measure[x], difference = summary->difference[x];
        const double parts[7] = {mean.mean,       mean.deviation, mean.low,       mean.high,
                                 difference.mean, difference.low, difference.high};
        for (size_t part = 0; part < 7; part++)
            row.measure[x][part] = parts[part];
    }
    return row;
}
