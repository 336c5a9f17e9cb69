/* scenario.h: a validated, immutable scenario: what one point of a study asks for. Filled from a tree by
 * tables; the tables of laws, data, schemes… are their layers' own. Knows no threads, output or
 * simulation. */
#ifndef LAGGARD_SCENARIO_H
#define LAGGARD_SCENARIO_H
#include "cluster.h"
#include "dataset.h"
#include "objective.h"
#include "optimizer.h"
#include "scheme.h"
#include "staleness.h"

enum decode_mode { DECODE_SHARED, DECODE_REAL };

/* One entry of `schemes`. */
struct scheme_entry {
    struct picked scheme;
    const char *label;              /* unique; default: the type, with parameters where types repeat */
    const struct picked *wait;      /* resolved: never NULL after reading */
    uint32_t late;                  /* enum late_rule, resolved */
    uint32_t decode;                /* enum decode_mode */
    const struct picked *staleness; /* never NULL after reading */
    const char *parameters;         /* stragglers=2;copies=3: scenario keys, sorted */
    uint32_t partitions;            /* k, resolved: the number of workers, or what its file says */
};

/* Fills a struct scheme_entry, but for `parameters` and `partitions`. */
extern const struct param_table scheme_entry_table;

struct problem_spec {
    struct picked loss; /* type NULL: none (timing only) */
    double l2;
    const struct picked *data; /* NULL with loss none */
    uint32_t partitions; /* resolved: the number of workers, or what all schemes have; see scheme_entry */
    uint32_t batch;      /* 0: full */
    bool shuffle;
    enum precision precision;
    double message_bytes; /* NAN: 8 bytes a feature, or 0 with loss none */
    double result_bytes;  /* NAN: message_bytes, or what compression makes of it */
};

struct stop_spec {
    uint32_t steps;         /* PARAM_ABSENT: no limit */
    double loss, seconds_s; /* NAN: no limit */
};

enum record_mode { RECORD_EVERY, RECORD_LOG, RECORD_SUMMARY };
struct record_spec {
    uint32_t every; /* n; 0 for log and summary */
    enum record_mode mode;
    bool events;
    bool bookings; /* what every worker's seconds were good for is told */
    bool audit;    /* every update is decoded and measured against the full gradient */
};

/* How the times of steps are drawn: those of all workers, or the one that closes a step by itself (beta_rounds.h). */
enum method { METHOD_EVENTS, METHOD_BETA };
extern const char *const method_names[];

/* A number of the optimizer that is searched for every scheme by itself, before schemes are compared. */
struct tuned_range {
    const char *key; /* see optimizer_number */
    double low, high;
};
#define TUNED_MAX 2

struct scenario {
    const char *name;
    uint64_t seed;
    uint32_t method;       /* enum method */
    uint32_t replications; /* the most where half_width is given */
    double
        half_width; /* replications go on until comparisons are so narrow, see tally_settled; NAN: their number is
                              fixed */
    struct problem_spec problem;
    struct objective objective;             /* data NULL with loss none; schemes may have other partitions */
    const struct optimizer_spec *optimizer; /* NULL with loss none */
    uint32_t tunes;
    struct tuned_range tuned[TUNED_MAX]; /* [tunes] */
    struct stop_spec stop;
    struct cluster_spec cluster;
    double model_bytes, result_bytes; /* of a model on its way to a worker, of a message back */
    double master_s;                  /* master.decode + master.update */
    uint32_t schemes;
    struct scheme_entry *scheme;
    struct record_spec record;
    struct node *tree; /* the tree it was read from, every default written out */
};

/* Reads the tree (which is completed by defaults) into a scenario in `arena` and loads what it names:
 * data, traces, codes. Files are found on or put on the shelf. NULL after every mistake was told. */
struct scenario *scenario_read(struct diag *diag, struct arena *arena, struct shelf *shelf,
                               struct node *tree);
/* What the scheme of an entry runs under. */
struct setting scenario_setting(const struct scenario *scenario, const struct scheme_entry *entry);

/* Estimates that make an update. */
uint32_t scenario_accumulated(const struct scenario *scenario);

/* Files that the scenario read, for the manifest: calls `visit` for each. */
void scenario_files(const struct scenario *scenario, void (*visit)(void *context, const char *path),
                    void *context);
#endif
