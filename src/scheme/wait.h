/* wait.h: when the master stops listening. One file per rule.
 * Knows only counts, times and whether what was heard decodes; not who was heard. */
#ifndef LAGGARD_WAIT_H
#define LAGGARD_WAIT_H
#include "param.h"
#include <math.h>
#include <stdint.h>

/* What a rule may look at after an arrival or an alarm. Times are seconds since the step opened. */
struct hearing {
    uint32_t workers;    /* asked: n */
    uint32_t stragglers; /* the code bears this many: s */
    uint32_t heard;      /* results arrived so far, this one included */
    double elapsed_s;    /* now */
    double first_s;      /* the step's first arrival */
    bool decodable;      /* what was heard gives the exact gradient */
    bool admitted;       /* the code bears those not heard as stragglers; looked at by alarms */
};

enum action { LISTEN, CLOSE };
struct verdict {
    enum action action;
    double alarm_s; /* since the step opened: wake me then, once; NO_ALARM: the one set before stands */
};
#define NO_ALARM ((double)INFINITY)

#define ONLY_DECODABLE UINT32_MAX

/* Stragglers of a scheme that can do without anybody. */
#define ANY_STRAGGLERS UINT32_MAX
/* n - s; 0 of such a scheme. */
uint32_t wait_needed(uint32_t workers, uint32_t stragglers);

struct wait_rule {
    struct variant head;
    /* Before the first arrival: may set an alarm. NULL: just listen. */
    struct verdict (*open)(const void *params, const struct hearing *hearing);
    struct verdict (*hear)(const void *params, const struct hearing *hearing);
    /* At its alarm, after all arrivals of that very instant. NULL: sets none. */
    struct verdict (*alarm)(const void *params, const struct hearing *hearing);
    /* Results that are in hand whenever the rule closes, given n and s; ONLY_DECODABLE: it closes only then. */
    uint32_t (*assured)(const void *params, uint32_t workers, uint32_t stragglers);
    /* With these parameters it closes at this times the first arrival if the code admits those who are not heard then, else
     * with the last result; NAN: not so. NULL: never. */
    double (*factor)(const void *params);
    bool or_decodable; /* it may close with fewer once they give the exact gradient */
    /* NULL: never; else refuses parameters for n workers, writing why. */
    bool (*refuses)(const void *params, uint32_t workers, uint32_t stragglers, struct sentence *why);
};
extern const struct family wait_family;     /* all, count, decodable, deadline */
extern const struct param_table wait_table; /* fills a struct picked */

struct verdict wait_open(const struct picked *rule, const struct hearing *hearing);
struct verdict wait_hear(const struct picked *rule, const struct hearing *hearing);
struct verdict wait_alarm(const struct picked *rule, const struct hearing *hearing);
#endif
