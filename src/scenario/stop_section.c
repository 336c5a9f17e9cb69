/* When a run ends, and what is recorded of it. */
#include "section.h"
#include <math.h>

#define STEPS_MAX 1e9
/* Words of record.every, beyond any count. */
#define EVERY_LOG     4e9
#define EVERY_SUMMARY 4.1e9

#define STOP(member) offsetof(struct stop_spec, member)
static const struct param stop_params[] = {
    {"steps", PARAM_COUNT, STOP(steps), "", .minimum = 1, .maximum = STEPS_MAX,
     .help = "updates of the model"},
    {"loss", PARAM_NUMBER, STOP(loss), "", .above_minimum = true, .help = "F(w) at most this"},
    {"seconds", PARAM_SECONDS, STOP(seconds_s), "", .above_minimum = true, .unit = "s",
     .help = "simulated time"},
};
static const struct param_table stop_table = {PARAM_TABLE(struct stop_spec, stop_params)};

struct record_values {
    uint32_t every;
    bool events, bookings, audit;
};
static const struct param_word every_words[] = {{"log", EVERY_LOG}, {"summary", EVERY_SUMMARY}, {NULL, 0}};
#define RECORD(member) offsetof(struct record_values, member)
static const struct param record_params[] = {
    {"every", PARAM_COUNT, RECORD(every), "1", .minimum = 1, .maximum = STEPS_MAX, .unit = "steps",
     .help = "steps between rows of steps.csv; log: ever farther apart; summary: none", .words = every_words},
    {"events", PARAM_FLAG, RECORD(events), "false", .help = "write events.csv: all that happens"},
    {"bookings", PARAM_FLAG, RECORD(bookings), "true",
     .help = "tell what every worker's seconds were good for; without: no workers.csv, no staleness.csv, and "
             "useful_s "
             "to down_s of runs.csv are empty"},
    {"audit", PARAM_FLAG, RECORD(audit), "false",
     .help = "decode every update: gradient errors, partitions.csv, bounds.csv and theorems.csv"},
};
static const struct param_table record_table = {PARAM_TABLE(struct record_values, record_params)};

bool record_read(struct reading *reading, struct node *mapping, struct record_spec *record) {
    struct record_values values = {0};
    if (!param_bind(&reading->binder, mapping, &record_table, &values))
        return false;
    record->mode = RECORD_EVERY;
    record->every = values.every;
    record->events = values.events;
    record->bookings = values.bookings;
    record->audit = values.audit;
    if (values.every > STEPS_MAX) {
        record->mode = values.every == (uint32_t)EVERY_LOG ? RECORD_LOG : RECORD_SUMMARY;
        record->every = 0;
    }
    return true;
}

bool stop_read(struct reading *reading, struct node *mapping, struct stop_spec *stop) {
    struct stop_spec values = *stop;
    if (!param_bind(&reading->binder, mapping, &stop_table, &values))
        return false;
    *stop = values;
    if (stop->steps == PARAM_ABSENT && isnan(stop->seconds_s))
        return key_error(reading, mapping, "",
                         "at least one of steps and seconds is required, so that every run ends");
    return true;
}
