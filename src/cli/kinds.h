/* kinds.h: the families that users choose from, as `list`, the manual and the completion of the shell tell them. */
#ifndef LAGGARD_KINDS_H
#define LAGGARD_KINDS_H
#include "param.h"

/* One family that users choose from. */
struct kind {
    const char *name, *summary;
    const struct family *family;
    const struct param_table *common;             /* keys of every member; NULL: none */
    void (*facts)(const struct variant *variant); /* what else to say of one; NULL: nothing */
    bool (*takes)(const struct variant *variant, const char *key); /* a common key; NULL: every one */
};

/* Ended by a name of NULL. */
extern const struct kind kinds[];
#define KINDS_MAX 16
#endif
