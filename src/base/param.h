/* param.h: parameters as tables. One table says how a mapping of a scenario is parsed, checked, defaulted, written
 * back and listed; nothing about a parameter is written twice.
 * Knows no scheme, law or file format. */
#ifndef LAGGARD_PARAM_H
#define LAGGARD_PARAM_H
#include "tree.h"

enum param_kind {
    PARAM_NUMBER,  /* double; NAN when optional and absent */
    PARAM_SECONDS, /* double, in seconds; text takes ms, s, min, h; NAN when absent */
    PARAM_COUNT,   /* uint32_t; PARAM_ABSENT when absent */
    PARAM_SEED,    /* uint64_t, up to 2^64 - 1; 0 when absent */
    PARAM_FLAG,    /* bool; true | false; false when absent */
    PARAM_TEXT,    /* const char *; NULL when absent */
    PARAM_PATH,    /* const char *, resolved against the scenario's folder; NULL when absent */
    PARAM_CHOICE,  /* uint32_t: index into `choices`; PARAM_ABSENT when absent */
    PARAM_STRUCT,  /* pointer to a struct filled by `table`; NULL when absent */
    PARAM_LIST,    /* struct param_list of structs filled by `table`, at least one */
    PARAM_TEXTS,   /* struct param_list of const char *; count 0 when absent */
    PARAM_ANY, /* struct node *: any value, taken as it stands (its reader checks it); NULL when absent, a new
                      implied mapping when absent with the fallback "{}" */
};
#define PARAM_ABSENT UINT32_MAX
/* Longest time that is accepted where a table names no other: thirty million years. Sums of such times stay finite. */
#define PARAM_SECONDS_MAX 1e15

struct param_list {
    uint32_t count;
    void *items;
};

/* A word accepted in place of a number, and the number it stands for (full: 0, never: INFINITY). */
struct param_word {
    const char *word;
    double value;
};

struct param_table;
struct param {
    const char *name;
    enum param_kind kind;
    size_t offset;        /* in the struct that the table fills */
    const char *fallback; /* NULL: required; "": may be absent; else the default as a scalar's text; for a
                                 struct a mapping of scalars such as {type: constant, value: 0s}, or "{}": all in it
                                 takes its default */
    double minimum,
        maximum;        /* of numbers, counts and seconds, both included; minimum -INFINITY, maximum 0: none,
                    of seconds PARAM_SECONDS_MAX */
    bool above_minimum; /* the minimum itself is refused */
    const char *unit;   /* for lists and help: "s", "partitions"…; NULL: none */
    const char *help;   /* one line, no full stop */
    const char *const *choices;      /* PARAM_CHOICE: ended by NULL */
    const struct param_word *words;  /* numbers: ended by {NULL, 0}; NULL: none */
    const struct param_table *table; /* PARAM_STRUCT, PARAM_LIST */
};

/* The head of every variant's descriptor (first member): a scheme, a law, a loss, an optimizer… */
struct variant {
    const char *name, *summary, *source; /* source: the text that defines it; NULL: of figures alone */
    const struct param_table *params;    /* NULL: no parameters */
};

/* Variants that the key `type` chooses from. */
struct family {
    const char *noun;                      /* "scheme", "law": for messages */
    const struct variant *const *variants; /* ended by NULL */
    const char *fallback;                  /* type when the key is absent; NULL: required */
};

/* What was chosen. `params` is the struct that type->params fills, or NULL. */
struct picked {
    const struct variant *type;
    void *params;
};

struct param_table {
    size_t size; /* of the struct it fills, zeroed before */
    const struct param *param;
    size_t count;
    const struct family
        *family;   /* NULL, or: `type` picks a variant, whose parameters stand in the same mapping */
    size_t picked; /* offset of the struct picked */
    /* NULL, or a check of values against each other. Returns NULL when they agree; else writes why and returns
     * the key at fault ("" for the mapping). Parameters that failed their own check are not seen: it is called
     * only when all were read. Variants' tables have it too. */
    const char *(*check)(const void *values, struct sentence *why);
};
#define PARAM_TABLE(type, list) .size = sizeof(type), .param = (list), .count = sizeof(list) / sizeof *(list)

struct binder {
    struct diag *diag;
    struct arena *arena;
    const char *folder; /* paths are resolved against it; NULL: the working folder */
};

/* Reads `mapping` by `table` into `values` (table->size bytes). Absent keys with a default are appended to the
 * mapping as implied nodes, so the tree becomes the scenario with every default written out. Every mistake
 * (unknown key, with the nearest name; missing key; wrong kind; out of range; unknown variant) is
 * told at its place. Returns true when none was found. */
bool param_bind(struct binder *binder, struct node *mapping, const struct param_table *table, void *values);

/* Seconds in a text such as 20ms, 1.5 s, 5 min, 1h or 3; false when it is not a duration. */
bool param_seconds(const char *text, double *seconds_s);
/* A finite decimal number: the whole text, no hexadecimal, nan or inf. */
bool param_number(const char *text, double *number);

/* The accepted range of a parameter in words: "a whole number in [1, 1000000]", "seconds above 0", "sgd | adam". */
void param_range(const struct param *param, struct sentence *out);

/* The variant of a family by name, or NULL. */
const struct variant *family_find(const struct family *family, const char *name);

/* `key=value` pairs of the parameters in `table` that stand in `mapping`, sorted by key, joined by ';' (scalars
 * only). In the arena. */
const char *param_summary(struct arena *arena, const struct node *mapping, const struct param_table *table);
#endif
