/* cloned.h: arithmetic compiled for several instruction sets, of which the processor takes the best when the program
 * starts. All of them give the same bits: every fma is written out, so x86-64 without the instruction calls libm's,
 * which is exact too, only slow. */
#ifndef LAGGARD_CLONED_H
#define LAGGARD_CLONED_H

/* Before a static function; calls from other files go through a plain wrapper, as clang 14 does not export the name of a
 * cloned function. It does export that of the choice between clones, so no two of one name may meet in a program. It never
 * picks a clone named by arch either, so it is given single features.
 * Tests define CLONED to compile one instruction set. */
#if !defined(__x86_64__)
#define HAS_V3 0
#define HAS_V4 0
#elif defined(CLONED) /* what the compiler was told, and no choice */
#define TARGET_V3
#define TARGET_V4
#if defined(__FMA__) && defined(__AVX2__)
#define HAS_V3 1
#else
#define HAS_V3 0
#endif
#if defined(__AVX512F__)
#define HAS_V4 1
#else
#define HAS_V4 0
#endif
#define RUNS_V3 1
#define RUNS_V4 1
#else
/* Before functions written with the registers of an instruction set, to be called where the processor RUNS it. */
#define HAS_V3    1
#define HAS_V4    1
#define TARGET_V3 __attribute__((target("avx2,fma")))
#define TARGET_V4 __attribute__((target("avx512f,fma")))
#define RUNS_V3   (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#define RUNS_V4   (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma"))
#endif

#ifndef CLONED
#if !defined(__x86_64__)
#define CLONED
#elif defined(__clang__)
#define CLONED __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define CLONED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#endif

/* Before a loop over the eight lanes of a vector: gcc would otherwise unroll it into scalars before its vectoriser
 * looks at it; clang needs no advice, and given it keeps the loop. */
#if defined(__GNUC__) && !defined(__clang__)
#define LANE_LOOP _Pragma("GCC unroll 1")
#else
#define LANE_LOOP
#endif

/* Before a loop of a constant number of turns whose arrays are to become registers. Sanitizers, which ask something at every
 * index, are spared the turns: define it empty. */
#ifdef UNROLLED
#elif defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define UNROLLED _Pragma("GCC unroll 32")
#else
#define UNROLLED
#endif

#define INLINED static inline __attribute__((always_inline))
#endif
