#include "lockstep_kernel.h"
#include "cloned.h"

#if HAS_V3
#include <immintrin.h>

enum { LANES = 8, PAIRS = LANES / 2 };

static const size_t reversed[PAIRS] = {0, 2, 1, 3};
#define PREFETCH_FAR(place) __builtin_prefetch(place, 0, 2)

/* In double precision, then in single. */
#define TARGET         TARGET_V3
#define TILE           6
#define SPARSE_VECTORS 1
#define NUMBER         double
#define ROWS           row
#define VECTOR         __m256d
#define FMA            _mm256_fmadd_pd
#define SPREAD         _mm256_set1_pd
#define NAMED(name)    name##_v3
#include "lockstep_tile.h"

#include "lockstep_sparse.h"

#include "lockstep_undefined.h"

#define NUMBER      float
#define ROWS        single
#define VECTOR      __m256
#define FMA         _mm256_fmadd_ps
#define SPREAD      _mm256_set1_ps
#define NAMED(name) name##_single_v3
#include "lockstep_tile.h"

#include "lockstep_undefined.h"

#undef TARGET
#undef TILE
#undef SPARSE_VECTORS

#if HAS_V4
#define TARGET         TARGET_V4
#define TILE           12
#define SPARSE_VECTORS 2
#define NUMBER         double
#define ROWS           row
#define VECTOR         __m512d
#define FMA            _mm512_fmadd_pd
#define SPREAD         _mm512_set1_pd
#define NAMED(name)    name##_v4
#include "lockstep_tile.h"

#include "lockstep_sparse.h"

#include "lockstep_undefined.h"

#define NUMBER      float
#define ROWS        single
#define VECTOR      __m512
#define FMA         _mm512_fmadd_ps
#define SPREAD      _mm512_set1_ps
#define NAMED(name) name##_single_v4
#include "lockstep_tile.h"
#endif
#endif

const struct lockstep_kernel *lockstep_kernel_of(const struct dataset *data) {
#if HAS_V4
    if (RUNS_V4)
        return data->sparse ? &sparse_v4 : data->single ? &dense_single_v4 : &dense_v4;
#endif
#if HAS_V3
    if (RUNS_V3)
        return data->sparse ? &sparse_v3 : data->single ? &dense_single_v3 : &dense_v3;
#endif
    (void)data;
    return NULL;
}
