#include "compressor.h"

#define COMPRESSOR(name) extern const struct compressor name;
#include "compressors.def"
#undef COMPRESSOR

#define COMPRESSOR(name) &name.head,
static const struct variant *const compressors[] = {
#include "compressors.def"
    NULL,
};
#undef COMPRESSOR

const struct family compressor_family = {.noun = "compressor", .variants = compressors, .fallback = "none"};

static const struct param params[] = {
    {.name = "error_feedback",
     .kind = PARAM_FLAG,
     .offset = offsetof(struct compression_spec, error_feedback),
     .fallback = "false",
     .help =
         "a worker adds what it left out of its messages to its next one (arXiv 1901.09847); randk and qsgd "
         "then send it divided by 1 + their relative variance"},
};
const struct param_table compression_table = {
    PARAM_TABLE(struct compression_spec, params),
    .family = &compressor_family,
    .picked = offsetof(struct compression_spec, compressor),
};

static const struct compressor *compressor_of(const struct compression_spec *spec) {
    return (const struct compressor *)spec->compressor.type;
}

struct draw noise_draw(const struct noise *noise, size_t value) {
    return (struct draw){.stream = noise->stream,
                         .worker = noise->sender + noise->senders * (uint32_t)(value >> 16),
                         .step = noise->step,
                         .draw = (uint32_t)(value & 0xffff)};
}

bool compression_acts(const struct compression_spec *spec) {
    return spec && compressor_of(spec)->compress;
}

double compression_bytes(const struct compression_spec *spec, size_t values) {
    return compressor_of(spec)->bytes(spec->compressor.params, values);
}

bool compression_refuses(const struct compression_spec *spec, size_t values, struct sentence *why) {
    const struct compressor *compressor = compressor_of(spec);
    return compressor->refuses && compressor->refuses(spec->compressor.params, values, why);
}

static void compress(const struct compression_spec *spec, const struct noise *noise, double *message,
                     size_t values) {
    compressor_of(spec)->compress(spec->compressor.params, noise, message, values);
}

/* What C is multiplied by so that it shrinks what is left. */
static double damping(const struct compression_spec *spec, size_t values) {
    const struct compressor *compressor = compressor_of(spec);
    return compressor->omega ? 1 / (1 + compressor->omega(spec->compressor.params, values)) : 1;
}

void compression_apply(const struct compression_spec *spec, const struct noise *noise, double *message,
                       double *memory, size_t values) {
    if (!memory) {
        compress(spec, noise, message, values);
        return;
    }
    double factor = damping(spec, values);
    for (size_t j = 0; j < values; j++)
        memory[j] = message[j] += memory[j];
    compress(spec, noise, message, values);
    for (size_t j = 0; j < values; j++) {
        message[j] *= factor;
        memory[j] -= message[j];
    }
}
