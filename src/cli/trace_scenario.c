#include "trace_scenario.h"
#include <string.h>

static const char *value_or(const struct call *call, const char *option, const char *otherwise) {
    const char *value = option_value(call, option);
    return value ? value : otherwise;
}

/* A word as YAML has it whatever it holds. */
static const char *quoted(struct arena *arena, const char *word) {
    const char *text = "'";
    for (; *word; word++)
        text = arena_format(arena, *word == '\'' ? "%s''" : "%s%c", text, *word);
    return arena_format(arena, "%s'", text);
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static const char *data_text(struct call *call) {
    const char *data = option_value(call, "data"), *label = option_value(call, "label");
    if (*data == '{')
        return data;
    const char *type = ends_with(data, ".csv") || ends_with(data, ".csv.gz") ? "csv" : "libsvm";
    return arena_format(call->arena, "{type: %s, path: %s%s%s}", type, quoted(call->arena, data),
                        label ? ", label: " : "", label ? quoted(call->arena, label) : "");
}

static bool has_loss(const struct call *call) {
    return strcmp(value_or(call, "loss", "none"), "none") != 0;
}

static const char *problem_text(struct call *call) {
    const char *loss = option_value(call, "loss");
    if (!has_loss(call))
        return "problem: {loss: none}\n";
    return arena_format(call->arena, "problem: {loss: %s, data: %s}\noptimizer: {learning_rate: %s}\n",
                        quoted(call->arena, loss), data_text(call), value_or(call, "learning-rate", "0.5"));
}

/* round=NAME,… as a mapping. */
static bool columns_text(struct call *call, const char **text) {
    const char *columns = option_value(call, "columns");
    *text = "";
    for (const char *pair = columns; pair && *pair;) {
        size_t length = strcspn(pair, ",");
        const char *equals = memchr(pair, '=', length);
        if (!equals)
            return usage_error(call, "option '--columns' takes round=NAME,worker=NAME,value=NAME, found '%s'",
                               columns),
                   false;
        const char *key = arena_text(call->arena, pair, (size_t)(equals - pair));
        const char *name = arena_text(call->arena, equals + 1, length - (size_t)(equals + 1 - pair));
        *text = arena_format(call->arena, "%s%s%s: %s", *text, **text ? ", " : "", key,
                             quoted(call->arena, name));
        pair += length + (pair[length] == ',');
    }
    if (**text)
        *text = arena_format(call->arena, ", columns: {%s}", *text);
    return true;
}

static bool text_make(struct call *call, const char **text) {
    const char *target = option_value(call, "target"), *columns;
    if (!columns_text(call, &columns))
        return false;
    *text = arena_format(
        call->arena,
        "name: advice\n%sstop: {steps: %s%s%s}\ncluster:\n  workers:\n    - count: %s\n      compute: "
        "{type: trace, path: %s%s, scale: %s, beyond: bootstrap}\nschemes: [{type: uncoded}]\n",
        problem_text(call), value_or(call, "steps", "500"), target ? ", loss: " : "", target ? target : "",
        option_value(call, "workers"), quoted(call->arena, option_value(call, "trace")), columns,
        value_or(call, "scale", "1s"));
    return true;
}

/* What is trained, and on what, is told together. */
static bool loss_fits(const struct call *call) {
    static const char *const of_loss[] = {"data", "label", "learning-rate", "target", NULL};
    for (size_t q = 0; !has_loss(call) && of_loss[q]; q++)
        if (option_given(call, of_loss[q]))
            return usage_error(call, "option '--%s' goes with --loss", of_loss[q]), false;
    if (has_loss(call) && !option_given(call, "data"))
        return usage_error(call, "--loss %s needs --data: a file, or a mapping such as " EXAMPLE_DATA,
                           option_value(call, "loss")),
               false;
    if (option_given(call, "label") && *option_value(call, "data") == '{')
        return usage_error(call, "option '--label' goes with a file; a mapping has its own: {…, label: %s}",
                           option_value(call, "label")),
               false;
    return true;
}

bool trace_scenario(struct call *call, const char **file, const char **text) {
    static const char *const of_trace[] = {"workers", "columns",       "scale",  "loss",  "data",
                                           "label",   "learning-rate", "target", "steps", NULL};
    bool trace = option_given(call, "trace");
    *text = NULL;
    *file = call->operands > 0 ? call->operand[0]
                               : arena_format(call->arena, "scenario of --trace and --workers %s",
                                              value_or(call, "workers", ""));
    if (trace == (call->operands > 0))
        return usage_error(call, trace ? "takes a scenario or --trace, not both"
                                       : "expects a scenario, or --trace FILE"),
               false;
    for (size_t q = 0; !trace && of_trace[q]; q++)
        if (option_given(call, of_trace[q]))
            return usage_error(call, "option '--%s' goes with --trace", of_trace[q]), false;
    if (trace && !option_given(call, "workers"))
        return usage_error(call, "--trace needs --workers N"), false;
    return !trace || (loss_fits(call) && text_make(call, text));
}
