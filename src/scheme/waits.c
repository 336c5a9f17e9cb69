#include "wait.h"

#define WAIT(name) extern const struct wait_rule name;
#include "waits.def"
#undef WAIT

static const struct variant *const variants[] = {
#define WAIT(name) &name.head,
#include "waits.def"
#undef WAIT
    NULL};

const struct family wait_family = {.noun = "wait rule", .variants = variants};
const struct param_table wait_table = {.size = sizeof(struct picked), .family = &wait_family};

static const struct verdict listen = {.action = LISTEN, .alarm_s = NO_ALARM};

static const struct wait_rule *rule_of(const struct picked *picked) {
    return (const struct wait_rule *)picked->type;
}

uint32_t wait_needed(uint32_t workers, uint32_t stragglers) {
    return stragglers < workers ? workers - stragglers : 0;
}

struct verdict wait_open(const struct picked *rule, const struct hearing *hearing) {
    return rule_of(rule)->open ? rule_of(rule)->open(rule->params, hearing) : listen;
}

struct verdict wait_hear(const struct picked *rule, const struct hearing *hearing) {
    return rule_of(rule)->hear(rule->params, hearing);
}

struct verdict wait_alarm(const struct picked *rule, const struct hearing *hearing) {
    return rule_of(rule)->alarm ? rule_of(rule)->alarm(rule->params, hearing) : listen;
}
