/* section.h: the sections of a scenario file and how they are read; for src/scenario alone. A section
 * binds its own mapping, so that a mistake in one does not hide the mistakes of another. Every function
 * that returns bool returns false after telling why at the key at fault. */
#ifndef LAGGARD_SECTION_H
#define LAGGARD_SECTION_H
#include "scenario.h"

/* What all sections are read with. */
struct reading {
    struct binder binder;
    struct shelf *shelf;
    struct node *tree;
    /* The tree has a sweep: defaults that follow from other keys differ from point to point, so they are resolved
     * but not written into the tree. */
    bool sweeps;
};

/* The cluster section; spec.workers is 0 when the groups could not be read. */
struct cluster_section {
    struct cluster_spec spec;
    double master_s;
    uint32_t late; /* enum late_rule for all schemes; PARAM_ABSENT: each scheme's default */
};

/* What a scheme entry is checked against. */
struct surroundings {
    struct shape shape;
    enum load_rule load;
    uint32_t late; /* as in struct cluster_section */
    bool batches;
    bool endless;        /* `stop` was read and names no steps */
    uint32_t accumulate; /* estimates that make an update */
    enum topology topology;
    bool overlap;
    const struct optimizer_spec *optimizer; /* NULL: there is none, or it could not be read */
    bool learns;                            /* there is a loss, or it could not be read */
};

/* What is to be tuned: none, or numbers that the optimizer has and the sweep leaves alone, in intervals of accepted values. */
bool tune_read(struct reading *reading, struct node *mapping, struct scenario *scenario);

/* `stop` is left as it was where it could not be read. */
bool stop_read(struct reading *reading, struct node *mapping, struct stop_spec *stop);
bool record_read(struct reading *reading, struct node *mapping, struct record_spec *record);

/* problem.loss is `none`, or the name of a loss: then data is required. */
bool problem_read(struct reading *reading, struct node *mapping, struct problem_spec *problem);
/* Resolves problem.partitions: the number of workers, or as many as every scheme has. */
bool problem_partition(struct reading *reading, struct node *mapping, struct scenario *scenario);
/* Loads the data set, or finds it on the shelf, and fills `objective`; checks that the partitions of every scheme that was
 * settled fit the data. */
bool objective_load(struct reading *reading, struct node *mapping, const struct scenario *scenario,
                    struct objective *objective);

bool cluster_read(struct reading *reading, struct node *mapping, struct cluster_section *section);

/* Binds every entry of the list and loads its files; `bound` says of each whether it was free of mistakes. False unless all
 * were. */
bool schemes_read(struct reading *reading, struct node *list, struct scenario *scenario, bool *bound);
/* Resolves wait and late rule of an entry that was read and checks it against its surroundings. */
bool scheme_settle(struct reading *reading, struct node *mapping, struct scheme_entry *entry,
                   const struct surroundings *around);
/* Gives every entry its label and checks that they differ. */
bool labels_settle(struct reading *reading, struct node *list, struct scenario *scenario);

/* The method goes with the cluster, the schemes and what is recorded, all of which were read. */
bool method_settle(struct reading *reading, const struct scenario *scenario);

/* Tells a mistake at `key` of `mapping`, or at the mapping where the key is absent. Returns false. */
bool key_error(struct reading *reading, const struct node *mapping, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The first key of `mapping` that a sentence about the parameters of `type` names; "type" where it names none. */
const char *key_in_sentence(const struct node *mapping, const struct variant *type,
                            const struct sentence *why);
/* Appends an implied scalar under `key`. */
void write_default(struct reading *reading, struct node *mapping, const char *key, const char *text);
/* The same, unless the tree sweeps. */
void write_derived(struct reading *reading, struct node *mapping, const char *key, const char *text);
/* The type of a law that replays measurements, or has one among its parts: it holds one time per worker and round, so
 * there are no further independent draws. NULL: none in this tree. */
const struct node *replay_in(const struct node *node);
/* Every file that a mapping names can be opened. */
bool files_check(struct reading *reading, const struct node *node);
/* Mistakes told so far of the file that a mapping names. */
size_t file_errors(const struct reading *reading, const struct node *node);
/* Tells at the key of the file that it cannot be used, if more mistakes than `errors` were told of it: those say what
 * is wrong, and this, who asked for the file. */
void file_blame(struct reading *reading, const struct node *node, size_t errors);
/* Text that stands in file names, tables and figures: neither empty, nor longer than 80 bytes, nor holding
 * control characters. */
bool text_check(struct reading *reading, const struct node *mapping, const char *key, const char *text);
#endif
