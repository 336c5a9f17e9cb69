/* cloned.h: arithmetic compiled for several instruction sets, of which the processor takes the best when the program
 * starts. All of them give the same bits: every fma is written out, so x86-64 without the instruction calls libm's,
 * which is exact too, only slow. */
#ifndef LAGGARD_CLONED_H
#define LAGGARD_CLONED_H

/* Before a static function; calls from other files go through a plain wrapper, as clang 14 does not export
 * the name of a cloned function. It never picks a clone named by arch either, so it is given single features.
 * Tests define CLONED to compile one instruction set. */
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

#define INLINED static inline __attribute__((always_inline))
#endif
